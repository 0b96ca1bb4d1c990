// SPDX-License-Identifier: BSD-3-Clause
// N puts of 8 bytes by uct_ep_put_short into memory of this process over one UCX transport. Nothing
// else, so that an instruction counter over runs with N and 2 N gives the cost of one. See
// bench/tofu_bench/instructions.py.
//
//   tofu-bench-put-short TRANSPORT N
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <uct/api/uct.h>

namespace
{

void require(ucs_status_t status, const char *what)
{
    if (status != UCS_OK) {
        std::fprintf(stderr, "tofu-bench-put-short: %s: %s\n", what, ucs_status_string(status));
        std::exit(1);
    }
}

struct Device {
    uct_component_h component = nullptr;
    uct_md_h md = nullptr;
    std::string name;
};

// The first device of the transport, with its memory domain open.
bool find_on(uct_component_h component, const std::string &md_name, const char *transport,
             Device *device)
{
    uct_md_config_t *config;
    uct_md_h md;
    if (uct_md_config_read(component, nullptr, nullptr, &config) != UCS_OK) {
        return false;
    }
    const ucs_status_t status = uct_md_open(component, md_name.c_str(), config, &md);
    uct_config_release(config);
    if (status != UCS_OK) {
        return false;
    }
    uct_tl_resource_desc_t *resources;
    unsigned count = 0;
    if (uct_md_query_tl_resources(md, &resources, &count) == UCS_OK) {
        for (unsigned i = 0; i < count && device->md == nullptr; ++i) {
            if (std::strcmp(resources[i].tl_name, transport) == 0) {
                *device = {component, md, resources[i].dev_name};
            }
        }
        uct_release_tl_resource_list(resources);
    }
    if (device->md == nullptr) {
        uct_md_close(md);
    }
    return device->md != nullptr;
}

Device find(const char *transport)
{
    Device device;
    uct_component_h *components;
    unsigned count = 0;
    require(uct_query_components(&components, &count), "uct_query_components");
    for (unsigned i = 0; i < count && device.md == nullptr; ++i) {
        uct_component_attr_t attr{};
        attr.field_mask = UCT_COMPONENT_ATTR_FIELD_MD_RESOURCE_COUNT;
        require(uct_component_query(components[i], &attr), "uct_component_query");
        std::vector<uct_md_resource_desc_t> mds(attr.md_resource_count);
        attr.field_mask = UCT_COMPONENT_ATTR_FIELD_MD_RESOURCES;
        attr.md_resources = mds.data();
        require(uct_component_query(components[i], &attr), "uct_component_query");
        for (const uct_md_resource_desc_t &md : mds) {
            if (find_on(components[i], md.md_name, transport, &device)) {
                break;
            }
        }
    }
    uct_release_component_list(components);
    if (device.md == nullptr) {
        std::fprintf(stderr, "tofu-bench-put-short: UCX has no transport %s here\n", transport);
        std::exit(1);
    }
    return device;
}

uct_iface_h open_interface(const Device &device, const char *transport, uct_worker_h worker)
{
    uct_iface_config_t *config;
    require(uct_md_iface_config_read(device.md, transport, nullptr, nullptr, &config),
            "uct_md_iface_config_read");
    uct_iface_params_t params{};
    params.field_mask = UCT_IFACE_PARAM_FIELD_OPEN_MODE | UCT_IFACE_PARAM_FIELD_DEVICE;
    params.open_mode = UCT_IFACE_OPEN_MODE_DEVICE;
    params.mode.device.tl_name = transport;
    params.mode.device.dev_name = device.name.c_str();
    uct_iface_h iface;
    require(uct_iface_open(device.md, worker, &params, config, &iface), "uct_iface_open");
    uct_config_release(config);
    return iface;
}

uct_ep_h connect_to_self(uct_iface_h iface)
{
    uct_iface_attr_t attr;
    require(uct_iface_query(iface, &attr), "uct_iface_query");
    if (!(attr.cap.flags & UCT_IFACE_FLAG_PUT_SHORT) ||
        !(attr.cap.flags & UCT_IFACE_FLAG_CONNECT_TO_IFACE)) {
        require(UCS_ERR_UNSUPPORTED, "put_short between interfaces");
    }
    std::vector<char> device_address(attr.device_addr_len + 1);
    std::vector<char> iface_address(attr.iface_addr_len + 1);
    uct_ep_params_t params{};
    params.field_mask =
            UCT_EP_PARAM_FIELD_IFACE | UCT_EP_PARAM_FIELD_DEV_ADDR | UCT_EP_PARAM_FIELD_IFACE_ADDR;
    params.iface = iface;
    params.dev_addr = reinterpret_cast<uct_device_addr_t *>(device_address.data());
    params.iface_addr = reinterpret_cast<uct_iface_addr_t *>(iface_address.data());
    require(uct_iface_get_device_address(
                    iface, reinterpret_cast<uct_device_addr_t *>(device_address.data())),
            "uct_iface_get_device_address");
    require(uct_iface_get_address(iface,
                                  reinterpret_cast<uct_iface_addr_t *>(iface_address.data())),
            "uct_iface_get_address");
    uct_ep_h ep;
    require(uct_ep_create(&params, &ep), "uct_ep_create");
    return ep;
}

} // namespace

