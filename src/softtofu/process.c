/* SPDX-License-Identifier: BSD-3-Clause */
#include "softtofu/process.h"

#include "softtofu/gate_table.h"
#include "softtofu/job.h"
#include "softtofu/log.h"
#include "softtofu/vcq_slot.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

uint64_t softtofu_process_start_time(int pid)
{
    char path[48], text[1024], state;
    unsigned long long start = 0;
    const char *rest;
    FILE *file;

    /* That of the main thread: for the process as a whole qemu-user makes a start time up. */
    snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", pid, pid);
    file = fopen(path, "re");
    if (file == NULL)
        return softtofu_is_shortage(errno) ? SOFTTOFU_START_UNKNOWN : 0;
    text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
    fclose(file);
    /* The command, field 2, may hold anything, even ')'. State is field 3, start time field 22. */
    rest = strrchr(text, ')');
    if (rest == NULL ||
        sscanf(rest + 1,
               " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
               &state, &start) != 2 ||
        state == 'Z' || state == 'X')
        return 0;
    return start;
}

bool softtofu_process_alive(const struct softtofu_process *process)
{
    uint64_t start;

    if (atomic_load(&process->state) != SOFTTOFU_PROCESS_ALIVE)
        return false;
    start = softtofu_process_start_time(atomic_load(&process->pid));
    return start == SOFTTOFU_START_UNKNOWN || start == atomic_load(&process->start_time);
}

static void free_cq(struct softtofu_cq *cq, unsigned rank)
{
    for (unsigned cmp = 0; cmp < SOFTTOFU_CMP_IDS; cmp++) {
        struct softtofu_vcq_slot *slot = &cq->vcq[cmp];
        if ((atomic_load(&slot->generation) & 1) != 0 && atomic_load(&slot->process) == rank)
            softtofu_vcq_slot_free(cq, cmp, rank);
    }
}

/* Assumes that the caller has the fabric's mutex. */
static void end_locked(const struct softtofu_fabric *fabric, unsigned rank,
                       enum softtofu_process_state state)
{
    struct torus_place place    = torus_map_place(softtofu_fabric_map(fabric), rank);
    struct softtofu_cq *cqs     = &softtofu_fabric_node(fabric, place.node)->cq[0][0];

    for (unsigned i = 0; i < SOFTTOFU_NODE_CQS; i++)
        free_cq(&cqs[i], rank);
    softtofu_gates_give_back_all(fabric, rank);
    atomic_store(&softtofu_fabric_process(fabric, rank)->state, state);
}

static bool reap_locked(const struct softtofu_fabric *fabric, unsigned rank)
{
    struct softtofu_process *process = softtofu_fabric_process(fabric, rank);

    if (atomic_load(&process->state) == SOFTTOFU_PROCESS_ALIVE && !softtofu_process_alive(process))
        end_locked(fabric, rank, SOFTTOFU_PROCESS_DEAD);
    return atomic_load(&process->state) == SOFTTOFU_PROCESS_DEAD;
}

bool softtofu_process_reap(const struct softtofu_fabric *fabric, unsigned rank)
{
    bool dead;

    softtofu_lock(&fabric->head->mutex);
    dead = reap_locked(fabric, rank);
    softtofu_unlock(&fabric->head->mutex);
    return dead;
}

void softtofu_process_detach(const struct softtofu_fabric *fabric, unsigned rank)
{
    softtofu_lock(&fabric->head->mutex);
    end_locked(fabric, rank, SOFTTOFU_PROCESS_EXITED);
    softtofu_unlock(&fabric->head->mutex);
}

/* @return The rank to take, or -1 with one line logged. */
static int choose_rank(const struct softtofu_fabric *fabric, long wanted)
{
    const struct softtofu_head *head = fabric->head;
    unsigned first = wanted == SOFTTOFU_RANK_ANY ? 0 : (unsigned)wanted;
    unsigned end   = wanted == SOFTTOFU_RANK_ANY ? head->processes_max : first + 1;

    if (wanted != SOFTTOFU_RANK_ANY && (wanted < 0 || wanted >= (long)head->processes_max)) {
        softtofu_error("rank %ld is outside job '%s', which has %u ranks", wanted, head->job,
                       head->processes_max);
        return -1;
    }
    for (unsigned rank = first; rank < end; rank++) {
        reap_locked(fabric, rank);
        if (atomic_load(&softtofu_fabric_process(fabric, rank)->state) != SOFTTOFU_PROCESS_ALIVE)
            return (int)rank;
    }
    if (wanted == SOFTTOFU_RANK_ANY)
        softtofu_error("all %u ranks of job '%s' are taken: start processes under tofu-run, or set "
                       "SOFTTOFU_JOB to a name of your own",
                       head->processes_max, head->job);
    else
        softtofu_error("rank %ld of job '%s' is process %d already: only one process of a rank can "
                       "use Tofu; unset SOFTTOFU_RANK for helpers that it starts",
                       wanted, head->job, atomic_load(&softtofu_fabric_process(fabric, first)->pid));
    return -1;
}

int softtofu_process_attach(const struct softtofu_fabric *fabric, long wanted)
{
    const uint64_t start = softtofu_process_start_time(getpid());
    struct softtofu_process *process;
    int rank;

    /* Without it others would take this process for another one, and for dead. */
    if (start == 0 || start == SOFTTOFU_START_UNKNOWN) {
        softtofu_error("cannot read /proc/%d/task/%d/stat: %s; mount /proc, or raise the limits of memory and files "
                       "(ulimit -n)",
                       getpid(), getpid(), strerror(errno));
        return -1;
    }
    softtofu_lock(&fabric->head->mutex);
    rank = choose_rank(fabric, wanted);
    if (rank >= 0) {
        process = softtofu_fabric_process(fabric, (unsigned)rank);
        /* Before the pid: who opens a descriptor of this process sees that the file was its predecessor's. */
        for (unsigned i = 0; i < SOFTTOFU_SEGMENTS_MAX; i++) {
            if ((atomic_load(&process->segment[i].generation) & 1) != 0)
                atomic_fetch_add(&process->segment[i].generation, 1);
        }
        atomic_store(&process->pid, getpid());
        atomic_store(&process->start_time, start);
        atomic_fetch_add(&process->epoch, 1);
        atomic_store(&process->state, SOFTTOFU_PROCESS_ALIVE);
    }
    softtofu_unlock(&fabric->head->mutex);
    return rank;
}
