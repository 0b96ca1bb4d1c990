/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What MPI programs do most: messages of many lengths, storms of messages, and one-sided communication of every kind
 * with active and passive targets, into memory that MPI allocated and into the program's own. All data is checked.
 * Rank 0 prints "all is well" at the end; who finds wrong data ends the job.
 */
#include <mpi.h>

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 1 << 20, STORM = 150, ADDITIONS = 100, LOCK_ROUNDS = 25 };

static const int lengths[] = {0, 1, 8, 31, 100, 1000, 4096, 8192, 8193, 40000, 65536, LONGEST};
enum { LENGTHS = sizeof(lengths) / sizeof(*lengths) };

static int rank, ranks;

__attribute__((format(printf, 2, 3))) static void require(int ok, const char *format, ...)
{
    va_list arguments;

    if (ok)
        return;
    va_start(arguments, format);
    fprintf(stderr, "rank %d: ", rank);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Bytes that tell who wrote them, for what, and where. */
static char value(int from, int turn, size_t place)
{
    return (char)((place + (place >> 8)) * 7 + (size_t)from * 31 + (size_t)turn * 131 + 1);
}

static void fill(char *buffer, size_t length, int from, int turn)
{
    for (size_t i = 0; i < length; i++)
        buffer[i] = value(from, turn, i);
}

static void check(const char *buffer, size_t length, int from, int turn, const char *what)
{
    for (size_t i = 0; i < length; i++)
        require(buffer[i] == value(from, turn, i), "%s: byte %zu of %zu from rank %d is wrong", what, i, length, from);
}

static char *allocate(size_t length)
{
    char *buffer = malloc(length + 1);

    require(buffer != NULL, "no memory");
    return buffer;
}

/* Every length to every rank, and from every rank. */
static void exchange_messages(void)
{
    char *out = allocate(LONGEST), *in = allocate(LONGEST);

    for (int turn = 0; turn < LENGTHS; turn++) {
        for (int distance = 0; distance < ranks; distance++) {
            const int to = (rank + distance) % ranks, from = (rank - distance + ranks) % ranks;
            MPI_Status status;
            int count;

            fill(out, (size_t)lengths[turn], rank, turn);
            MPI_Sendrecv(out, lengths[turn], MPI_CHAR, to, turn, in, LONGEST, MPI_CHAR, from, turn, MPI_COMM_WORLD,
                         &status);
            MPI_Get_count(&status, MPI_CHAR, &count);
            require(count == lengths[turn], "received %d bytes instead of %d", count, lengths[turn]);
            check(in, (size_t)count, from, turn, "message");
        }
    }
    free(out);
    free(in);
}

static size_t storm_length(int number)
{
    return (size_t)(number * 97 % 5000);
}

/* Far more messages than any queue holds, most of which nobody expects yet. They arrive in order. */
static void storm(void)
{
    const size_t total = (size_t)ranks * STORM;
    MPI_Request *requests = malloc(total * sizeof(*requests));
    char *out = allocate(total * 5000), *in = allocate(5000);

    require(requests != NULL, "no memory");
    for (int number = 0, i = 0; number < STORM; number++) {
        for (int to = 0; to < ranks; to++, i++) {
            fill(out + (size_t)i * 5000, storm_length(number), rank, number);
            MPI_Isend(out + (size_t)i * 5000, (int)storm_length(number), MPI_CHAR, to, 1, MPI_COMM_WORLD, &requests[i]);
        }
    }
    for (int from = ranks - 1; from >= 0; from--) {
        for (int number = 0; number < STORM; number++) {
            MPI_Status status;
            int count;
            MPI_Recv(in, 5000, MPI_CHAR, from, 1, MPI_COMM_WORLD, &status);
            MPI_Get_count(&status, MPI_CHAR, &count);
            require((size_t)count == storm_length(number), "message %d of rank %d is not in order", number, from);
            check(in, (size_t)count, from, number, "storm");
        }
    }
    for (size_t i = 0; i < total; i++)
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    free(requests);
    free(out);
    free(in);
}

/* Each rank owns a part of every rank's window: [origin] of LONGEST bytes. */
static MPI_Aint part(int origin)
{
    return (MPI_Aint)origin * LONGEST;
}

/* Active target: put to all, fence, look; get from all, fence, look. */
static void fenced(MPI_Win window, char *memory, int length, int turn)
{
    char *out = allocate((size_t)length), *in = allocate((size_t)(ranks * length));

    fill(out, (size_t)length, rank, turn);
    MPI_Win_fence(0, window);
    for (int target = 0; target < ranks; target++)
        MPI_Put(out, length, MPI_CHAR, target, part(rank), length, MPI_CHAR, window);
    MPI_Win_fence(0, window);
    for (int origin = 0; origin < ranks; origin++)
        check(memory + part(origin), (size_t)length, origin, turn, "fenced put");
    for (int target = 0; target < ranks; target++)
        MPI_Get(in + target * length, length, MPI_CHAR, target, part((target + 1) % ranks), length, MPI_CHAR, window);
    MPI_Win_fence(0, window);
    for (int target = 0; target < ranks; target++)
        check(in + target * length, (size_t)length, (target + 1) % ranks, turn, "fenced get");
    free(out);
    free(in);
}

/* Active target with groups: post, start, complete, wait, in a ring. */
static void started(MPI_Win window, char *memory, int length, int turn)
{
    const int next = (rank + 1) % ranks, previous = (rank + ranks - 1) % ranks;
    MPI_Group world, origins, targets;
    char *out = allocate((size_t)length);

    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &previous, &origins);
    MPI_Group_incl(world, 1, &next, &targets);
    fill(out, (size_t)length, rank, turn);
    MPI_Win_post(origins, 0, window);
    MPI_Win_start(targets, 0, window);
    MPI_Put(out, length, MPI_CHAR, next, part(rank), length, MPI_CHAR, window);
    MPI_Win_complete(window);
    MPI_Win_wait(window);
    check(memory + part(previous), (size_t)length, previous, turn, "put to a started window");
    MPI_Group_free(&origins);
    MPI_Group_free(&targets);
    MPI_Group_free(&world);
    free(out);
}

