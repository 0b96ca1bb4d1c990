/* SPDX-License-Identifier: BSD-3-Clause */
#include "heap/allocator.h"

#include "heap/arena.h"

#include <dlfcn.h>
#include <mimalloc.h>
#include <string.h>

#define LIBRARY "libmimalloc.so.2"

struct heap_allocator heap_allocator;

/* Set @a function, whatever its type, to the one of this name. */
static bool find(void *library, const char *name, void *function)
{
    void *address = dlsym(library, name);

    memcpy(function, &address, sizeof(address));
    return address != NULL;
}

static bool find_all(void *library)
{
    struct heap_allocator *a = &heap_allocator;

    return find(library, "mi_malloc", &a->malloc) && find(library, "mi_zalloc", &a->zalloc) &&
           find(library, "mi_malloc_aligned", &a->aligned) && find(library, "mi_realloc", &a->realloc) &&
           find(library, "mi_free", &a->free) && find(library, "mi_usable_size", &a->usable_size) &&
           find(library, "mi_thread_done", &a->thread_done);
}

const char *heap_allocator_load(void)
{
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    __typeof__(&mi_option_set) option_set;
    __typeof__(&mi_manage_os_memory) manage_os_memory;

    if (library == NULL)
        return LIBRARY " cannot be loaded: install libmimalloc2.0. Using the normal heap";
    if (!find_all(library) || !find(library, "mi_option_set", &option_set) ||
        !find(library, "mi_manage_os_memory", &manage_os_memory))
        return LIBRARY " is of another kind than mimalloc 2: using the normal heap";
    option_set(mi_option_limit_os_alloc, 1);
    /* Not committed, as it is called: what the program frees is to be given back. */
    if (!manage_os_memory((void *)heap_arena.start, heap_arena.size, false, false, true, -1))
        return LIBRARY " does not take the memory: using the normal heap";
    return NULL;
}
