/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/wiring.h"

namespace support
{
namespace
{

GateRef end_of(int rank)
{
    return {rank, 0};
}

} // namespace

Wiring butterfly(int ranks)
{
    Wiring w(ranks);
    int core = 1;
    while (core * 2 <= ranks)
        core *= 2;
    std::vector<GateRef> heads;
    for (int r = 0; r < core; r++) {
        heads.push_back(end_of(r));
        if (r + core < ranks) {
            GateRef folded = w.add(r);
            w.connect(end_of(r), folded);
            w.connect(end_of(r + core), folded);
            heads.back() = folded;
        }
    }
    for (int distance = 1; distance < core; distance *= 2) {
        std::vector<GateRef> next;
        for (int r = 0; r < core; r++)
            next.push_back(w.add(r));
        for (int r = 0; r < core; r++) {
            w.connect(heads[std::size_t(r)], next[std::size_t(r)]);
            w.connect(heads[std::size_t(r)], next[std::size_t(r ^ distance)]);
        }
        heads = next;
    }
    for (int r = 0; r < core; r++) {
        w.connect(heads[std::size_t(r)], end_of(r));
        if (r + core < ranks)
            w.connect(heads[std::size_t(r)], end_of(r + core));
    }
    return w;
}

Wiring prefix_ring(int ranks)
{
    Wiring w(ranks);
    GateRef before;
    for (int r = 0; r < ranks; r++) {
        GateRef relay = w.add(r);
        w.connect(end_of(r), relay);
        w.connect(relay, end_of(r));
        if (!before.none())
            w.connect(before, relay);
        before = relay;
    }
    return w;
}

Wiring double_ring(int ranks)
{
    Wiring w(ranks);
    GateRef before;
    for (int r = 0; r < ranks; r++) {
        GateRef relay = w.add(r);
        w.connect(end_of(r), relay);
        if (!before.none())
            w.connect(before, relay);
        before = relay;
    }
    for (int r = 0; r < ranks; r++) {
        GateRef relay = w.add(r);
        w.connect(before, relay);
        w.connect(relay, end_of(r));
        before = relay;
    }
    return w;
}

Wiring tree(int ranks)
{
    Wiring w(ranks);
    std::vector<GateRef> up(std::size_t(ranks), GateRef{});
    for (int r = ranks - 1; r >= 0; r--) {
        GateRef own = end_of(r);
        for (int child = 2 * r + 1; child <= 2 * r + 2 && child < ranks; child++) {
            GateRef joined = w.add(r);
            w.connect(own, joined);
            w.connect(up[std::size_t(child)], joined);
            own = joined;
        }
        up[std::size_t(r)] = own;
    }
    std::vector<GateRef> down(std::size_t(ranks), GateRef{});
    down[0] = up[0];
    for (int r = 0; r < ranks; r++) {
        GateRef own = down[std::size_t(r)];
        for (int child = 2 * r + 1; child <= 2 * r + 2 && child < ranks; child++) {
            GateRef told = w.add(r);
            w.connect(own, told);
            down[std::size_t(child)] = own = told;
        }
        w.connect(own, end_of(r));
    }
    return w;
}

Wiring dissemination(int ranks)
{
    Wiring w(ranks);
    std::vector<GateRef> heads;
    for (int r = 0; r < ranks; r++)
        heads.push_back(end_of(r));
    for (int distance = 1; distance < ranks; distance *= 2) {
        std::vector<GateRef> next;
        for (int r = 0; r < ranks; r++)
            next.push_back(w.add(r));
        for (int r = 0; r < ranks; r++) {
            w.connect(heads[std::size_t(r)], next[std::size_t(r)]);
            w.connect(heads[std::size_t(r)], next[std::size_t((r + distance) % ranks)]);
        }
        heads = next;
    }
    for (int r = 0; r < ranks; r++)
        w.connect(heads[std::size_t(r)], end_of(r));
    return w;
}

} // namespace support
