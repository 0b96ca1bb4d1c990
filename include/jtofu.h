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
 * - Calls but jtofu_initialize(), jtofu_finalize(), jtofu_query_jtofu_version() and jtofu_create_mapinfo_by_envvars()
 *   return JTOFU_ERR_NOT_INITIALIZED before initialization and after the last finalization; a NULL where a result shall
 *   go is JTOFU_ERR_INVALID_POINTER. Results are stored on success only.
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
 *
 * **Threads**: any. **Blocks**: with a NULL mapinfo maybe, for another process of the job that sets the network up.
 * @param[in] job_id   A number for the own job.
 * @param[in] rank     The own rank.
 * @param[in] mapinfo  Of the own job, copied; NULL: the job that the process runs in, which connects the process to the
 *                     network as the first uTofu call does.
 * @return JTOFU_SUCCESS, or
 *   JTOFU_ERR_INVALID_ARG   - mapinfo is none, rank is not in the job, or another job or rank was named before
 *   JTOFU_ERR_OUT_OF_MEMORY - no memory for the job
 *   JTOFU_ERR_INTERNAL      - the process cannot be part of a job, as said on its standard error
 */
int jtofu_initialize(jtofu_job_id_t job_id, jtofu_rank_t rank, const void *mapinfo);

/**
 * Undo one jtofu_initialize(); the last one forgets all jobs.
 *
 * **Threads**: one, and no other may call anything of jTofu meanwhile. **Blocks**: never.
 * @return JTOFU_SUCCESS, or
 *   JTOFU_ERR_EXCESS_FINALIZE - all initializations have been undone
 */
int jtofu_finalize(void);

/**
 * Make another job known.
 *
 * **Threads**: any. **Blocks**: as jtofu_initialize().
 * @param[in] job_id   A number that no known job has.
 * @param[in] mapinfo  Of that job, copied; NULL: the job that the process runs in.
 * @return JTOFU_SUCCESS, or
 *   JTOFU_ERR_NOT_INITIALIZED - jTofu is not initialized
 *   JTOFU_ERR_INVALID_ARG     - job_id is known, or mapinfo is none
 *   JTOFU_ERR_OUT_OF_MEMORY   - no memory for the job
 *   JTOFU_ERR_INTERNAL        - the process cannot be part of a job, as said on its standard error
 */
int jtofu_add_job(jtofu_job_id_t job_id, const void *mapinfo);

/**
 * Forget a job.
 *
 * **Threads**: one, and no other may call anything of jTofu meanwhile. **Blocks**: never.
 * @param[in] job_id  A job that was made known by jtofu_add_job().
 * @return JTOFU_SUCCESS, or
 *   JTOFU_ERR_NOT_INITIALIZED - jTofu is not initialized
 *   JTOFU_ERR_INVALID_ARG     - job_id is unknown, or the own job's
 */
int jtofu_delete_job(jtofu_job_id_t job_id);

/**
 * Tell the nodes of the machine along each axis.
 * @param[out] sys_size  The caller's.
 * @return JTOFU_SUCCESS, or
 *   JTOFU_ERR_NOT_INITIALIZED - jTofu is not initialized
 *   JTOFU_ERR_INVALID_POINTER - sys_size is NULL
 */
int jtofu_query_sys_size(union jtofu_phys_coords *sys_size);

/**
 * Tell for each axis of the machine 1 if it is a ring, 0 if it is a mesh.
 * @param[out] sys_torus  The caller's.
 * @return JTOFU_SUCCESS, or
 *   JTOFU_ERR_NOT_INITIALIZED - jTofu is not initialized
 *   JTOFU_ERR_INVALID_POINTER - sys_torus is NULL
 */
int jtofu_query_sys_torus(union jtofu_phys_coords *sys_torus);

/**
 * Tell where in the machine the own job begins: its lowest coordinates.
 * @param[out] ref_coords  The caller's.
 * @return JTOFU_SUCCESS, or
 *   JTOFU_ERR_NOT_INITIALIZED - jTofu is not initialized
 *   JTOFU_ERR_INVALID_POINTER - ref_coords is NULL
 */
