// SPDX-License-Identifier: BSD-3-Clause
// N puts of 8 bytes by utofu_put_piggyback into memory of this process, without notices. Nothing
// else, so that an instruction counter over runs with N and 2 N gives the cost of one. See
// bench/tofu_bench/instructions.py.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

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

} // namespace

int main(int argc, char **argv)
{
    const unsigned long count = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1000;
    const size_t bytes = 4096;
    uint64_t *words = shared_words(bytes);
    utofu_vcq_hdl_t vcq;
    utofu_vcq_id_t self;
    utofu_stadd_t stadd;
    require(utofu_create_vcq(0, UTOFU_VCQ_FLAG_EXCLUSIVE, &vcq) == UTOFU_SUCCESS,
            "utofu_create_vcq");
    require(utofu_query_vcq_id(vcq, &self) == UTOFU_SUCCESS, "utofu_query_vcq_id");
    require(utofu_reg_mem(vcq, words, bytes, 0, &stadd) == UTOFU_SUCCESS, "utofu_reg_mem");

    uint64_t value = 0;
    for (unsigned long i = 0; i < count; ++i) {
        value = i;
        while (utofu_put_piggyback(vcq, self, &value, stadd, sizeof(value), 0,
                                   UTOFU_ONESIDED_FLAG_STRONG_ORDER, nullptr) == UTOFU_ERR_BUSY) {
            void *data;
            utofu_poll_tcq(vcq, 0, &data);
        }
    }
    require(*static_cast<volatile uint64_t *>(words) == count - 1, "the last put");
    utofu_dereg_mem(vcq, stadd, 0);
    utofu_free_vcq(vcq);
    return 0;
}
