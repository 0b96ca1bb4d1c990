/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file ident.h
 * The bit layouts of VCQ ids, VBG ids and STADDs, as observed on Tofu-D. Programs take them apart and build them, so
 * they are exact.
 *
 *     VCQ id   63..61 TNI | 59 c | 58..57 b | 56 a | 55..48 z | 47..40 y | 39..32 x
 *              31..28 path | 27..24 component field (8 | component id) | 7..0 CQ
 *     VBG id   63..32 as of a VCQ id | 5..0 BG
 *     STADD    63..58 CQ | 57..40 STag | 39..0 offset
 */
#ifndef SOFTTOFU_IDENT_H
#define SOFTTOFU_IDENT_H

#include "softtofu/limits.h"
#include "torus/shape.h"

#include <stdbool.h>
#include <stdint.h>

#include "utofu.h"

#define SOFTTOFU_ID_PATH_SHIFT   28
#define SOFTTOFU_ID_PATH_MASK    (UINT64_C(0xf) << SOFTTOFU_ID_PATH_SHIFT)
#define SOFTTOFU_ID_COORDS_MASK  (UINT64_C(0x0fffffff) << 32)
#define SOFTTOFU_COMPONENT_VALID 8u

#define SOFTTOFU_STADD_STAG_SHIFT 40
#define SOFTTOFU_STADD_CQ_SHIFT   58

/** Where a VCQ is. */
struct softtofu_vcq_place {
    uint8_t coords[TORUS_AXES];
    uint8_t tni, cq, cmp;
};

/** The part of an id that says on which TNI of which node it is. */
static inline uint64_t softtofu_tni_encode(const uint8_t *n, unsigned tni)
{
    return (uint64_t)tni << 61 | (uint64_t)n[TORUS_C] << 59 | (uint64_t)n[TORUS_B] << 57 |
           (uint64_t)n[TORUS_A] << 56 | (uint64_t)n[TORUS_Z] << 48 | (uint64_t)n[TORUS_Y] << 40 |
           (uint64_t)n[TORUS_X] << 32;
}

static inline uint64_t softtofu_vcq_id_encode(const struct softtofu_vcq_place *place)
{
    return softtofu_tni_encode(place->coords, place->tni) |
           (uint64_t)(SOFTTOFU_COMPONENT_VALID | place->cmp) << 24 | place->cq;
}

/** @return Whether a Tofu network can have a node there: x, y and z have five bits in hardware. */
static inline bool softtofu_coords_exist(const uint8_t *n)
{
    return n[TORUS_X] < 32 && n[TORUS_Y] < 32 && n[TORUS_Z] < 32 && n[TORUS_A] < 2 && n[TORUS_B] < 3 &&
           n[TORUS_C] < 2;
}

/** Take the upper half of an id apart. @return Whether it is well-formed. */
static inline bool softtofu_tni_decode(uint64_t id, uint8_t *coords, uint8_t *tni)
{
    coords[TORUS_X] = id >> 32 & 0xff;
    coords[TORUS_Y] = id >> 40 & 0xff;
    coords[TORUS_Z] = id >> 48 & 0xff;
    coords[TORUS_A] = id >> 56 & 1;
    coords[TORUS_B] = id >> 57 & 3;
    coords[TORUS_C] = id >> 59 & 1;
    *tni            = id >> 61;
    return *tni < SOFTTOFU_TNIS && (id >> 60 & 1) == 0 && softtofu_coords_exist(coords);
}

/** @return Whether @a id is well-formed; the path bits are ignored. */
static inline bool softtofu_vcq_id_decode(uint64_t id, struct softtofu_vcq_place *place)
{
    unsigned component = id >> 24 & 0xf;
    place->cq          = id & 0xff;
    place->cmp         = component & 7;
    return softtofu_tni_decode(id, place->coords, &place->tni) && (component & SOFTTOFU_COMPONENT_VALID) &&
           place->cq < SOFTTOFU_CQ_IDS && (id >> 8 & 0xffff) == 0;
}

/** Where a VBG is. */
struct softtofu_vbg_place {
    uint8_t coords[TORUS_AXES];
    uint8_t tni, gate;
};

static inline uint64_t softtofu_vbg_id_encode(const struct softtofu_vbg_place *place)
{
    return softtofu_tni_encode(place->coords, place->tni) | place->gate;
}

/** @return Whether @a id is well-formed. */
static inline bool softtofu_vbg_id_decode(uint64_t id, struct softtofu_vbg_place *place)
{
    place->gate = id & 0x3f;
    return softtofu_tni_decode(id, place->coords, &place->tni) && place->gate < SOFTTOFU_GATES &&
           (id & 0xffffffc0) == 0;
}

static inline uint64_t softtofu_stadd_encode(unsigned cq, unsigned stag, uint64_t offset)
{
    return (uint64_t)cq << SOFTTOFU_STADD_CQ_SHIFT | (uint64_t)stag << SOFTTOFU_STADD_STAG_SHIFT | offset;
}

static inline unsigned softtofu_stadd_cq(uint64_t stadd)
{
    return stadd >> SOFTTOFU_STADD_CQ_SHIFT;
}

static inline unsigned softtofu_stadd_stag(uint64_t stadd)
{
    return stadd >> SOFTTOFU_STADD_STAG_SHIFT & 0x3ffff;
}

/** STag of a reserved number: each component of a CQ has 256. */
static inline unsigned softtofu_stag_reserved(unsigned cmp, unsigned number)
{
    return (SOFTTOFU_COMPONENT_VALID | cmp) << 8 | number;
}

/**
 * Offset part of a registration's STADD: the address within its page, so that a program that combines the low
 * bits of an address with a STADD finds what it finds on hardware (64 KiB pages; 256 B for reserved STags).
 */
static inline uint64_t softtofu_stadd_offset(unsigned stag, const void *addr)
{
    return (uintptr_t)addr & (stag < SOFTTOFU_STAG_DYNAMIC ? 0xffu : 0xffffu);
}

#endif
