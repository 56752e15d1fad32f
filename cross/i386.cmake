# SPDX-License-Identifier: Apache-2.0
# 32-bit x86, whose programs an x86-64 processor runs itself. Where the C library is for them to be
# found at runtime is written into each.
set(machine i386)
set(debian i386)
set(triplet i386-linux-gnu)
set(compiler i686-linux-gnu)
include(${CMAKE_CURRENT_LIST_DIR}/toolchain.cmake)
set(folders ${CMAKE_SYSROOT}/lib/${triplet}:${CMAKE_SYSROOT}/usr/lib/${triplet})
set(CMAKE_EXE_LINKER_FLAGS_INIT
    "-Wl,--dynamic-linker=${CMAKE_SYSROOT}/lib/ld-linux.so.2 -Wl,--disable-new-dtags,-rpath,${folders}")
# Without one, what was built is not run as part of the build.
set(CMAKE_CROSSCOMPILING_EMULATOR env)
