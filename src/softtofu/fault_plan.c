/* SPDX-License-Identifier: BSD-3-Clause */
#include "softtofu/fault_plan.h"

#include "softtofu/api.h"
#include "softtofu/limits.h"
#include "softtofu/log.h"

#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

/** Longest item with its end: of a list of all kinds. */
#define ITEM_MAX 96

/* A point is a point, whatever the program's locale. @return What follows the number. */
static const char *read_real(const char *text, double *value)
{
    locale_t plain = newlocale(LC_NUMERIC_MASK, "C", NULL);
    char *end;

    *value = plain != NULL ? strtod_l(text, &end, plain) : strtod(text, &end);
    if (plain != NULL)
        freelocale(plain);
    return end;
}

/* Probability, and what follows its colon. @return NULL, or what is wrong. */
static const char *read_chance(const char *text, double *chance, const char **rest)
{
    const char *end = read_real(text, chance);

    if (end == text || !(*chance >= 0 && *chance <= 1) || (*end != '\0' && *end != ':'))
        return "is not a probability from 0 to 1";
    *rest = *end == ':' ? end + 1 : NULL;
    return NULL;
}

static const char *read_count(const char *text, uint64_t *value)
{
    char *end;

    errno  = 0;
    *value = strtoull(text, &end, 10);
    return errno != 0 || *text < '0' || *text > '9' || *end != '\0' ? "is not a whole number" : NULL;
}

static const char *read_code(const char *name, int *code)
{
    *code = softtofu_failure_code(name);
    return *code == UTOFU_SUCCESS ? "names no error code of utofu.h" : NULL;
}

static const char *read_busy(struct softtofu_fault_plan *plan, const char *text)
{
    const char *rest, *wrong = read_chance(text, &plan->busy, &rest);

    return wrong == NULL && rest != NULL ? "has nothing but a probability" : wrong;
}

static const char *read_delay(struct softtofu_fault_plan *plan, const char *text)
{
    static const struct {
        const char *name;
        double ns;
    } units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
    const char *rest, *unit, *wrong = read_chance(text, &plan->delay, &rest);
    double number;

    if (wrong != NULL)
        return wrong;
    if (rest == NULL)
        return "needs a time behind the probability, as in delay=0.05:20us";
    unit = read_real(rest, &number);
    for (size_t i = 0; unit != rest && i < sizeof(units) / sizeof(units[0]); i++) {
        double ns = number * units[i].ns;
        if (strcmp(unit, units[i].name) == 0 && ns >= 1 && ns <= (double)SOFTTOFU_FAULT_DELAY_MAX) {
            plan->delay_ns = (uint64_t)ns;
            return NULL;
        }
    }
    return "has no time from 1ns to 60s, in ns, us, ms or s";
}

static const char *read_error(struct softtofu_fault_plan *plan, const char *text)
{
    const char *rest, *wrong = read_chance(text, &plan->error, &rest);

    if (wrong == NULL)
        wrong = rest == NULL ? "needs a code behind the probability, as in error=0.01:MRQ_PEER"
                             : read_code(rest, &plan->error_code);
    if (wrong != NULL)
        return wrong;
    return (plan->error_code <= UTOFU_ERR_TCQ_OTHER && plan->error_code >= UTOFU_ERR_TCQ_LENGTH) ||
                           (plan->error_code <= UTOFU_ERR_MRQ_OTHER &&
                            plan->error_code >= UTOFU_ERR_MRQ_RMT_LENGTH)
                   ? NULL
                   : "is not told by polls: take a TCQ_* or MRQ_* code";
}

static const char *read_full(struct softtofu_fault_plan *plan, const char *text)
{
    const char *rest, *wrong = read_chance(text, &plan->full, &rest);

    if (wrong == NULL && rest != NULL)
        wrong = read_code(rest, &plan->full_code);
    if (wrong != NULL)
        return wrong;
    return plan->full_code == UTOFU_ERR_FULL || plan->full_code == UTOFU_ERR_OUT_OF_MEMORY
                   ? NULL
                   : "is neither FULL nor OUT_OF_MEMORY";
}

