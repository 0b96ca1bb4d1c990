# SPDX-License-Identifier: BSD-3-Clause
# Writes the commit of SOURCE into OUTPUT, for the head of result files. Runs at every build.
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=12
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT commit)
    set(commit "version ${VERSION}")
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "@commit@\n" @ONLY)
