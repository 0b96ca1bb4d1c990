/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file softtofu.h
 * What only the software Tofu-D can do: settings, the fabric of a job and what it looks like from outside.
 *
 * A program that is meant for Tofu-D hardware too includes utofu.h alone. This header serves tools that start
 * jobs on the software device or look at them (tofu-run, tofu-info) and tests of the device itself.
 *
 * A *job* is a set of processes of one user on one host that see each other as nodes of one Tofu network. All
 * that they share lies in one memory object, the *fabric*: an anonymous file (memfd) with mode 0600 that each
 * process of the job keeps open. It has no name in any file system, so nothing can be left behind when
 * processes are killed: the kernel frees it with its last process. Processes find it by the job's name, which
 * they announce as an abstract socket address (see src/softtofu/rendezvous.h).
 */
#ifndef SOFTTOFU_H
#define SOFTTOFU_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes of a job's name, with the terminating NUL. */
#define SOFTTOFU_JOB_NAME_MAX 64

/** One setting of the software device. */
struct softtofu_env {
    const char *name;          /**< Environment variable, "SOFTTOFU_...". */
    const char *type;          /**< "string", "count", "yes|no", ... for the reader. */
    const char *default_value; /**< As the user would write it; "" for none. */
    const char *help;          /**< One sentence. */
};

/**
 * The table of all environment variables that the software device reads. It is what the device itself parses
 * by, and what help texts and documentation print.
 * @param[out] count  Number of entries.
 * @return The table, constant and owned by the library.  **Threads**: any.  **Blocks**: never.
 */
const struct softtofu_env *softtofu_env_table(size_t *count);

/**
 * What a fabric is made for.
 *
 * **Rings.** The software network is as large as the job, so an axis that is a ring of Fugaku is one here. Of a job
 * in a part of a larger machine x and z would be meshes: that is wrap "b".
 *
 * **Logical dimensions.** With @a nodes the job's nodes are seen in one to three dimensions, each folded from
 * physical axes so that neighbours are one hop apart (src/torus/logical.h): in three, X from x and a, Y from y and
 * b, Z from z and c. If @a shape is all 0 it is chosen to fit. Ranks are placed in the order of logical coordinates,
 * x fastest. Without @a nodes there is one dimension, the row-major number of a node in the shape, c fastest.
 *
 * **Map file.** One line for each rank, or for each node, which then takes ppn consecutive ranks: "(x)", "(x,y)" or
 * "(x,y,z)", as many as there are logical dimensions, or physical "(x,y,z,a,b,c)". '#' begins a comment, empty lines
 * do not count. No node can have more than ppn ranks. Ranks of a node are numbered in the order of ranks.
 */
struct softtofu_job_spec {
    const char *name;       /**< Letters, digits, dots, dashes and underscores; less than SOFTTOFU_JOB_NAME_MAX. */
    uint16_t shape[6];      /**< Nodes along x, y, z, a, b, c; all 0: the smallest default shape that fits. */
    unsigned processes_max; /**< Ranks of the job, 1 .. 4096. */
    unsigned ppn;           /**< Processes per node, 1 .. 48: rank r is on node r / ppn without a map. */
    const char *wrap;       /**< Axes that are rings, as "xzb", or "none"; NULL or "": "xzb", as on Fugaku. */
    const char *nodes;      /**< Nodes in logical dimensions, "LX[xLY[xLZ]]"; NULL or "": see above. */
    const char *map;        /**< Path of a map file; NULL or "": ranks are placed in order. */
};

/** A fabric that this process holds, its own job's or another's. Opaque. */
typedef struct softtofu_view softtofu_view_t;

/**
 * Create the fabric of a new job and hold it, without being one of its ranks. tofu-run does this before it
 * starts the ranks, so that a bad shape or a lack of memory is told once and early.
 * @param[in]  spec     Copied.
 * @param[out] view     Release with softtofu_view_close().
 * @param[out] message  Buffer for one line that says what is wrong and what to do; may be NULL.
 * @param[in]  message_size  Its size in bytes.
 * @return 0, or -1 with @a message filled: the name is taken or ill-formed, the shape or the logical dimensions have
 *         fewer nodes than processes_max / ppn needs or do not fit each other, the map file cannot be read or does
 *         not fit the job, a limit is exceeded, or the system has no memory.
 * **Threads**: any.  **Blocks**: until a concurrent creator of the same job is done, 10 s at most.
 */