int jtofu_query_ref_coords(union jtofu_phys_coords *ref_coords);

/**
 * Tell the nodes of the own job along each physical axis.
 * @param[out] phys_size  The caller's.
 * @return JTOFU_SUCCESS, or
 *   JTOFU_ERR_NOT_INITIALIZED - jTofu is not initialized
 *   JTOFU_ERR_INVALID_POINTER - phys_size is NULL
 */
int jtofu_query_phys_size(union jtofu_phys_coords *phys_size);

/**
 * Tell the nodes of the own job along each logical axis; 1 along those that it does not have.
 * @param[out] log_size  The caller's.
 * @return JTOFU_SUCCESS, or
 *   JTOFU_ERR_NOT_INITIALIZED - jTofu is not initialized
 *   JTOFU_ERR_INVALID_POINTER - log_size is NULL
 */
int jtofu_query_log_size(union jtofu_log_coords *log_size);

/**
 * Tell the node of a rank, as utofu_construct_vcq_id() takes it.
 * @param[in]  job_id       A known job.
 * @param[in]  rank         A rank of that job.
 * @param[out] phys_coords  Physical coordinates of its node.
 * @return JTOFU_SUCCESS, or
 *   JTOFU_ERR_NOT_INITIALIZED - jTofu is not initialized
 *   JTOFU_ERR_INVALID_POINTER - phys_coords is NULL
 *   JTOFU_ERR_INVALID_ARG     - the job is unknown or has no such rank
 */
int jtofu_query_phys_coords(jtofu_job_id_t job_id, jtofu_rank_t rank, union jtofu_phys_coords *phys_coords);

/**
 * Tell the node of a rank in the job's logical dimensions.
 * @param[in]  job_id,rank  As for jtofu_query_phys_coords().
 * @param[out] log_coords   Logical coordinates of its node.
 * @return JTOFU_SUCCESS, or
 *   JTOFU_ERR_NOT_INITIALIZED - jTofu is not initialized
 *   JTOFU_ERR_INVALID_POINTER - log_coords is NULL
 *   JTOFU_ERR_INVALID_ARG     - the job is unknown or has no such rank, or a map file put the rank on a node that the
 *                               logical dimensions do not reach
 */
int jtofu_query_log_coords(jtofu_job_id_t job_id, jtofu_rank_t rank, union jtofu_log_coords *log_coords);

/**
 * Tell how many processes a node of the own job has at most.
 * @return 1..48; or JTOFU_ERR_NOT_INITIALIZED.
 */
int jtofu_query_max_proc_per_node(void);

/**
 * List the ranks of a node, in the order in which the node numbers them: entry 0 is its first process.
 * @param[in]  job_id       A known job.
 * @param[in]  phys_coords  Physical coordinates of the node.
 * @param[in]  max_ranks    Room in ranks; further ones are left out.
 * @param[out] ranks        May be NULL if max_ranks is 0.
 * @param[out] num_ranks    How many were stored; 0 for a node without any.
 * @return JTOFU_SUCCESS, or
 *   JTOFU_ERR_NOT_INITIALIZED - jTofu is not initialized
 *   JTOFU_ERR_INVALID_POINTER - a pointer is NULL that must not be
 *   JTOFU_ERR_INVALID_ARG     - the job is unknown, or the node is outside of it
 */
int jtofu_query_ranks_from_phys_coords(jtofu_job_id_t job_id, union jtofu_phys_coords *phys_coords, size_t max_ranks,
                                       jtofu_rank_t *ranks, size_t *num_ranks);

/**
 * List the ranks of a node that is named in the job's logical dimensions.
 * @param[in]  job_id           As for jtofu_query_ranks_from_phys_coords().
 * @param[in]  log_coords       Logical coordinates of the node.
 * @param[in]  max_ranks        As for jtofu_query_ranks_from_phys_coords().
 * @param[out] ranks,num_ranks  As for jtofu_query_ranks_from_phys_coords().
 * @return JTOFU_SUCCESS, or as jtofu_query_ranks_from_phys_coords()
 */
