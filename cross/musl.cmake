# SPDX-License-Identifier: Apache-2.0
# This machine with another C library: musl, and Debian's musl-gcc for it. What is built is what is loaded into a
# process of musl: the runtime and the worker. The program itself, made elsewhere, is told of it with --worker.
cmake_path(ABSOLUTE_PATH CMAKE_CURRENT_LIST_DIR NORMALIZE OUTPUT_VARIABLE folder)
cmake_path(GET folder PARENT_PATH project)
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${CMAKE_HOST_SYSTEM_PROCESSOR})
set(CMAKE_C_COMPILER musl-gcc)
set(CMAKE_CXX_COMPILER "")  # there is no C++ library for it
set(TVMFFI_PROGRAM OFF CACHE BOOL "Its libraries are not there for musl")

# What an unwinder looks for; musl-gcc leaves it out.
foreach(kind IN ITEMS EXE SHARED MODULE)
  set(CMAKE_${kind}_LINKER_FLAGS_INIT -Wl,--eh-frame-hdr)
endforeach()

set(CMAKE_FIND_ROOT_PATH ${project}/.cache/sysroot/musl)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} ${project}/.cache/sysroot/musl/lib/pkgconfig)
# Without one, what was built is not run as part of the build.
set(CMAKE_CROSSCOMPILING_EMULATOR env)
