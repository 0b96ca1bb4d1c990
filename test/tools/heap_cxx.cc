/* SPDX-License-Identifier: BSD-3-Clause */
/* A C++ program that knows nothing of the heap it runs on. */
#include "heap_exchange.h"

#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

int main()
{
    std::map<std::string, std::vector<int>> filled;
    std::vector<std::thread> threads;
    for (int i = 0; i < 1000; i++)
        filled["a name that is too long to need no memory " + std::to_string(i)].resize(size_t(i), i);
    for (int i = 0; i < 8; i++)
        threads.emplace_back([&filled] {
            auto copy = filled; /* Freed by another thread below. */
            REQUIRE(copy == filled);
        });
    for (std::thread &thread : threads)
        thread.join();
    struct alignas(1024) Wide {
        char bytes[HEAP_BYTES];
    };
    auto wide = std::make_unique<Wide>();
    REQUIRE(reinterpret_cast<uintptr_t>(wide.get()) % 1024 == 0);
    exchange(new char[HEAP_BYTES], HEAP_BYTES);
    return 0;
}