/* Passive target: put, flush, and get the same back, with the others doing the same. */
static void locked(MPI_Win window, int length, int turn)
{
    char *out = allocate((size_t)length), *in = allocate((size_t)length);

    fill(out, (size_t)length, rank, turn);
    MPI_Win_lock_all(0, window);
    for (int target = 0; target < ranks; target++) {
        MPI_Put(out, length, MPI_CHAR, target, part(rank), length, MPI_CHAR, window);
        MPI_Win_flush(target, window);
        MPI_Get(in, length, MPI_CHAR, target, part(rank), length, MPI_CHAR, window);
        MPI_Win_flush(target, window);
        check(in, (size_t)length, rank, turn, "passive put and get");
    }
    MPI_Win_unlock_all(window);
    MPI_Barrier(MPI_COMM_WORLD);
    free(out);
    free(in);
}

static void clear(MPI_Win window, char *memory)
{
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, window);
    memset(memory, 0, 4096);
    MPI_Win_unlock(rank, window);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* All add to all words of rank 0, in 32 and in 64 bits. */
static void accumulate(MPI_Win window, char *memory)
{
    int64_t add64[16];
    int32_t add32[16];

    clear(window, memory);
    for (int i = 0; i < 16; i++) {
        add64[i] = (rank + 1) * (i + 1);
        add32[i] = (rank + 1) * (i + 2);
    }
    MPI_Win_lock_all(0, window);
    for (int n = 0; n < ADDITIONS; n++) {
        MPI_Accumulate(add64, 16, MPI_INT64_T, 0, 0, 16, MPI_INT64_T, MPI_SUM, window);
        MPI_Accumulate(add32, 16, MPI_INT32_T, 0, 1024, 16, MPI_INT32_T, MPI_SUM, window);
    }
    MPI_Win_unlock_all(window);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, window);
    for (int i = 0; rank == 0 && i < 16; i++) {
        const int all = ADDITIONS * ranks * (ranks + 1) / 2;
        require(((int64_t *)memory)[i] == (int64_t)all * (i + 1), "accumulate: 64-bit word %d is wrong", i);
        require(((int32_t *)(memory + 1024))[i] == all * (i + 2), "accumulate: 32-bit word %d is wrong", i);
    }
    MPI_Win_unlock(rank, window);
}

