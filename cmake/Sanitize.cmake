# SPDX-License-Identifier: BSD-3-Clause
# Applies TOFUKIT_SANITIZE to everything that is compiled and linked.
if(TOFUKIT_SANITIZE)
    add_compile_options(-fsanitize=${TOFUKIT_SANITIZE} -fno-omit-frame-pointer
                        -fno-sanitize-recover=all)
    add_link_options(-fsanitize=${TOFUKIT_SANITIZE})
    # gcc says of every fence that the thread sanitizer does not model it; ours order atomics, which it does.
    if(TOFUKIT_SANITIZE MATCHES thread)
        add_compile_options(-Wno-tsan)
    endif()
endif()
