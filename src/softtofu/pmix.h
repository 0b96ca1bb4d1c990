/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file pmix.h
 * What a bare PMIx launcher tells on demand only. The PMIx library is loaded when it is needed: the device does not
 * depend on it.
 */
#ifndef SOFTTOFU_PMIX_H
#define SOFTTOFU_PMIX_H

/**
 * Ask the launcher for the number of ranks of this process' job. PMIx stays initialized until the process exits, because
 * it counts its users and the last one to leave leaves for good: MPI may still begin, or end, meanwhile.
 * @return 0, or -1 with one line logged.
 */
int softtofu_pmix_job_size(unsigned long *size);

#endif
