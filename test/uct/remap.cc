/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * remap FOLDER RANK private|shared: rank 0 puts long data from, and rank 1 receives it in, memory that is unmapped and
 * mapped anew at the same address each time. A registration that outlived its memory would show old data, or none.
 */
#include "ucp_world.h"

#include <cstring>
#include <memory>

#include <sys/mman.h>
#include <unistd.h>

using namespace ucp_world;

namespace
{

constexpr size_t length = 1 << 18;
constexpr unsigned rounds = 20;

/* Pages that are other ones each time, at an address that is always the same. */
class Pages
{
public:
    explicit Pages(bool shared) : shared(shared) { map(nullptr); }
    ~Pages() { munmap(address, length); }

    void renew()
    {
        require(munmap(address, length) == 0, "munmap");
        map(address);
    }

    char *address = nullptr;

private:
    void map(void *where)
    {
        /* The file stays open as long as the mapping, and its successor may get its number. */
        if (fd >= 0)
            close(fd);
        fd = shared ? memfd_create("remap", MFD_CLOEXEC) : -1;
        require(!shared || ftruncate(fd, length) == 0, "memfd_create");
        const int kind = shared ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS;
        void *got = mmap(where, length, PROT_READ | PROT_WRITE, kind | (where ? MAP_FIXED_NOREPLACE : 0), fd, 0);
        require(got != MAP_FAILED && (where == nullptr || got == where), "mmap at the same address");
        address = static_cast<char *>(got);
    }

    bool shared;
    int fd = -1;
};

struct Process {
    Board board;
    Pages pages;
    Context context{};
    Worker worker{context};

    std::string await(const std::string &name) const
    {
        return board.read(name, [this] { worker.progress(); });
    }
};

void send(Process &process)
{
    const ucp_request_param_t param = {};
    Endpoint endpoint(process.worker, process.await("address"));

    for (unsigned round = 0; round < rounds; round++) {
        const std::string suffix = "." + std::to_string(round);
        RemoteMemory remote(endpoint, process.await("memory" + suffix));
        const auto data = pattern(length, round);
        std::memcpy(process.pages.address, data.data(), length);
        process.worker.require_finish(ucp_put_nbx(endpoint.handle, process.pages.address, length, remote.address,
                                                  remote.key, &param), "put");
        process.worker.flush();
        process.board.post("sent" + suffix, "");
        process.await("seen" + suffix);
        process.pages.renew();
        /* And the other way: into pages that were never touched. */
        process.worker.require_finish(ucp_get_nbx(endpoint.handle, process.pages.address, length, remote.address,
                                                  remote.key, &param), "get");
        require(std::memcmp(process.pages.address, data.data(), length) == 0, "got old data in round " + suffix);
        process.board.post("got" + suffix, "");
        process.pages.renew();
    }
}

void receive(Process &process)
{
    process.board.post("address", process.worker.address());
    for (unsigned round = 0; round < rounds; round++) {
        const std::string suffix = "." + std::to_string(round);
        Memory memory(process.context, process.pages.address, length);
        process.board.post("memory" + suffix, memory.describe());
        process.await("sent" + suffix);
        const auto data = pattern(length, round);
        require(std::memcmp(process.pages.address, data.data(), length) == 0, "received old data in round " + suffix);
        process.board.post("seen" + suffix, "");
        process.await("got" + suffix);
        if (round + 1 < rounds) {
            /* Without a word to UCX first: unmapping must be enough, while the handle is open, too. */
            process.pages.renew();
        }
    }
}

} // namespace

int main(int, char **argv)
{
    return run([argv] {
        Process process{Board(argv[1]), Pages(std::string(argv[3]) == "shared"), Context()};
        std::string(argv[2]) == "0" ? send(process) : receive(process);
    });
}
