/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file utofu.h
 *
 * uTofu: one-sided communication and hardware barriers over the Tofu Interconnect D. Names and
 * values are the vendor's; the words are ours. A program compiled with this header runs on Tofu-D
 * hardware and on the software device. Where hardware's behaviour is not known for certain, the
 * comment says what the software device does and that hardware may differ. What is not documented
 * here is not promised.
 *
 * ## Glossary
 *
 * - **Node, coordinates**: a computer of the six-dimensional network, known by x, y, z (which unit)
 *   and a, b, c (which of the 2 x 3 x 2 nodes of that unit). Arrays of six hold them in the order x
 *   y z a b c.
 * - **TNI**: Tofu network interface, one of six of a node. They work side by side.
 * - **CQ**: control queue, one of the hardware queue sets of a TNI.
 * - **VCQ**: virtual control queue, what a program owns: a whole CQ, or one of its eight
 *   *components*. A *handle* names a VCQ in the process that created it, a *VCQ id* names it to
 *   every process of the job.
 * - **TOQ**: transmit order queue, where a VCQ's commands wait for the TNI.
 * - **TCQ**: transmit completion queue, which says that a command has left this node.
 * - **MRQ**: message reception queue, which says that something has arrived, or was acknowledged.
 * - **STag**: steering tag, the number of one memory registration of a VCQ.
 * - **STADD**: steering address, an STag and an offset in 64 bits. If a registration begins at
 *   STADD s, then s + k addresses its byte k. A STADD means nothing without the VCQ that it was
 *   registered on.
 * - **Path**: the a, b, c at which a packet travels along x, y and z: it first moves to them inside
 *   its unit, then along x, y, z, then to the a, b, c of its destination. Twelve paths lead to any
 *   node.
 * - **edata**: a byte that the initiator attaches to a command and that every notice of it carries.
 * - **BG, VBG**: barrier gate of a TNI, and the same as a program owns it.
 *
 * ## A put, from beginning to end
 *
 * Both sides create a VCQ and register memory on it. The target tells its VCQ id and STADD to the
 * initiator, by means of its own, as at start-up by the process manager. utofu_put() queues the
 * command. A TCQ notice says that the local buffer may be reused; a remote MRQ notice tells the
 * target that the data are there; a local MRQ notice tells the initiator the same.
 *
 * ## What holds for every call
 *
 * - Errors are negative, UTOFU_SUCCESS is 0. Results are stored on success only, unless said
 *   otherwise.
 * - Wrong arguments are told at once and nothing is done. A wrong local STADD is told by
 *   utofu_poll_tcq(), a fault at the target by utofu_poll_mrq().
 * - The first call of a process that needs the network connects it. On the software device that may
 *   wait for another process of the job to set it up; a process that cannot connect is told why on
 *   its standard error, and its calls return UTOFU_ERR_NOT_AVAILABLE.
 * - "Threads: one thread per VCQ" means one thread at a time, unless the VCQ was created with
 *   UTOFU_VCQ_FLAG_THREAD_SAFE. Different VCQs may always be used by different threads at once.
 */
#ifndef UTOFU_H
#define UTOFU_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Version of the interface that this header describes; see utofu_query_utofu_version(). */
#define UTOFU_VERSION_MAJOR 1
#define UTOFU_VERSION_MINOR 0

/**
 * @defgroup utofu_types Types and constants
 * Flags are bits to be or-ed; 0 stands for none. Bits that no flag names are errors.
 * @{
 */

typedef uint16_t utofu_tni_id_t;   /**< TNI of a node, 0..5. */
typedef uint16_t utofu_cq_id_t;    /**< CQ of a TNI, 0..10; CQ 11 is the system's. */
typedef uint16_t utofu_bg_id_t;    /**< Barrier gate of a TNI, 0..47; 0..15 can start a barrier. */
typedef uint16_t utofu_cmp_id_t;   /**< Component of a CQ, 0..num_cmp_ids-1. */
typedef uintptr_t utofu_vcq_hdl_t; /**< VCQ of this process. Opaque. */
typedef uint64_t utofu_vcq_id_t; /**< VCQ of any process: coordinates, TNI, CQ, component, path. */
typedef uint64_t utofu_vbg_id_t; /**< VBG of any process: coordinates, TNI, BG; nothing else. */
typedef uint64_t utofu_stadd_t;  /**< Registered memory of one VCQ, in bytes. */
typedef uint8_t utofu_path_id_t; /**< Path in 4 bits: a in bit 0, b in bits 1..2, c in bit 3. */

/** No gate: that side of a VBG is not connected. */
#define UTOFU_VBG_ID_NULL ((utofu_vbg_id_t)-1)

/** In all three places of path coordinates: the default path. */
#define UTOFU_PATH_COORD_NULL ((uint8_t)-1)

/** @name Bits of utofu_onesided_caps.flags
 * @{ */
#define UTOFU_ONESIDED_CAP_FLAG_SESSION_MODE (1UL << 0) /**< VCQs in session mode exist. */
#define UTOFU_ONESIDED_CAP_FLAG_ARMW         (1UL << 1) /**< Remote atomics exist. */
/** @} */

/** @name Bits of utofu_onesided_caps.armw_ops
 * @{ */
#define UTOFU_ONESIDED_CAP_ARMW_OP_CSWAP (1UL << 0) /**< utofu_cswap4(), utofu_cswap8(). */
#define UTOFU_ONESIDED_CAP_ARMW_OP_SWAP  (1UL << 1) /**< UTOFU_ARMW_OP_SWAP. */
#define UTOFU_ONESIDED_CAP_ARMW_OP_ADD   (1UL << 2) /**< UTOFU_ARMW_OP_ADD. */
#define UTOFU_ONESIDED_CAP_ARMW_OP_XOR   (1UL << 3) /**< UTOFU_ARMW_OP_XOR. */
#define UTOFU_ONESIDED_CAP_ARMW_OP_AND   (1UL << 4) /**< UTOFU_ARMW_OP_AND. */
#define UTOFU_ONESIDED_CAP_ARMW_OP_OR    (1UL << 5) /**< UTOFU_ARMW_OP_OR. */
/** @} */

/** @name Bits of utofu_barrier_caps.reduce_ops
 * The bit of an operation is the value of its enumerator in utofu_reduce_op.
 * @{ */
#define UTOFU_BARRIER_CAP_REDUCE_OP_BARRIER (1UL << 1) /**< UTOFU_REDUCE_OP_BARRIER. */
#define UTOFU_BARRIER_CAP_REDUCE_OP_BAND    (1UL << 2) /**< UTOFU_REDUCE_OP_BAND. */
#define UTOFU_BARRIER_CAP_REDUCE_OP_BOR     (1UL << 3) /**< UTOFU_REDUCE_OP_BOR. */
#define UTOFU_BARRIER_CAP_REDUCE_OP_BXOR    (1UL << 4) /**< UTOFU_REDUCE_OP_BXOR. */
#define UTOFU_BARRIER_CAP_REDUCE_OP_MAX     (1UL << 5) /**< UTOFU_REDUCE_OP_MAX. */
#define UTOFU_BARRIER_CAP_REDUCE_OP_MAXLOC  (1UL << 6) /**< UTOFU_REDUCE_OP_MAXLOC. */
#define UTOFU_BARRIER_CAP_REDUCE_OP_SUM     (1UL << 7) /**< UTOFU_REDUCE_OP_SUM. */
#define UTOFU_BARRIER_CAP_REDUCE_OP_BFPSUM  (1UL << 8) /**< UTOFU_REDUCE_OP_BFPSUM. */
/** @} */

/** @name Flags of utofu_create_vcq() and utofu_create_vcq_with_cmp_id()
 * @{ */
/** Any number of threads may use the VCQ at once: it is locked inside. */
#define UTOFU_VCQ_FLAG_THREAD_SAFE (1UL << 0)
/** The VCQ has a CQ to itself. There are as many as the TNI has CQs, and no more. */
#define UTOFU_VCQ_FLAG_EXCLUSIVE (1UL << 1)
/** Commands wait until UTOFU_ONESIDED_FLAG_SPS of an incoming put releases them. Few exist. */
#define UTOFU_VCQ_FLAG_SESSION_MODE (1UL << 2)
/** @} */

/** @name Flags of utofu_alloc_vbg()
 * @{ */
/** Any number of threads may use the VBGs at once. */
#define UTOFU_VBG_FLAG_THREAD_SAFE (1UL << 0)
/** @} */

/** @name Flags of utofu_reg_mem() and utofu_reg_mem_with_stag()
 * @{ */
/** Others may get from the memory, not write it. */
#define UTOFU_REG_MEM_FLAG_READ_ONLY (1UL << 0)
/** @} */

/** @name Flags of one-sided commands
 * @{ */
/** Keep order: see @ref utofu_onesided. */
#define UTOFU_ONESIDED_FLAG_STRONG_ORDER (1UL << 0)
/** Acknowledge each packet. Changes no result; the software device ignores it. */
#define UTOFU_ONESIDED_FLAG_PACKET_RESPONSE (1UL << 1)
/** Put an entry into the target's MRQ once the command is done there. */
#define UTOFU_ONESIDED_FLAG_REMOTE_MRQ_NOTICE (1UL << 2)
/**
 * Let the TNI write whole cache lines: the bytes behind the data, up to the end of their line of
 * caps.cache_line_size bytes, are then undefined. The software device leaves them as they were.
 */
#define UTOFU_ONESIDED_FLAG_PADDING (1UL << 3)
/** Write the data into the target's cache. Changes no result; the software device ignores it. */
#define UTOFU_ONESIDED_FLAG_CACHE_INJECTION (1UL << 5)
/**
 * Let the command wait in the TOQ until one without this flag is posted to the same VCQ. On the
 * software device a poll of the VCQ starts it as well; hardware may differ.
 */
#define UTOFU_ONESIDED_FLAG_DELAY_START (1UL << 8)
/** Put an entry with the caller's cbdata into the TCQ once the command has left. */
#define UTOFU_ONESIDED_FLAG_TCQ_NOTICE (1UL << 14)
/** Put an entry into the initiator's MRQ once the command is done at the target. */
#define UTOFU_ONESIDED_FLAG_LOCAL_MRQ_NOTICE (1UL << 15)
/** Let a put release @a n (0..15) commands of the target, if it is in session mode. */
#define UTOFU_ONESIDED_FLAG_SPS(n) ((unsigned long int)(n) << 24)
/** Take path @a path_id (0..15), see utofu_get_path_id(), not the VCQ id's own. */
#define UTOFU_ONESIDED_FLAG_PATH(path_id) ((unsigned long int)(path_id) << 28)
/** @} */

/** What calls return. Each call's comment says which of them, and when. */
enum utofu_return_code {
    UTOFU_SUCCESS = 0, /**< Done, or accepted. */

    UTOFU_ERR_NOT_FOUND = -1,     /**< The queue holds no notice. */
    UTOFU_ERR_NOT_COMPLETED = -2, /**< The barrier or reduction is still under way. */
    UTOFU_ERR_NOT_PROCESSED = -3, /**< Not used by the software device. */
    UTOFU_ERR_BUSY = -4,          /**< No room now; nothing was done; poll and repeat. */
    UTOFU_ERR_USED = -5,          /**< The number asked for is taken. */
    UTOFU_ERR_FULL = -6,          /**< All of that kind are taken. */
    UTOFU_ERR_NOT_AVAILABLE = -7, /**< That kind, or the network, cannot be had now. */
    UTOFU_ERR_NOT_SUPPORTED = -8, /**< That kind does not exist here. */

