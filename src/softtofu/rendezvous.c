/* SPDX-License-Identifier: BSD-3-Clause */
#include "softtofu/rendezvous.h"

#include "softtofu/layout.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define LOCK_ATTEMPTS 10000 /* of 1 ms each */

static int bind_abstract(const char *text)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length              = strlen(text);
    int fd                     = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd < 0)
        return -1;
    memcpy(address.sun_path + 1, text, length);
    if (bind(fd, (struct sockaddr *)&address,
             (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length)) != 0) {
        int error = errno;
        close(fd);
        errno = error;
        return -1;
    }
    return fd;
}

int softtofu_announce(const char *job, int fd)
{
    char text[sizeof(((struct sockaddr_un *)0)->sun_path) - 1];

    snprintf(text, sizeof(text), "softtofu/%u/%s/%ld/%d", geteuid(), job, (long)getpid(), fd);
    return bind_abstract(text);
}

int softtofu_lock_job(const char *job)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    char text[sizeof(((struct sockaddr_un *)0)->sun_path) - 1];

    snprintf(text, sizeof(text), "softtofu/%u/%s/lock", geteuid(), job);
    for (int i = 0; i < LOCK_ATTEMPTS; i++) {
        int fd = bind_abstract(text);
        if (fd >= 0 || errno != EADDRINUSE)
            return fd;
        nanosleep(&pause, NULL);
    }
    errno = ETIMEDOUT;
    return -1;
}

/** One announcement. */
struct holder {
    unsigned uid;
    char job[SOFTTOFU_JOB_NAME_MAX];
    long pid;
    int fd;
};

/* A line ends in the address; abstract ones are shown with '@' for their first NUL. */
static bool parse_line(const char *line, struct holder *holder)
{
    const char *at = strstr(line, "@softtofu/");

    return at != NULL && sscanf(at, "@softtofu/%u/%63[^/]/%ld/%d", &holder->uid, holder->job,
                                &holder->pid, &holder->fd) == 4;
}

/* A fabric is a private file of this very user. A pid that was used again leads elsewhere. */
static bool is_fabric(int fd)
{
    struct stat status;
    uint64_t magic;

    return fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
           (status.st_mode & 0777) == 0600 && pread(fd, &magic, sizeof(magic), 0) == sizeof(magic) &&
           magic == SOFTTOFU_LAYOUT_MAGIC;
}

static int open_holder(const struct holder *holder)
{
    char path[64];
    int fd;

    snprintf(path, sizeof(path), "/proc/%ld/fd/%d", holder->pid, holder->fd);
    fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd >= 0 && !is_fabric(fd)) {
        close(fd);
        return -1;
    }
    return fd;
}

int softtofu_find_fabric(const char *job)
{
    FILE *sockets = fopen("/proc/net/unix", "re");
    struct holder holder;
    char line[512];
    int fd = -1;

    if (sockets == NULL)
        return -1;
    while (fd < 0 && fgets(line, sizeof(line), sockets) != NULL) {
        if (parse_line(line, &holder) && holder.uid == geteuid() && strcmp(holder.job, job) == 0)
            fd = open_holder(&holder);
    }
    fclose(sockets);
    return fd;
}

static int by_name(const void *a, const void *b)
{
    const struct softtofu_job_entry *left = a, *right = b;
    int order = strcmp(left->name, right->name);

    return order != 0 ? order : (left->owner > right->owner) - (left->owner < right->owner);
}

static bool listed(const struct softtofu_job_entry *jobs, size_t count, const struct holder *holder)
{
    for (size_t i = 0; i < count; i++) {
        if (jobs[i].owner == holder->uid && strcmp(jobs[i].name, holder->job) == 0)
            return true;
    }
    return false;
}

int softtofu_list_jobs(struct softtofu_job_entry **jobs, size_t *count)
{
    FILE *sockets = fopen("/proc/net/unix", "re");
    struct holder holder;
    char line[512];

    *jobs  = NULL;
    *count = 0;
    if (sockets == NULL)
        return -1;
    while (fgets(line, sizeof(line), sockets) != NULL) {
        if (!parse_line(line, &holder) || listed(*jobs, *count, &holder))
            continue;
        struct softtofu_job_entry *more = realloc(*jobs, (*count + 1) * sizeof(**jobs));
        if (more == NULL) {
            free(*jobs);
            *jobs = NULL;
            fclose(sockets);
            errno = ENOMEM;
            return -1;
        }
        *jobs = more;
        more[*count].owner  = holder.uid;
        more[*count].holder = (pid_t)holder.pid;
        snprintf(more[*count].name, sizeof(more[*count].name), "%s", holder.job);
        ++*count;
    }
    fclose(sockets);
    if (*count > 1)
        qsort(*jobs, *count, sizeof(**jobs), by_name);
    return 0;
}
