/* SPDX-License-Identifier: BSD-3-Clause */
/* What tofukit_failing_steps() puts in the place of each call: step_NAME for NAME. */
#include "support/steps.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Atomic unsigned long taken, failing;

void steps_begin(unsigned long number)
{
    atomic_store(&failing, number);
    atomic_store(&taken, 0);
}

unsigned long steps_taken(void)
{
    return atomic_load(&taken);
}

static bool fails(int error)
{
    if (atomic_fetch_add(&taken, 1) + 1 != atomic_load(&failing))
        return false;
    errno = error;
    return true;
}

/* STEP(result, name, parameters, arguments, error, what failure returns) */
#define STEP(result, name, parameters, arguments, error, failure)                                  \
    result step_##name parameters;                                                                 \
    result step_##name parameters                                                                  \
    {                                                                                              \
        return fails(error) ? (failure) : name arguments;                                          \
    }

STEP(void *, malloc, (size_t size), (size), ENOMEM, NULL)
STEP(void *, calloc, (size_t count, size_t size), (count, size), ENOMEM, NULL)
STEP(void *, realloc, (void *old, size_t size), (old, size), ENOMEM, NULL)
STEP(void *, aligned_alloc, (size_t alignment, size_t size), (alignment, size), ENOMEM, NULL)
STEP(char *, strdup, (const char *text), (text), ENOMEM, NULL)
STEP(void *, mmap, (void *at, size_t size, int protection, int flags, int fd, off_t offset),
     (at, size, protection, flags, fd, offset), ENOMEM, MAP_FAILED)
STEP(int, memfd_create, (const char *name, unsigned flags), (name, flags), EMFILE, -1)
STEP(int, ftruncate, (int fd, off_t size), (fd, size), ENOSPC, -1)
STEP(int, fallocate, (int fd, int mode, off_t offset, off_t size), (fd, mode, offset, size), ENOSPC, -1)
STEP(FILE *, fopen, (const char *path, const char *mode), (path, mode), EMFILE, NULL)
STEP(FILE *, fdopen, (int fd, const char *mode), (fd, mode), ENOMEM, NULL)
STEP(DIR *, opendir, (const char *path), (path), EMFILE, NULL)
STEP(int, socket, (int family, int type, int protocol), (family, type, protocol), EMFILE, -1)
STEP(int, bind, (int fd, const struct sockaddr *address, socklen_t size), (fd, address, size), ENOMEM, -1)
STEP(int, pthread_create,
     (pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument),
     (thread, attributes, start, argument), EAGAIN, EAGAIN)

int step_open(const char *path, int flags, ...);
int step_open(const char *path, int flags, ...)
{
    va_list arguments;
    unsigned mode;

    va_start(arguments, flags);
    mode = (flags & O_CREAT) != 0 ? va_arg(arguments, unsigned) : 0;
    va_end(arguments);
    return fails(EMFILE) ? -1 : open(path, flags, mode);
}

/* Only duplicates can fail for want of something. */
int step_fcntl(int fd, int command, ...);
int step_fcntl(int fd, int command, ...)
{
    va_list arguments;
    long argument;

    va_start(arguments, command);
    argument = command == F_DUPFD_CLOEXEC ? va_arg(arguments, int) : 0;
    va_end(arguments);
    return command == F_DUPFD_CLOEXEC && fails(EMFILE) ? -1 : fcntl(fd, command, argument);
}

/* Of the calls without a wrapper those that make a descriptor; a futex asks for nothing. */
long step_syscall(long number, ...);
long step_syscall(long number, ...)
{
    long a[6];
    va_list arguments;

    if (number == SYS_pidfd_open && fails(EMFILE))
        return -1;
    va_start(arguments, number);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(arguments, long);
    va_end(arguments);
    return syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
