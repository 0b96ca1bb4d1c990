/* SPDX-License-Identifier: BSD-3-Clause */
/* What the device is, and the pure functions on ids and paths. */
#include "softtofu/api.h"
#include "softtofu/device.h"
#include "softtofu/ident.h"

#include <stdlib.h>
#include <string.h>
#include <utofu.h>

static const struct utofu_onesided_caps onesided_caps = {
        .flags    = UTOFU_ONESIDED_CAP_FLAG_ARMW | UTOFU_ONESIDED_CAP_FLAG_SESSION_MODE,
        .armw_ops = UTOFU_ONESIDED_CAP_ARMW_OP_CSWAP | UTOFU_ONESIDED_CAP_ARMW_OP_SWAP |
                    UTOFU_ONESIDED_CAP_ARMW_OP_ADD | UTOFU_ONESIDED_CAP_ARMW_OP_XOR |
                    UTOFU_ONESIDED_CAP_ARMW_OP_AND | UTOFU_ONESIDED_CAP_ARMW_OP_OR,
        .num_cmp_ids            = SOFTTOFU_CMP_IDS,
        .num_reserved_stags     = SOFTTOFU_STAGS_RESERVED,
        .cache_line_size        = SOFTTOFU_CACHE_LINE,
        .stag_address_alignment = SOFTTOFU_CACHE_LINE,
        .max_toq_desc_size      = SOFTTOFU_TOQ_DESC_SIZE,
        .max_putget_size        = SOFTTOFU_PUTGET_MAX,
        .max_piggyback_size     = SOFTTOFU_PIGGYBACK_MAX,
        .max_edata_size         = 1,
        .max_mtu                = SOFTTOFU_MTU_MAX,
        .max_gap                = SOFTTOFU_GAP_MAX,
};

int putofu_get_onesided_tnis(utofu_tni_id_t **tni_ids, size_t *num_tnis)
{
    if (tni_ids == NULL || num_tnis == NULL)
        return softtofu_told(UTOFU_ERR_INVALID_POINTER);
    if (softtofu_device() == NULL)
        return softtofu_told(UTOFU_ERR_NOT_AVAILABLE);
    *tni_ids = malloc(SOFTTOFU_TNIS * sizeof(**tni_ids));
    if (*tni_ids == NULL)
        return softtofu_told(UTOFU_ERR_OUT_OF_MEMORY);
    for (utofu_tni_id_t tni = 0; tni < SOFTTOFU_TNIS; tni++)
        (*tni_ids)[tni] = tni;
    *num_tnis = SOFTTOFU_TNIS;
    return UTOFU_SUCCESS;
}
SOFTTOFU_TWIN(get_onesided_tnis);

int putofu_query_onesided_caps(utofu_tni_id_t tni_id, struct utofu_onesided_caps **tni_caps)
{
    if (tni_caps == NULL)
        return softtofu_told(UTOFU_ERR_INVALID_POINTER);
    if (tni_id >= SOFTTOFU_TNIS)
        return softtofu_told(UTOFU_ERR_INVALID_TNI_ID);
    /* The published type lacks the const that callers must honour. */
    *tni_caps = (struct utofu_onesided_caps *)&onesided_caps;
    return UTOFU_SUCCESS;
}
SOFTTOFU_TWIN(query_onesided_caps);

int putofu_construct_vcq_id(uint8_t coords[], utofu_tni_id_t tni_id, utofu_cq_id_t cq_id,
                            utofu_cmp_id_t cmp_id, utofu_vcq_id_t *vcq_id)
{
    struct softtofu_vcq_place place = {
            .tni = (uint8_t)tni_id, .cq = (uint8_t)cq_id, .cmp = (uint8_t)cmp_id};

    if (coords == NULL || vcq_id == NULL)
        return softtofu_told(UTOFU_ERR_INVALID_POINTER);
    if (!softtofu_coords_exist(coords))
        return softtofu_told(UTOFU_ERR_INVALID_COORDS);
    if (tni_id >= SOFTTOFU_TNIS)
        return softtofu_told(UTOFU_ERR_INVALID_TNI_ID);
    if (cq_id >= SOFTTOFU_CQ_IDS)
        return softtofu_told(UTOFU_ERR_INVALID_CQ_ID);
    if (cmp_id >= SOFTTOFU_CMP_IDS)
        return softtofu_told(UTOFU_ERR_INVALID_CMP_ID);
    memcpy(place.coords, coords, sizeof(place.coords));
    *vcq_id = softtofu_vcq_id_encode(&place);
    return UTOFU_SUCCESS;
}
SOFTTOFU_TWIN(construct_vcq_id);

