/* SPDX-License-Identifier: BSD-3-Clause */
#include "softtofu/env.h"

#include "softtofu.h"
#include "softtofu/log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct softtofu_env table[] = {
#define X(id, name, type, value, help) {name, type, value, help},
    SOFTTOFU_ENV_LIST(X)
#undef X
};

const struct softtofu_env *softtofu_env_table(size_t *count)
{
    *count = SOFTTOFU_ENV_COUNT;
    return table;
}

const char *softtofu_env_string(enum softtofu_env_id id)
{
    const char *value = getenv(table[id].name);
    return value != NULL && *value != '\0' ? value : table[id].default_value;
}

int softtofu_env_number(const char *name, const char *text, unsigned long min, unsigned long max,
                        unsigned long *value)
{
    char *end;

    errno  = 0;
    *value = strtoul(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || *text == '-' || *value < min || *value > max) {
        softtofu_error("%s=%s is not a number from %lu to %lu: correct or unset it", name, text, min,
                       max);
        return -1;
    }
    return 0;
}

int softtofu_env_count(enum softtofu_env_id id, unsigned long min, unsigned long max,
                       unsigned long *value)
{
    return softtofu_env_number(table[id].name, softtofu_env_string(id), min, max, value);
}

int softtofu_env_choice(enum softtofu_env_id id, const char *yes, const char *no, bool *value)
{
    const char *text = softtofu_env_string(id);

    *value = strcmp(text, yes) == 0;
    if (!*value && strcmp(text, no) != 0) {
        softtofu_error("%s=%s is neither '%s' nor '%s': correct or unset it", table[id].name, text,
                       yes, no);
        return -1;
    }
    return 0;
}
