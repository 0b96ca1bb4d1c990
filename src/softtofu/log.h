/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file log.h
 * What the software device says: one line to stderr, "softtofu: error: ...", and the same text for the caller
 * that wants to show it itself.
 */
#ifndef SOFTTOFU_LOG_H
#define SOFTTOFU_LOG_H

#include <stddef.h>

/** Write one line that says what is wrong and what to do. Threads: any. */
void softtofu_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/**
 * Redirect this thread's errors into @a buffer until softtofu_error_release(): for functions that hand their
 * message to the caller. @a buffer may be NULL: the text is dropped.
 */
void softtofu_error_capture(char *buffer, size_t size);
void softtofu_error_release(void);

/** Move this thread's last error that was written to stderr into @a buffer; an empty text if there is none. */
void softtofu_error_take_last(char *buffer, size_t size);

/** Write one line, "softtofu: KIND: ...", that is no error. Threads: any. */
void softtofu_note(const char *kind, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Say why the program cannot go on, and end it by SIGABRT. */
_Noreturn void softtofu_fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
