# SPDX-License-Identifier: Apache-2.0
# What the toolchain files of this folder share. Each says, before it includes this:
#
#   machine   the processor, as CMake and qemu call it
#   triplet   the compiler's prefix, and the name of the folders of its libraries
#   debian    the machine as Debian calls it: the C library and the others that are linked lie in
#             .cache/sysroot/<debian>, unpacked from Debian's packages by cross/sysroot.sh
cmake_path(ABSOLUTE_PATH CMAKE_CURRENT_LIST_DIR NORMALIZE OUTPUT_VARIABLE folder)
cmake_path(GET folder PARENT_PATH project)
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${machine})
set(CMAKE_SYSROOT ${project}/.cache/sysroot/${debian})
set(CMAKE_C_COMPILER ${compiler}-gcc)
set(CMAKE_CXX_COMPILER "")  # nothing in C++ is built: the sysroot has no library for it
set(CMAKE_LIBRARY_ARCHITECTURE ${triplet})

set(CMAKE_FIND_ROOT_PATH ${CMAKE_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${CMAKE_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${CMAKE_SYSROOT}/usr/lib/${triplet}/pkgconfig:${CMAKE_SYSROOT}/usr/share/pkgconfig)
