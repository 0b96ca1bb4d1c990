/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * FJMPI as programs of Fugaku use it. Every rank checks each rank's coordinates against the order of the job's logical
 * dimensions, on MPI_COMM_WORLD and on a communicator with the ranks reversed. Prints the dimensions once.
 */
#include <mpi-ext.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition);                                \
            MPI_Abort(MPI_COMM_WORLD, 1);                                                          \
        }                                                                                          \
    } while (0)

/* Fortran's names, as its compilers call them. */
void fjmpi_topology_get_dimension_(MPI_Fint *size, MPI_Fint *error);
void fjmpi_topology_get_coords_(MPI_Fint *comm, MPI_Fint *rank, MPI_Fint *view, MPI_Fint *maxdims, MPI_Fint *coords,
                                MPI_Fint *error);

static int dims, shape[3], ppn;

/* Ranks fill nodes in logical order, x fastest, ppn on each. */
static void check_rank(MPI_Comm comm, int rank, int in_world)
{
    int coords[6], back[64], count, found = 0;

    EXPECT(FJMPI_Topology_get_coords(comm, rank, FJMPI_LOGICAL, 3, coords) == FJMPI_SUCCESS);
    EXPECT(coords[0] == in_world / ppn % shape[0]);
    EXPECT(dims < 2 || coords[1] == in_world / ppn / shape[0] % shape[1]);
    EXPECT(dims < 3 || coords[2] == in_world / ppn / shape[0] / shape[1]);
    EXPECT(FJMPI_Topology_get_ranks(comm, FJMPI_LOGICAL, coords, 64, &count, back) == FJMPI_SUCCESS);
    EXPECT(count == ppn);
    for (int i = 0; i < count; i++)
        found += back[i] == rank;
    EXPECT(found == 1);
    EXPECT(FJMPI_Topology_get_coords(comm, rank, FJMPI_TOFU_SYS, 6, coords) == FJMPI_SUCCESS);
    EXPECT(FJMPI_Topology_get_ranks(comm, FJMPI_TOFU_REL, coords, 1, &count, back) == FJMPI_SUCCESS && count == 1);
}

static void check_errors(int size)
{
    int coords[6] = {0}, count, ranks[1], outside[3] = {shape[0], 0, 0};

    EXPECT(FJMPI_Topology_get_coords(MPI_COMM_NULL, 0, FJMPI_LOGICAL, 3, coords) == FJMPI_ERR_TOPOLOGY_INVALID_COMM);
    EXPECT(FJMPI_Topology_get_coords(MPI_COMM_WORLD, size, FJMPI_LOGICAL, 3, coords) == FJMPI_ERR_TOPOLOGY_INVALID_RANK);
    EXPECT(FJMPI_Topology_get_coords(MPI_COMM_WORLD, -1, FJMPI_LOGICAL, 3, coords) == FJMPI_ERR_TOPOLOGY_INVALID_RANK);
    EXPECT(FJMPI_Topology_get_coords(MPI_COMM_WORLD, 0, 9, 6, coords) == FJMPI_ERR_TOPOLOGY_INVALID_VIEW);
    EXPECT(FJMPI_Topology_get_coords(MPI_COMM_WORLD, 0, FJMPI_TOFU_SYS, 5, coords) == FJMPI_ERR_TOPOLOGY_INVALID_MAXDIMS);
    EXPECT(FJMPI_Topology_get_coords(MPI_COMM_WORLD, 0, FJMPI_LOGICAL, 3, NULL) == FJMPI_ERR_TOPOLOGY_INVALID_POINTER);
    EXPECT(FJMPI_Topology_get_ranks(MPI_COMM_WORLD, FJMPI_LOGICAL, outside, 1, &count, ranks) ==
           FJMPI_ERR_TOPOLOGY_INVALID_COORDS);
    EXPECT(FJMPI_Topology_get_ranks(MPI_COMM_WORLD, FJMPI_LOGICAL, coords, 0, &count, ranks) ==
           FJMPI_ERR_TOPOLOGY_INVALID_MAXPPN);
    EXPECT(FJMPI_Topology_get_dimension(NULL) == FJMPI_ERR_TOPOLOGY_INVALID_POINTER);
}

static void check_fortran(int rank)
{
    MPI_Fint comm = MPI_Comm_c2f(MPI_COMM_WORLD), view = FJMPI_LOGICAL, three = 3, coords[3], size, error;
    MPI_Fint who  = rank;

    fjmpi_topology_get_dimension_(&size, &error);
    EXPECT(error == FJMPI_SUCCESS && size == dims);
    fjmpi_topology_get_coords_(&comm, &who, &view, &three, coords, &error);
    EXPECT(error == FJMPI_SUCCESS && coords[0] == rank / ppn % shape[0]);
}

int main(int argc, char **argv)
{
    int rank, size, coords[3] = {0}, count, ranks[1];
    MPI_Comm reversed, alone;

    MPI_Init(&argc, &argv);
    ppn = argc > 1 ? atoi(argv[1]) : 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    EXPECT(FJMPI_Topology_get_dimension(&dims) == FJMPI_SUCCESS);
    EXPECT(FJMPI_Topology_get_shape(&shape[0], &shape[1], &shape[2]) == FJMPI_SUCCESS);
    MPI_Comm_split(MPI_COMM_WORLD, 0, size - rank, &reversed);
    MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &alone);
    for (int r = 0; r < size; r++) {
        check_rank(MPI_COMM_WORLD, r, r);
        check_rank(reversed, r, size - 1 - r);
    }
    EXPECT(FJMPI_Topology_get_ranks(alone, FJMPI_LOGICAL, coords, 1, &count, ranks) ==
           (rank < ppn ? FJMPI_SUCCESS : FJMPI_ERR_TOPOLOGY_NO_PROCESS));
    check_errors(size);
    check_fortran(rank);
    MPI_Comm_free(&reversed);
    MPI_Comm_free(&alone);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d: %dx%dx%d\n", dims, shape[0], shape[1], shape[2]);
    MPI_Finalize();
    return 0;
}