    UTOFU_ERR_TCQ_OTHER = -128,  /**< Not sent, for another reason. */
    UTOFU_ERR_TCQ_DESC = -129,   /**< Not sent: the descriptor makes no sense. */
    UTOFU_ERR_TCQ_MEMORY = -130, /**< Not sent: local memory could not be read. */
    UTOFU_ERR_TCQ_STADD = -131,  /**< Not sent: the local STADD is not registered here. */
    UTOFU_ERR_TCQ_LENGTH = -132, /**< Not sent: past the end of the local registration. */

    UTOFU_ERR_MRQ_OTHER = -192,      /**< Failed at the target for another reason. */
    UTOFU_ERR_MRQ_PEER = -193,       /**< No such VCQ, or it was freed, or its process died. */
    UTOFU_ERR_MRQ_LCL_MEMORY = -194, /**< The local memory of a get could not be written. */
    UTOFU_ERR_MRQ_RMT_MEMORY = -195, /**< The remote memory went away. */
    UTOFU_ERR_MRQ_LCL_STADD = -196,  /**< The local STADD of a get was deregistered meanwhile. */
    UTOFU_ERR_MRQ_RMT_STADD = -197,  /**< The remote STADD is not registered, or read-only. */
    UTOFU_ERR_MRQ_LCL_LENGTH = -198, /**< Past the end of the local registration of a get. */
    UTOFU_ERR_MRQ_RMT_LENGTH = -199, /**< Past the end of the remote registration. */

    UTOFU_ERR_BARRIER_OTHER = -256,    /**< The barrier failed for another reason. */
    UTOFU_ERR_BARRIER_MISMATCH = -257, /**< Two signals that met differ in operation or length. */

    UTOFU_ERR_INVALID_ARG = -512,     /**< An argument is wrong that has no code of its own. */
    UTOFU_ERR_INVALID_POINTER = -513, /**< A pointer is NULL. */
    UTOFU_ERR_INVALID_FLAGS = -514,   /**< A flag bit is not defined for this call. */
    UTOFU_ERR_INVALID_COORDS = -515,  /**< There is no node at these coordinates. */
    UTOFU_ERR_INVALID_PATH = -516,    /**< Not path coordinates. */
    UTOFU_ERR_INVALID_TNI_ID = -517,  /**< No such TNI. */
    UTOFU_ERR_INVALID_CQ_ID = -518,   /**< No such CQ. */
    UTOFU_ERR_INVALID_BG_ID = -519,   /**< No such BG. */
    UTOFU_ERR_INVALID_CMP_ID = -520,  /**< No such component. */
    UTOFU_ERR_INVALID_VCQ_HDL = -521, /**< Not a VCQ of this process. */
    UTOFU_ERR_INVALID_VCQ_ID = -522,  /**< Cannot be a VCQ of this job. */
    UTOFU_ERR_INVALID_VBG_ID = -523,  /**< Not a VBG that fits the call. */
    UTOFU_ERR_INVALID_PATH_ID = -524, /**< Not a path id. */
    UTOFU_ERR_INVALID_STADD = -525,   /**< Not registered, or misaligned. */
    UTOFU_ERR_INVALID_ADDRESS = -526, /**< Memory that is not there, or is misaligned. */
    UTOFU_ERR_INVALID_SIZE = -527,    /**< A length is out of range. */
    UTOFU_ERR_INVALID_STAG = -528,    /**< No such reserved STag. */
    UTOFU_ERR_INVALID_EDATA = -529,   /**< edata does not fit caps.max_edata_size bytes. */
    UTOFU_ERR_INVALID_NUMBER = -530,  /**< A count is out of range. */
    UTOFU_ERR_INVALID_OP = -531,      /**< No such operation, or not for this type. */
    UTOFU_ERR_INVALID_DESC = -532,    /**< Not a prepared command. */
    UTOFU_ERR_INVALID_DATA = -533,    /**< Data that the operation cannot take. */

    UTOFU_ERR_OUT_OF_RESOURCE = -640, /**< The system, not the network, has run out of something. */
    UTOFU_ERR_OUT_OF_MEMORY = -641,   /**< The library could not allocate memory. */

    UTOFU_ERR_FATAL = -768 /**< The process cannot use the network (any more). */
};

/** What utofu_armw4() and utofu_armw8() do with the remote word and op_value; unsigned. */
enum utofu_armw_op {
    UTOFU_ARMW_OP_SWAP = 1, /**< Store op_value. */
    UTOFU_ARMW_OP_ADD = 2,  /**< Add, modulo the word. */
    UTOFU_ARMW_OP_XOR = 3,  /**< Exclusive or, bit by bit. */
    UTOFU_ARMW_OP_AND = 4,  /**< And, bit by bit. */
    UTOFU_ARMW_OP_OR = 5    /**< Or, bit by bit. */
};

/** How a gate combines two signals, element by element. */
enum utofu_reduce_op {
    UTOFU_REDUCE_OP_BARRIER = 1, /**< Nothing to combine: only meet. */
    UTOFU_REDUCE_OP_BAND = 2,    /**< uint64: and, bit by bit. */
    UTOFU_REDUCE_OP_BOR = 3,     /**< uint64: or, bit by bit. */
    UTOFU_REDUCE_OP_BXOR = 4,    /**< uint64: exclusive or, bit by bit. */
    UTOFU_REDUCE_OP_MAX = 5,     /**< uint64: the greater, unsigned. */
    /**
     * uint64, elements in pairs (value, index): the pair with the greater value. Of equal values
     * the software device takes the smaller index; hardware may differ.
     */
    UTOFU_REDUCE_OP_MAXLOC = 6,
    UTOFU_REDUCE_OP_SUM = 7, /**< uint64: sum modulo 2^64. */
    /**
     * double: a sum that does not depend on the order of the summands. The last bits may differ
     * between the software device and hardware. The software device gives the double nearest to
     * the true sum, the even one of two; an infinity only if the whole sum is that large; a NaN if
     * one was a NaN or infinities of both signs were; -0.0 only if all were.
     */
    UTOFU_REDUCE_OP_BFPSUM = 8
};

/** The event that a notice tells. LCL: this VCQ was the initiator; RMT: it was the target. */
enum utofu_mrq_notice_type {
    UTOFU_MRQ_TYPE_LCL_PUT = 0,  /**< My put is in the target's memory. */
    UTOFU_MRQ_TYPE_RMT_PUT = 1,  /**< A put has been written into my memory, all of it. */
    UTOFU_MRQ_TYPE_LCL_GET = 2,  /**< My get has been written into my memory, all of it. */
    UTOFU_MRQ_TYPE_RMT_GET = 3,  /**< A get has read my memory. */
    UTOFU_MRQ_TYPE_LCL_ARMW = 4, /**< My atomic is done; rmt_value holds the old word. */
    UTOFU_MRQ_TYPE_RMT_ARMW = 5  /**< An atomic has changed my memory. */
};

/** What the one-sided part of a TNI can do; in parentheses the values of Tofu-D. 88 bytes. */
struct utofu_onesided_caps {
    unsigned long int flags;         /**< UTOFU_ONESIDED_CAP_FLAG_* (both). */
    unsigned long int armw_ops;      /**< UTOFU_ONESIDED_CAP_ARMW_OP_* (all six). */
    unsigned int num_cmp_ids;        /**< Component ids that a caller may choose from (8). */
    unsigned int num_reserved_stags; /**< STags of each VCQ that a caller may choose from (256). */
    size_t cache_line_size;          /**< Bytes (256). */
    size_t stag_address_alignment;   /**< Bytes, for utofu_reg_mem_with_stag() (256). */
    size_t max_toq_desc_size;        /**< Bytes of one prepared command at most (64). */
    size_t max_putget_size;          /**< Bytes of one put or get at most (16777215). */
    size_t max_piggyback_size;       /**< Bytes of utofu_put_piggyback() at most (32). */
    size_t max_edata_size;           /**< Bytes of edata that arrive (1). */
    size_t max_mtu;                  /**< Bytes of payload of a packet at most (1920). */
    size_t max_gap;                  /**< Greatest gap between packets (255). */
};

/** What the barrier part of a TNI can do; in parentheses the values of Tofu-D. 32 bytes. */
struct utofu_barrier_caps {
    unsigned long int flags;      /**< None are defined (0). */
    unsigned long int reduce_ops; /**< UTOFU_BARRIER_CAP_REDUCE_OP_* (all eight). */
    size_t max_uint64_reduction;  /**< Elements of utofu_reduce_uint64() at most (6). */
    size_t max_double_reduction;  /**< Elements of utofu_reduce_double() at most (3). */
};

/** How one gate is wired, see @ref utofu_barrier. 48 bytes. */
struct utofu_vbg_setting {
    utofu_vbg_id_t vbg_id;         /**< The gate; allocated by this process. */
    utofu_vbg_id_t src_lcl_vbg_id; /**< Waits for this gate of this process, or NULL. */
    utofu_vbg_id_t src_rmt_vbg_id; /**< Waits for this gate of any process, or NULL. */
    utofu_vbg_id_t dst_lcl_vbg_id; /**< Sends to this gate of this process, or NULL. */
    utofu_vbg_id_t dst_rmt_vbg_id; /**< Sends to this gate of any process, or NULL. */
    uint8_t dst_path_coords[3];    /**< Path to dst_rmt_vbg_id, a b c, or UTOFU_PATH_COORD_NULL. */
};

/**
 * An entry of the MRQ, filled by utofu_poll_mrq(). 64 bytes.
 *
 * Addresses are where the command ended: first byte plus length for put and get; the word itself
 * for atomics. For RMT notices lcl_stadd, rmt_stadd and rmt_value all hold the touched address of
 * the polling VCQ on the software device. On hardware programs rely on rmt_value for that, and on
 * no other of the three.
 */
struct utofu_mrq_notice {
    uint8_t notice_type;     /**< enum utofu_mrq_notice_type. */
    uint8_t padding1[7];     /**< Undefined. */
    utofu_vcq_id_t vcq_id;   /**< The other side, as utofu_query_vcq_id() gives it: no path. */
    uint64_t edata;          /**< edata of the command. */
    uint64_t rmt_value;      /**< LCL_ARMW: the word before; RMT_*: the touched address. */
    utofu_stadd_t lcl_stadd; /**< LCL_GET: where the local data end. */
    utofu_stadd_t rmt_stadd; /**< LCL_*: where the remote data end; LCL_ARMW: the word. */
    uint64_t reserved[2];    /**< Undefined. */
};

/** @} */

/**
 * @defgroup utofu_tni TNIs and what they can do
 * @{
 */

/**
 * List the TNIs on which this process may create VCQs.
 *
 * **Completes**: at return. **Owns**: the caller gets the array and frees it with free().
 * **Threads**: any. **Blocks**: only to connect the process.
 * @param[out] tni_ids   Array of TNI ids, ascending.
 * @param[out] num_tnis  Its length; 6 on Tofu-D and on the software device.
 * @return UTOFU_SUCCESS, or
 *   UTOFU_ERR_INVALID_POINTER - tni_ids or num_tnis is NULL
 *   UTOFU_ERR_OUT_OF_MEMORY   - the array cannot be allocated
 */
