/* SPDX-License-Identifier: BSD-3-Clause */
/* Children of every kind have a heap of their own, and leave the parent's as it was. */
#include "heap_exchange.h"

#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static uint64_t *shared;
static _Atomic int stop;

static void *churn(void *seed)
{
    unsigned state = (unsigned)(uintptr_t)seed;
    void *blocks[64] = {NULL};

    while (!atomic_load(&stop)) {
        unsigned i = (state = state * 1103515245u + 12345u) >> 16 & 63;
        free(blocks[i]);
        blocks[i] = malloc(state >> 4 & 0x3fff);
    }
    for (unsigned i = 0; i < 64; i++)
        free(blocks[i]);
    return NULL;
}

/* Blocks that the allocator gave twice would overlap. */
static int use_heap(void)
{
    unsigned char *blocks[500];
    int wrong = 0;

    for (unsigned i = 0; i < 500; i++) {
        blocks[i] = malloc(i * 20 + 1);
        memset(blocks[i], (int)(i & 0xff), i * 20 + 1);
    }
    for (unsigned i = 0; i < 500; i++) {
        for (unsigned j = 0; j < i * 20 + 1; j++)
            wrong += blocks[i][j] != (i & 0xff);
        free(blocks[i]);
    }
    return wrong;
}

static int wait_for(pid_t child)
{
    int status;

    REQUIRE(child > 0);
    REQUIRE(waitpid(child, &status, 0) == child);
    return status;
}

static void child_and_grandchild(void)
{
    pid_t grandchild;
    FILE *file;

    REQUIRE(*shared == 1);
    *shared = 2;
    REQUIRE(use_heap() == 0);
    grandchild = fork();
    if (grandchild == 0) {
        REQUIRE(*shared == 2);
        *shared = 3;
        file = fopen("/dev/null", "w");
        REQUIRE(file != NULL && fclose(file) == 0);
        _exit(use_heap());
    }
    REQUIRE(wait_for(grandchild) == 0);
    REQUIRE(*shared == 2);
    _exit(0);
}

/* A child is a rank of no job; in one of its own its heap is mapped, too. */
static void child_with_a_device(void)
{
    utofu_vcq_hdl_t vcq;
    utofu_stadd_t stadd;
    char job[64];

    snprintf(job, sizeof(job), "heap-child-%d", (int)getpid());
    setenv("SOFTTOFU_JOB", job, 1);
    REQUIRE(utofu_create_vcq(0, 0, &vcq) == 0);
    REQUIRE(utofu_reg_mem(vcq, malloc(1000), 1000, 0, &stadd) == 0);
    REQUIRE(utofu_reg_mem(vcq, shared, 8, 0, &stadd) == 0);
    _exit(0);
}

static void start_programs(void)
{
    char *argv[] = {"true", NULL};
    char text[16];
    pid_t child;
    FILE *pipe;

    REQUIRE(system("exit 3") == 3 << 8);
    pipe = popen("echo piped", "r");
    REQUIRE(pipe != NULL && fgets(text, sizeof(text), pipe) != NULL && strcmp(text, "piped\n") == 0);
    REQUIRE(pclose(pipe) == 0);
    REQUIRE(posix_spawnp(&child, "true", NULL, NULL, argv, environ) == 0);
    REQUIRE(wait_for(child) == 0);
    child = vfork();
    if (child == 0)
        _exit(4);
    REQUIRE(wait_for(child) == 4 << 8);
}

static void fork_once(void (*in_child)(void))
{
    pid_t child = fork();

    if (child == 0)
        in_child();
    REQUIRE(wait_for(child) == 0);
    REQUIRE(*shared == 1);
}

/* Nothing of the parent's is in the way of a child that is killed at some moment, and the other way round. */
static void kill_children(void)
{
    pid_t child;

    for (int i = 0; i < 20; i++) {
        child = fork();
        if (child == 0) {
            for (;;)
                use_heap();
        }
        usleep((useconds_t)i * 100);
        kill(child, SIGKILL);
        REQUIRE(wait_for(child) == SIGKILL);
    }
    child = fork();
    if (child == 0) { /* Parent of one that outlives it. */
        child = fork();
        if (child == 0) {
            usleep(1000);
            _exit(use_heap());
        }
        kill(getpid(), SIGKILL);
    }
    REQUIRE(wait_for(child) == SIGKILL);
}

int main(void)
{
    pthread_t threads[3];

    shared  = calloc(1, sizeof(*shared));
    *shared = 1;
    fork_once(child_and_grandchild);
    fork_once(child_with_a_device);
    for (uintptr_t i = 0; i < 3; i++)
        REQUIRE(pthread_create(&threads[i], NULL, churn, (void *)(i + 1)) == 0);
    for (int i = 0; i < 20; i++)
        fork_once(child_and_grandchild);
    start_programs();
    kill_children();
    atomic_store(&stop, 1);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    REQUIRE(*shared == 1 && use_heap() == 0);
    printf("forked\n");
    return 0;
}
