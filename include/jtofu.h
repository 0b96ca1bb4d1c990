/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file jtofu.h
 *
 * jTofu: where the processes of a job are on the Tofu Interconnect D. Names and values are the vendor's; the words are
 * ours. What is not documented here is not promised. Link with -ltofutop; no MPI is needed.
 *
 * ## Glossary
 *
 * - **Job**: processes that were launched together, known by a number that the caller chooses; **rank**: the number of
 *   a process in its job. The *own* job and rank are those given to jtofu_initialize().
 * - **Physical coordinates**: x, y, z, a, b, c of a node, as in utofu.h.
 * - **Logical coordinates**: x, y, z of a node in the one to three dimensions that the job asked for. Those that it did
 *   not ask for have size 1 and coordinate 0.
 * - **mapinfo**: a block of memory that says where the ranks of a job are. Opaque, without pointers: it can be copied to
 *   other processes of the same machine type. On the software device NULL stands for the job that the calling process
 *   runs in; on hardware it comes from PMIx, PMIx_Get() with the key "fjpmix.rankmap", which no launcher but the
 *   vendor's provides.
 *
 * ## The software device
 *
 * The machine is as large as the job: the system's size is the job's shape, its origin is 0. Shape, rings, logical
 * dimensions and the nodes of ranks are what tofu-run's --shape, --wrap, --nodes and --map, or the variables of the same
 * names, say.
 *
 * ## What holds for every call
 *
 * - Calls but jtofu_initialize(), jtofu_query_jtofu_version() and jtofu_create_mapinfo_by_envvars() return
 *   JTOFU_ERR_NOT_INITIALIZED before initialization and after the last finalization; a NULL where a result shall go is
 *   JTOFU_ERR_INVALID_POINTER. Results are stored on success only.
 * - Threads: any, but nothing may be called while jtofu_finalize() or jtofu_delete_job() runs. None of the queries
 *   communicates or blocks.
 */
#ifndef JTOFU_H
#define JTOFU_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Version of the interface that this header describes; see jtofu_query_jtofu_version(). */
#define JTOFU_VERSION_MAJOR 0
#define JTOFU_VERSION_MINOR 0

typedef uint32_t jtofu_job_id_t; /**< A job; the caller's choice. */
typedef uint32_t jtofu_rank_t;   /**< A process of a job, 0 .. processes - 1. */

/** What calls return. */
enum jtofu_return_code {
    JTOFU_SUCCESS             = 0,
    JTOFU_ERR_NOT_INITIALIZED = -1,
    JTOFU_ERR_NOT_IMPLEMENTED = -2, /**< Not returned here. */
    JTOFU_ERR_INVALID_ARG     = -3,
    JTOFU_ERR_INVALID_POINTER = -4,
    JTOFU_ERR_EXCESS_FINALIZE = -5,
    JTOFU_ERR_OUT_OF_MEMORY   = -6,
    JTOFU_ERR_INTERNAL        = -100 /**< The process cannot be part of a job; said on its standard error. */
};

/** Coordinates of a node, or a number for each of the six axes. */
union jtofu_phys_coords {
    struct {
        uint8_t x, y, z, a, b, c;
    } s;
    uint8_t a[6];
};

/** Logical coordinates of a node, or a number for each of the three axes. */
union jtofu_log_coords {
    struct {
        uint32_t x, y, z;
    } s;
    uint32_t a[3];
};

/** A path: the a, b, c at which a packet travels along x, y and z. */
union jtofu_path_coords {
    struct {
        uint8_t pa, pb, pc;
    } s;
    uint8_t a[3];
};

/**
 * Say who the calling process is. Further calls are counted, must name the same job and rank, and do nothing else.
 * @param[in] job_id   A number for the own job.
 * @param[in] rank     The own rank.
 * @param[in] mapinfo  Of the own job, copied; NULL: the job that the process runs in, which connects the process to the
 *                     network as the first uTofu call does.
 * @return JTOFU_SUCCESS; JTOFU_ERR_INVALID_ARG if @a mapinfo is none, @a rank is not in the job, or another job or rank
 *         was named before; JTOFU_ERR_OUT_OF_MEMORY; JTOFU_ERR_INTERNAL.
 * **Blocks**: with a NULL @a mapinfo maybe, for another process of the job that sets the network up.
 */
int jtofu_initialize(jtofu_job_id_t job_id, jtofu_rank_t rank, const void *mapinfo);

/** Undo one jtofu_initialize(); the last one forgets all jobs. @return JTOFU_SUCCESS, or JTOFU_ERR_EXCESS_FINALIZE. */
int jtofu_finalize(void);

/**
 * Make another job known.
 * @param[in] job_id   A number that no known job has.
 * @param[in] mapinfo  As for jtofu_initialize().
 * @return JTOFU_SUCCESS; JTOFU_ERR_INVALID_ARG if @a job_id is known or @a mapinfo is none; JTOFU_ERR_OUT_OF_MEMORY;
 *         JTOFU_ERR_INTERNAL.
 */
int jtofu_add_job(jtofu_job_id_t job_id, const void *mapinfo);

/** Forget a job. @return JTOFU_SUCCESS, or JTOFU_ERR_INVALID_ARG: it is unknown, or the own one. */
int jtofu_delete_job(jtofu_job_id_t job_id);

