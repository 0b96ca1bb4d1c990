// SPDX-License-Identifier: BSD-3-Clause
// N puts of 8 bytes by utofu_put_piggyback into memory of this process, without notices, from each of
// Q VCQs. Nothing else, so that an instruction counter over runs with N and 2 N gives the cost of
// one, and a trace of stores tells what each VCQ's puts write. See bench/tofu_bench/instructions.py.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>
#include <utofu.h>

namespace
{

void require(bool good, const char *what)
{
    if (!good) {
        std::fprintf(stderr, "tofu-bench-put-piggyback: %s failed\n", what);
        std::exit(1);
    }
}

// A shared mapping of a file that stays open is what the software device reaches without system
// calls.
uint64_t *shared_words(size_t bytes)
{
    const int file = memfd_create("put_piggyback", MFD_CLOEXEC);
    require(file >= 0 && ftruncate(file, static_cast<off_t>(bytes)) == 0, "memfd_create");
    void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    require(memory != MAP_FAILED, "mmap");
    return static_cast<uint64_t *>(memory);
}

struct Queue {
    utofu_vcq_hdl_t vcq;
    utofu_vcq_id_t id;
    utofu_stadd_t stadd;
};

Queue open_queue(unsigned index, uint64_t *words, size_t bytes)
{
    Queue queue;
    require(utofu_create_vcq(static_cast<utofu_tni_id_t>(index % 6), UTOFU_VCQ_FLAG_EXCLUSIVE, &queue.vcq) ==
                    UTOFU_SUCCESS,
            "utofu_create_vcq");
    require(utofu_query_vcq_id(queue.vcq, &queue.id) == UTOFU_SUCCESS, "utofu_query_vcq_id");
    require(utofu_reg_mem(queue.vcq, words, bytes, 0, &queue.stadd) == UTOFU_SUCCESS, "utofu_reg_mem");
    return queue;
}

void put(const Queue &queue, unsigned long count)
{
    uint64_t value = 0;
    for (unsigned long i = 0; i < count; ++i) {
        value = i;
        while (utofu_put_piggyback(queue.vcq, queue.id, &value, queue.stadd, sizeof(value), 0,
                                   UTOFU_ONESIDED_FLAG_STRONG_ORDER, nullptr) == UTOFU_ERR_BUSY) {
            void *data;
            utofu_poll_tcq(queue.vcq, 0, &data);
        }
    }
}

/// What a trace of all stores is divided by: 1 + the number of the queue that is used next, 0 for none.
alignas(128) volatile unsigned marker;

} // namespace

int main(int argc, char **argv)
{
    const unsigned long count = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1000;
    const unsigned queues = argc > 2 ? static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10)) : 1;
    const size_t bytes = 4096;
    uint64_t *words = shared_words(bytes * queues);
    std::vector<Queue> opened;
    for (unsigned i = 0; i < queues; ++i) {
        opened.push_back(open_queue(i, words + i * bytes / sizeof(uint64_t), bytes));
        put(opened.back(), 1); // Finds the way.
    }
    std::printf("marker %p stack %p\n", const_cast<unsigned *>(&marker), __builtin_frame_address(0));
    std::fflush(stdout);
    for (unsigned i = 0; i < queues; ++i) {
        marker = i + 1;
        put(opened[i], count);
    }
    marker = 0;
    for (unsigned i = 0; i < queues; ++i) {
        require(*static_cast<volatile uint64_t *>(words + i * bytes / sizeof(uint64_t)) == count - 1, "the last put");
        utofu_dereg_mem(opened[i].vcq, opened[i].stadd, 0);
        utofu_free_vcq(opened[i].vcq);
    }
    return 0;
}