int softtofu_job_create(const struct softtofu_job_spec *spec, softtofu_view_t **view, char *message,
                        size_t message_size);

/** A running fabric, as listed. */
struct softtofu_job_entry {
    char name[SOFTTOFU_JOB_NAME_MAX]; /**< Job name. */
    uid_t owner;                      /**< User that owns it. */
    pid_t holder;                     /**< One process that holds it open. */
};

/**
 * List the fabrics of this host that the caller may see, one entry a job, sorted by name.
 * @param[out] jobs   Allocated; the caller frees it with free(). NULL if there are none.
 * @param[out] count  Number of entries.
 * @return 0, or -1 with errno set if /proc could not be read or memory ran out.  **Threads**: any.
 */
int softtofu_list_jobs(struct softtofu_job_entry **jobs, size_t *count);

/**
 * Open a running fabric for looking.
 * @param[in]  name     Job name, as listed.
 * @param[out] view     Release with softtofu_view_close().
 * @param[out] message  Buffer for one line that says what is wrong and what to do; may be NULL.
 * @param[in]  message_size  Its size in bytes.
 * @return 0, or -1 with @a message filled: no such job, another user's job, or another version of the library.
 * **Threads**: any.
 */
int softtofu_view_open(const char *name, softtofu_view_t **view, char *message, size_t message_size);

/**
 * Release a view. The fabric lives on while other processes hold it.
 *
 * **Threads**: any, when none uses the view any more.  **Blocks**: never.
 * @param[in] view  May be NULL.
 */
void softtofu_view_close(softtofu_view_t *view);

/** Facts of a job. */
struct softtofu_job_info {
    char name[SOFTTOFU_JOB_NAME_MAX];
    uint16_t shape[6];       /**< Nodes along x, y, z, a, b, c. */
    char wrap[8];            /**< Axes that are rings, as "xzb", or "none". */
    unsigned view_dims;      /**< Logical dimensions, 1 .. 3. */
    uint32_t view[3];        /**< Nodes along each of them; 1 from view_dims on. */
    unsigned processes_max;  /**< Ranks the job was made for. */
    unsigned ppn;            /**< Processes per node. */
    unsigned nodes;          /**< Nodes that have ranks, numbered 0 .. nodes-1; see softtofu_view_node(). */
    size_t memory_bytes;     /**< Memory that the fabric really occupies. */
    size_t mrq_depth;        /**< Entries of each message reception queue. */
    size_t toq_depth;        /**< Entries of each transmit order queue. */
};

/**
 * Tell facts of a job.
 *
 * **Threads**: any.  **Blocks**: never.
 * @param[in]  view  The job.
 * @param[out] info  The caller's.
 */
void softtofu_view_job(const softtofu_view_t *view, struct softtofu_job_info *info);

/**
 * Where the ranks of the calling process' own job are, as one block that jtofu takes for a mapinfo. Connects the
 * process to its job as the first uTofu call does.
 * @param[out] map    The block, constant, and valid until the process ends.
 * @param[out] bytes  Its size.
 * @param[out] rank   Rank of the calling process.
 * @return 0, or -1 if the process cannot be part of a job, as said on its standard error.  **Threads**: any.
 */
int softtofu_job_map(const void **map, size_t *bytes, unsigned *rank);

/**
 * Make such a block of the job that JTOFU_MAPINFO_NODE and SOFTTOFU_PPN, _SIZE and _WRAP describe, or, without the
 * first, of the calling process' own job.
 * @param[out] map    The caller frees it with free().
 * @param[out] bytes  Its size.
 * @param[out] ranks  Ranks of that job.
 * @return 0, or -1 if a variable has a bad value, memory ran out, or the process cannot be part of a job, as said on its
 *         standard error.  **Threads**: any.
 */
int softtofu_job_describe(void **map, size_t *bytes, unsigned *ranks);

/**
 * Tell where a node is.
 * @param[in]  view    The job.
 * @param[in]  node    Its number, 0 .. softtofu_job_info::nodes - 1.
 * @param[out] coords  Six coordinates x y z a b c.
 * @return 0, or -1 if there is no such node.  **Threads**: any.  **Blocks**: never.
 */
