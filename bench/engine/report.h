// SPDX-License-Identifier: BSD-3-Clause
// The result of the engine on standard output: one JSON object a line. The first one describes the
// run, each further one is a measured point in the terms of the project's CSV schema.
#ifndef TOFU_BENCH_REPORT_H
#define TOFU_BENCH_REPORT_H

#include "options.h"
#include "sample.h"

#include <string>

namespace tofu_bench
{

class Report
{
  public:
    /// Only rank 0 prints.
    Report(const Options &options, int rank, int processes);

    void head(const std::string &library_version, const std::string &pin) const;
    void point(const Point &point, const Sample &sample, const char *wait_policy);

    bool any_wrong() const
    {
        return any_wrong_;
    }

  private:
    const Options &options_;
    int rank_;
    int processes_;
    bool any_wrong_ = false;
};

} // namespace tofu_bench

#endif