/* Everybody draws numbers from a counter on each rank: each is drawn once. */
static void fetch_and_op(MPI_Win window, char *memory)
{
    const int64_t one = 1;
    int64_t sum = 0, all;

    clear(window, memory);
    MPI_Win_lock_all(0, window);
    for (int n = 0; n < ADDITIONS; n++) {
        for (int target = 0; target < ranks; target++) {
            int64_t drawn = -1;
            MPI_Fetch_and_op(&one, &drawn, MPI_INT64_T, target, 8, MPI_SUM, window);
            MPI_Win_flush(target, window);
            require(drawn >= n && drawn < ADDITIONS * ranks, "fetch and op: drew %ld", (long)drawn);
            sum += drawn;
        }
    }
    MPI_Win_unlock_all(window);
    MPI_Allreduce(&sum, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    const int64_t last = (int64_t)ADDITIONS * ranks - 1;
    require(all == ranks * last * (last + 1) / 2, "fetch and op: the numbers drawn add up to %ld", (long)all);
}

/* A lock by compare-and-swap on rank 0 guards a counter that is read and written in two steps. */
static void compare_and_swap(MPI_Win window, char *memory)
{
    const int32_t unlocked = 0, mine = rank + 1;
    int32_t holder, count;

    clear(window, memory);
    MPI_Win_lock_all(0, window);
    for (int n = 0; n < LOCK_ROUNDS; n++) {
        do {
            MPI_Compare_and_swap(&mine, &unlocked, &holder, MPI_INT32_T, 0, 0, window);
            MPI_Win_flush(0, window);
        } while (holder != unlocked);
        MPI_Get(&count, 1, MPI_INT32_T, 0, 64, 1, MPI_INT32_T, window);
        MPI_Win_flush(0, window);
        count++;
        MPI_Put(&count, 1, MPI_INT32_T, 0, 64, 1, MPI_INT32_T, window);
        MPI_Win_flush(0, window);
        MPI_Compare_and_swap(&unlocked, &mine, &holder, MPI_INT32_T, 0, 0, window);
        MPI_Win_flush(0, window);
        require(holder == mine, "compare and swap: the lock was %d's", holder - 1);
    }
    MPI_Win_unlock_all(window);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, window);
    require(rank != 0 || *(int32_t *)(memory + 64) == LOCK_ROUNDS * ranks, "compare and swap: counted to %d",
            *(int32_t *)(memory + 64));
    MPI_Win_unlock(rank, window);
}

static void use_window(MPI_Win window, char *memory)
{
    for (int turn = 1; turn < LENGTHS; turn += 2) {
        fenced(window, memory, lengths[turn], turn);
        started(window, memory, lengths[turn], turn + 50);
        MPI_Barrier(MPI_COMM_WORLD);
        locked(window, lengths[turn], turn + 100);
    }
    accumulate(window, memory);
    fetch_and_op(window, memory);
    compare_and_swap(window, memory);
}

static void use_allocated_window(void)
{
    MPI_Win window;
    char *memory;

    MPI_Win_allocate(part(ranks), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    use_window(window, memory);
    MPI_Win_free(&window);
}

static void use_created_window(void)
{
    char *memory = allocate((size_t)part(ranks));
    MPI_Win window;

    MPI_Win_create(memory, part(ranks), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    use_window(window, memory);
    MPI_Win_free(&window);
    free(memory);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    exchange_messages();
    storm();
    use_allocated_window();
    use_created_window();
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("all is well\n");
    MPI_Finalize();
    return 0;
}
