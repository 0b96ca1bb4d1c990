/* SPDX-License-Identifier: BSD-3-Clause */
#include "softtofu/log.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static _Thread_local struct {
    bool active;
    char *buffer;
    size_t size;
} capture;

static _Thread_local char last[256];

/* One write, so that lines of several ranks do not mix. */
static void write_line(const char *kind, const char *format, va_list args)
{
    char line[1024];
    int head = snprintf(line, sizeof(line), "softtofu: %s: ", kind);
    int text = vsnprintf(line + head, sizeof(line) - head - 1, format, args);
    size_t length = (size_t)head + (text < 0 ? 0 : (size_t)text);

    if (length > sizeof(line) - 2)
        length = sizeof(line) - 2;
    line[length++] = '\n';
    if (write(STDERR_FILENO, line, length) < 0)
        return; /* Nobody is left to be told. */
}

void softtofu_error(const char *format, ...)
{
    va_list args, again;

    va_start(args, format);
    if (!capture.active) {
        va_copy(again, args);
        vsnprintf(last, sizeof(last), format, again);
        va_end(again);
        write_line("error", format, args);
    } else if (capture.buffer != NULL) {
        vsnprintf(capture.buffer, capture.size, format, args);
    }
    va_end(args);
}

void softtofu_error_take_last(char *buffer, size_t size)
{
    snprintf(buffer, size, "%s", last);
    last[0] = '\0';
}

void softtofu_error_capture(char *buffer, size_t size)
{
    capture.active = true;
    capture.buffer = buffer;
    capture.size   = size;
    if (buffer != NULL && size > 0)
        buffer[0] = '\0';
}

void softtofu_error_release(void)
{
    capture.active = false;
}

void softtofu_note(const char *kind, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    write_line(kind, format, args);
    va_end(args);
}

void softtofu_fatal(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    write_line("fatal", format, args);
    va_end(args);
    abort();
}