static const char *read_only(struct softtofu_fault_plan *plan, const char *text)
{
    static const char *const kinds[SOFTTOFU_FAULT_KINDS] = {
            [SOFTTOFU_FAULT_NOP] = "nop",         [SOFTTOFU_FAULT_PUT] = "put",
            [SOFTTOFU_FAULT_PIGGYBACK] = "piggyback", [SOFTTOFU_FAULT_GET] = "get",
            [SOFTTOFU_FAULT_ARMW] = "armw",       [SOFTTOFU_FAULT_REG_MEM] = "reg_mem",
            [SOFTTOFU_FAULT_CREATE_VCQ] = "create_vcq"};

    plan->only = 0;
    for (;;) {
        size_t length = strcspn(text, "|");
        unsigned kind = 0;
        while (kind < SOFTTOFU_FAULT_KINDS &&
               (strlen(kinds[kind]) != length || strncmp(kinds[kind], text, length) != 0))
            kind++;
        if (kind == SOFTTOFU_FAULT_KINDS)
            return "is not of put, piggyback, get, armw, nop, reg_mem and create_vcq, with | between";
        plan->only |= 1u << kind;
        if (text[length] == '\0')
            return NULL;
        text += length + 1;
    }
}

static const char *read_rank(struct softtofu_fault_plan *plan, const char *text)
{
    uint64_t rank;
    const char *wrong = read_count(text, &rank);

    if (wrong != NULL || rank >= SOFTTOFU_PROCESSES_MAX)
        return "is not a rank from 0 to 4095";
    plan->rank = (long)rank;
    return NULL;
}

static const char *read_after(struct softtofu_fault_plan *plan, const char *text)
{
    return read_count(text, &plan->after);
}

static const char *read_most(struct softtofu_fault_plan *plan, const char *text)
{
    return read_count(text, &plan->count);
}

static const char *read_seed(struct softtofu_fault_plan *plan, const char *text)
{
    return read_count(text, &plan->seed);
}

static const struct {
    const char *name;
    const char *(*read)(struct softtofu_fault_plan *plan, const char *value);
} items[] = {{"busy", read_busy}, {"delay", read_delay}, {"error", read_error}, {"full", read_full},
             {"only", read_only}, {"rank", read_rank},   {"after", read_after}, {"count", read_most},
             {"seed", read_seed}};

/* @return NULL, or what is wrong. */
static const char *read_item(struct softtofu_fault_plan *plan, char *item)
{
    char *value = strchr(item, '=');

    if (value != NULL) {
        *value++ = '\0';
        for (size_t i = 0; i < sizeof(items) / sizeof(items[0]); i++) {
            if (strcmp(item, items[i].name) == 0)
                return items[i].read(plan, value);
        }
    }
    return "is none of busy=, delay=, error=, full=, only=, rank=, after=, count= and seed=";
}

/* @param[out] item  A copy without spaces around. @return Its first character. */
static const char *cut_item(const char *text, size_t length, char item[ITEM_MAX])
{
    while (length > 0 && *text == ' ') {
        text++;
        length--;
    }
    while (length > 0 && text[length - 1] == ' ')
        length--;
    if (length > ITEM_MAX - 1)
        length = ITEM_MAX - 1;
    memcpy(item, text, length);
    item[length] = '\0';
    return text;
}

int softtofu_fault_plan_read(const char *text, struct softtofu_fault_plan *plan)
{
    *plan = (struct softtofu_fault_plan){.full_code = UTOFU_ERR_FULL,
                                         .only      = (1u << SOFTTOFU_FAULT_KINDS) - 1,
                                         .rank      = -1,
                                         .count     = UINT64_MAX};
    for (const char *at = text; *text != '\0';) {
        size_t length = strcspn(at, ",");
        char item[ITEM_MAX], told[ITEM_MAX];
        const char *first = cut_item(at, length, item), *wrong;

        strcpy(told, item);
        wrong = read_item(plan, item);
        if (wrong != NULL) {
            softtofu_error("SOFTTOFU_FAULT: '%s', from character %zu on, %s: correct it (docs/faults.md) or unset "
                           "the variable",
                           told, (size_t)(first - text) + 1, wrong);
            return -1;
        }
        if (at[length] == '\0')
            break;
        at += length + 1;
    }
    plan->on = plan->busy > 0 || plan->delay > 0 || plan->error > 0 || plan->full > 0;
    return 0;
}
