/* SPDX-License-Identifier: BSD-3-Clause */
#include "torus/wrap.h"

#include <string.h>

static const char letters[TORUS_AXES + 1] = "xyzabc";

int torus_wrap_parse(const char *text, unsigned *wrap)
{
    unsigned parsed = 0;

    if (strcmp(text, "none") == 0) {
        *wrap = 0;
        return 0;
    }
    for (const char *c = text; *c != '\0'; ++c) {
        const char *axis = strchr(letters, *c);

        if (axis == NULL || (parsed & TORUS_WRAP(axis - letters)))
            return -1;
        parsed |= TORUS_WRAP(axis - letters);
    }
    if (parsed == 0)
        return -1;
    *wrap = parsed;
    return 0;
}

char *torus_wrap_format(unsigned wrap, char *text)
{
    char *end = text;

    for (int axis = 0; axis < TORUS_AXES; ++axis) {
        if (wrap & TORUS_WRAP(axis))
            *end++ = letters[axis];
    }
    *end = '\0';
    return end == text ? strcpy(text, "none") : text;
}