int putofu_query_vcq_info(utofu_vcq_id_t vcq_id, uint8_t coords[], utofu_tni_id_t *tni_id,
                          utofu_cq_id_t *cq_id, uint16_t *extra_val)
{
    struct softtofu_vcq_place place;

    if (coords == NULL || tni_id == NULL || cq_id == NULL || extra_val == NULL)
        return softtofu_told(UTOFU_ERR_INVALID_POINTER);
    if (!softtofu_vcq_id_decode(vcq_id, &place))
        return softtofu_told(UTOFU_ERR_INVALID_VCQ_ID);
    memcpy(coords, place.coords, sizeof(place.coords));
    *tni_id    = place.tni;
    *cq_id     = place.cq;
    *extra_val = vcq_id >> 24 & 0xf;
    return UTOFU_SUCCESS;
}
SOFTTOFU_TWIN(query_vcq_info);

/* A path is the in-unit coordinate at which x, y and z are travelled: pa | pb << 1 | pc << 3. */
static int encode_path(const uint8_t coords[], utofu_path_id_t *path_id)
{
    if (coords[0] > 1 || coords[1] > 2 || coords[2] > 1)
        return UTOFU_ERR_INVALID_PATH;
    *path_id = (utofu_path_id_t)(coords[0] | coords[1] << 1 | coords[2] << 3);
    return UTOFU_SUCCESS;
}

static bool is_default_path(const uint8_t coords[])
{
    return coords == NULL || (coords[0] == UTOFU_PATH_COORD_NULL && coords[1] == UTOFU_PATH_COORD_NULL &&
                              coords[2] == UTOFU_PATH_COORD_NULL);
}

int putofu_set_vcq_id_path(utofu_vcq_id_t *vcq_id, uint8_t path_coords[])
{
    struct softtofu_vcq_place place;
    utofu_path_id_t path_id = 0;
    int result              = UTOFU_SUCCESS;

    if (vcq_id == NULL)
        return softtofu_told(UTOFU_ERR_INVALID_POINTER);
    if (!softtofu_vcq_id_decode(*vcq_id, &place))
        return softtofu_told(UTOFU_ERR_INVALID_VCQ_ID);
    if (!is_default_path(path_coords))
        result = encode_path(path_coords, &path_id);
    if (result == UTOFU_SUCCESS)
        *vcq_id = (*vcq_id & ~SOFTTOFU_ID_PATH_MASK) | (uint64_t)path_id << SOFTTOFU_ID_PATH_SHIFT;
    return softtofu_told(result);
}
SOFTTOFU_TWIN(set_vcq_id_path);

int putofu_get_path_id(utofu_vcq_id_t vcq_id, uint8_t path_coords[], utofu_path_id_t *path_id)
{
    struct softtofu_vcq_place place;

    if (path_coords == NULL || path_id == NULL)
        return softtofu_told(UTOFU_ERR_INVALID_POINTER);
    if (!softtofu_vcq_id_decode(vcq_id, &place))
        return softtofu_told(UTOFU_ERR_INVALID_VCQ_ID);
    return softtofu_told(encode_path(path_coords, path_id));
}
SOFTTOFU_TWIN(get_path_id);

int putofu_get_path_coords(utofu_vcq_id_t vcq_id, utofu_path_id_t path_id, uint8_t path_coords[])
{
    struct softtofu_vcq_place place;

    if (path_coords == NULL)
        return softtofu_told(UTOFU_ERR_INVALID_POINTER);
    if (!softtofu_vcq_id_decode(vcq_id, &place))
        return softtofu_told(UTOFU_ERR_INVALID_VCQ_ID);
    if (path_id > 0xf || (path_id >> 1 & 3) > 2)
        return softtofu_told(UTOFU_ERR_INVALID_PATH_ID);
    path_coords[0] = path_id & 1;
    path_coords[1] = path_id >> 1 & 3;
    path_coords[2] = path_id >> 3;
    return UTOFU_SUCCESS;
}
SOFTTOFU_TWIN(get_path_coords);

int putofu_query_my_coords(uint8_t coords[])
{
    const struct softtofu_device *device;

    if (coords == NULL)
        return softtofu_told(UTOFU_ERR_INVALID_POINTER);
    device = softtofu_device();
    if (device == NULL)
        return softtofu_told(UTOFU_ERR_NOT_AVAILABLE);
    memcpy(coords, device->coords, sizeof(device->coords));
    return UTOFU_SUCCESS;
}
SOFTTOFU_TWIN(query_my_coords);

/* The interface's version is published; Tofu-D being the third Tofu, 3.0 is the likely one of the hardware. */
void putofu_query_tofu_version(int *major_ver, int *minor_ver)
{
    *major_ver = 3;
    *minor_ver = 0;
}
SOFTTOFU_TWIN(query_tofu_version);

void putofu_query_utofu_version(int *major_ver, int *minor_ver)
{
    *major_ver = UTOFU_VERSION_MAJOR;
    *minor_ver = UTOFU_VERSION_MINOR;
}
SOFTTOFU_TWIN(query_utofu_version);
