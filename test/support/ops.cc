/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/ops.h"

#include "support/agent.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <list>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace support
{
namespace
{

constexpr size_t alignment = 65536;

alignas(256) char bss[1 << 18];

/* Each piece is used once, so that registrations of one test do not overlap. */
char *take_piece(char *area, size_t area_size, size_t *used, size_t size)
{
    auto address = (reinterpret_cast<uintptr_t>(area) + *used + 255) / 256 * 256;
    auto end     = address + size - reinterpret_cast<uintptr_t>(area);

    if (end > area_size)
        return nullptr;
    *used = end;
    return reinterpret_cast<char *>(address);
}

char *map(int fd, int flags, size_t size)
{
    void *base;

    if (fd >= 0 && ftruncate(fd, off_t(size)) != 0)
        return nullptr;
    base = mmap(nullptr, size, PROT_READ | PROT_WRITE, flags, fd, 0);
    return base == MAP_FAILED ? nullptr : static_cast<char *>(base);
}

/* The descriptor stays open: that is what lets peers map the file. */
char *map_shm(size_t size)
{
    std::string name = "/tofukit-test-" + std::to_string(getpid());
    int fd           = shm_open(name.c_str(), O_RDWR | O_CREAT | O_EXCL, 0600);

    shm_unlink(name.c_str());
    return fd < 0 ? nullptr : map(fd, MAP_SHARED, size);
}

char *map_file(size_t size)
{
    char name[] = "/tmp/tofukit-test-XXXXXX";
    int fd      = mkostemp(name, O_CLOEXEC);

    unlink(name);
    return fd < 0 ? nullptr : map(fd, MAP_SHARED, size);
}

char *heap(size_t size)
{
    struct Free {
        void operator()(char *memory) const
        {
            std::free(memory);
        }
    };
    static std::list<std::unique_ptr<char, Free>> kept;

    size = (size + alignment - 1) / alignment * alignment;
    kept.emplace_back(static_cast<char *>(aligned_alloc(alignment, size)));
    if (kept.back())
        memset(kept.back().get(), 0, size); /* As all other kinds are. */
    return kept.back().get();
}

template <class Poll> auto wait_for(Poll poll, int ms)
{
    auto end    = std::chrono::steady_clock::now() + std::chrono::milliseconds(ms);
    auto result = poll();

    for (unsigned polls = 1; result.status == UTOFU_ERR_NOT_FOUND; polls++) {
        if (polls % 1024 == 0) {
            usleep(1); /* The other side may need this processor. */
            if (std::chrono::steady_clock::now() > end)
                break;
        }
        result = poll();
    }
    return result;
}

} // namespace

const char *memory_name(Memory kind)
{
    static const char *const names[] = {"Heap",     "Stack", "Bss",       "Memfd",
                                        "PosixShm", "File",  "Anonymous", "SharedAnonymous"};
    return names[int(kind)];
}

char *memory_make(Memory kind, size_t size)
{
    static size_t stack_used, bss_used;

#ifdef TEST_WITHOUT_ATTACH
    if (kind != Memory::PosixShm && kind != Memory::File)
        kind = Memory::Memfd;
#endif
    switch (kind) {
    case Memory::Heap:
        return heap(size);
    case Memory::Stack:
        return take_piece(Agent::stack_area(), Agent::stack_area_size, &stack_used, size);
    case Memory::Bss:
        return take_piece(bss, sizeof(bss), &bss_used, size);
    case Memory::Memfd:
        return map(memfd_create("tofukit-test", MFD_CLOEXEC), MAP_SHARED, size);
    case Memory::PosixShm:
        return map_shm(size);
    case Memory::File:
        return map_file(size);
    case Memory::Anonymous:
        return map(-1, MAP_PRIVATE | MAP_ANONYMOUS, size);
    case Memory::SharedAnonymous:
        return map(-1, MAP_SHARED | MAP_ANONYMOUS, size);
    }
    return nullptr;
}

/* Handles live in the test's process, which leak checkers do not see: so what an agent has is held here too. */
class Held
{
public:
    void add(utofu_vcq_hdl_t hdl)
    {
        std::lock_guard<std::mutex> lock(mutex_);
        handles_.insert(hdl);
    }

    void remove(utofu_vcq_hdl_t hdl)
    {
        std::lock_guard<std::mutex> lock(mutex_);
        handles_.erase(hdl);
    }

private:
    std::mutex mutex_;
    std::set<utofu_vcq_hdl_t> handles_;
};

Held &held()
{
    static auto *all = new Held; /* Outlives the checkers. */
    return *all;
}

Vcq vcq_create(unsigned tni, unsigned long flags, int cmp)
{
    Vcq vcq = {};

    vcq.status = cmp < 0 ? utofu_create_vcq(utofu_tni_id_t(tni), flags, &vcq.hdl)
                         : utofu_create_vcq_with_cmp_id(utofu_tni_id_t(tni), utofu_cmp_id_t(cmp),
                                                        flags, &vcq.hdl);
    if (vcq.status == UTOFU_SUCCESS)
        vcq.status = utofu_query_vcq_id(vcq.hdl, &vcq.id);
    if (vcq.status == UTOFU_SUCCESS)
        held().add(vcq.hdl);
    return vcq;
}

int vcq_free(utofu_vcq_hdl_t hdl)
{
    held().remove(hdl);
    return utofu_free_vcq(hdl);
}

Stadd mem_register(utofu_vcq_hdl_t hdl, char *address, size_t size, unsigned long flags)
{
    Stadd stadd = {};
    stadd.status = utofu_reg_mem(hdl, address, size, flags, &stadd.value);
    return stadd;
}

Stadd mem_register_stag(utofu_vcq_hdl_t hdl, char *address, size_t size, unsigned stag,
                        unsigned long flags)
{
    Stadd stadd = {};
    stadd.status = utofu_reg_mem_with_stag(hdl, address, size, stag, flags, &stadd.value);
    return stadd;
}

int mem_deregister(utofu_vcq_hdl_t hdl, utofu_stadd_t stadd)
{
    return utofu_dereg_mem(hdl, stadd, 0);
}

namespace
{

int post_strided(const Command &c, void *cbdata)
{
    if (c.kind == Kind::Put && c.paced)
        return utofu_put_stride_gap(c.hdl, c.rmt, c.lcl, c.stadd, c.length, c.stride, c.blocks, c.edata, c.flags,
                                    c.mtu, c.gap, cbdata);
    if (c.kind == Kind::Put)
        return utofu_put_stride(c.hdl, c.rmt, c.lcl, c.stadd, c.length, c.stride, c.blocks, c.edata, c.flags, cbdata);
    if (c.paced)
        return utofu_get_stride_gap(c.hdl, c.rmt, c.lcl, c.stadd, c.length, c.stride, c.blocks, c.edata, c.flags,
                                    c.mtu, c.gap, cbdata);
    return utofu_get_stride(c.hdl, c.rmt, c.lcl, c.stadd, c.length, c.stride, c.blocks, c.edata, c.flags, cbdata);
}

int post_paced(const Command &c, void *cbdata)
{
    if (c.kind == Kind::Put)
        return utofu_put_gap(c.hdl, c.rmt, c.lcl, c.stadd, c.length, c.edata, c.flags, c.mtu, c.gap, cbdata);
    return utofu_get_gap(c.hdl, c.rmt, c.lcl, c.stadd, c.length, c.edata, c.flags, c.mtu, c.gap, cbdata);
}

int post_directly(Command c)
{
    auto *cbdata = reinterpret_cast<void *>(c.cbdata);
    auto op      = static_cast<utofu_armw_op>(c.op);

    if (c.strided)
        return post_strided(c, cbdata);
    if (c.paced)
        return post_paced(c, cbdata);
    switch (c.kind) {
    case Kind::Put:
        return utofu_put(c.hdl, c.rmt, c.lcl, c.stadd, c.length, c.edata, c.flags, cbdata);
    case Kind::Piggyback:
        return utofu_put_piggyback(c.hdl, c.rmt, c.null_data ? nullptr : c.data, c.stadd, c.length,
                                   c.edata, c.flags, cbdata);
    case Kind::Piggyback8:
        return utofu_put_piggyback8(c.hdl, c.rmt, c.value, c.stadd, c.length, c.edata, c.flags,
                                    cbdata);
    case Kind::Get:
        return utofu_get(c.hdl, c.rmt, c.lcl, c.stadd, c.length, c.edata, c.flags, cbdata);
    case Kind::Armw4:
        return utofu_armw4(c.hdl, c.rmt, op, uint32_t(c.value), c.stadd, c.edata, c.flags, cbdata);
    case Kind::Armw8:
        return utofu_armw8(c.hdl, c.rmt, op, c.value, c.stadd, c.edata, c.flags, cbdata);
    case Kind::Cswap4:
        return utofu_cswap4(c.hdl, c.rmt, uint32_t(c.compare), uint32_t(c.value), c.stadd, c.edata,
                            c.flags, cbdata);
    case Kind::Cswap8:
        return utofu_cswap8(c.hdl, c.rmt, c.compare, c.value, c.stadd, c.edata, c.flags, cbdata);
    case Kind::Nop:
        return utofu_nop(c.hdl, c.flags, cbdata);
    }
    return 1;
}

int prepare_transfer(const Command &c, void *desc, size_t *size)
{
    bool put = c.kind == Kind::Put;

    if (c.strided && c.paced)
        return (put ? utofu_prepare_put_stride_gap : utofu_prepare_get_stride_gap)(
                c.hdl, c.rmt, c.lcl, c.stadd, c.length, c.stride, c.blocks, c.edata, c.flags, c.mtu, c.gap, desc, size);
    if (c.strided)
        return (put ? utofu_prepare_put_stride : utofu_prepare_get_stride)(
                c.hdl, c.rmt, c.lcl, c.stadd, c.length, c.stride, c.blocks, c.edata, c.flags, desc, size);
    if (c.paced)
        return (put ? utofu_prepare_put_gap : utofu_prepare_get_gap)(c.hdl, c.rmt, c.lcl, c.stadd, c.length, c.edata,
                                                                     c.flags, c.mtu, c.gap, desc, size);
    return (put ? utofu_prepare_put : utofu_prepare_get)(c.hdl, c.rmt, c.lcl, c.stadd, c.length, c.edata, c.flags, desc,
                                                         size);
}

int prepare_other(Command &c, void *desc, size_t *size)
{
    auto op = static_cast<utofu_armw_op>(c.op);

    switch (c.kind) {
    case Kind::Piggyback:
        return utofu_prepare_put_piggyback(c.hdl, c.rmt, c.null_data ? nullptr : c.data, c.stadd, c.length, c.edata,
                                           c.flags, desc, size);
    case Kind::Piggyback8:
        return utofu_prepare_put_piggyback8(c.hdl, c.rmt, c.value, c.stadd, c.length, c.edata, c.flags, desc, size);
    case Kind::Armw4:
        return utofu_prepare_armw4(c.hdl, c.rmt, op, uint32_t(c.value), c.stadd, c.edata, c.flags, desc, size);
    case Kind::Armw8:
        return utofu_prepare_armw8(c.hdl, c.rmt, op, c.value, c.stadd, c.edata, c.flags, desc, size);
    case Kind::Cswap4:
        return utofu_prepare_cswap4(c.hdl, c.rmt, uint32_t(c.compare), uint32_t(c.value), c.stadd, c.edata, c.flags,
                                    desc, size);
    case Kind::Cswap8:
        return utofu_prepare_cswap8(c.hdl, c.rmt, c.compare, c.value, c.stadd, c.edata, c.flags, desc, size);
    default:
        return utofu_prepare_nop(c.hdl, c.flags, desc, size);
    }
}

} // namespace

Image prepare(Command c)
{
    Image image  = {};
    bool transfer = c.kind == Kind::Put || c.kind == Kind::Get;

    image.status = transfer ? prepare_transfer(c, image.word, &image.size) : prepare_other(c, image.word, &image.size);
    return image;
}

int post_image(utofu_vcq_hdl_t hdl, Image image, uint64_t cbdata)
{
    return utofu_post_toq(hdl, image.word, image.size, reinterpret_cast<void *>(cbdata));
}

int post(Command c)
{
    if (getenv("TOFUKIT_TEST_PREPARED") == nullptr)
        return post_directly(c);
    Image image = prepare(c);
    return image.status != UTOFU_SUCCESS ? image.status : post_image(c.hdl, image, c.cbdata);
}

int post_patiently(Command command)
{
    int status;
    void *cbdata;

    while ((status = post(command)) == UTOFU_ERR_BUSY)
        utofu_poll_tcq(command.hdl, 0, &cbdata);
    return status;
}

TcqNotice tcq_poll(utofu_vcq_hdl_t hdl)
{
    void *cbdata = nullptr;
    int status   = utofu_poll_tcq(hdl, 0, &cbdata);
    return {status, reinterpret_cast<uint64_t>(cbdata)};
}

MrqNotice mrq_poll(utofu_vcq_hdl_t hdl)
{
    MrqNotice result = {};
    result.status    = utofu_poll_mrq(hdl, 0, &result.notice);
    return result;
}

TcqNotice tcq_wait(utofu_vcq_hdl_t hdl, int ms)
{
    return wait_for([=] { return tcq_poll(hdl); }, ms);
}

MrqNotice mrq_wait(utofu_vcq_hdl_t hdl, int ms)
{
    return wait_for([=] { return mrq_poll(hdl); }, ms);
}

long tcq_unread(utofu_vcq_hdl_t hdl)
{
    size_t count = 0;
    int status   = utofu_query_num_unread_tcq(hdl, &count);
    return status == UTOFU_SUCCESS ? long(count) : status;
}

long mrq_unread(utofu_vcq_hdl_t hdl)
{
    size_t count = 0;
    int status   = utofu_query_num_unread_mrq(hdl, &count);
    return status == UTOFU_SUCCESS ? long(count) : status;
}

/* Neither period of the two terms divides a power of two, so a shifted or repeated piece does not match. */
unsigned char pattern(unsigned seed, size_t i)
{
    return static_cast<unsigned char>(seed * 37 + i % 251 + i / 251 * 7);
}

void pattern_fill(char *address, size_t size, unsigned seed)
{
    for (size_t i = 0; i < size; i++)
        address[i] = char(pattern(seed, i));
}

size_t pattern_wrong(char *address, size_t size, unsigned seed)
{
    size_t wrong = 0;

    for (size_t i = 0; i < size; i++)
        wrong += static_cast<unsigned char>(address[i]) != pattern(seed, i);
    return wrong;
}

void byte_fill(char *address, size_t size, int byte)
{
    memset(address, byte, size);
}

size_t byte_wrong(char *address, size_t size, int byte)
{
    size_t wrong = 0;

    for (size_t i = 0; i < size; i++)
        wrong += address[i] != char(byte);
    return wrong;
}

uint64_t load8(char *address)
{
    return __atomic_load_n(reinterpret_cast<uint64_t *>(address), __ATOMIC_ACQUIRE);
}

uint32_t load4(char *address)
{
    return __atomic_load_n(reinterpret_cast<uint32_t *>(address), __ATOMIC_ACQUIRE);
}

void store8(char *address, uint64_t value)
{
    __atomic_store_n(reinterpret_cast<uint64_t *>(address), value, __ATOMIC_RELEASE);
}

void store4(char *address, uint32_t value)
{
    __atomic_store_n(reinterpret_cast<uint32_t *>(address), value, __ATOMIC_RELEASE);
}

} // namespace support
