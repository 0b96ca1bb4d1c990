/* SPDX-License-Identifier: BSD-3-Clause */
#include "softtofu/placement.h"

#include "softtofu/limits.h"
#include "softtofu/log.h"
#include "torus/map_text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Bytes of the longest map file: lines of 4096 ranks with room for comments. */
#define MAP_FILE_MAX (1u << 20)

_Static_assert(SOFTTOFU_PROCESSES_MAX <= TORUS_MAP_RANKS_MAX, "a map must hold every job");

static bool given(const char *text)
{
    return text != NULL && *text != '\0';
}

static uint32_t nodes_needed(const struct softtofu_job_spec *spec)
{
    return (spec->processes_max + spec->ppn - 1) / spec->ppn;
}

static int check_counts(const struct softtofu_job_spec *spec)
{
    if (spec->processes_max < 1 || spec->processes_max > SOFTTOFU_PROCESSES_MAX) {
        softtofu_error("%u processes: a job on one host has 1 to %d", spec->processes_max,
                       SOFTTOFU_PROCESSES_MAX);
        return -1;
    }
    if (spec->ppn < 1 || spec->ppn > SOFTTOFU_PPN_MAX) {
        softtofu_error("%u processes per node: a node has 1 to %d", spec->ppn, SOFTTOFU_PPN_MAX);
        return -1;
    }
    return 0;
}

static int choose_wrap(const struct softtofu_job_spec *spec, uint32_t *wrap)
{
    unsigned parsed = TORUS_WRAP_TOFUD;

    if (given(spec->wrap) && torus_wrap_parse(spec->wrap, &parsed) != 0) {
        softtofu_error("'%s' are no rings: write the letters of axes, as 'xzb', or 'none' (--wrap)", spec->wrap);
        return -1;
    }
    *wrap = parsed;
    return 0;
}

/* Nodes by number: of a shape that holds the job. */
static int choose_plain(const struct softtofu_job_spec *spec, bool has_shape, struct torus_map_spec *job)
{
    uint32_t needed = nodes_needed(spec), nodes;
    char text[TORUS_SHAPE_TEXT_MAX];

    if (!has_shape && torus_shape_default(needed, &job->shape) != 0)
        return -1;
    nodes = torus_shape_nodes(&job->shape);
    if (nodes < needed) {
        softtofu_error("shape %s has %u nodes but %u processes at %u a node need %u: choose a larger "
                       "shape or more processes a node (--shape, --ppn)",
                       torus_shape_format(&job->shape, text), nodes, spec->processes_max, spec->ppn, needed);
        return -1;
    }
    /* Ranks in order fill the first nodes; a map may use any. */
    job->view = (struct torus_logical){1, {given(spec->map) ? nodes : needed, 1, 1}, 1};
    return 0;
}

/* Nodes as asked for, of a shape that they fit. */
static int choose_folded(const struct softtofu_job_spec *spec, bool has_shape, struct torus_map_spec *job)
{
    char text[TORUS_SHAPE_TEXT_MAX];

    if (torus_logical_parse(spec->nodes, &job->view) != 0) {
        softtofu_error("'%s' are no nodes: write LX, LXxLY or LXxLYxLZ, for example 4x6x4 (--nodes)", spec->nodes);
        return -1;
    }
    if (torus_logical_nodes(&job->view) < nodes_needed(spec)) {
        softtofu_error("%s are fewer nodes than the %u that %u processes at %u a node need: choose more nodes or more "
                       "processes a node (--nodes, --ppn)",
                       spec->nodes, nodes_needed(spec), spec->processes_max, spec->ppn);
        return -1;
    }
    if (!has_shape && torus_logical_shape(&job->view, &job->shape) != 0) {
        softtofu_error("no shape holds %s nodes: sides are 64x96x64 at most, or 64x6144, or 393216 (--nodes)",
                       spec->nodes);
        return -1;
    }
    if (!torus_logical_fits(&job->view, &job->shape)) {
        softtofu_error("%s nodes do not fit shape %s: leave one of the two out (--nodes, --shape)", spec->nodes,
                       torus_shape_format(&job->shape, text));
        return -1;
    }
    return 0;
}

/* @return The text, to be freed, or NULL with errno. */
static char *read_file(const char *path)
{
    char *text = malloc(MAP_FILE_MAX + 1);
    FILE *file = fopen(path, "re");
    size_t length;

    if (text == NULL || file == NULL)
        goto err_free;
    length = fread(text, 1, MAP_FILE_MAX + 1, file);
    if (ferror(file) || length > MAP_FILE_MAX) {
        errno = ferror(file) ? errno : EFBIG;
        goto err_free;
    }
    fclose(file);
    text[length] = '\0';
    return text;

err_free:
    free(text);
    if (file != NULL)
        fclose(file);
    return NULL;
}

static int read_map(const char *path, const struct torus_map_spec *job, uint32_t *number)
{
    char message[TORUS_MAP_MESSAGE_MAX];
    char *text = read_file(path);
    int result;

    if (text == NULL) {
        softtofu_error("cannot read the map file %s: %s (--map)", path, strerror(errno));
        return -1;
    }
    result = torus_map_parse(job, text, number, message);
    if (result != 0)
        softtofu_error("map file %s: %s", path, message);
    free(text);
    return result;
}

static struct torus_map *place(const struct softtofu_job_spec *spec, const struct torus_map_spec *job)
{
    uint32_t *number      = calloc(job->ranks, sizeof(*number));
    struct torus_map *map = NULL;

    if (number == NULL)
        goto err_memory;
    if (!given(spec->map))
        torus_map_in_order(job, number);
    else if (read_map(spec->map, job, number) != 0)
        goto out;
    map = torus_map_create(job, number);
    if (map != NULL)
        goto out;
err_memory:
    softtofu_error("no memory is left for a map of %u ranks", job->ranks);
out:
    free(number);
    return map;
}

struct torus_map *softtofu_placement(const struct softtofu_job_spec *spec)
{
    struct torus_map_spec job = {.ranks = spec->processes_max, .ppn = spec->ppn};
    bool has_shape;

    memcpy(job.shape.size, spec->shape, sizeof(job.shape.size));
    has_shape = torus_shape_nodes(&job.shape) != 0;
    if (check_counts(spec) != 0 || choose_wrap(spec, &job.wrap) != 0 ||
        (given(spec->nodes) ? choose_folded : choose_plain)(spec, has_shape, &job) != 0)
        return NULL;
    return place(spec, &job);
}
