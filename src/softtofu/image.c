/* SPDX-License-Identifier: BSD-3-Clause */
#include "softtofu/image.h"

#include <string.h>

#define KIND_SHIFT      8
#define OPERATION_SHIFT 16
#define MTU_UNIT        32
#define ROUTE_SHIFT     24 /* Path and SPS: as in the flags. */
#define ROUTE_MASK      UINT64_C(0xff000000)
#define PLACE_MASK      UINT64_C(0xffffffff00000000) /* Of a VCQ id, in place. */
#define FLAGS_SHIFT     8
#define FLAGS_MASK      UINT64_C(0x3f)
#define EDATA_SHIFT     16
#define COMPONENT_SHIFT 24 /* As in a VCQ id. */
#define COMPONENT_MASK  (UINT64_C(0xf) << COMPONENT_SHIFT)
#define CQ_SHIFT        28
#define CQ_MASK         UINT64_C(0xf)
#define LENGTH_SHIFT    32
#define LENGTH_MASK     UINT64_C(0xffffff)
#define WORD1_USED                                                                                 \
    (LENGTH_MASK << LENGTH_SHIFT | CQ_MASK << CQ_SHIFT | COMPONENT_MASK | 0xffu << EDATA_SHIFT |  \
     FLAGS_MASK << FLAGS_SHIFT | 0xffu)

/** Operation of a compare-and-swap; the others are those of utofu_armw_op. */
#define OPERATION_CSWAP 6u

struct entry {
    uint64_t word[4];
};

_Static_assert(sizeof(struct entry) == SOFTTOFU_IMAGE_ENTRY, "four words");

static const uint8_t image_kind[] = {
        [SOFTTOFU_COMMAND_NOP]       = SOFTTOFU_IMAGE_NOP,
        [SOFTTOFU_COMMAND_PUT]       = SOFTTOFU_IMAGE_PUT,
        [SOFTTOFU_COMMAND_PIGGYBACK] = SOFTTOFU_IMAGE_PIGGYBACK,
        [SOFTTOFU_COMMAND_GET]       = SOFTTOFU_IMAGE_GET,
        [SOFTTOFU_COMMAND_ATOMIC]    = SOFTTOFU_IMAGE_ARMW,
};

static uint64_t flags_of(unsigned long flags)
{
    return ((flags & UTOFU_ONESIDED_FLAG_DELAY_START) != 0 ? SOFTTOFU_IMAGE_DELAY_START : 0) |
           ((flags & UTOFU_ONESIDED_FLAG_TCQ_NOTICE) != 0 ? SOFTTOFU_IMAGE_TCQ_NOTICE : 0) |
           ((flags & UTOFU_ONESIDED_FLAG_LOCAL_MRQ_NOTICE) != 0 ? SOFTTOFU_IMAGE_LOCAL_MRQ_NOTICE : 0);
}

/* Everything but the last word. */
static struct entry write_common(const struct softtofu_command *command, const struct softtofu_train *train)
{
    /* A path in the flags goes before one in the id. */
    uint64_t route = (command->flags & SOFTTOFU_ID_PATH_MASK) != 0
                             ? 0
                             : command->rmt_vcq_id & SOFTTOFU_ID_PATH_MASK;
    struct entry entry = {.word = {
        (command->rmt_vcq_id & PLACE_MASK) | route | (command->flags & ROUTE_MASK) |
                (train->mtu + MTU_UNIT - 1) / MTU_UNIT << OPERATION_SHIFT |
                (uint64_t)image_kind[command->kind] << KIND_SHIFT | flags_of(command->flags),
        (uint64_t)command->length << LENGTH_SHIFT | (command->rmt_vcq_id & CQ_MASK) << CQ_SHIFT |
                (command->rmt_vcq_id & COMPONENT_MASK) |
                command->edata << EDATA_SHIFT | (command->flags & FLAGS_MASK) << FLAGS_SHIFT | train->gap,
        command->rmt_stadd, command->lcl_stadd}};

    return entry;
}

static size_t write_piggyback(struct entry *entry, const struct softtofu_command *command)
{
    uint8_t payload[SOFTTOFU_PIGGYBACK_MAX] = {0};
    struct entry last = entry[0];

    memcpy(payload, command->data, command->length);
    memcpy(&last.word[3], payload, 8);
    if (command->length <= 8) {
        entry[0] = last;
        return 1;
    }
    entry[0].word[0] = (last.word[0] & PLACE_MASK) | (uint64_t)SOFTTOFU_IMAGE_BUFFER << KIND_SHIFT;
    memcpy(&entry[0].word[1], payload + 8, SOFTTOFU_PIGGYBACK_MAX - 8);
    entry[1] = last;
    return 2;
}

static size_t write_atomic(struct entry *entry, const struct softtofu_command *command)
{
    const struct softtofu_atomic *atomic = &command->atomic;
    bool cswap        = atomic->op == SOFTTOFU_CSWAP;
    struct entry last = entry[0];

    last.word[0] |= (uint64_t)(cswap ? OPERATION_CSWAP : (unsigned)atomic->op) << OPERATION_SHIFT;
    last.word[3] = atomic->operand;
    if (!cswap) {
        entry[0] = last;
        return 1;
    }
    entry[0] = (struct entry){.word = {(last.word[0] & PLACE_MASK) | (uint64_t)SOFTTOFU_IMAGE_BUFFER << KIND_SHIFT,
                                       atomic->compare}};
    entry[1] = last;
    return 2;
}

