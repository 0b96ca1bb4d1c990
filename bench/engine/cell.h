// SPDX-License-Identifier: BSD-3-Clause
// Layout of a process's memory: one cell per thread, so that no two threads touch the same cache
// line.
#ifndef TOFU_BENCH_CELL_H
#define TOFU_BENCH_CELL_H

#include <cstddef>

namespace tofu_bench
{

/// Cache line of A64FX, the largest around.
constexpr size_t line_bytes = 256;

/// Bytes behind a message that nobody may touch; they are checked.
constexpr size_t guard_bytes = 16;

/// Bytes that a thread uses for messages of @a payload bytes.
constexpr size_t cell_bytes(size_t payload)
{
    return (payload + guard_bytes + line_bytes - 1) / line_bytes * line_bytes;
}

} // namespace tofu_bench

#endif