int softtofu_view_node(const softtofu_view_t *view, unsigned node, uint8_t coords[6]);

/** Life of a rank. */
enum softtofu_process_state {
    SOFTTOFU_PROCESS_ABSENT = 0, /**< Has not attached yet. */
    SOFTTOFU_PROCESS_ALIVE  = 1, /**< Attached. */
    SOFTTOFU_PROCESS_EXITED = 2, /**< Detached in order. */
    SOFTTOFU_PROCESS_DEAD   = 3  /**< Killed: its queues answer with UTOFU_ERR_MRQ_PEER. */
};

/** Facts of a rank. */
struct softtofu_process_info {
    enum softtofu_process_state state;
    pid_t pid;             /**< 0 while absent. */
    uint8_t coords[6];     /**< Of its node. */
    uint32_t logical[3];   /**< Of its node, in the job's logical dimensions; 0 beyond them and where they end. */
    unsigned rank_in_node; /**< 0 .. ppn-1. */
};

/**
 * Tell facts of a rank.
 * @param[in]  view  The job.
 * @param[in]  rank  0 .. softtofu_job_info::processes_max - 1.
 * @param[out] info  The caller's.
 * @return 0, or -1 if there is no such rank.  **Threads**: any.  **Blocks**: never.
 */
int softtofu_view_process(const softtofu_view_t *view, unsigned rank, struct softtofu_process_info *info);

/** Facts and counters of a VCQ. */
struct softtofu_vcq_info {
    uint64_t vcq_id;      /**< As utofu_query_vcq_id() gives it. */
    unsigned rank;        /**< Owner. */
    int exclusive;        /**< Alone on its CQ. */
    uint64_t sent_ops;    /**< Puts, gets and atomics since creation, over all destinations. */
    uint64_t sent_bytes;  /**< Payload bytes of puts sent and gets fetched. */
    size_t mrq_unread;    /**< Notices of peers waiting in the MRQ. */
};

/**
 * Walk the live VCQs of a job.
 * @param[in]     view    The job.
 * @param[in,out] cursor  Start with 0; advanced by each call.
 * @param[out]    info    The caller's.
 * @return 1 with @a info filled, or 0 at the end.
 * **Threads**: any.  **Blocks**: never. Not atomic against VCQs that come and go.
 */
int softtofu_view_next_vcq(const softtofu_view_t *view, size_t *cursor, struct softtofu_vcq_info *info);

/** What a VCQ has exchanged with one node. Payload only: no headers, requests or responses. */
struct softtofu_traffic {
    uint64_t ops;       /**< Puts and atomics, whose payload goes to the node. */
    uint64_t bytes;     /**< Of those. */
    uint64_t get_ops;   /**< Gets, whose payload comes from the node. */
    uint64_t get_bytes; /**< Of those. */
};

/** A place for VCQs - node, TNI, CQ and component - that was ever in use. */
struct softtofu_sender_info {
    uint64_t vcq_id; /**< Of the VCQs there. */
    unsigned rank;   /**< Owner of the one there, or of the last one. */
    unsigned node;   /**< Node number. */
    int live;        /**< Whether there is one now. */
};

/**
 * Walk the traffic counters of a job. A counter belongs to the place and not to the VCQ: it goes on counting when the
 * place is used again, and is still there when its VCQ was freed or its process exited or was killed. If ranks of one
 * node use a place one after the other, the last one is named. Counters end with the fabric.
 * @param[in]     view    The job.
 * @param[in,out] cursor  Start with 0; advanced by each call.
 * @param[out] info       The caller's.
 * @param[out] traffic    One entry a node, softtofu_job_info::nodes in all. The caller's.
 * @return 1 with @a info and @a traffic filled, 0 at the end, or -1 if no address space is left.
 * **Threads**: any.  **Blocks**: never. Not atomic against commands under way: a counter may be one behind another.
 */
int softtofu_view_next_sender(const softtofu_view_t *view, size_t *cursor, struct softtofu_sender_info *info,
                              struct softtofu_traffic *traffic);

#ifdef __cplusplus
}
#endif

#endif /* SOFTTOFU_H */