/** Nodes of the machine along each axis. */
int jtofu_query_sys_size(union jtofu_phys_coords *sys_size);

/** For each axis of the machine 1 if it is a ring, 0 if it is a mesh. */
int jtofu_query_sys_torus(union jtofu_phys_coords *sys_torus);

/** Where in the machine the own job begins: its lowest coordinates. */
int jtofu_query_ref_coords(union jtofu_phys_coords *ref_coords);

/** Nodes of the own job along each physical axis. */
int jtofu_query_phys_size(union jtofu_phys_coords *phys_size);

/** Nodes of the own job along each logical axis; 1 along those that it does not have. */
int jtofu_query_log_size(union jtofu_log_coords *log_size);

/**
 * The node of a rank, as utofu_construct_vcq_id() takes it.
 * @return JTOFU_SUCCESS, or JTOFU_ERR_INVALID_ARG: the job is unknown or has no such rank.
 */
int jtofu_query_phys_coords(jtofu_job_id_t job_id, jtofu_rank_t rank, union jtofu_phys_coords *phys_coords);

/**
 * The node of a rank in the job's logical dimensions.
 * @return JTOFU_SUCCESS, or JTOFU_ERR_INVALID_ARG: the job is unknown or has no such rank, or a map file put the rank on
 *         a node that the logical dimensions do not reach.
 */
int jtofu_query_log_coords(jtofu_job_id_t job_id, jtofu_rank_t rank, union jtofu_log_coords *log_coords);

/** @return How many processes a node of the own job has at most, 1..48; or JTOFU_ERR_NOT_INITIALIZED. */
int jtofu_query_max_proc_per_node(void);

/**
 * The ranks of a node, in the order in which the node numbers them: entry 0 is its first process.
 * @param[in]  max_ranks  Room in @a ranks; further ones are left out.
 * @param[out] ranks      May be NULL if @a max_ranks is 0.
 * @param[out] num_ranks  How many were stored; 0 for a node without any.
 * @return JTOFU_SUCCESS, or JTOFU_ERR_INVALID_ARG: the job is unknown, or the node is outside of it.
 */
int jtofu_query_ranks_from_phys_coords(jtofu_job_id_t job_id, union jtofu_phys_coords *phys_coords, size_t max_ranks,
                                       jtofu_rank_t *ranks, size_t *num_ranks);

/** As jtofu_query_ranks_from_phys_coords(), for logical coordinates. */
int jtofu_query_ranks_from_log_coords(jtofu_job_id_t job_id, union jtofu_log_coords *log_coords, size_t max_ranks,
                                      jtofu_rank_t *ranks, size_t *num_ranks);

/**
 * The paths from the own node to another: those with fewer hops first; of equals the default one, which is the own
 * node's a, b, c, then the lower ones. So entry 0 is the one to use, as in utofu_get_path_id().
 * @param[in]  phys_coords  The other node.
 * @param[in]  max_paths    Room in @a path_coords; further ones are left out. There are 12 at most.
 * @param[out] path_coords  May be NULL if @a max_paths is 0.
 * @param[out] num_paths    How many were stored.
 * @return JTOFU_SUCCESS, or JTOFU_ERR_INVALID_ARG: the node is outside the machine.
 */
int jtofu_query_onesided_paths(union jtofu_phys_coords *phys_coords, size_t max_paths,
                               union jtofu_path_coords path_coords[], size_t *num_paths);

/** As jtofu_query_onesided_paths(), for barriers: they have the same paths. */
int jtofu_query_barrier_paths(union jtofu_phys_coords *phys_coords, size_t max_paths,
                              union jtofu_path_coords path_coords[], size_t *num_paths);

/**
 * Links between the own node and another, on the first path.
 * @return JTOFU_SUCCESS, or JTOFU_ERR_INVALID_ARG: the node is outside the machine.
 */
int jtofu_query_onesided_hops(union jtofu_phys_coords *phys_coords, size_t *num_hops);

/** As jtofu_query_onesided_hops(), for barriers. */
int jtofu_query_barrier_hops(union jtofu_phys_coords *phys_coords, size_t *num_hops);

/** Version of the library. Both pointers must be valid. */
void jtofu_query_jtofu_version(int *major_ver, int *minor_ver);

/**
 * Make a mapinfo without PMIx: of a job with the logical nodes that JTOFU_MAPINFO_NODE says, as in "1x2x1", or, if that
 * is not set, of the job that the process runs in. The former has SOFTTOFU_SIZE processes, by default SOFTTOFU_PPN on
 * each node, placed in the order of logical coordinates, x fastest; its coordinates are those of a job that tofu-run
 * starts with the same --nodes, --ppn and --wrap.
 * @param[out] mapinfo       The caller frees it with free().
 * @param[out] mapinfo_size  Its bytes.
 * @param[out] num_proc      Processes of that job.
 * @return JTOFU_SUCCESS; JTOFU_ERR_INVALID_POINTER; JTOFU_ERR_INTERNAL: a variable has a bad value, the process cannot be
 *         part of a job, or no memory is left, as said on its standard error.
 */
int jtofu_create_mapinfo_by_envvars(void **mapinfo, size_t *mapinfo_size, unsigned int *num_proc);

#ifdef __cplusplus
}
#endif

#endif /* JTOFU_H */
