/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file utofu_op.h
 * Operations under way, and how completions find them.
 *
 * Transmit completions carry a pointer. MRQ notices carry one byte of our choice and addresses, so
 *   - a get is found by where it ends locally: any number may be outstanding;
 *   - an atomic or a flush is found by a tag in that byte: 255 may be outstanding, tag 0 being for those that nobody
 *     waits for and whose notice can only tell a failure.
 *
 * Completions are taken from the queues right after a post, too, because the software device completes at once. UCX
 * allows its callbacks only in progress: an operation that was not completed by its own call is queued for that.
 */
#ifndef UCT_UTOFU_OP_H
#define UCT_UTOFU_OP_H

#include "utofu_def.h"

#include <ucs/datastruct/khash.h>
#include <ucs/datastruct/list.h>
#include <ucs/datastruct/mpool.h>

#define UCT_UTOFU_TAGS 256

enum {
    UCT_UTOFU_OP_POSTED, /**< Waits for its notice. */
    UCT_UTOFU_OP_QUEUED  /**< Finished; its call-back is due in progress. */
};

/** Called when an operation has finished, from progress: tells the user and releases the operation. */
typedef void (*uct_utofu_op_complete_t)(uct_utofu_op_t *op);

struct uct_utofu_op {
    ucs_list_link_t list; /**< While posted: among the endpoint's, in order of issue. Then: in the done list. */
    uct_utofu_op_t *next; /**< With the same local end address. */
    uct_utofu_ep_t *ep;   /**< NULL: only transmission is waited for, no endpoint is told. */
    uct_completion_t *comp;
    uct_utofu_op_complete_t complete;
    uint64_t key;   /**< Of a get: local end address. */
    uint64_t value; /**< Of an atomic: what the word held. */
    ucs_status_t status;
    uint8_t tag;
    uint8_t state;
    uint8_t is_flush;
    uint8_t notified; /**< Of a flush: its own notice has come. */
    union {
        struct {
            void *result;
            uint8_t size;
        } fetch;
        struct {
            uct_unpack_callback_t unpack_cb;
            void *arg;
            size_t length;
        } get;
    };
};

KHASH_MAP_INIT_INT64(uct_utofu_gets, uct_utofu_op_t *)

typedef struct uct_utofu_ops {
    unsigned unfinished; /**< Posted, and not yet told to their users. */
    unsigned tx_posted;  /**< Transmit completions to come. */
    ucs_list_link_t done;
    ucs_mpool_t mpool; /**< Operations without a buffer. */
    uct_utofu_op_t *last_get; /**< The get posted last, until its notice or the next get; the others are in... */
    khash_t(uct_utofu_gets) gets; /**< ...this: most gets end before the next, and never enter it. */
    uct_utofu_op_t *by_tag[UCT_UTOFU_TAGS];
    uint8_t free_tags[UCT_UTOFU_TAGS];
    unsigned num_free_tags;
} uct_utofu_ops_t;

ucs_status_t uct_utofu_ops_init(uct_utofu_ops_t *ops);
void uct_utofu_ops_cleanup(uct_utofu_ops_t *ops);

/** @return An operation without a buffer, or NULL if no memory is left. */
uct_utofu_op_t *uct_utofu_op_get(uct_utofu_iface_t *iface);

/** complete for operations without a buffer: tell the user, return the operation. */
void uct_utofu_op_complete_default(uct_utofu_op_t *op);

/** Give an operation a tag. @return Whether one was free. */
static inline int uct_utofu_op_take_tag(uct_utofu_ops_t *ops, uct_utofu_op_t *op)
{
    if (ucs_unlikely(ops->num_free_tags == 0)) {
        return 0;
    }
    op->tag              = ops->free_tags[--ops->num_free_tags];
    ops->by_tag[op->tag] = op;
    return 1;
}

/** Take a tag back, because the post failed or the notice came. */
static inline void uct_utofu_op_drop_tag(uct_utofu_ops_t *ops, uct_utofu_op_t *op)
{
    ops->by_tag[op->tag]                   = NULL;
    ops->free_tags[ops->num_free_tags++] = op->tag;
}

/** Note that a get that ends at op->key was posted. Ends the program if there is no memory to note it. */
void uct_utofu_op_add_get(uct_utofu_ops_t *ops, uct_utofu_op_t *op);

/** Note that @a op was posted and a notice will end it. */
void uct_utofu_op_posted(uct_utofu_iface_t *iface, uct_utofu_op_t *op);

/** Note that @a op was posted and a transmit completion will end it. */
void uct_utofu_op_posted_tx(uct_utofu_iface_t *iface, uct_utofu_op_t *op);

/**
 * Take completions from both queues until they are empty, or until @a op, which may be NULL, has finished. Calls no user.
 * @return Their number.
 */
unsigned uct_utofu_ops_poll(uct_utofu_iface_t *iface, const uct_utofu_op_t *op);

/**
 * After a post: see whether the operation has finished already.
 * @return UCS_INPROGRESS; or what it ended with, in which case it is released and the user is not called.
 */
ucs_status_t uct_utofu_op_try(uct_utofu_iface_t *iface, uct_utofu_op_t *op);

/** Tell users of finished operations. @return Their number. */
unsigned uct_utofu_ops_complete(uct_utofu_iface_t *iface);

/** Finish all of @a ep's operations with an error, without telling users if @a silent. */
void uct_utofu_ops_fail(uct_utofu_ep_t *ep, ucs_status_t status, int silent);

#endif
