/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file ops.h
 * What agents can be asked to do: the calls of utofu.h with results as values, memory of every kind, and patterns
 * of bytes. Run them by Agent::run().
 */
#ifndef TEST_SUPPORT_OPS_H
#define TEST_SUPPORT_OPS_H

#include "utofu.h"

#include <cstddef>
#include <cstdint>

namespace support
{

/** Kinds of memory that programs register. */
enum class Memory { Heap, Stack, Bss, Memfd, PosixShm, File, Anonymous, SharedAnonymous };

/** Of Memfd, PosixShm and File peers map the file; the others they reach through the kernel. */
const char *memory_name(Memory kind);

/**
 * Under an emulator that lacks cross-memory attach (TEST_WITHOUT_ATTACH) a memfd takes the place of every kind that
 * peers would reach through the kernel.
 * @return At least @a size bytes, aligned to 256 or better, kept until the agent ends; NULL if there is none.
 */
char *memory_make(Memory kind, size_t size);

struct Vcq {
    int status;
    utofu_vcq_hdl_t hdl;
    utofu_vcq_id_t id;
};

/** @param cmp  Component id, or -1 for any. */
Vcq vcq_create(unsigned tni, unsigned long flags, int cmp);
int vcq_free(utofu_vcq_hdl_t hdl);

struct Stadd {
    int status;
    utofu_stadd_t value;
};

Stadd mem_register(utofu_vcq_hdl_t hdl, char *address, size_t size, unsigned long flags);
Stadd mem_register_stag(utofu_vcq_hdl_t hdl, char *address, size_t size, unsigned stag,
                        unsigned long flags);
int mem_deregister(utofu_vcq_hdl_t hdl, utofu_stadd_t stadd);

enum class Kind { Put, Piggyback, Piggyback8, Get, Armw4, Armw8, Cswap4, Cswap8, Nop };

/** Any one-sided command. */
struct Command {
    Kind kind            = Kind::Nop;
    utofu_vcq_hdl_t hdl  = 0;
    utofu_vcq_id_t rmt   = 0;
    utofu_stadd_t lcl    = 0;
    utofu_stadd_t stadd  = 0;
    size_t length        = 0;
    uint64_t edata       = 0;
    unsigned long flags  = 0;
    uint64_t cbdata      = 0;
    int op               = UTOFU_ARMW_OP_ADD;
    uint64_t value       = 0; /**< Operand, new value, or the data of Piggyback8. */
    uint64_t compare     = 0;
    bool null_data       = false;
    unsigned char data[40] = {}; /**< Of Piggyback. */
    bool strided = false; /**< Put, Get: by the call with blocks. */
    bool paced   = false; /**< Put, Get: by the call with packet size and gap. */
    size_t stride = 0, blocks = 0, mtu = 0, gap = 0;
};

/** Post once; in an agent whose environment has TOFUKIT_TEST_PREPARED by prepare() and utofu_post_toq(). */
int post(Command command);

/** Images of commands. */
struct Image {
    int status;
    size_t size;
    alignas(8) uint64_t word[64];
};

/** Write a command's image, or its images if it is strided: up to 16. */
Image prepare(Command command);

/** Post @a size bytes of images. */
int post_image(utofu_vcq_hdl_t hdl, Image image, uint64_t cbdata);

/** Post; while a queue is full poll the TCQ, which makes room. */
int post_patiently(Command command);

struct TcqNotice {
    int status;
    uint64_t cbdata;
};

struct MrqNotice {
    int status;
    utofu_mrq_notice notice;
};

TcqNotice tcq_poll(utofu_vcq_hdl_t hdl);
MrqNotice mrq_poll(utofu_vcq_hdl_t hdl);

/** Poll until there is something other than NOT_FOUND, @a ms milliseconds at most. */
TcqNotice tcq_wait(utofu_vcq_hdl_t hdl, int ms);
MrqNotice mrq_wait(utofu_vcq_hdl_t hdl, int ms);

/** @return Notices that polling would return, or a negative error. */
long tcq_unread(utofu_vcq_hdl_t hdl);
long mrq_unread(utofu_vcq_hdl_t hdl);

/** Byte @a i of the pattern that @a seed stands for. */
unsigned char pattern(unsigned seed, size_t i);
void pattern_fill(char *address, size_t size, unsigned seed);

/** @return Number of bytes that are not those of the pattern. */
size_t pattern_wrong(char *address, size_t size, unsigned seed);

void byte_fill(char *address, size_t size, int byte);
size_t byte_wrong(char *address, size_t size, int byte);

uint64_t load8(char *address);
uint32_t load4(char *address);
void store8(char *address, uint64_t value);
void store4(char *address, uint32_t value);

} // namespace support

#endif
