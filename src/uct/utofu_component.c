/* SPDX-License-Identifier: BSD-3-Clause */
/* The component: how UCX finds the transport, its device, and what a remote key holds. */
#include "utofu_iface.h"
#include "utofu_md.h"

#include <ucp/api/ucp.h>
#include <ucs/debug/memtrack_int.h>
#include <uct/api/version.h>
#include <uct/base/uct_component.h>

#include <stdio.h>

ucs_status_t uct_utofu_status(int utofu_code)
{
    switch (utofu_code) {
    case UTOFU_SUCCESS:
        return UCS_OK;
    case UTOFU_ERR_BUSY:
        return UCS_ERR_NO_RESOURCE;
    case UTOFU_ERR_OUT_OF_MEMORY:
        return UCS_ERR_NO_MEMORY;
    case UTOFU_ERR_FULL:
    case UTOFU_ERR_OUT_OF_RESOURCE:
        return UCS_ERR_EXCEEDS_LIMIT;
    case UTOFU_ERR_NOT_SUPPORTED:
        return UCS_ERR_UNSUPPORTED;
    case UTOFU_ERR_NOT_AVAILABLE:
        return UCS_ERR_NO_DEVICE;
    case UTOFU_ERR_INVALID_ADDRESS:
        return UCS_ERR_INVALID_ADDR;
    case UTOFU_ERR_MRQ_PEER:
        return UCS_ERR_ENDPOINT_TIMEOUT;
    case UTOFU_ERR_MRQ_RMT_STADD:
    case UTOFU_ERR_MRQ_RMT_LENGTH:
    case UTOFU_ERR_MRQ_RMT_MEMORY:
        return UCS_ERR_CONNECTION_RESET;
    default:
        return UCS_ERR_IO_ERROR;
    }
}

/* Without a place on the network there is no memory domain, and UCX looks at its other transports. */
static ucs_status_t uct_utofu_query_md_resources(uct_component_t *component,
                                                 uct_md_resource_desc_t **resources_p,
                                                 unsigned *num_resources_p)
{
    utofu_tni_id_t *tnis;
    size_t num_tnis;

    if (utofu_get_onesided_tnis(&tnis, &num_tnis) != UTOFU_SUCCESS) {
        return uct_md_query_empty_md_resource(resources_p, num_resources_p);
    }
    free(tnis);
    return uct_md_query_single_md_resource(component, resources_p, num_resources_p);
}

static ucs_status_t uct_utofu_query_tl_devices(uct_md_h md, uct_tl_device_resource_t **devices_p,
                                               unsigned *num_devices_p)
{
    return uct_single_device_resource(md, UCT_UTOFU_DEVICE_NAME, UCT_DEVICE_TYPE_NET, UCS_SYS_DEVICE_ID_UNKNOWN,
                                      devices_p, num_devices_p);
}

static ucs_status_t uct_utofu_rkey_unpack(uct_component_t *component, const void *rkey_buffer,
                                          uct_rkey_t *rkey_p, void **handle_p)
{
    uct_utofu_rkey_t *rkey = ucs_malloc(sizeof(*rkey), "utofu_rkey");

    if (rkey == NULL) {
        return UCS_ERR_NO_MEMORY;
    }
    memcpy(rkey, rkey_buffer, sizeof(*rkey));
    *rkey_p   = (uintptr_t)rkey;
    *handle_p = NULL;
    return UCS_OK;
}

static ucs_status_t uct_utofu_rkey_release(uct_component_t *component, uct_rkey_t rkey, void *handle)
{
    ucs_free((void *)rkey);
    return UCS_OK;
}

static uct_component_t uct_utofu_component = {
    .query_md_resources = uct_utofu_query_md_resources,
    .md_open            = uct_utofu_md_open,
    .cm_open            = ucs_empty_function_return_unsupported,
    .rkey_unpack        = uct_utofu_rkey_unpack,
    .rkey_ptr           = ucs_empty_function_return_unsupported,
    .rkey_release       = uct_utofu_rkey_release,
    .name               = "utofu",
    .md_config          = {.name   = "uTofu memory domain",
                           .prefix = "UTOFU_",
                           .table  = uct_utofu_md_config_table,
                           .size   = sizeof(uct_utofu_md_config_t)},
    .cm_config          = UCS_CONFIG_EMPTY_GLOBAL_LIST_ENTRY,
    .tl_list            = UCT_COMPONENT_TL_LIST_INITIALIZER(&uct_utofu_component),
    .flags              = 0,
    .md_vfs_init        = (uct_component_md_vfs_init_func_t)ucs_empty_function,
};

UCT_TL_DEFINE_ENTRY(&uct_utofu_component, utofu, uct_utofu_query_tl_devices, uct_utofu_iface_t, "UTOFU_",
                    uct_utofu_iface_config_table, uct_utofu_iface_config_t);

UCT_TL_DECL(utofu)
UCT_SINGLE_TL_INIT(&uct_utofu_component, utofu,,,)

static int uct_utofu_registered;

/* Internal structures differ between UCX's minor versions: better not to be there than to corrupt memory. */
UCS_F_CTOR static void uct_utofu_register(void)
{
    unsigned major, minor, release;

    ucp_get_version(&major, &minor, &release);
    if ((major != UCT_VERNO_MAJOR) || (minor != UCT_VERNO_MINOR)) {
        /* UCX's own log is among what may differ. */
        fprintf(stderr,
                "utofu: error: this transport was built for UCX %d.%d, but UCX %u.%u is loaded: it stays off. "
                "Build tofukit against that UCX, or load the one it was built for\n",
                UCT_VERNO_MAJOR, UCT_VERNO_MINOR, major, minor);
        return;
    }
    uct_utofu_init();
    uct_utofu_registered = 1;
}

UCS_F_DTOR static void uct_utofu_unregister(void)
{
    if (uct_utofu_registered) {
        uct_utofu_cleanup();
    }
}
