/* SPDX-License-Identifier: BSD-3-Clause */
/* Posting of prepared commands. */
#include "softtofu/api.h"
#include "softtofu/image.h"
#include "softtofu/watch.h"

/** Images that lie end to end, and the one of them that was read last. */
struct images {
    const char *desc;
    size_t size;
    void *cbdata;
    size_t index, offset, bytes; /**< Of the one read last: its number, and where it lies. */
    struct softtofu_command command;
    uint8_t payload[SOFTTOFU_PIGGYBACK_MAX];
};

/* @return Whether there is a command at images->offset. */
static bool read_one(struct images *images)
{
    images->bytes = softtofu_image_read(images->desc + images->offset, images->size - images->offset,
                                        &images->command, images->payload);
    images->command.call   = "putofu_post_toq";
    images->command.cbdata = images->cbdata;
    return images->bytes > 0;
}

/* @return Number of commands; 0: something is none. */
static size_t count(const struct softtofu_fabric *fabric, struct images *images)
{
    size_t number = 0;

    for (images->offset = 0; images->offset < images->size; images->offset += images->bytes) {
        if (!read_one(images) || (images->command.kind != SOFTTOFU_COMMAND_NOP &&
                                  !softtofu_target_valid(fabric, images->command.rmt_vcq_id)))
            return 0;
        number++;
    }
    return number;
}

/* Command @a i is the last one asked for, the one behind it, or the first. */
static struct softtofu_command get(const void *source, size_t i)
{
    struct images *images = (struct images *)source;

    if (i != images->index) {
        images->offset = i == 0 ? 0 : images->offset + images->bytes;
        images->index  = i;
        read_one(images);
    }
    return images->command;
}

int putofu_post_toq(utofu_vcq_hdl_t vcq_hdl, void *desc, size_t desc_size, void *cbdata)
{
    struct softtofu_vcq *vcq = softtofu_vcq(vcq_hdl);
    struct images images     = {.desc = desc, .size = desc_size, .cbdata = cbdata, .index = SIZE_MAX};
    size_t number;
    uint64_t began;
    int result;

    if (vcq == NULL)
        return softtofu_told(UTOFU_ERR_INVALID_VCQ_HDL);
    if (desc == NULL)
        return softtofu_told(UTOFU_ERR_INVALID_POINTER);
    if (desc_size == 0 || desc_size / SOFTTOFU_IMAGE_ENTRY > 2 * (size_t)vcq->tcq.depth)
        return softtofu_told(UTOFU_ERR_INVALID_SIZE);
    number = count(&vcq->device->fabric, &images);
    if (number == 0)
        return softtofu_told(UTOFU_ERR_INVALID_DESC);
    if (number > vcq->tcq.depth)
        return softtofu_told(UTOFU_ERR_INVALID_SIZE);
    began = softtofu_watch_enter_many(vcq, number, get, &images);
    softtofu_vcq_lock(vcq);
    result = softtofu_toq_post(vcq, number, get, &images);
    softtofu_vcq_unlock(vcq);
    return softtofu_told(softtofu_watch_commands(vcq, number, get, &images, result, began));
}
SOFTTOFU_TWIN(post_toq);
