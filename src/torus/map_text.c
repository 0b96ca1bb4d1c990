/* SPDX-License-Identifier: BSD-3-Clause */
#include "torus/map_text.h"

#include "torus/rank_map.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct parser {
    const struct torus_map_spec *job;
    char *message;
    unsigned line;     /**< Of the text, from 1. */
    uint32_t *entry;   /**< Node number of each line that has one. */
    unsigned *at_line; /**< Line of each entry. */
    uint32_t entries, entries_max;
};

__attribute__((format(printf, 2, 3))) static int fail(struct parser *parser, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(parser->message, TORUS_MAP_MESSAGE_MAX, format, args);
    va_end(args);
    return -1;
}

static const char *skip_blanks(const char *text)
{
    return text + strspn(text, " \t\r");
}

/** Parse "(n,n,...)" of up to six numbers. @return How many, or 0: it is something else. */
static unsigned parse_coordinates(const char *text, uint32_t value[TORUS_AXES])
{
    unsigned count = 0;
    char *end;

    if (*text != '(')
        return 0;
    do {
        text = skip_blanks(text + 1);
        if (count == TORUS_AXES || *text < '0' || *text > '9')
            return 0;
        unsigned long number = strtoul(text, &end, 10);
        value[count++] = number > UINT32_MAX ? UINT32_MAX : (uint32_t)number;
        text = skip_blanks(end);
    } while (*text == ',');
    if (*text != ')')
        return 0;
    text = skip_blanks(text + 1);
    return *text == '\0' || *text == '#' ? count : 0;
}

static int physical(struct parser *parser, const uint32_t value[TORUS_AXES], uint32_t *node)
{
    char text[TORUS_SHAPE_TEXT_MAX];
    uint8_t coords[TORUS_AXES];

    for (int axis = 0; axis < TORUS_AXES; ++axis)
        coords[axis] = value[axis] > UINT8_MAX ? UINT8_MAX : (uint8_t)value[axis];
    if (torus_coords_node(&parser->job->shape, coords, node) == 0)
        return 0;
    return fail(parser, "line %u: these coordinates are outside the shape %s", parser->line,
                torus_shape_format(&parser->job->shape, text));
}

static int logical(struct parser *parser, unsigned count, const uint32_t value[TORUS_AXES], uint32_t *node)
{
    const struct torus_map_spec *job = parser->job;
    uint32_t at[TORUS_LOGICAL_AXES] = {0};
    char text[TORUS_LOGICAL_TEXT_MAX];
    uint8_t coords[TORUS_AXES];

    torus_logical_format(&job->view, text);
    if (count != job->view.dims)
        return fail(parser, "line %u: %u coordinates, but the nodes are %s: give %u logical or 6 physical ones",
                    parser->line, count, text, job->view.dims);
    memcpy(at, value, count * sizeof(*at));
    if (torus_logical_to_coords(&job->view, &job->shape, job->wrap, at, coords) != 0)
        return fail(parser, "line %u: these coordinates are outside the %s nodes of the job", parser->line, text);
    torus_coords_node(&job->shape, coords, node);
    return 0;
}

/** Take one line, without its end. */
static int parse_line(struct parser *parser, const char *text)
{
    uint32_t value[TORUS_AXES], node;
    unsigned count;

    text = skip_blanks(text);
    if (*text == '\0' || *text == '#')
        return 0;
    count = parse_coordinates(text, value);
    if (count == 0)
        return fail(parser, "line %u: '%.40s' is no coordinates: write (x), (x,y), (x,y,z) or (x,y,z,a,b,c)",
                    parser->line, text);
    if ((count == TORUS_AXES ? physical(parser, value, &node) : logical(parser, count, value, &node)) != 0)
        return -1;
    if (parser->entries == parser->entries_max)
        return fail(parser, "line %u: there are more lines than the %u ranks", parser->line, parser->job->ranks);
    parser->entry[parser->entries] = node;
    parser->at_line[parser->entries++] = parser->line;
    return 0;
}

static int parse_lines(struct parser *parser, char *text)
{
    for (char *next; text != NULL; text = next) {
        next = strchr(text, '\n');
        if (next != NULL)
            *next++ = '\0';
        parser->line++;
        if (parse_line(parser, text) != 0)
            return -1;
    }
    return 0;
}

/** Refuse the first line whose node has @a limit lines already. */
static int check_repeats(struct parser *parser, uint32_t limit)
{
    uint32_t nodes = torus_shape_nodes(&parser->job->shape);
    uint16_t *seen = calloc(nodes, sizeof(*seen));
    int result     = 0;

    if (seen == NULL)
        return fail(parser, "no memory is left");
    for (uint32_t i = 0; i < parser->entries && result == 0; ++i) {
        if (seen[parser->entry[i]]++ == limit)
            result = fail(parser, "line %u: this node is on %u %s before, and has room for %u ranks",
                          parser->at_line[i], limit, limit == 1 ? "line" : "lines", parser->job->ppn);
    }
    free(seen);
    return result;
}

/** Turn the entries into the nodes of ranks. */
static int place(struct parser *parser, uint32_t *number)
{
    const struct torus_map_spec *job = parser->job;
    uint32_t nodes = (job->ranks + job->ppn - 1) / job->ppn;
    uint32_t run   = parser->entries == job->ranks ? 1 : job->ppn;

    if (parser->entries != job->ranks && parser->entries != nodes)
        return fail(parser, "line %u: the text ends with %u coordinates, but %u ranks at %u a node need %u, or %u of nodes",
                    parser->line, parser->entries, job->ranks, job->ppn, job->ranks, nodes);
    if (check_repeats(parser, run == 1 ? job->ppn : 1) != 0)
        return -1;
    for (uint32_t rank = 0; rank < job->ranks; ++rank)
        number[rank] = parser->entry[rank / run];
    return 0;
}

int torus_map_parse(const struct torus_map_spec *job, const char *text, uint32_t *number, char *message)
{
    struct parser parser = {.job = job, .message = message, .entries_max = job->ranks};
    char *copy = strdup(text);
    int result;

    parser.entry   = calloc(job->ranks, sizeof(*parser.entry));
    parser.at_line = calloc(job->ranks, sizeof(*parser.at_line));
    if (copy == NULL || parser.entry == NULL || parser.at_line == NULL)
        result = fail(&parser, "no memory is left");
    else
        result = parse_lines(&parser, copy) != 0 ? -1 : place(&parser, number);
    free(parser.at_line);
    free(parser.entry);
    free(copy);
    return result;
}
