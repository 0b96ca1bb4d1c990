/* SPDX-License-Identifier: BSD-3-Clause */
/* Allocating and wiring gates. */
#include "softtofu/vbg.h"

#include "softtofu/api.h"
#include "softtofu/gate_table.h"

#include <stdlib.h>
#include <string.h>

static const struct utofu_barrier_caps barrier_caps = {
        .reduce_ops = UTOFU_BARRIER_CAP_REDUCE_OP_BARRIER | UTOFU_BARRIER_CAP_REDUCE_OP_BAND |
                      UTOFU_BARRIER_CAP_REDUCE_OP_BOR | UTOFU_BARRIER_CAP_REDUCE_OP_BXOR |
                      UTOFU_BARRIER_CAP_REDUCE_OP_MAX | UTOFU_BARRIER_CAP_REDUCE_OP_MAXLOC |
                      UTOFU_BARRIER_CAP_REDUCE_OP_SUM | UTOFU_BARRIER_CAP_REDUCE_OP_BFPSUM,
        .max_uint64_reduction = SOFTTOFU_BARRIER_UINT64S,
        .max_double_reduction = SOFTTOFU_BARRIER_DOUBLES,
};

int putofu_query_barrier_caps(utofu_tni_id_t tni_id, struct utofu_barrier_caps **tni_caps)
{
    if (tni_caps == NULL)
        return softtofu_told(UTOFU_ERR_INVALID_POINTER);
    if (tni_id >= SOFTTOFU_TNIS)
        return softtofu_told(UTOFU_ERR_INVALID_TNI_ID);
    /* The published type lacks the const that callers must honour. */
    *tni_caps = (struct utofu_barrier_caps *)&barrier_caps;
    return UTOFU_SUCCESS;
}
SOFTTOFU_TWIN(query_barrier_caps);

int putofu_get_barrier_tnis(utofu_tni_id_t **tni_ids, size_t *num_tnis)
{
    /* All TNIs have both parts. */
    return softtofu_told(putofu_get_onesided_tnis(tni_ids, num_tnis));
}
SOFTTOFU_TWIN(get_barrier_tnis);

/* What the process knows of a new allocation. */
static void note_allocation(struct softtofu_device *device, unsigned tni, unsigned count, bool thread_safe,
                            const uint8_t *gates)
{
    struct softtofu_vbg *first = &device->vbgs[tni * SOFTTOFU_GATES + gates[0]];

    for (unsigned i = count; i-- > 0;) {
        struct softtofu_vbg *vbg = &device->vbgs[tni * SOFTTOFU_GATES + gates[i]];
        memset(vbg, 0, sizeof(*vbg));
        vbg->number      = softtofu_gate_number(device->node, tni, gates[i]);
        vbg->gate        = softtofu_gate_at(&device->fabric, vbg->number);
        vbg->first       = first;
        vbg->position    = (uint8_t)i;
        vbg->start       = i == 0;
        vbg->thread_safe = thread_safe;
        pthread_mutex_init(&vbg->mutex, NULL);
        if (i == 0) {
            vbg->count = (uint8_t)count;
            memcpy(vbg->gates, gates, count);
        }
        /* Pairs with the acquire in softtofu_vbg(), by any thread that is handed the id. */
        atomic_store_explicit(&vbg->allocated, true, memory_order_release);
    }
}

int putofu_alloc_vbg(utofu_tni_id_t tni_id, size_t num_vbgs, unsigned long int flags, utofu_vbg_id_t vbg_ids[])
{
    struct softtofu_device *device;
    uint8_t gates[SOFTTOFU_GATES];
    int result;

    if (tni_id >= SOFTTOFU_TNIS)
        return softtofu_told(UTOFU_ERR_INVALID_TNI_ID);
    if (num_vbgs == 0 || num_vbgs > SOFTTOFU_GATES)
        return softtofu_told(UTOFU_ERR_INVALID_NUMBER);
    if ((flags & ~UTOFU_VBG_FLAG_THREAD_SAFE) != 0)
        return softtofu_told(UTOFU_ERR_INVALID_FLAGS);
    if (vbg_ids == NULL)
        return softtofu_told(UTOFU_ERR_INVALID_POINTER);
    device = softtofu_device();
    if (device == NULL)
        return softtofu_told(UTOFU_ERR_NOT_AVAILABLE);
    result = softtofu_gates_take(&device->fabric, device->rank, tni_id, (unsigned)num_vbgs, gates);
    if (result != UTOFU_SUCCESS)
        return softtofu_told(result);
    note_allocation(device, tni_id, (unsigned)num_vbgs, flags & UTOFU_VBG_FLAG_THREAD_SAFE, gates);
    for (size_t i = 0; i < num_vbgs; i++)
        vbg_ids[i] = softtofu_tni_encode(device->coords, tni_id) | gates[i];
    return UTOFU_SUCCESS;
}
SOFTTOFU_TWIN(alloc_vbg);

/* @return Whether the ids are those of one allocation, in their order: UTOFU_SUCCESS or what is wrong. */
static int check_allocation(struct softtofu_device *device, const utofu_vbg_id_t *ids, size_t count)
{
    const struct softtofu_vbg *first = count == 0 ? NULL : softtofu_vbg(device, ids[0]);

    if (count == 0)
        return UTOFU_ERR_INVALID_NUMBER;
    if (first == NULL || !first->start)
        return UTOFU_ERR_INVALID_VBG_ID;
    if (count != first->count)
        return UTOFU_ERR_INVALID_NUMBER;
    for (size_t i = 0; i < count; i++) {
        const struct softtofu_vbg *vbg = softtofu_vbg(device, ids[i]);
        if (vbg == NULL || vbg->first != first || vbg->position != i)
            return UTOFU_ERR_INVALID_VBG_ID;
    }
    return UTOFU_SUCCESS;
}

