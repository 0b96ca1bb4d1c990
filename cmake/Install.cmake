# SPDX-License-Identifier: BSD-3-Clause
# What `make install` puts where. Included last, so that every target exists; each is optional, so that a part
# whose dependencies are missing leaves the others installable.

set(PKGCONFIG_DIR ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# tofukit_rpath(target destination): let a target find the libraries from its own place, so that the
# installation, and the build tree, can be moved as a whole.
function(tofukit_rpath target destination)
    file(RELATIVE_PATH to_lib ${CMAKE_INSTALL_PREFIX}/${destination}
         ${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR})
    string(REGEX REPLACE "/$" "" rpath "$ORIGIN/${to_lib}")
    set_target_properties(${target} PROPERTIES INSTALL_RPATH "${rpath}" BUILD_RPATH_USE_ORIGIN ON)
endfunction()

# tofukit_install_target(target destination): install a target, if there is such a one.
function(tofukit_install_target target destination)
    if(NOT TARGET ${target})
        return()
    endif()
    tofukit_rpath(${target} ${destination})
    install(TARGETS ${target}
            RUNTIME DESTINATION ${destination}
            LIBRARY DESTINATION ${destination})
endfunction()

# tofukit_install_pkgconfig(name description libs): NAME.pc, which finds the installation from its own place.
function(tofukit_install_pkgconfig name description libs)
    file(RELATIVE_PATH to_prefix ${CMAKE_INSTALL_PREFIX}/${PKGCONFIG_DIR} ${CMAKE_INSTALL_PREFIX})
    string(REGEX REPLACE "/$" "" to_prefix "${to_prefix}")
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/pkgconfig/${name}.pc @ONLY CONTENT
"prefix=\${pcfiledir}/@to_prefix@
libdir=\${prefix}/@CMAKE_INSTALL_LIBDIR@
includedir=\${prefix}/@CMAKE_INSTALL_INCLUDEDIR@

Name: @name@
Description: @description@
Version: @PROJECT_VERSION@
Cflags: -I\${includedir}
Libs: -L\${libdir} @libs@
")
    install(FILES ${CMAKE_BINARY_DIR}/pkgconfig/${name}.pc DESTINATION ${PKGCONFIG_DIR})
endfunction()

tofukit_install_target(tofucom ${CMAKE_INSTALL_LIBDIR})
tofukit_install_target(tofutop ${CMAKE_INSTALL_LIBDIR})
tofukit_install_target(fjmpi_openmpi ${CMAKE_INSTALL_LIBDIR})
tofukit_install_target(fjmpi_mpich ${CMAKE_INSTALL_LIBDIR})
tofukit_install_target(uct_utofu ${CMAKE_INSTALL_LIBDIR})
tofukit_install_target(tofuheap ${CMAKE_INSTALL_LIBDIR})
foreach(tool tofu-run tofu-info)
    tofukit_install_target(${tool} ${CMAKE_INSTALL_BINDIR})
endforeach()
# bench installs its measuring programs itself.
foreach(program native openmpi mpich put-piggyback put-short barrier)
    if(TARGET tofu-bench-${program})
        tofukit_rpath(tofu-bench-${program} ${CMAKE_INSTALL_LIBEXECDIR})
    endif()
endforeach()

if(TARGET tofucom)
    tofukit_install_pkgconfig(tofucom "uTofu interface on a software Tofu Interconnect D" "-ltofucom")
endif()
if(TARGET tofutop)
    tofukit_install_pkgconfig(tofutop "jTofu interface on a software Tofu Interconnect D" "-ltofutop")
endif()
# A program that is linked with the transport has it without LD_PRELOAD; it refers to no symbol of it.
if(TARGET uct_utofu)
    tofukit_install_pkgconfig(uct_utofu "UCX transport for the Tofu Interconnect D"
        "-Wl,--push-state,--no-as-needed -l:libuct_utofu.so.0 -Wl,--pop-state")
endif()

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
