/* SPDX-License-Identifier: BSD-3-Clause */
/* Where this installation's libraries are: found from the place of the executable, so that it can
 * be moved. */
#ifndef TOFU_RUN_INSTALL_HPP
#define TOFU_RUN_INSTALL_HPP

#include <string>

namespace tofu_run
{

struct Install {
    std::string library_dir;

    /* The UCX transport; throws Failure if the file is not there or cannot be preloaded. */
    std::string plugin() const;

    /* The heap that peers can map: whether it is there and can be preloaded, and its path; throws
     * Failure if not. */
    bool has_heap() const;
    std::string heap() const;
};

/* Throws Failure if there is no library directory beside the executable's. */
Install find_install();

} // namespace tofu_run

#endif
