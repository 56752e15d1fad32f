# SPDX-License-Identifier: Apache-2.0
# 64-bit ARM, run by qemu.
set(machine aarch64)
set(debian arm64)
set(triplet aarch64-linux-gnu)
set(compiler ${triplet})
include(${CMAKE_CURRENT_LIST_DIR}/toolchain.cmake)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${machine} -L ${CMAKE_SYSROOT})
