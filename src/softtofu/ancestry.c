/* SPDX-License-Identifier: BSD-3-Clause */
#include "softtofu/ancestry.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** State, parent and command of a process. @return Whether it could be read. */
static bool read_stat(pid_t pid, pid_t *parent, char command[16])
{
    char path[32], text[512];
    const char *begin, *end;
    FILE *file;

    snprintf(path, sizeof(path), "/proc/%ld/stat", (long)pid);
    file = fopen(path, "re");
    if (file == NULL)
        return false;
    text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
    fclose(file);
    /* The command, field 2, may hold anything, even ')'. The parent is field 4. */
    begin = strchr(text, '(');
    end   = strrchr(text, ')');
    if (begin == NULL || end == NULL || sscanf(end + 1, " %*c %d", parent) != 1)
        return false;
    snprintf(command, 16, "%.*s", (int)(end - begin - 1), begin + 1);
    return true;
}

static pid_t parent_of(pid_t pid)
{
    char command[16];
    pid_t parent;

    return pid > 1 && read_stat(pid, &parent, command) ? parent : 0;
}

/** Whether @a pid was executed with @a setting, "NAME=value". */
static bool executed_with(pid_t pid, const char *setting)
{
    char path[32], *entry = NULL;
    size_t room           = 0;
    bool found            = false;
    FILE *file;

    snprintf(path, sizeof(path), "/proc/%ld/environ", (long)pid);
    file = fopen(path, "re");
    if (file == NULL)
        return false;
    while (!found && getdelim(&entry, &room, '\0', file) > 0)
        found = strcmp(entry, setting) == 0;
    free(entry);
    fclose(file);
    return found;
}

/** Walk up from the parent while @a name is shared. @return Where that ends. */
static pid_t walk(const char *name, unsigned *shared)
{
    const char *value = getenv(name);
    pid_t pid         = getppid();
    char *setting;

    *shared = 0;
    if (value == NULL || asprintf(&setting, "%s=%s", name, value) < 0)
        return pid;
    while (pid > 1 && executed_with(pid, setting)) {
        pid = parent_of(pid);
        ++*shared;
    }
    free(setting);
    return pid;
}

unsigned softtofu_ancestors_sharing(const char *name)
{
    unsigned shared;

    walk(name, &shared);
    return shared;
}

pid_t softtofu_ancestor_setting(const char *name)
{
    unsigned shared;

    return walk(name, &shared);
}

pid_t softtofu_ancestor_named(const char *command)
{
    char found[16];
    pid_t parent;

    for (pid_t pid = getppid(); pid > 1; pid = parent) {
        if (!read_stat(pid, &parent, found))
            return 0;
        if (strcmp(found, command) == 0)
            return pid;
    }
    return 0;
}