// uct_ep_put_short is an inline function; this gives the counter a call to look at.
extern "C" __attribute__((noinline)) ucs_status_t
tofu_bench_put_short(uct_ep_h ep, const uint64_t *value, uint64_t address, uct_rkey_t key)
{
    return uct_ep_put_short(ep, value, sizeof(*value), address, key);
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        std::fprintf(stderr, "usage: tofu-bench-put-short TRANSPORT COUNT\n");
        return 2;
    }
    const unsigned long count = std::strtoul(argv[2], nullptr, 10);
    const Device device = find(argv[1]);
    ucs_async_context_t *async;
    uct_worker_h worker;
    require(ucs_async_context_create(UCS_ASYNC_MODE_THREAD_SPINLOCK, &async),
            "ucs_async_context_create");
    require(uct_worker_create(async, UCS_THREAD_MODE_SINGLE, &worker), "uct_worker_create");
    uct_iface_h iface = open_interface(device, argv[1], worker);
    uct_ep_h ep = connect_to_self(iface);

    uct_allocated_memory_t memory;
    require(uct_iface_mem_alloc(iface, 4096, UCT_MD_MEM_ACCESS_ALL, "put_short", &memory),
            "uct_iface_mem_alloc");
    uct_md_attr_t md_attr;
    require(uct_md_query(device.md, &md_attr), "uct_md_query");
    std::vector<char> packed(md_attr.rkey_packed_size + 1);
    require(uct_md_mkey_pack(device.md, memory.memh, packed.data()), "uct_md_mkey_pack");
    uct_rkey_bundle_t key;
    require(uct_rkey_unpack(device.component, packed.data(), &key), "uct_rkey_unpack");

    const auto address = reinterpret_cast<uint64_t>(memory.address);
    uint64_t value = 0;
    for (unsigned long i = 0; i < count; ++i) {
        value = i;
        while (tofu_bench_put_short(ep, &value, address, key.rkey) == UCS_ERR_NO_RESOURCE) {
            uct_worker_progress(worker);
        }
    }
    if (*static_cast<volatile uint64_t *>(memory.address) != count - 1) {
        require(UCS_ERR_IO_ERROR, "the last put");
    }

    uct_rkey_release(device.component, &key);
    uct_ep_destroy(ep);
    uct_iface_mem_free(&memory);
    uct_iface_close(iface);
    uct_md_close(device.md);
    uct_worker_destroy(worker);
    ucs_async_context_destroy(async);
    return 0;
}
