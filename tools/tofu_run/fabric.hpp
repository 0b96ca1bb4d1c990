/* SPDX-License-Identifier: BSD-3-Clause */
/* The network of the job: made before any rank starts, so that what cannot work is told once and
 * early. */
#ifndef TOFU_RUN_FABRIC_HPP
#define TOFU_RUN_FABRIC_HPP

#include "options.hpp"

#include <string>

#include "softtofu.h"

namespace tofu_run
{

/* Holds the fabric as long as it lives. It has no name in any file system: nothing is left behind.
 */
class Fabric
{
  public:
    /* Throws Failure with the library's own message. */
    explicit Fabric(const Options &options);
    ~Fabric();
    Fabric(const Fabric &) = delete;
    Fabric &operator=(const Fabric &) = delete;

    std::string job() const;
    std::string shape() const;
    std::string wrap() const;
    std::string nodes() const; /* In logical dimensions; empty: by node number. */
    unsigned ppn() const;

    /* See that @a path can be written, before there is something to lose. Throws Failure. */
    void check_traffic_file(const std::string &path) const;

    /* Write the counters of all queues, those of ended ranks too. Throws Failure. */
    void write_traffic(const std::string &path) const;

  private:
    softtofu_view_t *view;
    softtofu_job_info info;
    std::string logical;
};

} // namespace tofu_run

#endif