int utofu_get_onesided_tnis(utofu_tni_id_t **tni_ids, size_t *num_tnis);

/**
 * List the TNIs on which this process may allocate VBGs.
 *
 * **Completes**: at return. **Owns**: the caller gets the array and frees it with free().
 * **Threads**: any. **Blocks**: only to connect the process.
 * @param[out] tni_ids   Array of TNI ids, ascending.
 * @param[out] num_tnis  Its length; 6 on Tofu-D and on the software device.
 * @return UTOFU_SUCCESS, or
 *   UTOFU_ERR_INVALID_POINTER - tni_ids or num_tnis is NULL
 *   UTOFU_ERR_OUT_OF_MEMORY   - the array cannot be allocated
 */
int utofu_get_barrier_tnis(utofu_tni_id_t **tni_ids, size_t *num_tnis);

/**
 * Tell what the one-sided part of a TNI can do. No VCQ is needed.
 *
 * **Completes**: at return. **Owns**: the library keeps the structure, constant, until the process
 * ends. **Threads**: any. **Blocks**: never.
 * @param[in]  tni_id    0..5.
 * @param[out] tni_caps  Its capabilities. Not to be freed.
 * @return UTOFU_SUCCESS, or
 *   UTOFU_ERR_INVALID_TNI_ID  - tni_id > 5
 *   UTOFU_ERR_INVALID_POINTER - tni_caps is NULL
 */
int utofu_query_onesided_caps(utofu_tni_id_t tni_id, struct utofu_onesided_caps **tni_caps);

/**
 * Tell what the barrier part of a TNI can do. No VBG is needed.
 *
 * **Completes**: at return. **Owns**: the library keeps the structure, constant, until the process
 * ends. **Threads**: any. **Blocks**: never.
 * @param[in]  tni_id    0..5.
 * @param[out] tni_caps  Its capabilities. Not to be freed.
 * @return UTOFU_SUCCESS, or
 *   UTOFU_ERR_INVALID_TNI_ID  - tni_id > 5
 *   UTOFU_ERR_INVALID_POINTER - tni_caps is NULL
 */
int utofu_query_barrier_caps(utofu_tni_id_t tni_id, struct utofu_barrier_caps **tni_caps);

/** @} */

/**
 * @defgroup utofu_vcq VCQs
 * A VCQ has three queues: its TOQ holds commands until they are sent, its TCQ the notices of what
 * was sent, its MRQ the notices of what arrived or was acknowledged. VCQs that share a CQ share its
 * bandwidth and its number of STags, not their notices.
 *
 * A VCQ id holds the node's coordinates, the TNI, the CQ and the component, so that with a chosen
 * component (utofu_create_vcq_with_cmp_id()) peers can work it out by utofu_construct_vcq_id()
 * instead of exchanging it.
 * @{
 */

/**
 * Create a VCQ on a TNI; the library chooses CQ and component.
 *
 * **Completes**: at return. **Owns**: the caller gets the VCQ, to be given to utofu_free_vcq().
 * **Threads**: any. **Blocks**: only to connect the process.
 * @param[in]  tni_id   0..5, one of utofu_get_onesided_tnis().
 * @param[in]  flags    UTOFU_VCQ_FLAG_*.
 * @param[out] vcq_hdl  Handle, valid in this process only.
 * @return UTOFU_SUCCESS, or
 *   UTOFU_ERR_INVALID_TNI_ID  - tni_id > 5
 *   UTOFU_ERR_INVALID_FLAGS   - flags has other bits than UTOFU_VCQ_FLAG_*
 *   UTOFU_ERR_INVALID_POINTER - vcq_hdl is NULL
 *   UTOFU_ERR_FULL            - no VCQ of this TNI is left on this node
 *   UTOFU_ERR_NOT_AVAILABLE   - VCQs are left, but none of the kind that flags ask for; or the
 *                               process is not connected
 *   UTOFU_ERR_NOT_SUPPORTED   - the TNI has no VCQs of the kind that flags ask for, see its caps
 *   UTOFU_ERR_OUT_OF_MEMORY   - no memory for the VCQ
 */
int utofu_create_vcq(utofu_tni_id_t tni_id, unsigned long int flags, utofu_vcq_hdl_t *vcq_hdl);

/**
 * Create a VCQ with a component that the caller chooses, so that peers can construct its id.
 *
 * **Completes**: at return. **Owns**: the caller gets the VCQ, to be given to utofu_free_vcq().
 * **Threads**: any. **Blocks**: only to connect the process.
 * @param[in]  tni_id   0..5, one of utofu_get_onesided_tnis().
 * @param[in]  cmp_id   0..caps.num_cmp_ids-1.
 * @param[in]  flags    UTOFU_VCQ_FLAG_*.
 * @param[out] vcq_hdl  Handle, valid in this process only.
 * @return UTOFU_SUCCESS, or as utofu_create_vcq(), and
 *   UTOFU_ERR_INVALID_CMP_ID - cmp_id >= caps.num_cmp_ids
 *   UTOFU_ERR_USED           - cmp_id is taken on the CQ that this process gets on this TNI
 */
int utofu_create_vcq_with_cmp_id(utofu_tni_id_t tni_id, utofu_cmp_id_t cmp_id,
                                 unsigned long int flags, utofu_vcq_hdl_t *vcq_hdl);

/**
 * Free a VCQ, with all memory that is still registered on it.
 *
 * **Completes**: at return. What peers send afterwards fails there with UTOFU_ERR_MRQ_PEER. Notices
 * that were not polled are lost; commands that were not started are dropped. **Owns**: the handle
 * and the STADDs of the VCQ end. **Threads**: one, and no other may still use the VCQ.
 * **Blocks**: until commands of this VCQ that were started are done.
 * @param[in] vcq_hdl  A VCQ of this process.
 * @return UTOFU_SUCCESS, or
 *   UTOFU_ERR_INVALID_VCQ_HDL - vcq_hdl is no VCQ of this process
 */
int utofu_free_vcq(utofu_vcq_hdl_t vcq_hdl);

/**
 * Tell the id by which all processes of the job know a VCQ.
 *
 * **Completes**: at return. **Owns**: nothing. **Threads**: any. **Blocks**: never.
 * @param[in]  vcq_hdl  A VCQ of this process.
 * @param[out] vcq_id   Its id, with the default path: the form that notices carry.
 * @return UTOFU_SUCCESS, or
 *   UTOFU_ERR_INVALID_VCQ_HDL - vcq_hdl is no VCQ of this process
 *   UTOFU_ERR_INVALID_POINTER - vcq_id is NULL
 */
int utofu_query_vcq_id(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t *vcq_id);

/**
 * Work out the id that a VCQ created by utofu_create_vcq_with_cmp_id() has, whether or not it
 * exists.
 *
 * **Completes**: at return, without communication. **Owns**: nothing. **Threads**: any.
 * **Blocks**: never.
 * @param[in]  coords  Six coordinates x y z a b c of the node.
 * @param[in]  tni_id  0..5.
 * @param[in]  cq_id   0..10, as the peer learnt it from utofu_query_vcq_info().
 * @param[in]  cmp_id  0..caps.num_cmp_ids-1.
 * @param[out] vcq_id  The id, equal to what utofu_query_vcq_id() gives the owner.
 * @return UTOFU_SUCCESS, or
 *   UTOFU_ERR_INVALID_POINTER - coords or vcq_id is NULL
 *   UTOFU_ERR_INVALID_COORDS  - coords cannot be a node: x, y or z > 31, a > 1, b > 2 or c > 1
 *   UTOFU_ERR_INVALID_TNI_ID  - tni_id > 5
 *   UTOFU_ERR_INVALID_CQ_ID   - cq_id > 10
 *   UTOFU_ERR_INVALID_CMP_ID  - cmp_id >= caps.num_cmp_ids
 */
int utofu_construct_vcq_id(uint8_t coords[], utofu_tni_id_t tni_id, utofu_cq_id_t cq_id,
                           utofu_cmp_id_t cmp_id, utofu_vcq_id_t *vcq_id);

/**
 * Set the path that commands to a VCQ take, inside its id. An id need not have one.
 *
 * **Completes**: at return; a second call replaces the first. **Owns**: nothing. **Threads**: any,
 * one for each *vcq_id. **Blocks**: never.
 * @param[in,out] vcq_id       Id of the target.
 * @param[in]     path_coords  Three path coordinates a b c; NULL for the default path.
 * @return UTOFU_SUCCESS, or
 *   UTOFU_ERR_INVALID_POINTER - vcq_id is NULL
 *   UTOFU_ERR_INVALID_VCQ_ID  - *vcq_id cannot be a VCQ
 *   UTOFU_ERR_INVALID_PATH    - a > 1, b > 2 or c > 1, and they are not all UTOFU_PATH_COORD_NULL
 */
int utofu_set_vcq_id_path(utofu_vcq_id_t *vcq_id, uint8_t path_coords[]);

/**
 * Take a VCQ id apart.
 *
 * **Completes**: at return, without communication. **Owns**: nothing. **Threads**: any.
 * **Blocks**: never.
 * @param[in]  vcq_id     Any VCQ's id.
 * @param[out] coords     Six coordinates x y z a b c of its node.
 * @param[out] tni_id     Its TNI, 0..5.
 * @param[out] cq_id      Its CQ, 0..10.
 * @param[out] extra_val  Its component field, 0..15; not the same number as cmp_id.
 * @return UTOFU_SUCCESS, or
 *   UTOFU_ERR_INVALID_VCQ_ID  - vcq_id cannot be a VCQ
 *   UTOFU_ERR_INVALID_POINTER - a pointer is NULL
 */
int utofu_query_vcq_info(utofu_vcq_id_t vcq_id, uint8_t coords[], utofu_tni_id_t *tni_id,
                         utofu_cq_id_t *cq_id, uint16_t *extra_val);

/** @} */

/**
 * @defgroup utofu_barrier_setup VBGs
 * A VBG waits for up to two signals, one from a gate of the same process and one from a remote
 * gate, combines them, and sends the result to up to two gates. The first gate of an allocation is
 * the *start/end gate*: a call of utofu_barrier() sends its signal, and its completion is the
 * arrival of its own sources. The others only relay. Programs wire gates of all processes into a
 * ring, a tree or a butterfly with utofu_set_vbg(); each process must have set its gates before any
 * process starts an operation.
 *
 * A VBG id is made of coordinates, TNI and BG alone, so that peers can work it out.
 *
 * On the software device a process may run ahead: its next signal waits until the gate has taken the
 * last one. A signal that reaches a gate before it is set waits, too.
 * @{
 */

/**
 * Allocate a start/end gate and relay gates of one TNI.
 *
 * **Completes**: at return; all or nothing. **Owns**: the caller gets the gates, to be given to
 * utofu_free_vbg(). **Threads**: any. **Blocks**: only to connect the process.
 * @param[in]  tni_id    0..5, one of utofu_get_barrier_tnis().
 * @param[in]  num_vbgs  Number of gates, 1..48.
 * @param[in]  flags     UTOFU_VBG_FLAG_*.
 * @param[out] vbg_ids   num_vbgs ids; the first is the start/end gate.
 * @return UTOFU_SUCCESS, or
 *   UTOFU_ERR_INVALID_TNI_ID  - tni_id > 5
 *   UTOFU_ERR_INVALID_NUMBER  - num_vbgs is 0 or > 48
 *   UTOFU_ERR_INVALID_FLAGS   - flags has other bits than UTOFU_VBG_FLAG_*
 *   UTOFU_ERR_INVALID_POINTER - vbg_ids is NULL
 *   UTOFU_ERR_FULL            - the TNI has no start/end gate or too few relay gates left; try
 *                               another. (When BGs 16..47 are taken, the software device makes
 *                               relay gates of BGs below 16)
 *   UTOFU_ERR_NOT_AVAILABLE   - the process is not connected
 */
