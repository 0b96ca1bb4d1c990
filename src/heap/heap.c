/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets the heap up, and decides what it serves. */
#include "heap/heap.h"

#include "heap/allocator.h"
#include "heap/arena.h"
#include "heap/fork.h"
#include "heap/gate.h"

#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <unistd.h>

#define SIZE_NAME     "SOFTTOFU_HEAP_SIZE"
#define SIZE_MIN_MIB  64ul
#define SIZE_MAX_MIB  (64ul << 20)
#define ALL_HEAPS_MIB (64ul << 20) /* Each process maps those of all its peers: half of what addresses reach. */

/** Code from start to end. */
struct range {
    uintptr_t start, end;
};

/*
 * The C library and the dynamic linker. What they allocate for themselves, such as FILEs, stays in the C library's own
 * heap: a fork writes to it in the child before any handler is called.
 */
static struct range system_code[2];
static unsigned system_codes;

static pthread_key_t end_of_thread;
static __thread bool thread_known;
static char any_value;

/* Besides HEAP_STATE_READY. */
enum { STATE_NEW = 0, STATE_BUSY = 2, STATE_FAILED = 3 };
_Atomic int heap_state = STATE_NEW;

void heap_say(const char *text, int error)
{
    char line[512];
    int length = snprintf(line, sizeof(line), "tofuheap: ");

    length += snprintf(line + length, sizeof(line) - (size_t)length - 1, text, strerrordesc_np(error));
    line[length++] = '\n';
    if (write(STDERR_FILENO, line, (size_t)length) < 0)
        return; /* There is nobody to tell. */
}

bool heap_is_system(const void *caller)
{
    uintptr_t at = (uintptr_t)caller;

    return at - system_code[0].start < system_code[0].end - system_code[0].start ||
           at - system_code[1].start < system_code[1].end - system_code[1].start;
}

void heap_thread_used(void)
{
    if (__builtin_expect(thread_known, 1))
        return;
    thread_known = true;
    pthread_setspecific(end_of_thread, &any_value);
}

/* This key is older than mimalloc's, so this comes first; memory used later in the thread's end sets the key anew. */
static void leave_thread(void *unused)
{
    (void)unused;
    thread_known = false;
    heap_gate_enter();
    heap_allocator.thread_done();
    heap_gate_leave();
    heap_gate_forget_thread();
}

static int add_code(struct dl_phdr_info *info, size_t size, void *unused)
{
    uintptr_t within_libc = (uintptr_t)&fopen;

    (void)size;
    (void)unused;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uintptr_t start        = info->dlpi_addr + part->p_vaddr;
        if (part->p_type != PT_LOAD || (part->p_flags & PF_X) == 0 || system_codes == 2)
            continue;
        if (within_libc - start < part->p_memsz || info->dlpi_addr == getauxval(AT_BASE))
            system_code[system_codes++] = (struct range){start, start + part->p_memsz};
    }
    return 0;
}

/* As much as the machine has, less if so many processes could not map each other's. */
static unsigned long default_mib(void)
{
    const char *job = getenv("SOFTTOFU_SIZE");
    unsigned long machine =
            (unsigned long)sysconf(_SC_PHYS_PAGES) / 1024 * (unsigned long)sysconf(_SC_PAGESIZE) / 1024;
    unsigned long processes = job != NULL ? strtoul(job, NULL, 10) : 0;
    unsigned long share     = ALL_HEAPS_MIB / (processes > 0 ? processes : 1);

    machine = (machine / 1024 + 1) * 1024;
    return machine < share ? machine : share;
}

/* @return Bytes, or 0 with one line written. */
static size_t choose_size(void)
{
    const char *text  = getenv(SIZE_NAME);
    unsigned long mib = default_mib();
    struct rlimit limit;
    char *end;

    if (text != NULL && *text != '\0') {
        mib = strtoul(text, &end, 10);
        if (*end != '\0' || *text == '-' || mib < SIZE_MIN_MIB || mib > SIZE_MAX_MIB) {
            heap_say(SIZE_NAME " is not a number of MiB from 64 to 67108864: using the normal heap", 0);
            return 0;
        }
    }
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
        heap_say("address space is limited (ulimit -v), and mapped heaps need much of it: using the normal heap", 0);
        return 0;
    }
    return mib << 20 & ~(HEAP_ARENA_ALIGNMENT - 1);
}

/* @return Whether the heap is there; if not, one line was written. */
static bool set_up(void)
{
    size_t size = choose_size();
    const char *problem;

    if (size == 0)
        return false;
    if (heap_arena_make(size) != 0) {
        heap_say("no memory for a heap that peers can map (%s): using the normal heap", errno);
        return false;
    }
    dl_iterate_phdr(add_code, NULL);
    problem = system_codes == 2 ? heap_allocator_load() : "the C library's code was not found: using the normal heap";
    if (problem == NULL)
        return true;
    heap_say(problem, 0);
    heap_arena_discard();
    return false;
}

/*
 * The first call of malloc sets the heap up, unless the C library is not ready yet to load another library. Calls in
 * between, be they mimalloc's or another thread's, do without.
 */
bool heap_is_set_up(void)
{
    int state = STATE_NEW;

    if (environ != NULL && atomic_compare_exchange_strong(&heap_state, &state, STATE_BUSY)) {
        state = set_up() ? HEAP_STATE_READY : STATE_FAILED;
        atomic_store(&heap_state, state);
    }
    return state == HEAP_STATE_READY;
}

/* Before any other library's constructor, and before the C library is ready: see CMakeLists.txt. */
__attribute__((constructor)) static void watch_early(void)
{
    heap_gate_init();
    if (pthread_key_create(&end_of_thread, leave_thread) != 0 || heap_fork_watch() != 0)
        atomic_store(&heap_state, STATE_FAILED);
}
