# SPDX-License-Identifier: BSD-3-Clause
# Applies TOFUKIT_SANITIZE to everything that is compiled and linked.
if(TOFUKIT_SANITIZE)
    add_compile_options(-fsanitize=${TOFUKIT_SANITIZE} -fno-omit-frame-pointer
                        -fno-sanitize-recover=all)
    add_link_options(-fsanitize=${TOFUKIT_SANITIZE})
endif()