int utofu_alloc_vbg(utofu_tni_id_t tni_id, size_t num_vbgs, unsigned long int flags,
                    utofu_vbg_id_t vbg_ids[]);

/**
 * Free the gates of one allocation.
 *
 * **Completes**: at return. An operation under way is abandoned: its other processes do not
 * complete, or are told UTOFU_ERR_BARRIER_OTHER. **Owns**: the ids end. **Threads**: one, and no
 * other may still use the gates. **Blocks**: never.
 * @param[in] vbg_ids   The array that utofu_alloc_vbg() filled, unchanged.
 * @param[in] num_vbgs  Its length.
 * @return UTOFU_SUCCESS, or
 *   UTOFU_ERR_INVALID_POINTER - vbg_ids is NULL
 *   UTOFU_ERR_INVALID_NUMBER  - num_vbgs is not the number that was allocated
 *   UTOFU_ERR_INVALID_VBG_ID  - an id is not of this process, or not of this allocation
 */
int utofu_free_vbg(utofu_vbg_id_t vbg_ids[], size_t num_vbgs);

/**
 * Wire gates of this process.
 *
 * **Completes**: at return, in this process; the caller makes sure that all processes are done
 * before any starts. **Owns**: nothing; the settings are copied. **Threads**: one for each gate.
 * **Blocks**: never.
 * @param[in] vbg_settings      One setting for each gate.
 * @param[in] num_vbg_settings  Number of settings, at least 1.
 * @return UTOFU_SUCCESS, or
 *   UTOFU_ERR_INVALID_POINTER - vbg_settings is NULL
 *   UTOFU_ERR_INVALID_NUMBER  - num_vbg_settings is 0
 *   UTOFU_ERR_INVALID_VBG_ID  - a vbg_id or local side is not a gate of this process, or a remote
 *                               side cannot be one
 *   UTOFU_ERR_INVALID_PATH    - a > 1, b > 2 or c > 1, and they are not all UTOFU_PATH_COORD_NULL
 *   UTOFU_ERR_BUSY            - an operation is under way on a gate; or another process is still at
 *                               work on one of an operation that failed: try again
 */
int utofu_set_vbg(struct utofu_vbg_setting vbg_settings[], size_t num_vbg_settings);

/**
 * Take a VBG id apart.
 *
 * **Completes**: at return, without communication. **Owns**: nothing. **Threads**: any.
 * **Blocks**: never.
 * @param[in]  vbg_id     Any VBG's id.
 * @param[out] coords     Six coordinates x y z a b c of its node.
 * @param[out] tni_id     Its TNI, 0..5.
 * @param[out] bg_id      Its BG, 0..47.
 * @param[out] extra_val  Undefined; 0 on the software device.
 * @return UTOFU_SUCCESS, or
 *   UTOFU_ERR_INVALID_VBG_ID  - vbg_id cannot be a VBG
 *   UTOFU_ERR_INVALID_POINTER - a pointer is NULL
 */
int utofu_query_vbg_info(utofu_vbg_id_t vbg_id, uint8_t coords[], utofu_tni_id_t *tni_id,
                         utofu_bg_id_t *bg_id, uint16_t *extra_val);

/** @} */

/**
 * @defgroup utofu_path Paths
 * A path is named by its in-unit coordinates, by UTOFU_ONESIDED_FLAG_PATH() in the flags of a
 * command, or by utofu_set_vcq_id_path() in the target's id. Commands that take the same path keep
 * the order that UTOFU_ONESIDED_FLAG_STRONG_ORDER promises. On the software device paths change
 * neither data nor order.
 * @{
 */

/**
 * Tell the id of a path, for UTOFU_ONESIDED_FLAG_PATH().
 *
 * **Completes**: at return, without communication. **Owns**: nothing. **Threads**: any.
 * **Blocks**: never.
 * @param[in]  vcq_id       Id of the target.
 * @param[in]  path_coords  Three path coordinates a b c.
 * @param[out] path_id      0..15.
 * @return UTOFU_SUCCESS, or
 *   UTOFU_ERR_INVALID_VCQ_ID  - vcq_id cannot be a VCQ
 *   UTOFU_ERR_INVALID_POINTER - path_coords or path_id is NULL
 *   UTOFU_ERR_INVALID_PATH    - a > 1, b > 2 or c > 1
 */
int utofu_get_path_id(utofu_vcq_id_t vcq_id, uint8_t path_coords[], utofu_path_id_t *path_id);

/**
 * Tell the coordinates of a path id: the inverse of utofu_get_path_id().
 *
 * **Completes**: at return, without communication. **Owns**: nothing. **Threads**: any.
 * **Blocks**: never.
 * @param[in]  vcq_id       Id of the target.
 * @param[in]  path_id      0..15.
 * @param[out] path_coords  Three path coordinates a b c.
 * @return UTOFU_SUCCESS, or
 *   UTOFU_ERR_INVALID_VCQ_ID  - vcq_id cannot be a VCQ
 *   UTOFU_ERR_INVALID_PATH_ID - path_id > 15, or its b is 3
 *   UTOFU_ERR_INVALID_POINTER - path_coords is NULL
 */
int utofu_get_path_coords(utofu_vcq_id_t vcq_id, utofu_path_id_t path_id, uint8_t path_coords[]);

/** @} */

/**
 * @defgroup utofu_mem Registered memory
 * Memory takes part in communication while it is registered on a VCQ: local memory on the VCQ that
 * issues the command, remote memory on the VCQ that is its target. Any memory may be registered,
 * any number of times. Reserved STags (utofu_reg_mem_with_stag()) let peers work out a STADD
 * instead of exchanging it.
 *
 * On the software device memory that lies in a shared mapping of a file (memfd, POSIX shared
 * memory) is reached by plain loads and stores. All other memory is reached through the kernel,
 * which takes longer.
 * @{
 */

/**
 * Register memory; the library chooses the STag.
 *
 * **Completes**: at return; peers may use the STADD at once. **Owns**: the caller keeps the memory
 * and must not unmap it before utofu_dereg_mem(). **Threads**: one thread per VCQ. **Blocks**: in
 * the system, to pin or map the memory.
 * @param[in]  vcq_hdl  A VCQ of this process.
 * @param[in]  addr     First byte; any alignment.
 * @param[in]  size     Bytes, at least 1.
 * @param[in]  flags    UTOFU_REG_MEM_FLAG_*.
 * @param[out] stadd    STADD of addr. Its low 16 bits are those of addr.
 * @return UTOFU_SUCCESS, or
 *   UTOFU_ERR_INVALID_VCQ_HDL - vcq_hdl is no VCQ of this process
 *   UTOFU_ERR_INVALID_POINTER - stadd is NULL
 *   UTOFU_ERR_INVALID_SIZE    - size is 0, or 2^39 or more
 *   UTOFU_ERR_INVALID_FLAGS   - flags has other bits than UTOFU_REG_MEM_FLAG_*
 *   UTOFU_ERR_INVALID_ADDRESS - addr is NULL, or addr..addr+size is not all mapped memory
 *   UTOFU_ERR_FULL            - the CQ has no STag left
 *   UTOFU_ERR_NOT_SUPPORTED   - software: the memory is private and the kernel does not let peers
 *                               reach it
 *   UTOFU_ERR_OUT_OF_MEMORY   - no memory to keep account of it
 */
int utofu_reg_mem(utofu_vcq_hdl_t vcq_hdl, void *addr, size_t size, unsigned long int flags,
                  utofu_stadd_t *stadd);

/**
 * Register memory under an STag that the caller chooses, so that peers can find it by
 * utofu_query_stadd().
 *
 * **Completes**: at return; peers may use the STADD at once. **Owns**: the caller keeps the memory
 * and must not unmap it before utofu_dereg_mem(). **Threads**: one thread per VCQ. **Blocks**: in
 * the system, to pin or map the memory.
 * @param[in]  vcq_hdl  A VCQ of this process.
 * @param[in]  addr     First byte, a multiple of caps.stag_address_alignment.
 * @param[in]  size     Bytes, at least 1.
 * @param[in]  stag     0..caps.num_reserved_stags-1; each VCQ has its own.
 * @param[in]  flags    UTOFU_REG_MEM_FLAG_*.
 * @param[out] stadd    STADD of addr, equal to what utofu_query_stadd() gives.
 * @return UTOFU_SUCCESS, or as utofu_reg_mem() but never FULL, and
 *   UTOFU_ERR_INVALID_STAG    - stag >= caps.num_reserved_stags
 *   UTOFU_ERR_INVALID_ADDRESS - addr is not a multiple of caps.stag_address_alignment
 *   UTOFU_ERR_USED            - the VCQ has memory registered under this STag
 */
int utofu_reg_mem_with_stag(utofu_vcq_hdl_t vcq_hdl, void *addr, size_t size, unsigned int stag,
                            unsigned long int flags, utofu_stadd_t *stadd);

/**
 * Work out the STADD that memory registered under a reserved STag has, whether or not it is
 * registered.
 *
 * **Completes**: at return, without communication. **Owns**: nothing. **Threads**: any.
 * **Blocks**: never.
 * @param[in]  vcq_id  Id of the VCQ that the memory is, or will be, registered on.
 * @param[in]  stag    0..caps.num_reserved_stags-1.
 * @param[out] stadd   The STADD of its first byte.
 * @return UTOFU_SUCCESS, or
 *   UTOFU_ERR_INVALID_VCQ_ID  - vcq_id cannot be a VCQ
 *   UTOFU_ERR_INVALID_STAG    - stag >= caps.num_reserved_stags
 *   UTOFU_ERR_INVALID_POINTER - stadd is NULL
 */
int utofu_query_stadd(utofu_vcq_id_t vcq_id, unsigned int stag, utofu_stadd_t *stadd);

/**
 * End a registration. Registrations of the same memory that share a STADD end one by one.
 *
 * **Completes**: at return. What peers send there afterwards fails with UTOFU_ERR_MRQ_RMT_STADD. On
 * the software device a peer that is writing at this very moment may still do so; the caller should
 * first make sure that peers are done. **Owns**: the caller may unmap the memory. **Threads**: one
 * thread per VCQ. **Blocks**: in the system, to unpin the memory.
 * @param[in] vcq_hdl  The VCQ that the memory was registered on.
 * @param[in] stadd    What registering returned, not an address inside.
 * @param[in] flags    0; none are defined.
 * @return UTOFU_SUCCESS, or
 *   UTOFU_ERR_INVALID_VCQ_HDL - vcq_hdl is no VCQ of this process
 *   UTOFU_ERR_INVALID_STADD   - stadd is not the beginning of a registration of this VCQ
 *   UTOFU_ERR_INVALID_FLAGS   - flags is not 0
 */
