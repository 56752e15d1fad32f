# SPDX-License-Identifier: Apache-2.0
# IBM Z, whose bytes go from the most significant to the least, run by qemu.
set(machine s390x)
set(debian s390x)
set(triplet s390x-linux-gnu)
set(compiler ${triplet})
include(${CMAKE_CURRENT_LIST_DIR}/toolchain.cmake)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${machine} -L ${CMAKE_SYSROOT})
