! SPDX-License-Identifier: BSD-3-Clause
!
! FJMPI for Fortran, in a form that is fixed and free at once: include 'mpif-ext.h' after 'mpif.h' or "use mpi", and call
! FJMPI_TOPOLOGY_GET_DIMENSION(size, ierr), _GET_SHAPE(x, y, z, ierr), _GET_COORDS(comm, rank, view, maxdims, coords, ierr)
! and _GET_RANKS(comm, view, coords, maxppn, outppn, ranks, ierr). All arguments are INTEGER. See mpi-ext.h.
!
      integer FJMPI_SUCCESS
      integer FJMPI_ERR_TOPOLOGY_NODE_SHARED_JOB
      integer FJMPI_ERR_TOPOLOGY_INVALID_COMM
      integer FJMPI_ERR_TOPOLOGY_INVALID_RANK
      integer FJMPI_ERR_TOPOLOGY_INVALID_VIEW
      integer FJMPI_ERR_TOPOLOGY_INVALID_MAXDIMS
      integer FJMPI_ERR_TOPOLOGY_INVALID_COORDS
      integer FJMPI_ERR_TOPOLOGY_INVALID_MAXPPN
      integer FJMPI_ERR_TOPOLOGY_INVALID_POINTER
      integer FJMPI_ERR_TOPOLOGY_NO_PROCESS
      integer FJMPI_LOGICAL, FJMPI_TOFU_SYS, FJMPI_TOFU_REL
      parameter (FJMPI_SUCCESS = 0)
      parameter (FJMPI_ERR_TOPOLOGY_NODE_SHARED_JOB = 1)
      parameter (FJMPI_ERR_TOPOLOGY_INVALID_COMM = 2)
      parameter (FJMPI_ERR_TOPOLOGY_INVALID_RANK = 3)
      parameter (FJMPI_ERR_TOPOLOGY_INVALID_VIEW = 4)
      parameter (FJMPI_ERR_TOPOLOGY_INVALID_MAXDIMS = 5)
      parameter (FJMPI_ERR_TOPOLOGY_INVALID_COORDS = 6)
      parameter (FJMPI_ERR_TOPOLOGY_INVALID_MAXPPN = 7)
      parameter (FJMPI_ERR_TOPOLOGY_INVALID_POINTER = 8)
      parameter (FJMPI_ERR_TOPOLOGY_NO_PROCESS = 9)
      parameter (FJMPI_LOGICAL = 0)
      parameter (FJMPI_TOFU_SYS = 1)
      parameter (FJMPI_TOFU_REL = 2)