int utofu_dereg_mem(utofu_vcq_hdl_t vcq_hdl, utofu_stadd_t stadd, unsigned long int flags);

/** @} */

/**
 * @defgroup utofu_onesided One-sided commands
 * Each call posts one command to the TOQ of @a vcq_hdl and returns; the target's processor takes no
 * part.
 *
 * **Notices.** None unless asked for: TCQ_NOTICE when the command has left, LOCAL_MRQ_NOTICE here
 * and REMOTE_MRQ_NOTICE there when it is done. For a put "has left" means that the local memory may
 * be written again; for a get or an atomic only that the request is on its way. TCQ notices come in
 * the order of posting.
 *
 * **Order.** Commands are in no order, nor are the bytes of one command, except with
 * UTOFU_ONESIDED_FLAG_STRONG_ORDER: data and remote notices of such commands from one VCQ to one
 * other VCQ over one path take effect in the order of posting, each command's bytes at ascending
 * addresses and its notice last. The software device keeps that order always; hardware does not.
 * Commands from different VCQs are never in order.
 *
 * **Busy.** A command that the TOQ or TCQ has no room for returns UTOFU_ERR_BUSY, and nothing was
 * posted. Calls of utofu_poll_tcq() make room, also for commands that asked for no TCQ notice. The
 * software device also returns it when the caller's MRQ is full, or when the command asks for a
 * remote notice and the target's is; utofu_poll_mrq(), by the caller or the target, makes room. So
 * a caller that repeats should poll both queues. On hardware, and on the software device if it is
 * set to abort, an MRQ that overflows is fatal.
 *
 * **Faults.** Wrong arguments return at once. A local STADD that is not registered on @a vcq_hdl,
 * or a length past its end, comes back from utofu_poll_tcq() with the command's cbdata, and there
 * is no MRQ notice. A fault at the target comes back from utofu_poll_mrq(), and there is no remote
 * notice. Both come whether or not a notice was asked for.
 *
 * **Session mode.** Commands of a VCQ created with UTOFU_VCQ_FLAG_SESSION_MODE wait. Each put that
 * arrives with UTOFU_ONESIDED_FLAG_SPS(n) releases n more of them, in the order of posting; a
 * strided put or get counts as one command for each block. Released commands are executed whether
 * or not the program calls the library meanwhile. Releases that come before commands are posted are
 * kept on the software device; hardware may differ.
 *
 * The @a flags of all are UTOFU_ONESIDED_FLAG_*. @a cbdata is any value; utofu_poll_tcq() gives it
 * back.
 * @{
 */

/**
 * Write @a length bytes of registered memory into remote memory; returns before they arrive.
 *
 * **Completes**: locally when its TCQ notice is polled, remotely when an MRQ notice is; no order
 * unless STRONG_ORDER. **Owns**: the memory at lcl_stadd belongs to the device until local
 * completion. **Threads**: one thread per VCQ. **Blocks**: never.
 * @param[in] vcq_hdl     VCQ to issue from.
 * @param[in] rmt_vcq_id  Target, with or without a path.
 * @param[in] lcl_stadd   First byte to read, registered on vcq_hdl.
 * @param[in] rmt_stadd   First byte to write, registered on the target.
 * @param[in] length      Bytes, 1..caps.max_putget_size. 0 may be accepted by hardware.
 * @param[in] edata       0..255, given to each notice.
 * @param[in] flags       UTOFU_ONESIDED_FLAG_*.
 * @param[in] cbdata      Given back by utofu_poll_tcq(); any value.
 * @return UTOFU_SUCCESS, or
 *   UTOFU_ERR_BUSY            - no room in a queue: poll, then repeat the call
 *   UTOFU_ERR_INVALID_VCQ_HDL - vcq_hdl is no VCQ of this process
 *   UTOFU_ERR_INVALID_VCQ_ID  - rmt_vcq_id lies outside the shape of the job, or has no valid TNI
 *                               or CQ
 *   UTOFU_ERR_INVALID_SIZE    - length is 0 or > caps.max_putget_size
 *   UTOFU_ERR_INVALID_EDATA   - edata > 255
 *   UTOFU_ERR_INVALID_FLAGS   - flags has a bit that no UTOFU_ONESIDED_FLAG_* names
 *   UTOFU_ERR_OUT_OF_MEMORY   - no memory to keep account of a new target
 */
int utofu_put(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
              utofu_stadd_t rmt_stadd, size_t length, uint64_t edata, unsigned long int flags,
              void *cbdata);

/**
 * utofu_put() with a chosen packet size and a pause between packets, to keep links free for others.
 *
 * **Completes**, **Owns**, **Threads**, **Blocks**: as utofu_put(). The software device checks mtu
 * and gap and otherwise ignores them.
 * @param[in] vcq_hdl,rmt_vcq_id,lcl_stadd,rmt_stadd,length,edata,flags,cbdata  As for utofu_put().
 * @param[in] mtu  Bytes of payload of a packet, 0..caps.max_mtu; 0 for the default.
 * @param[in] gap  Pause, 0..caps.max_gap, in a unit that hardware defines.
 * @return UTOFU_SUCCESS, or as utofu_put(), and
 *   UTOFU_ERR_INVALID_SIZE - mtu > caps.max_mtu or gap > caps.max_gap
 */
int utofu_put_gap(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
                  utofu_stadd_t rmt_stadd, size_t length, uint64_t edata, unsigned long int flags,
                  size_t mtu, size_t gap, void *cbdata);

/**
 * Write @a num_blocks blocks; block i goes from lcl_stadd + i * stride to rmt_stadd + i * stride.
 *
 * **Completes**: each block like a utofu_put() of its own, with its own MRQ notices; one TCQ notice
 * tells that all have left. All blocks are posted, or none. **Owns**, **Threads**, **Blocks**: as
 * utofu_put().
 * @param[in] vcq_hdl,rmt_vcq_id,lcl_stadd,rmt_stadd,edata,flags,cbdata  As for utofu_put().
 * @param[in] length      Bytes of a block, 1..caps.max_putget_size.
 * @param[in] stride      Bytes from block to block, on both sides.
 * @param[in] num_blocks  Number of blocks, at least 1.
 * @return UTOFU_SUCCESS, or as utofu_put(), and
 *   UTOFU_ERR_INVALID_NUMBER - num_blocks is 0, or more than an empty TOQ has room for
 */
int utofu_put_stride(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
                     utofu_stadd_t rmt_stadd, size_t length, size_t stride, size_t num_blocks,
                     uint64_t edata, unsigned long int flags, void *cbdata);

/**
 * utofu_put_stride() with a chosen packet size and a pause between packets.
 *
 * **Completes**, **Owns**, **Threads**, **Blocks**: as utofu_put_stride().
 * @param[in] vcq_hdl,rmt_vcq_id,lcl_stadd,rmt_stadd,edata,flags,cbdata  As for utofu_put().
 * @param[in] length,stride,num_blocks  As for utofu_put_stride().
 * @param[in] mtu,gap                   As for utofu_put_gap().
 * @return UTOFU_SUCCESS, or as utofu_put_stride() and utofu_put_gap()
 */
int utofu_put_stride_gap(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
                         utofu_stadd_t lcl_stadd, utofu_stadd_t rmt_stadd, size_t length,
                         size_t stride, size_t num_blocks, uint64_t edata, unsigned long int flags,
                         size_t mtu, size_t gap, void *cbdata);

/**
 * Write up to 32 bytes that travel inside the command, so that they need not be registered.
 *
 * **Completes**: as utofu_put(). **Owns**: nothing; lcl_data is copied before the call returns.
 * **Threads**: one thread per VCQ. **Blocks**: never.
 * @param[in] vcq_hdl,rmt_vcq_id,rmt_stadd,edata,flags,cbdata  As for utofu_put().
 * @param[in] lcl_data  The bytes; any memory and alignment.
 * @param[in] length    Bytes, 1..caps.max_piggyback_size.
 * @return UTOFU_SUCCESS, or as utofu_put(), but
 *   UTOFU_ERR_INVALID_SIZE    - length is 0 or > caps.max_piggyback_size
 *   UTOFU_ERR_INVALID_POINTER - lcl_data is NULL
 */
int utofu_put_piggyback(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, void *lcl_data,
                        utofu_stadd_t rmt_stadd, size_t length, uint64_t edata,
                        unsigned long int flags, void *cbdata);

/**
 * Write up to 8 bytes given by value; the shortest command there is.
 *
 * **Completes**: as utofu_put(). **Owns**: nothing. **Threads**: one thread per VCQ.
 * **Blocks**: never.
 * @param[in] vcq_hdl,rmt_vcq_id,rmt_stadd,edata,flags,cbdata  As for utofu_put().
 * @param[in] lcl_data  The bytes; the low-order byte goes to rmt_stadd.
 * @param[in] length    Bytes, 1..8.
 * @return UTOFU_SUCCESS, or as utofu_put(), but
 *   UTOFU_ERR_INVALID_SIZE - length is 0 or > 8
 */
int utofu_put_piggyback8(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, uint64_t lcl_data,
                         utofu_stadd_t rmt_stadd, size_t length, uint64_t edata,
                         unsigned long int flags, void *cbdata);

/**
 * Read @a length bytes of remote memory into registered memory; returns before they arrive.
 *
 * **Completes**: when its local MRQ notice is polled; the TCQ notice only says that the request has
 * left. **Owns**: the memory at lcl_stadd belongs to the device until then. **Threads**: one thread
 * per VCQ. **Blocks**: never.
 * @param[in] vcq_hdl     VCQ to issue from.
 * @param[in] rmt_vcq_id  Target, with or without a path.
 * @param[in] lcl_stadd   First byte to write, registered on vcq_hdl and not read-only.
 * @param[in] rmt_stadd   First byte to read, registered on the target.
 * @param[in] length      Bytes, 1..caps.max_putget_size. 0 may be accepted by hardware.
 * @param[in] edata       0..255, given to each notice.
 * @param[in] flags       UTOFU_ONESIDED_FLAG_*; SPS has no effect.
 * @param[in] cbdata      Given back by utofu_poll_tcq(); any value.
 * @return UTOFU_SUCCESS, or as utofu_put()
 */
int utofu_get(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
              utofu_stadd_t rmt_stadd, size_t length, uint64_t edata, unsigned long int flags,
              void *cbdata);

/**
 * utofu_get() with a chosen packet size and a pause between packets.
 *
 * **Completes**, **Owns**, **Threads**, **Blocks**: as utofu_get(). The software device checks mtu
 * and gap and otherwise ignores them.
 * @param[in] vcq_hdl,rmt_vcq_id,lcl_stadd,rmt_stadd,length,edata,flags,cbdata  As for utofu_get().
 * @param[in] mtu,gap  As for utofu_put_gap().
 * @return UTOFU_SUCCESS, or as utofu_put_gap()
 */
int utofu_get_gap(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
                  utofu_stadd_t rmt_stadd, size_t length, uint64_t edata, unsigned long int flags,
                  size_t mtu, size_t gap, void *cbdata);

/**
 * Read @a num_blocks blocks; block i goes from rmt_stadd + i * stride to lcl_stadd + i * stride.
 *
 * **Completes**: each block like a utofu_get() of its own, with its own MRQ notices. All blocks are
 * posted, or none. **Owns**, **Threads**, **Blocks**: as utofu_get().
 * @param[in] vcq_hdl,rmt_vcq_id,lcl_stadd,rmt_stadd,edata,flags,cbdata  As for utofu_get().
 * @param[in] length,stride,num_blocks  As for utofu_put_stride().
 * @return UTOFU_SUCCESS, or as utofu_put_stride()
 */
