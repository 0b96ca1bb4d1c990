// SPDX-License-Identifier: BSD-3-Clause
// What registering memory from malloc and ending that takes together: the smallest of nine means of 1000, when it is
// the only registration, and next to another one. Memory is mapped under tofu-run --heap and attached under --no-heap.
//
//     tofu-run --no-ucx --heap tofu-bench-registration
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include <utofu.h>

namespace
{

using Microseconds = std::chrono::duration<double, std::micro>;

constexpr int means = 9;
constexpr int calls = 1000;
constexpr size_t size = 64 << 10;

void require(int code, const char *what)
{
    if (code != UTOFU_SUCCESS) {
        throw std::runtime_error(std::string(what) + " returned " + std::to_string(code));
    }
}

utofu_stadd_t enter(utofu_vcq_hdl_t vcq, std::vector<char> &memory)
{
    utofu_stadd_t stadd = 0;
    require(utofu_reg_mem(vcq, memory.data(), memory.size(), 0, &stadd), "utofu_reg_mem");
    return stadd;
}

double mean_us(utofu_vcq_hdl_t vcq, std::vector<char> &memory)
{
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i) {
        require(utofu_dereg_mem(vcq, enter(vcq, memory), 0), "utofu_dereg_mem");
    }
    return Microseconds(std::chrono::steady_clock::now() - begin).count() / calls;
}

double smallest_us(utofu_vcq_hdl_t vcq, std::vector<char> &memory)
{
    double smallest = mean_us(vcq, memory);
    for (int i = 1; i < means; ++i) {
        smallest = std::min(smallest, mean_us(vcq, memory));
    }
    return smallest;
}

void measure()
{
    utofu_vcq_hdl_t vcq;
    require(utofu_create_vcq(0, 0, &vcq), "utofu_create_vcq");
    std::vector<char> memory(size);
    std::vector<char> other(size);
    std::cout << "alone: " << smallest_us(vcq, memory) << " us\n";
    enter(vcq, other);
    std::cout << "next to another: " << smallest_us(vcq, memory) << " us\n";
    require(utofu_free_vcq(vcq), "utofu_free_vcq");
}

} // namespace

int main()
{
    try {
        measure();
    } catch (const std::exception &error) {
        std::cerr << "tofu-bench-registration: " << error.what() << '\n';
        return EXIT_FAILURE;
    }
}