size_t softtofu_image_write(const struct softtofu_command *command, const struct softtofu_train *train, void *desc)
{
    struct entry entry[2] = {0};
    size_t number         = 1;

    entry[0] = write_common(command, train);
    if (command->kind == SOFTTOFU_COMMAND_NOP)
        entry[0] = (struct entry){.word = {flags_of(command->flags) & ~(uint64_t)SOFTTOFU_IMAGE_LOCAL_MRQ_NOTICE}};
    else if (command->kind == SOFTTOFU_COMMAND_PIGGYBACK)
        number = write_piggyback(entry, command);
    else if (command->kind == SOFTTOFU_COMMAND_ATOMIC)
        number = write_atomic(entry, command);
    memcpy(desc, entry, number * sizeof(entry[0]));
    return number * sizeof(entry[0]);
}

static void read_common(const struct entry *entry, struct softtofu_command *command)
{
    uint64_t head = entry->word[0], body = entry->word[1];

    command->flags = (body >> FLAGS_SHIFT & FLAGS_MASK) | (head & ROUTE_MASK) |
                     ((head & SOFTTOFU_IMAGE_DELAY_START) != 0 ? UTOFU_ONESIDED_FLAG_DELAY_START : 0) |
                     ((head & SOFTTOFU_IMAGE_TCQ_NOTICE) != 0 ? UTOFU_ONESIDED_FLAG_TCQ_NOTICE : 0) |
                     ((head & SOFTTOFU_IMAGE_LOCAL_MRQ_NOTICE) != 0 ? UTOFU_ONESIDED_FLAG_LOCAL_MRQ_NOTICE : 0);
    command->rmt_stadd  = entry->word[2];
    command->rmt_vcq_id = (head & PLACE_MASK) | (body & COMPONENT_MASK) | (body >> CQ_SHIFT & CQ_MASK);
    command->lcl_stadd  = entry->word[3];
    command->length     = body >> LENGTH_SHIFT & LENGTH_MASK;
    command->edata      = body >> EDATA_SHIFT & 0xff;
}

static bool read_piggyback(const struct entry *buffer, const struct entry *entry, struct softtofu_command *command,
                           uint8_t *payload)
{
    command->kind = SOFTTOFU_COMMAND_PIGGYBACK;
    command->data = payload;
    memcpy(payload, &entry->word[3], 8);
    if (buffer != NULL)
        memcpy(payload + 8, &buffer->word[1], SOFTTOFU_PIGGYBACK_MAX - 8);
    return buffer != NULL ? command->length > 8 : command->length <= 8;
}

static bool read_atomic(const struct entry *buffer, const struct entry *entry, struct softtofu_command *command)
{
    unsigned operation = entry->word[0] >> OPERATION_SHIFT & 0xff;
    bool cswap         = operation == OPERATION_CSWAP;

    command->kind   = SOFTTOFU_COMMAND_ATOMIC;
    command->atomic = (struct softtofu_atomic){
            .op      = cswap ? SOFTTOFU_CSWAP : softtofu_armw_op((enum utofu_armw_op)operation),
            .bytes   = (unsigned)command->length,
            .operand = entry->word[3],
            .compare = buffer != NULL ? buffer->word[1] : 0};
    return cswap == (buffer != NULL) && (command->length == 4 || command->length == 8);
}

/* @param buffer  The entry before it, or NULL. @return Whether it is a command. */
static bool read_entry(const struct entry *buffer, const struct entry *entry, struct softtofu_command *command,
                       uint8_t *payload)
{
    memset(command, 0, sizeof(*command));
    read_common(entry, command);
    switch (entry->word[0] >> KIND_SHIFT & 0xff) {
    case SOFTTOFU_IMAGE_NOP:
        command->kind = SOFTTOFU_COMMAND_NOP;
        return buffer == NULL;
    case SOFTTOFU_IMAGE_PUT:
        command->kind = SOFTTOFU_COMMAND_PUT;
        return buffer == NULL;
    case SOFTTOFU_IMAGE_GET:
        command->kind = SOFTTOFU_COMMAND_GET;
        return buffer == NULL;
    case SOFTTOFU_IMAGE_PIGGYBACK:
        return read_piggyback(buffer, entry, command, payload);
    case SOFTTOFU_IMAGE_ARMW:
        return read_atomic(buffer, entry, command);
    default:
        return false;
    }
}

size_t softtofu_image_read(const void *desc, size_t size, struct softtofu_command *command,
                           uint8_t payload[SOFTTOFU_PIGGYBACK_MAX])
{
    struct entry entry[2];
    size_t number = 1;

    if (size < sizeof(entry[0]))
        return 0;
    memcpy(entry, desc, sizeof(entry[0]));
    if ((entry[0].word[0] >> KIND_SHIFT & 0xff) == SOFTTOFU_IMAGE_BUFFER) {
        if (size < sizeof(entry))
            return 0;
        memcpy(entry, desc, sizeof(entry));
        number = 2;
    }
    if ((entry[number - 1].word[1] & ~WORD1_USED) != 0 ||
        !read_entry(number == 2 ? &entry[0] : NULL, &entry[number - 1], command, payload) ||
        softtofu_command_check(command) != UTOFU_SUCCESS)
        return 0;
    return number * sizeof(entry[0]);
}