int utofu_get_stride(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
                     utofu_stadd_t rmt_stadd, size_t length, size_t stride, size_t num_blocks,
                     uint64_t edata, unsigned long int flags, void *cbdata);

/**
 * utofu_get_stride() with a chosen packet size and a pause between packets.
 *
 * **Completes**, **Owns**, **Threads**, **Blocks**: as utofu_get_stride().
 * @param[in] vcq_hdl,rmt_vcq_id,lcl_stadd,rmt_stadd,edata,flags,cbdata  As for utofu_get().
 * @param[in] length,stride,num_blocks  As for utofu_put_stride().
 * @param[in] mtu,gap                   As for utofu_put_gap().
 * @return UTOFU_SUCCESS, or as utofu_put_stride_gap()
 */
int utofu_get_stride_gap(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
                         utofu_stadd_t lcl_stadd, utofu_stadd_t rmt_stadd, size_t length,
                         size_t stride, size_t num_blocks, uint64_t edata, unsigned long int flags,
                         size_t mtu, size_t gap, void *cbdata);

/**
 * Change a remote 4-byte word and fetch what it held before, as one atomic step.
 *
 * **Completes**: when its local MRQ notice is polled, whose rmt_value is the word before the
 * change. Atomic against all uTofu atomics on that word. Against the target's processor it is
 * atomic on the software device in shared mapped memory only; hardware may differ.
 * **Owns**: nothing. **Threads**: one thread per VCQ. **Blocks**: never.
 * @param[in] vcq_hdl     VCQ to issue from.
 * @param[in] rmt_vcq_id  Target, with or without a path.
 * @param[in] armw_op     UTOFU_ARMW_OP_*.
 * @param[in] op_value    Operand.
 * @param[in] rmt_stadd   The word, a multiple of 4 in the target's memory.
 * @param[in] edata       0..255, given to each notice.
 * @param[in] flags       UTOFU_ONESIDED_FLAG_*; SPS has no effect.
 * @param[in] cbdata      Given back by utofu_poll_tcq(), when the request has left; any value.
 * @return UTOFU_SUCCESS, or
 *   UTOFU_ERR_BUSY            - no room in a queue: poll, then repeat the call
 *   UTOFU_ERR_INVALID_VCQ_HDL - vcq_hdl is no VCQ of this process
 *   UTOFU_ERR_INVALID_VCQ_ID  - rmt_vcq_id lies outside the shape of the job, or has no valid TNI
 *                               or CQ
 *   UTOFU_ERR_INVALID_OP      - armw_op is none of UTOFU_ARMW_OP_*
 *   UTOFU_ERR_INVALID_STADD   - rmt_stadd is not a multiple of 4
 *   UTOFU_ERR_INVALID_EDATA   - edata > 255
 *   UTOFU_ERR_INVALID_FLAGS   - flags has a bit that no UTOFU_ONESIDED_FLAG_* names
 *   UTOFU_ERR_OUT_OF_MEMORY   - no memory to keep account of a new target
 */
int utofu_armw4(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, enum utofu_armw_op armw_op,
                uint32_t op_value, utofu_stadd_t rmt_stadd, uint64_t edata, unsigned long int flags,
                void *cbdata);

/**
 * Change a remote 8-byte word and fetch what it held before, as one atomic step.
 *
 * **Completes**, **Owns**, **Threads**, **Blocks**: as utofu_armw4().
 * @param[in] vcq_hdl,rmt_vcq_id,armw_op,op_value,edata,flags,cbdata  As for utofu_armw4().
 * @param[in] rmt_stadd  The word, a multiple of 8 in the target's memory.
 * @return UTOFU_SUCCESS, or as utofu_armw4(), but
 *   UTOFU_ERR_INVALID_STADD - rmt_stadd is not a multiple of 8
 */
int utofu_armw8(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, enum utofu_armw_op armw_op,
                uint64_t op_value, utofu_stadd_t rmt_stadd, uint64_t edata, unsigned long int flags,
                void *cbdata);

/**
 * Store into a remote 4-byte word if it holds @a old_value, and fetch what it held, as one atomic
 * step.
 *
 * **Completes**, **Owns**, **Threads**, **Blocks**: as utofu_armw4(). It was stored if rmt_value ==
 * old_value.
 * @param[in] vcq_hdl,rmt_vcq_id,rmt_stadd,edata,flags,cbdata  As for utofu_armw4().
 * @param[in] old_value  What the word must hold.
 * @param[in] new_value  What to store.
 * @return UTOFU_SUCCESS, or as utofu_armw4() but never INVALID_OP
 */
int utofu_cswap4(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, uint32_t old_value,
                 uint32_t new_value, utofu_stadd_t rmt_stadd, uint64_t edata,
                 unsigned long int flags, void *cbdata);

/**
 * Store into a remote 8-byte word if it holds @a old_value, and fetch what it held, as one atomic
 * step.
 *
 * **Completes**, **Owns**, **Threads**, **Blocks**: as utofu_armw4(). It was stored if rmt_value ==
 * old_value.
 * @param[in] vcq_hdl,rmt_vcq_id,rmt_stadd,edata,flags,cbdata  As for utofu_armw8().
 * @param[in] old_value  What the word must hold.
 * @param[in] new_value  What to store.
 * @return UTOFU_SUCCESS, or as utofu_armw8() but never INVALID_OP
 */
int utofu_cswap8(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, uint64_t old_value,
                 uint64_t new_value, utofu_stadd_t rmt_stadd, uint64_t edata,
                 unsigned long int flags, void *cbdata);

/**
 * Do nothing, in turn: with TCQ_NOTICE it tells that the commands before it have left.
 *
 * **Completes**: when its TCQ notice is polled; there is never an MRQ notice. **Owns**: nothing.
 * **Threads**: one thread per VCQ. **Blocks**: never.
 * @param[in] vcq_hdl  VCQ to issue from.
 * @param[in] flags    UTOFU_ONESIDED_FLAG_*; only TCQ_NOTICE and DELAY_START have an effect.
 * @param[in] cbdata   Given back by utofu_poll_tcq(); any value.
 * @return UTOFU_SUCCESS, or
 *   UTOFU_ERR_BUSY            - no room in the TOQ or TCQ: poll the TCQ, then repeat the call
 *   UTOFU_ERR_INVALID_VCQ_HDL - vcq_hdl is no VCQ of this process
 *   UTOFU_ERR_INVALID_FLAGS   - flags has a bit that no UTOFU_ONESIDED_FLAG_* names
 */
int utofu_nop(utofu_vcq_hdl_t vcq_hdl, unsigned long int flags, void *cbdata);

/** @} */

/**
 * @defgroup utofu_prepare Prepared commands
 * utofu_prepare_*() checks a command once and writes it, ready to post, into memory of the caller;
 * utofu_post_toq() posts it, as often as wanted. Images that lie end to end are posted by one call.
 * An image is good for the VCQ that it was prepared for and while its registrations last. It is one
 * or two entries of four 64-bit words, and programs may patch these of a command's last entry
 * between two posts: word 2, the remote STADD; word 3, the local STADD of a put or get, the first 8
 * bytes of a piggyback, or the operand of an atomic; bits 55..32 of word 1, the length; bits 23..16
 * of word 1, edata. Bytes 8..31 of a longer piggyback are words 1 to 3 of the entry before it. That
 * is where public code patches images of the hardware; the rest of an image may differ there.
 * @{
 */

/**
 * Prepare a utofu_put().
 *
 * **Completes**: at return; nothing is sent. **Owns**: the caller owns desc throughout.
 * **Threads**: any, one for each desc. **Blocks**: never.
 * @param[in]  vcq_hdl,rmt_vcq_id,lcl_stadd,rmt_stadd,length,edata,flags  As for utofu_put().
 * @param[out] desc       Room for caps.max_toq_desc_size bytes, 8-byte aligned.
 * @param[out] desc_size  Bytes written, a multiple of 8.
 * @return UTOFU_SUCCESS, or as utofu_put() but never BUSY, and
 *   UTOFU_ERR_INVALID_POINTER - desc or desc_size is NULL
 */
int utofu_prepare_put(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
                      utofu_stadd_t rmt_stadd, size_t length, uint64_t edata,
                      unsigned long int flags, void *desc, size_t *desc_size);

/**
 * Prepare a utofu_put_gap().
 *
 * **Completes**, **Owns**, **Threads**, **Blocks**: as utofu_prepare_put().
 * @param[in]  vcq_hdl,rmt_vcq_id,lcl_stadd,rmt_stadd,length,edata,flags,mtu,gap  As for
 *     utofu_put_gap().
 * @param[out] desc,desc_size  As for utofu_prepare_put().
 * @return UTOFU_SUCCESS, or as utofu_put_gap() but never BUSY, and
 *   UTOFU_ERR_INVALID_POINTER - desc or desc_size is NULL
 */
int utofu_prepare_put_gap(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
                          utofu_stadd_t lcl_stadd, utofu_stadd_t rmt_stadd, size_t length,
                          uint64_t edata, unsigned long int flags, size_t mtu, size_t gap,
                          void *desc, size_t *desc_size);

/**
 * Prepare a utofu_put_stride().
 *
 * **Completes**, **Owns**, **Threads**, **Blocks**: as utofu_prepare_put().
 * @param[in]  vcq_hdl,rmt_vcq_id,lcl_stadd,rmt_stadd,length,stride,num_blocks,edata,flags  As for
 *     utofu_put_stride().
 * @param[out] desc       Room for num_blocks * caps.max_toq_desc_size bytes, 8-byte aligned.
 * @param[out] desc_size  Bytes written, a multiple of 8.
 * @return UTOFU_SUCCESS, or as utofu_put_stride() but never BUSY, and
 *   UTOFU_ERR_INVALID_POINTER - desc or desc_size is NULL
 */
int utofu_prepare_put_stride(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
                             utofu_stadd_t lcl_stadd, utofu_stadd_t rmt_stadd, size_t length,
                             size_t stride, size_t num_blocks, uint64_t edata,
                             unsigned long int flags, void *desc, size_t *desc_size);

/**
 * Prepare a utofu_put_stride_gap().
 *
 * **Completes**, **Owns**, **Threads**, **Blocks**: as utofu_prepare_put().
 * @param[in]  vcq_hdl,rmt_vcq_id,lcl_stadd,rmt_stadd,length,edata,flags  As for utofu_put_stride().
 * @param[in]  stride,num_blocks  As for utofu_put_stride().
 * @param[in]  mtu,gap            As for utofu_put_gap().
 * @param[out] desc,desc_size     As for utofu_prepare_put_stride().
 * @return UTOFU_SUCCESS, or as utofu_put_stride_gap() but never BUSY, and
 *   UTOFU_ERR_INVALID_POINTER - desc or desc_size is NULL
 */
int utofu_prepare_put_stride_gap(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
                                 utofu_stadd_t lcl_stadd, utofu_stadd_t rmt_stadd, size_t length,
                                 size_t stride, size_t num_blocks, uint64_t edata,
                                 unsigned long int flags, size_t mtu, size_t gap, void *desc,
                                 size_t *desc_size);

