// SPDX-License-Identifier: BSD-3-Clause
// What a backend is. Each lies in one file, backend_<name>.cpp, with a class of this form and one
// line that makes it known:
//
//   class XBackend {
//     public:
//       XBackend(Exchange &exchange, const Setup &setup);   // collective
//       ~XBackend();                                        // collective
//       std::byte *heap();      // setup.heap_bytes that the other ranks write and read; zeroed
//       std::byte *scratch();   // setup.scratch_bytes: all local sources and destinations; zeroed
//       void progress();        // main thread only: let the library work while this rank waits
//       static std::string version();                       // of the library, for the result
//
//       class Port {            // the handle of one thread; no two threads use the same one
//         public:
//           void put(int rank, size_t offset, const std::byte *source, size_t size);
//           void get(int rank, size_t offset, std::byte *destination, size_t size);
//           void fetch(int rank, size_t offset, std::byte *destination, size_t size);
//           void push(int rank);
//           void flush();
//           void progress();
//           bool noticed();     // optional: has one more put of a peer arrived, as the library tells?
//       };
//       Port port(int thread);
//   };
//   static const bool known = make_known<XBackend>("x");
//
// put and get start a transfer and may return before it is done; they deal with full queues
// themselves. `offset` counts from the start of the other rank's heap. fetch is a get that is done
// when it returns. A backend whose port has noticed() waits for messages by it, others poll the last
// byte. push makes sure that the puts so far travel on without another call of this
// port. flush returns when all of the port's transfers are done on both sides. The loops of the
// experiments are templates over the class, so that nothing stands between the clock and the
// library.
#ifndef TOFU_BENCH_BACKEND_H
#define TOFU_BENCH_BACKEND_H

#include "exchange.h"
#include "options.h"
#include "waiter.h"

#include <cstddef>
#include <map>
#include <memory>
#include <string>

namespace tofu_bench
{

class Report;
class Pinning;

struct Setup {
    int threads = 1;
    int workers = 1;
    size_t heap_bytes = 0;
    size_t scratch_bytes = 0;
    bool attached = false; ///< Use ordinary memory, not memory that the processes share.
    bool malloced = false; ///< Of that, what malloc gives: shared too, under tofu-run --heap.
    Waiter waiter;         ///< For waits inside the backend.
};

/// Everything that a launch of the engine has.
struct Session {
    const Options &options;
    Exchange &exchange;
    const Pinning &pinning;
    Report &report;
};

/// Measures all points of a session on one backend.
using Runner = void (*)(Session &session);

std::map<std::string, Runner> &known_backends();

} // namespace tofu_bench

#endif
