/* SPDX-License-Identifier: BSD-3-Clause */
/* FJMPI's calls as Fortran compilers name them: lower case, with an underscore at the end. */
#include "fjmpi/mpi-ext.h"

void fjmpi_topology_get_dimension_(MPI_Fint *size, MPI_Fint *error);
void fjmpi_topology_get_shape_(MPI_Fint *x, MPI_Fint *y, MPI_Fint *z, MPI_Fint *error);
void fjmpi_topology_get_coords_(MPI_Fint *comm, MPI_Fint *rank, MPI_Fint *view, MPI_Fint *maxdims, MPI_Fint *coords,
                                MPI_Fint *error);
void fjmpi_topology_get_ranks_(MPI_Fint *comm, MPI_Fint *view, MPI_Fint *coords, MPI_Fint *maxppn, MPI_Fint *outppn,
                               MPI_Fint *ranks, MPI_Fint *error);

_Static_assert(sizeof(MPI_Fint) == sizeof(int), "arrays are passed on as they are");

void fjmpi_topology_get_dimension_(MPI_Fint *size, MPI_Fint *error)
{
    *error = FJMPI_Topology_get_dimension(size);
}

void fjmpi_topology_get_shape_(MPI_Fint *x, MPI_Fint *y, MPI_Fint *z, MPI_Fint *error)
{
    *error = FJMPI_Topology_get_shape(x, y, z);
}

void fjmpi_topology_get_coords_(MPI_Fint *comm, MPI_Fint *rank, MPI_Fint *view, MPI_Fint *maxdims, MPI_Fint *coords,
                                MPI_Fint *error)
{
    *error = FJMPI_Topology_get_coords(MPI_Comm_f2c(*comm), *rank, *view, *maxdims, coords);
}

void fjmpi_topology_get_ranks_(MPI_Fint *comm, MPI_Fint *view, MPI_Fint *coords, MPI_Fint *maxppn, MPI_Fint *outppn,
                               MPI_Fint *ranks, MPI_Fint *error)
{
    *error = FJMPI_Topology_get_ranks(MPI_Comm_f2c(*comm), *view, coords, *maxppn, outppn, ranks);
}