/**
 * Prepare a utofu_put_piggyback(), with the bytes as they are now.
 *
 * **Completes**, **Owns**, **Threads**, **Blocks**: as utofu_prepare_put().
 * @param[in]  vcq_hdl,rmt_vcq_id,lcl_data,rmt_stadd,length,edata,flags  As for
 *     utofu_put_piggyback().
 * @param[out] desc,desc_size  As for utofu_prepare_put().
 * @return UTOFU_SUCCESS, or as utofu_put_piggyback() but never BUSY, and
 *   UTOFU_ERR_INVALID_POINTER - desc or desc_size is NULL
 */
int utofu_prepare_put_piggyback(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, void *lcl_data,
                                utofu_stadd_t rmt_stadd, size_t length, uint64_t edata,
                                unsigned long int flags, void *desc, size_t *desc_size);

/**
 * Prepare a utofu_put_piggyback8().
 *
 * **Completes**, **Owns**, **Threads**, **Blocks**: as utofu_prepare_put().
 * @param[in]  vcq_hdl,rmt_vcq_id,lcl_data,rmt_stadd,length,edata,flags  As for
 *     utofu_put_piggyback8().
 * @param[out] desc,desc_size  As for utofu_prepare_put().
 * @return UTOFU_SUCCESS, or as utofu_put_piggyback8() but never BUSY, and
 *   UTOFU_ERR_INVALID_POINTER - desc or desc_size is NULL
 */
int utofu_prepare_put_piggyback8(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
                                 uint64_t lcl_data, utofu_stadd_t rmt_stadd, size_t length,
                                 uint64_t edata, unsigned long int flags, void *desc,
                                 size_t *desc_size);

/**
 * Prepare a utofu_get().
 *
 * **Completes**, **Owns**, **Threads**, **Blocks**: as utofu_prepare_put().
 * @param[in]  vcq_hdl,rmt_vcq_id,lcl_stadd,rmt_stadd,length,edata,flags  As for utofu_get().
 * @param[out] desc,desc_size  As for utofu_prepare_put().
 * @return UTOFU_SUCCESS, or as utofu_get() but never BUSY, and
 *   UTOFU_ERR_INVALID_POINTER - desc or desc_size is NULL
 */
int utofu_prepare_get(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
                      utofu_stadd_t rmt_stadd, size_t length, uint64_t edata,
                      unsigned long int flags, void *desc, size_t *desc_size);

/**
 * Prepare a utofu_get_gap().
 *
 * **Completes**, **Owns**, **Threads**, **Blocks**: as utofu_prepare_put().
 * @param[in]  vcq_hdl,rmt_vcq_id,lcl_stadd,rmt_stadd,length,edata,flags,mtu,gap  As for
 *     utofu_get_gap().
 * @param[out] desc,desc_size  As for utofu_prepare_put().
 * @return UTOFU_SUCCESS, or as utofu_get_gap() but never BUSY, and
 *   UTOFU_ERR_INVALID_POINTER - desc or desc_size is NULL
 */
int utofu_prepare_get_gap(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
                          utofu_stadd_t lcl_stadd, utofu_stadd_t rmt_stadd, size_t length,
                          uint64_t edata, unsigned long int flags, size_t mtu, size_t gap,
                          void *desc, size_t *desc_size);

/**
 * Prepare a utofu_get_stride().
 *
 * **Completes**, **Owns**, **Threads**, **Blocks**: as utofu_prepare_put().
 * @param[in]  vcq_hdl,rmt_vcq_id,lcl_stadd,rmt_stadd,length,edata,flags  As for utofu_get_stride().
 * @param[in]  stride,num_blocks  As for utofu_get_stride().
 * @param[out] desc,desc_size     As for utofu_prepare_put_stride().
 * @return UTOFU_SUCCESS, or as utofu_get_stride() but never BUSY, and
 *   UTOFU_ERR_INVALID_POINTER - desc or desc_size is NULL
 */
int utofu_prepare_get_stride(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
                             utofu_stadd_t lcl_stadd, utofu_stadd_t rmt_stadd, size_t length,
                             size_t stride, size_t num_blocks, uint64_t edata,
                             unsigned long int flags, void *desc, size_t *desc_size);

/**
 * Prepare a utofu_get_stride_gap().
 *
 * **Completes**, **Owns**, **Threads**, **Blocks**: as utofu_prepare_put().
 * @param[in]  vcq_hdl,rmt_vcq_id,lcl_stadd,rmt_stadd,length,edata,flags  As for utofu_get_stride().
 * @param[in]  stride,num_blocks  As for utofu_get_stride().
 * @param[in]  mtu,gap            As for utofu_put_gap().
 * @param[out] desc,desc_size     As for utofu_prepare_put_stride().
 * @return UTOFU_SUCCESS, or as utofu_get_stride_gap() but never BUSY, and
 *   UTOFU_ERR_INVALID_POINTER - desc or desc_size is NULL
 */
int utofu_prepare_get_stride_gap(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
                                 utofu_stadd_t lcl_stadd, utofu_stadd_t rmt_stadd, size_t length,
                                 size_t stride, size_t num_blocks, uint64_t edata,
                                 unsigned long int flags, size_t mtu, size_t gap, void *desc,
                                 size_t *desc_size);

/**
 * Prepare a utofu_armw4().
 *
 * **Completes**, **Owns**, **Threads**, **Blocks**: as utofu_prepare_put().
 * @param[in]  vcq_hdl,rmt_vcq_id,armw_op,op_value,rmt_stadd,edata,flags  As for utofu_armw4().
 * @param[out] desc,desc_size  As for utofu_prepare_put().
 * @return UTOFU_SUCCESS, or as utofu_armw4() but never BUSY, and
 *   UTOFU_ERR_INVALID_POINTER - desc or desc_size is NULL
 */
int utofu_prepare_armw4(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
                        enum utofu_armw_op armw_op, uint32_t op_value, utofu_stadd_t rmt_stadd,
                        uint64_t edata, unsigned long int flags, void *desc, size_t *desc_size);

/**
 * Prepare a utofu_armw8().
 *
 * **Completes**, **Owns**, **Threads**, **Blocks**: as utofu_prepare_put().
 * @param[in]  vcq_hdl,rmt_vcq_id,armw_op,op_value,rmt_stadd,edata,flags  As for utofu_armw8().
 * @param[out] desc,desc_size  As for utofu_prepare_put().
 * @return UTOFU_SUCCESS, or as utofu_armw8() but never BUSY, and
 *   UTOFU_ERR_INVALID_POINTER - desc or desc_size is NULL
 */
int utofu_prepare_armw8(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
                        enum utofu_armw_op armw_op, uint64_t op_value, utofu_stadd_t rmt_stadd,
                        uint64_t edata, unsigned long int flags, void *desc, size_t *desc_size);

/**
 * Prepare a utofu_cswap4().
 *
 * **Completes**, **Owns**, **Threads**, **Blocks**: as utofu_prepare_put().
 * @param[in]  vcq_hdl,rmt_vcq_id,old_value,new_value,rmt_stadd,edata,flags  As for utofu_cswap4().
 * @param[out] desc,desc_size  As for utofu_prepare_put().
 * @return UTOFU_SUCCESS, or as utofu_cswap4() but never BUSY, and
 *   UTOFU_ERR_INVALID_POINTER - desc or desc_size is NULL
 */
int utofu_prepare_cswap4(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, uint32_t old_value,
                         uint32_t new_value, utofu_stadd_t rmt_stadd, uint64_t edata,
                         unsigned long int flags, void *desc, size_t *desc_size);

/**
 * Prepare a utofu_cswap8().
 *
 * **Completes**, **Owns**, **Threads**, **Blocks**: as utofu_prepare_put().
 * @param[in]  vcq_hdl,rmt_vcq_id,old_value,new_value,rmt_stadd,edata,flags  As for utofu_cswap8().
 * @param[out] desc,desc_size  As for utofu_prepare_put().
 * @return UTOFU_SUCCESS, or as utofu_cswap8() but never BUSY, and
 *   UTOFU_ERR_INVALID_POINTER - desc or desc_size is NULL
 */
int utofu_prepare_cswap8(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, uint64_t old_value,
                         uint64_t new_value, utofu_stadd_t rmt_stadd, uint64_t edata,
                         unsigned long int flags, void *desc, size_t *desc_size);

/**
 * Prepare a utofu_nop().
 *
 * **Completes**, **Owns**, **Threads**, **Blocks**: as utofu_prepare_put().
 * @param[in]  vcq_hdl,flags   As for utofu_nop().
 * @param[out] desc,desc_size  As for utofu_prepare_put().
 * @return UTOFU_SUCCESS, or as utofu_nop() but never BUSY, and
 *   UTOFU_ERR_INVALID_POINTER - desc or desc_size is NULL
 */
int utofu_prepare_nop(utofu_vcq_hdl_t vcq_hdl, unsigned long int flags, void *desc,
                      size_t *desc_size);

/**
 * Post prepared commands, in the order in which they lie.
 *
 * **Completes**: each command like the call it was prepared for. Each that asks for a TCQ notice
 * gets one on the software device, all with the same cbdata; hardware may differ. All are posted,
 * or none. **Owns**: desc may be changed after return. **Threads**: one thread per VCQ.
 * **Blocks**: never.
 * @param[in] vcq_hdl    The VCQ that the commands were prepared for.
 * @param[in] desc       One or more images, end to end, 8-byte aligned.
 * @param[in] desc_size  Bytes, the sum of what utofu_prepare_*() gave.
 * @param[in] cbdata     Given back by utofu_poll_tcq(); any value.
 * @return UTOFU_SUCCESS, or
 *   UTOFU_ERR_BUSY            - no room in a queue: poll, then repeat the call
 *   UTOFU_ERR_INVALID_VCQ_HDL - vcq_hdl is no VCQ of this process
 *   UTOFU_ERR_INVALID_POINTER - desc is NULL
 *   UTOFU_ERR_INVALID_SIZE    - desc_size is 0, or the commands are more than an empty TOQ has room
 *                               for
 *   UTOFU_ERR_INVALID_DESC    - desc_size cuts a command, or desc holds something that is none
 */
int utofu_post_toq(utofu_vcq_hdl_t vcq_hdl, void *desc, size_t desc_size, void *cbdata);

/** @} */

/**
 * @defgroup utofu_poll Completion
 * Nothing is told unless it is polled. Both queues are finite: see "Busy" in @ref utofu_onesided.
 * @{
 */

/**
 * Take the oldest notice from the TCQ, and make room for commands in the TOQ.
 *
 * **Completes**: at return. Room is made also when no notice is found. **Owns**: nothing.
 * **Threads**: one thread per VCQ. **Blocks**: never.
 * @param[in]  vcq_hdl  A VCQ of this process.
 * @param[in]  flags    0; none are defined.
 * @param[out] cbdata   cbdata of the command, also if the return value is a UTOFU_ERR_TCQ_*.
 * @return UTOFU_SUCCESS, or
 *   UTOFU_ERR_NOT_FOUND       - there is none
 *   UTOFU_ERR_TCQ_STADD       - not sent: the local STADD was not registered on this VCQ, or the
 *                               memory that a get was to fill is read-only
 *   UTOFU_ERR_TCQ_LENGTH      - not sent: the command went past the end of the local registration
 *   UTOFU_ERR_TCQ_MEMORY      - not sent: the local memory could not be read
 *   UTOFU_ERR_TCQ_DESC        - not sent: a posted image was damaged
 *   UTOFU_ERR_TCQ_OTHER       - not sent, for another reason
 *   UTOFU_ERR_INVALID_VCQ_HDL - vcq_hdl is no VCQ of this process
 *   UTOFU_ERR_INVALID_FLAGS   - flags is not 0
 *   UTOFU_ERR_INVALID_POINTER - cbdata is NULL
 */