int jtofu_query_ranks_from_log_coords(jtofu_job_id_t job_id, union jtofu_log_coords *log_coords, size_t max_ranks,
                                      jtofu_rank_t *ranks, size_t *num_ranks);

/**
 * List the paths from the own node to another, those with fewer hops first. Of equals the default one comes first, that
 * is the own node's a, b, c, then the lower ones. So entry 0 is the one to use, as in utofu_get_path_id().
 * @param[in]  phys_coords  The other node.
 * @param[in]  max_paths    Room in path_coords; further ones are left out. There are 12 at most.
 * @param[out] path_coords  May be NULL if max_paths is 0.
 * @param[out] num_paths    How many were stored.
 * @return JTOFU_SUCCESS, or
 *   JTOFU_ERR_NOT_INITIALIZED - jTofu is not initialized
 *   JTOFU_ERR_INVALID_POINTER - a pointer is NULL that must not be
 *   JTOFU_ERR_INVALID_ARG     - the node is outside the machine
 */
int jtofu_query_onesided_paths(union jtofu_phys_coords *phys_coords, size_t max_paths,
                               union jtofu_path_coords path_coords[], size_t *num_paths);

/**
 * List the paths for barriers: they have the same ones as puts.
 * @param[in]  phys_coords,max_paths  As for jtofu_query_onesided_paths().
 * @param[out] path_coords,num_paths  As for jtofu_query_onesided_paths().
 * @return JTOFU_SUCCESS, or as jtofu_query_onesided_paths()
 */
int jtofu_query_barrier_paths(union jtofu_phys_coords *phys_coords, size_t max_paths,
                              union jtofu_path_coords path_coords[], size_t *num_paths);

/**
 * Count the links between the own node and another, on the first path.
 * @param[in]  phys_coords  The other node.
 * @param[out] num_hops     Number of links.
 * @return JTOFU_SUCCESS, or
 *   JTOFU_ERR_NOT_INITIALIZED - jTofu is not initialized
 *   JTOFU_ERR_INVALID_POINTER - phys_coords or num_hops is NULL
 *   JTOFU_ERR_INVALID_ARG     - the node is outside the machine
 */
int jtofu_query_onesided_hops(union jtofu_phys_coords *phys_coords, size_t *num_hops);

/**
 * Count the links of a barrier's signal: as many as of a put.
 * @param[in]  phys_coords  As for jtofu_query_onesided_hops().
 * @param[out] num_hops     As for jtofu_query_onesided_hops().
 * @return JTOFU_SUCCESS, or as jtofu_query_onesided_hops()
 */
int jtofu_query_barrier_hops(union jtofu_phys_coords *phys_coords, size_t *num_hops);

/**
 * Tell the version of the library.
 * @param[out] major_ver  To be compared with JTOFU_VERSION_MAJOR; not NULL.
 * @param[out] minor_ver  To be compared with JTOFU_VERSION_MINOR; not NULL.
 */
void jtofu_query_jtofu_version(int *major_ver, int *minor_ver);

/**
 * Make a mapinfo without PMIx: of a job with the logical nodes that JTOFU_MAPINFO_NODE says, as in "1x2x1", or, if that
 * is not set, of the job that the process runs in. The former has SOFTTOFU_SIZE processes, by default SOFTTOFU_PPN on
 * each node, placed in the order of logical coordinates, x fastest; its coordinates are those of a job that tofu-run
 * starts with the same --nodes, --ppn and --wrap.
 * @param[out] mapinfo       The caller frees it with free().
 * @param[out] mapinfo_size  Its bytes.
 * @param[out] num_proc      Processes of that job.
 * @return JTOFU_SUCCESS, or
 *   JTOFU_ERR_INVALID_POINTER - a pointer is NULL
 *   JTOFU_ERR_INTERNAL        - a variable has a bad value, the process cannot be part of a job, or no memory is left,
 *                               as said on its standard error
 */
int jtofu_create_mapinfo_by_envvars(void **mapinfo, size_t *mapinfo_size, unsigned int *num_proc);

#ifdef __cplusplus
}
#endif

#endif /* JTOFU_H */
