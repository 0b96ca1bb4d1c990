/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file wiring.h
 * Ways to wire barrier gates, as programs do it: for any number of ranks, gate by gate.
 */
#ifndef TEST_SUPPORT_WIRING_H
#define TEST_SUPPORT_WIRING_H

#include <cstddef>
#include <vector>

namespace support
{

/** Gate number @a gate of rank @a rank, 0 being its start/end gate. */
struct GateRef {
    int rank = -1, gate = 0;

    bool none() const
    {
        return rank < 0;
    }
};

constexpr int local = 0, remote = 1;

struct GateEnds {
    GateRef src[2], dst[2]; /**< By side: local, remote. */
};

/** All gates of all ranks. */
class Wiring
{
public:
    explicit Wiring(int ranks) : gates_(std::size_t(ranks))
    {
        for (auto &own : gates_)
            own.resize(1);
    }

    int ranks() const
    {
        return int(gates_.size());
    }

    const std::vector<GateEnds> &of(int rank) const
    {
        return gates_[std::size_t(rank)];
    }

    GateRef add(int rank)
    {
        gates_[std::size_t(rank)].emplace_back();
        return {rank, int(gates_[std::size_t(rank)].size()) - 1};
    }

    /** Let @a from send to @a to: inside a rank by the local sides, else by the remote ones. */
    void connect(GateRef from, GateRef to)
    {
        connect(from, to, from.rank == to.rank ? local : remote);
    }

    void connect(GateRef from, GateRef to, int side)
    {
        at(from).dst[side] = to;
        at(to).src[side]   = from;
    }

private:
    GateEnds &at(GateRef gate)
    {
        return gates_[std::size_t(gate.rank)][std::size_t(gate.gate)];
    }

    std::vector<std::vector<GateEnds>> gates_;
};

/** Recursive doubling over the largest power of two; the ranks beyond it fold in and are told at the end. */
Wiring butterfly(int ranks);

/** Two gates a rank; rank r gets the result of ranks 0..r, so that the last one is the root. */
Wiring prefix_ring(int ranks);

/** Once round to combine, once more to tell: three gates a rank. */
Wiring double_ring(int ranks);

/** A binary tree up to rank 0 and back: at most five gates a rank. */
Wiring tree(int ranks);

/** In round k each rank hears of the rank 2^k before it. Contributions count more than once: not for sums. */
Wiring dissemination(int ranks);

} // namespace support

#endif
