/* SPDX-License-Identifier: BSD-3-Clause */
/* A C program that knows nothing of the heap it runs on: each function that gives memory, then the exchange. */
#include "heap_exchange.h"

#include <malloc.h>
#include <string.h>

/* @return Status of registering @a size bytes at @a block, which are then freed. */
static int try_block(void *block, size_t size)
{
    utofu_vcq_hdl_t vcq;
    utofu_stadd_t stadd;
    int status;

    REQUIRE(block != NULL);
    REQUIRE(malloc_usable_size(block) >= size);
    memset(block, 1, size);
    REQUIRE(utofu_create_vcq(0, 0, &vcq) == 0);
    status = utofu_reg_mem(vcq, block, size, 0, &stadd);
    REQUIRE(utofu_free_vcq(vcq) == 0);
    free(block);
    return status;
}

static void *aligned_by_posix(size_t alignment, size_t size)
{
    void *block;
    int error = posix_memalign(&block, alignment, size);

    return error == 0 && (uintptr_t)block % alignment == 0 ? block : NULL;
}

static void check_contents(void)
{
    volatile size_t too_many = SIZE_MAX / 2; /* The compiler would see it. */
    char *block              = malloc(1000);

    memset(block, 7, 1000);
    block = realloc(block, 5000000);
    for (int i = 0; i < 1000; i++)
        REQUIRE(block[i] == 7);
    free(block);
    block = calloc(1000, 1000);
    for (int i = 0; i < 1000000; i++)
        REQUIRE(block[i] == 0);
    REQUIRE(reallocarray(block, too_many, 3) == NULL);
    free(block);
}

int main(void)
{
    const size_t sizes[] = {1, 100, 5000, 1 << 20, 50 << 20};
    void *block;

    check_contents();
    REQUIRE(posix_memalign(&block, 3, 100) != 0);
    for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        size_t size = sizes[i];
        REQUIRE(try_block(malloc(size), size) == 0);
        REQUIRE(try_block(calloc(size, 2), size) == 0);
        REQUIRE(try_block(realloc(malloc(10), size), size) == 0);
        REQUIRE(try_block(aligned_by_posix(4096, size), size) == 0);
        REQUIRE(try_block(aligned_alloc(64, size), size) == 0);
    }
    exchange(malloc(HEAP_BYTES), HEAP_BYTES);
    return 0;
}