int putofu_free_vbg(utofu_vbg_id_t vbg_ids[], size_t num_vbgs)
{
    struct softtofu_device *device;
    int result;

    if (vbg_ids == NULL)
        return softtofu_told(UTOFU_ERR_INVALID_POINTER);
    device = softtofu_device();
    result = device == NULL ? UTOFU_ERR_INVALID_VBG_ID : check_allocation(device, vbg_ids, num_vbgs);
    if (result != UTOFU_SUCCESS)
        return softtofu_told(result);
    for (size_t i = 0; i < num_vbgs; i++) {
        struct softtofu_vbg *vbg = softtofu_vbg(device, vbg_ids[i]);
        /* First: once it is given back, another thread may be given it. */
        atomic_store_explicit(&vbg->allocated, false, memory_order_release);
        pthread_mutex_destroy(&vbg->mutex);
        softtofu_gate_give_back(&device->fabric, vbg->number);
    }
    return UTOFU_SUCCESS;
}
SOFTTOFU_TWIN(free_vbg);

/* @return Whether the id is NULL, or can be that of a gate; its number. */
static bool find_gate(struct softtofu_device *device, utofu_vbg_id_t id, bool local, uint32_t *number)
{
    struct softtofu_vbg_place place;
    int32_t node;

    *number = SOFTTOFU_GATE_NONE;
    if (id == UTOFU_VBG_ID_NULL)
        return true;
    if (!softtofu_vbg_id_decode(id, &place))
        return false;
    node = torus_map_find(softtofu_fabric_map(&device->fabric), place.coords);
    if (node < 0) /* Outside the network, or no process is there that could have gates. */
        return false;
    *number = softtofu_gate_number((unsigned)node, place.tni, place.gate);
    return !local || softtofu_vbg(device, id) != NULL;
}

static int find_wiring(struct softtofu_device *device, const struct utofu_vbg_setting *setting,
                       struct softtofu_wiring *wiring)
{
    const uint8_t *path = setting->dst_path_coords;
    bool is_default     = path[0] == UTOFU_PATH_COORD_NULL && path[1] == UTOFU_PATH_COORD_NULL &&
                      path[2] == UTOFU_PATH_COORD_NULL;

    if (softtofu_vbg(device, setting->vbg_id) == NULL ||
        !find_gate(device, setting->src_lcl_vbg_id, true, &wiring->src[SOFTTOFU_LOCAL]) ||
        !find_gate(device, setting->dst_lcl_vbg_id, true, &wiring->dst[SOFTTOFU_LOCAL]) ||
        !find_gate(device, setting->src_rmt_vbg_id, false, &wiring->src[SOFTTOFU_REMOTE]) ||
        !find_gate(device, setting->dst_rmt_vbg_id, false, &wiring->dst[SOFTTOFU_REMOTE]))
        return UTOFU_ERR_INVALID_VBG_ID;
    if (!is_default && (path[0] > 1 || path[1] > 2 || path[2] > 1))
        return UTOFU_ERR_INVALID_PATH;
    return softtofu_vbg(device, setting->vbg_id)->first->under_way ? UTOFU_ERR_BUSY : UTOFU_SUCCESS;
}

int putofu_set_vbg(struct utofu_vbg_setting vbg_settings[], size_t num_vbg_settings)
{
    struct softtofu_wiring wiring;
    struct softtofu_device *device;
    struct softtofu_hand hand;
    int result = UTOFU_SUCCESS;

    if (vbg_settings == NULL)
        return softtofu_told(UTOFU_ERR_INVALID_POINTER);
    if (num_vbg_settings == 0)
        return softtofu_told(UTOFU_ERR_INVALID_NUMBER);
    device = softtofu_device();
    if (device == NULL)
        return softtofu_told(UTOFU_ERR_INVALID_VBG_ID);
    /* All or nothing, as far as the arguments go. */
    for (size_t i = 0; i < num_vbg_settings && result == UTOFU_SUCCESS; i++)
        result = find_wiring(device, &vbg_settings[i], &wiring);
    hand = softtofu_vbg_hand(device);
    for (size_t i = 0; i < num_vbg_settings && result == UTOFU_SUCCESS; i++) {
        struct softtofu_vbg *vbg = softtofu_vbg(device, vbg_settings[i].vbg_id);
        find_wiring(device, &vbg_settings[i], &wiring);
        vbg->first->bound = false;
        result            = softtofu_gate_set(&hand, vbg->number, &wiring);
    }
    return softtofu_told(result);
}
SOFTTOFU_TWIN(set_vbg);

int putofu_query_vbg_info(utofu_vbg_id_t vbg_id, uint8_t coords[], utofu_tni_id_t *tni_id, utofu_bg_id_t *bg_id,
                          uint16_t *extra_val)
{
    struct softtofu_vbg_place place;

    if (coords == NULL || tni_id == NULL || bg_id == NULL || extra_val == NULL)
        return softtofu_told(UTOFU_ERR_INVALID_POINTER);
    if (!softtofu_vbg_id_decode(vbg_id, &place))
        return softtofu_told(UTOFU_ERR_INVALID_VBG_ID);
    memcpy(coords, place.coords, sizeof(place.coords));
    *tni_id    = place.tni;
    *bg_id     = place.gate;
    *extra_val = 0;
    return UTOFU_SUCCESS;
}
SOFTTOFU_TWIN(query_vbg_info);
