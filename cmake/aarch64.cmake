# SPDX-License-Identifier: BSD-3-Clause
# Toolchain for 64-bit ARM, the processor of A64FX, with Debian's cross compiler; tests run under qemu-user.
# Only what is installed for that processor is found, so parts whose libraries are not are left out (Parts.cmake).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(triplet aarch64-linux-gnu)

set(CMAKE_C_COMPILER ${triplet}-gcc)
set(CMAKE_CXX_COMPILER ${triplet}-g++)
set(CMAKE_LIBRARY_ARCHITECTURE ${triplet})

set(CMAKE_FIND_ROOT_PATH /usr/${triplet})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} /usr/lib/${triplet}/pkgconfig:/usr/${triplet}/lib/pkgconfig)

# Pages of 64 KiB, as the kernels of A64FX machines have them.
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -p 65536 -L /usr/${triplet})
