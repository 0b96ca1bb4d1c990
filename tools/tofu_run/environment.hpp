/* SPDX-License-Identifier: BSD-3-Clause */
/* The variables that the ranks need beyond those of tofu-run's own environment. */
#ifndef TOFU_RUN_ENVIRONMENT_HPP
#define TOFU_RUN_ENVIRONMENT_HPP

#include "fabric.hpp"
#include "install.hpp"
#include "options.hpp"

#include <string>
#include <utility>
#include <vector>

namespace tofu_run
{

class Environment
{
  public:
    using Entry = std::pair<std::string, std::string>;

    void set(const std::string &name, const std::string &value);

    /* As set(), but what the user has set already stays. */
    void set_default(const std::string &name, const std::string &value);

    /* Adds @a item at the end of a list joined by colons, unless it is there. */
    void add_to_list(const std::string &name, const std::string &item);

    /* What was set, in that order. */
    const std::vector<Entry> &entries() const;

    /* "NAME=value" of tofu-run's own environment with the entries put over it, less SOFTTOFU_RANK.
     */
    std::vector<std::string> merged() const;

  private:
    Entry *find(const std::string &name);

    std::vector<Entry> list;
};

/* Everything but SOFTTOFU_RANK, which differs from rank to rank. Throws Failure if a library
 * that was asked for is missing. */
Environment make_environment(const Options &options, const Fabric &fabric, const Install &install);

} // namespace tofu_run

#endif
