# SPDX-License-Identifier: BSD-3-Clause
# tofukit_part(folder module...): add_subdirectory(folder), which needs these pkg-config modules.
# A part says itself what is missing. Only for another processor, for which a machine has few libraries, parts are
# left out instead.
function(tofukit_part folder)
    if(CMAKE_CROSSCOMPILING)
        find_package(PkgConfig REQUIRED)
        foreach(module IN LISTS ARGN)
            pkg_check_modules(PART_${module} QUIET ${module})
            if(NOT PART_${module}_FOUND)
                file(RELATIVE_PATH name ${CMAKE_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/${folder})
                message(STATUS "Without ${name}: there is no ${module} for ${CMAKE_SYSTEM_PROCESSOR}")
                return()
            endif()
        endforeach()
    endif()
    add_subdirectory(${folder})
endfunction()