int utofu_poll_tcq(utofu_vcq_hdl_t vcq_hdl, unsigned long int flags, void **cbdata);

/**
 * Take the next notice from the MRQ.
 *
 * **Completes**: at return. The data that the notice tells of are visible to the caller. Notices of
 * one peer's commands come in order if the commands did; notices of own commands and of peers' mix
 * in any order. **Owns**: nothing. **Threads**: one thread per VCQ. **Blocks**: never.
 * @param[in]  vcq_hdl  A VCQ of this process.
 * @param[in]  flags    0; none are defined.
 * @param[out] notice   The notice; filled also if the return value is a UTOFU_ERR_MRQ_*, with type,
 *     target, edata and addresses of the command that failed.
 * @return UTOFU_SUCCESS, or
 *   UTOFU_ERR_NOT_FOUND       - there is none
 *   UTOFU_ERR_MRQ_PEER        - there is no such VCQ, or it was freed, or its process died
 *   UTOFU_ERR_MRQ_RMT_STADD   - the remote STADD is not registered on the target, or is to be
 *                               written and read-only
 *   UTOFU_ERR_MRQ_RMT_LENGTH  - the command went past the end of the remote registration
 *   UTOFU_ERR_MRQ_RMT_MEMORY  - the remote memory went away
 *   UTOFU_ERR_MRQ_LCL_STADD   - the local STADD of a get was deregistered before the data came
 *   UTOFU_ERR_MRQ_LCL_LENGTH  - the data of a get went past the end of the local registration
 *   UTOFU_ERR_MRQ_LCL_MEMORY  - the local memory of a get went away
 *   UTOFU_ERR_MRQ_OTHER       - another fault
 *   UTOFU_ERR_INVALID_VCQ_HDL - vcq_hdl is no VCQ of this process
 *   UTOFU_ERR_INVALID_FLAGS   - flags is not 0
 *   UTOFU_ERR_INVALID_POINTER - notice is NULL
 */
int utofu_poll_mrq(utofu_vcq_hdl_t vcq_hdl, unsigned long int flags,
                   struct utofu_mrq_notice *notice);

/**
 * Count the notices of the TCQ that polling would return now.
 *
 * **Completes**: at return; others may come at any time. Hardware may count commands that have not
 * left yet as well. **Owns**: nothing. **Threads**: one thread per VCQ. **Blocks**: never.
 * @param[in]  vcq_hdl  A VCQ of this process.
 * @param[out] count    Number of notices.
 * @return UTOFU_SUCCESS, or
 *   UTOFU_ERR_INVALID_VCQ_HDL - vcq_hdl is no VCQ of this process
 *   UTOFU_ERR_INVALID_POINTER - count is NULL
 */
int utofu_query_num_unread_tcq(utofu_vcq_hdl_t vcq_hdl, size_t *count);

/**
 * Count the notices of the MRQ that polling would return now.
 *
 * **Completes**: at return; others may come at any time. **Owns**: nothing. **Threads**: one thread
 * per VCQ. **Blocks**: never.
 * @param[in]  vcq_hdl  A VCQ of this process.
 * @param[out] count    Number of notices.
 * @return UTOFU_SUCCESS, or
 *   UTOFU_ERR_INVALID_VCQ_HDL - vcq_hdl is no VCQ of this process
 *   UTOFU_ERR_INVALID_POINTER - count is NULL
 */
int utofu_query_num_unread_mrq(utofu_vcq_hdl_t vcq_hdl, size_t *count);

/** @} */

/**
 * @defgroup utofu_barrier Barriers and reductions
 * Each process starts the operation on its start/end gate and polls the same gate until it is done.
 * What comes out is what the wiring sends into that gate (see @ref utofu_barrier_setup). With a
 * butterfly or a tree and back all processes get the whole result, with a ring that ends at a root
 * only the root does. One operation is under way on a gate at a time, and all processes must start
 * the same one.
 * @{
 */

/**
 * Start a barrier.
 *
 * **Completes**: when utofu_poll_barrier() returns UTOFU_SUCCESS. **Owns**: nothing.
 * **Threads**: one thread per gate, or any if allocated with UTOFU_VBG_FLAG_THREAD_SAFE.
 * **Blocks**: never.
 * @param[in] vbg_id  Start/end gate of this process, set.
 * @param[in] flags   0; none are defined.
 * @return UTOFU_SUCCESS, or
 *   UTOFU_ERR_INVALID_VBG_ID - vbg_id is not a start/end gate of this process, or not set
 *   UTOFU_ERR_INVALID_FLAGS  - flags is not 0
 *   UTOFU_ERR_BUSY           - an operation is under way on the gate
 */
int utofu_barrier(utofu_vbg_id_t vbg_id, unsigned long int flags);

/**
 * Start a reduction of unsigned 64-bit integers.
 *
 * **Completes**: when utofu_poll_reduce_uint64() returns UTOFU_SUCCESS. **Owns**: nothing; data is
 * copied. **Threads**: as utofu_barrier(). **Blocks**: never.
 * @param[in] vbg_id    Start/end gate of this process, set.
 * @param[in] op        UTOFU_REDUCE_OP_BAND, BOR, BXOR, MAX, MAXLOC or SUM.
 * @param[in] data      This process's elements; for MAXLOC pairs of value and index.
 * @param[in] num_data  Elements, 1..caps.max_uint64_reduction, even for MAXLOC.
 * @param[in] flags     0; none are defined.
 * @return UTOFU_SUCCESS, or as utofu_barrier(), and
 *   UTOFU_ERR_INVALID_OP      - op is none of those
 *   UTOFU_ERR_INVALID_POINTER - data is NULL
 *   UTOFU_ERR_INVALID_NUMBER  - num_data is 0, > caps.max_uint64_reduction, or odd for MAXLOC
 */
int utofu_reduce_uint64(utofu_vbg_id_t vbg_id, enum utofu_reduce_op op, uint64_t data[],
                        size_t num_data, unsigned long int flags);

/**
 * Start a reduction of doubles.
 *
 * **Completes**: when utofu_poll_reduce_double() returns UTOFU_SUCCESS. **Owns**: nothing; data is
 * copied. **Threads**: as utofu_barrier(). **Blocks**: never.
 * @param[in] vbg_id    Start/end gate of this process, set.
 * @param[in] op        UTOFU_REDUCE_OP_BFPSUM.
 * @param[in] data      This process's elements.
 * @param[in] num_data  Elements, 1..caps.max_double_reduction.
 * @param[in] flags     0; none are defined.
 * @return UTOFU_SUCCESS, or as utofu_barrier(), and
 *   UTOFU_ERR_INVALID_OP      - op is not UTOFU_REDUCE_OP_BFPSUM
 *   UTOFU_ERR_INVALID_POINTER - data is NULL
 *   UTOFU_ERR_INVALID_NUMBER  - num_data is 0 or > caps.max_double_reduction
 */
int utofu_reduce_double(utofu_vbg_id_t vbg_id, enum utofu_reduce_op op, double data[],
                        size_t num_data, unsigned long int flags);

/**
 * Ask whether a barrier is done.
 *
 * **Completes**: at return. UTOFU_SUCCESS is told once; then the gate is free for the next
 * operation. **Owns**: nothing. **Threads**: as utofu_barrier(). **Blocks**: never.
 * @param[in] vbg_id  The gate that it was started on.
 * @param[in] flags   0; none are defined.
 * @return UTOFU_SUCCESS, or
 *   UTOFU_ERR_NOT_COMPLETED    - it is under way
 *   UTOFU_ERR_NOT_FOUND        - none was started; hardware may differ
 *   UTOFU_ERR_BARRIER_MISMATCH - the other processes started another operation
 *   UTOFU_ERR_BARRIER_OTHER    - it failed, as when a process that takes part died or freed its
 *                                gates; the gates of the allocation must be set again
 *   UTOFU_ERR_INVALID_VBG_ID   - vbg_id is not a start/end gate of this process
 *   UTOFU_ERR_INVALID_FLAGS    - flags is not 0
 */
int utofu_poll_barrier(utofu_vbg_id_t vbg_id, unsigned long int flags);

/**
 * Ask whether a reduction of integers is done, and take its result.
 *
 * **Completes**, **Owns**, **Threads**, **Blocks**: as utofu_poll_barrier().
 * @param[in]  vbg_id  The gate that it was started on.
 * @param[in]  flags   0; none are defined.
 * @param[out] data    Room for as many elements as were given; filled on success.
 * @return UTOFU_SUCCESS, or as utofu_poll_barrier(), and
 *   UTOFU_ERR_INVALID_POINTER - data is NULL
 */
int utofu_poll_reduce_uint64(utofu_vbg_id_t vbg_id, unsigned long int flags, uint64_t data[]);

/**
 * Ask whether a reduction of doubles is done, and take its result.
 *
 * **Completes**, **Owns**, **Threads**, **Blocks**: as utofu_poll_barrier().
 * @param[in]  vbg_id  The gate that it was started on.
 * @param[in]  flags   0; none are defined.
 * @param[out] data    Room for as many elements as were given; filled on success.
 * @return UTOFU_SUCCESS, or as utofu_poll_barrier(), and
 *   UTOFU_ERR_INVALID_POINTER - data is NULL
 */
int utofu_poll_reduce_double(utofu_vbg_id_t vbg_id, unsigned long int flags, double data[]);

/** @} */

/**
 * @defgroup utofu_info Versions and place
 * @{
 */

/**
 * Tell the version of the network's hardware.
 *
 * **Completes**: at return. **Owns**: nothing. **Threads**: any. **Blocks**: never.
 * @param[out] major_ver  3 for Tofu-D and for the software device.
 * @param[out] minor_ver  0 on the software device; hardware may differ.
 */
void utofu_query_tofu_version(int *major_ver, int *minor_ver);

/**
 * Tell the version of the interface that the library at run time has.
 *
 * **Completes**: at return. **Owns**: nothing. **Threads**: any. **Blocks**: never.
 * @param[out] major_ver  To be compared with UTOFU_VERSION_MAJOR.
 * @param[out] minor_ver  To be compared with UTOFU_VERSION_MINOR.
 */
void utofu_query_utofu_version(int *major_ver, int *minor_ver);

/**
 * Tell the coordinates of the node that this process runs on.
 *
 * **Completes**: at return. **Owns**: nothing. **Threads**: any. **Blocks**: only to connect the
 * process.
 * @param[out] coords  Six coordinates x y z a b c.
 * @return UTOFU_SUCCESS, or
 *   UTOFU_ERR_INVALID_POINTER - coords is NULL
 *   UTOFU_ERR_NOT_AVAILABLE   - the process is not connected
 */
int utofu_query_my_coords(uint8_t coords[]);

/** @} */

#ifdef __cplusplus
}
#endif

#endif /* UTOFU_H */
