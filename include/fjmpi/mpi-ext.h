/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file fjmpi/mpi-ext.h
 *
 * FJMPI: where the ranks of an MPI communicator are on the Tofu Interconnect D, for any MPI. Names are the vendor's; the
 * words are ours. Compile with -I<prefix>/include/fjmpi, so that this header comes before the MPI's own mpi-ext.h, which it
 * includes if there is one, and link with -lfjmpi_openmpi or -lfjmpi_mpich, whichever MPI the program uses. The numeric
 * values of constants are not published; these are ours.
 *
 * All calls need MPI to be initialized, and are local: none communicates with other ranks. The first one connects the
 * process to the software Tofu-D as the first uTofu call does. They return FJMPI_SUCCESS or one of the codes below and
 * store results on success only. Threads: any.
 *
 * The *view* of a job is its one to three logical dimensions, as tofu-run's --nodes gives them; without that it has one,
 * by node number. Processes that MPI_Comm_spawn() started are another job: their ranks are not known.
 */
#ifndef FJMPI_MPI_EXT_H
#define FJMPI_MPI_EXT_H

/* Open MPI's mpi-ext.h expects it. */
#include <mpi.h>

#if defined(__has_include_next)
#if __has_include_next(<mpi-ext.h>)
#include_next <mpi-ext.h>
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** What calls return. */
#define FJMPI_SUCCESS                       0
#define FJMPI_ERR_TOPOLOGY_NODE_SHARED_JOB  1 /**< The job has no nodes of its own: here, no network at all. */
#define FJMPI_ERR_TOPOLOGY_INVALID_COMM     2 /**< MPI_COMM_NULL, an intercommunicator, or one with ranks of another job. */
#define FJMPI_ERR_TOPOLOGY_INVALID_RANK     3 /**< The communicator has no such rank. */
#define FJMPI_ERR_TOPOLOGY_INVALID_VIEW     4 /**< None of the three. */
#define FJMPI_ERR_TOPOLOGY_INVALID_MAXDIMS  5 /**< Fewer than the view has dimensions. */
#define FJMPI_ERR_TOPOLOGY_INVALID_COORDS   6 /**< Outside of the job; or a map put the rank outside of its view. */
#define FJMPI_ERR_TOPOLOGY_INVALID_MAXPPN   7 /**< Less than 1. */
#define FJMPI_ERR_TOPOLOGY_INVALID_POINTER  8 /**< NULL for a result. */
#define FJMPI_ERR_TOPOLOGY_NO_PROCESS       9 /**< No rank of the communicator is on the node. */

/** Views. */
#define FJMPI_LOGICAL  0 /**< Logical: one to three dimensions, x first. */
#define FJMPI_TOFU_SYS 1 /**< Physical, x y z a b c, in the machine. */
#define FJMPI_TOFU_REL 2 /**< Physical, from the job's origin; the same here, since machine and job are one. */

/** Logical dimensions of the job. @param[out] size  1, 2 or 3. */
int FJMPI_Topology_get_dimension(int *size);

/** Nodes of the job along each logical dimension; 1 along those that it does not have. */
int FJMPI_Topology_get_shape(int *x, int *y, int *z);

/**
 * Coordinates of a rank's node.
 * @param[in]  comm,rank  The rank. An intracommunicator of ranks of this job.
 * @param[in]  view       FJMPI_LOGICAL, FJMPI_TOFU_SYS or FJMPI_TOFU_REL.
 * @param[in]  maxdims    Room in @a coords: the job's logical dimensions at least, or 6.
 * @param[out] coords     As many as the view has dimensions.
 * @return FJMPI_SUCCESS, or FJMPI_ERR_TOPOLOGY_INVALID_COMM, _RANK, _VIEW, _MAXDIMS, _COORDS or _POINTER.
 */
int FJMPI_Topology_get_coords(MPI_Comm comm, int rank, int view, int maxdims, int coords[]);

/**
 * Ranks of a node in a communicator, in the order in which the node numbers its processes.
 * @param[in]  coords  As many as the view has dimensions.
 * @param[in]  maxppn  Room in @a ranks; further ones are left out.
 * @param[out] outppn  How many were stored.
 * @return FJMPI_SUCCESS, or FJMPI_ERR_TOPOLOGY_INVALID_COMM, _VIEW, _COORDS, _MAXPPN, _POINTER or _NO_PROCESS.
 */
int FJMPI_Topology_get_ranks(MPI_Comm comm, int view, int coords[], int maxppn, int *outppn, int ranks[]);

#ifdef __cplusplus
}
#endif

#endif /* FJMPI_MPI_EXT_H */
