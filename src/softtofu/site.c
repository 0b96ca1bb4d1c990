/* SPDX-License-Identifier: BSD-3-Clause */
#include "softtofu/site.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define FRAMES_MAX 32

void softtofu_site(char *text, size_t size)
{
    void *frame[FRAMES_MAX];
    int count = backtrace(frame, FRAMES_MAX);
    Dl_info own, info;
    const char *base;
    bool inside = false;

    snprintf(text, size, "?");
    if (dladdr((void *)(uintptr_t)softtofu_site, &own) == 0)
        return;
    for (int i = 0; i < count; i++) {
        /* A return address may be the first byte of the next function. */
        char *call = (char *)frame[i] - 1;
        if (dladdr(call, &info) == 0)
            continue;
        /* Before this library's frames there may be one of a sanitizer, whose backtrace() it is. */
        inside |= info.dli_fbase == own.dli_fbase;
        if (!inside || info.dli_fbase == own.dli_fbase)
            continue;
        base = strrchr(info.dli_fname, '/');
        base = base == NULL ? info.dli_fname : base + 1;
        if (info.dli_sname != NULL)
            snprintf(text, size, "%s+%#tx (%s)", base, call - (char *)info.dli_fbase, info.dli_sname);
        else
            snprintf(text, size, "%s+%#tx", base, call - (char *)info.dli_fbase);
        return;
    }
}
