/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file undeclared.h
 * What the library has and no header declares, since the vendor's header does not. For the reference only.
 */

/**
 * Tell what went wrong in this thread's last call that failed.
 *
 * No header declares it: a program writes this declaration itself. The text is one line,
 * "utofu_put: UTOFU_ERR_INVALID_SIZE: ...", or empty if no call of this thread has failed. What is no failure but an
 * answer is not remembered: UTOFU_ERR_BUSY, UTOFU_ERR_NOT_FOUND and UTOFU_ERR_NOT_COMPLETED. The words are those of the
 * software device; hardware's may differ.
 *
 * **Completes**: at return. **Owns**: nothing. **Threads**: any; each has a text of its own. **Blocks**: never.
 * @param[out] msg  Room for 256 bytes. It is written, though the vendor declares it const.
 */
void utofu_get_last_error(const char *msg);
