# SPDX-License-Identifier: BSD-3-Clause
# tofukit_warnings(target): the warnings that every target of the project builds with.
function(tofukit_warnings target)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpointer-arith
        $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes -Wmissing-prototypes>)
endfunction()
