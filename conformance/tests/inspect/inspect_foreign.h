// SPDX-License-Identifier: Apache-2.0
// A small shared library for a machine that nobody runs the tests on: 32-bit, big-endian PowerPC.
#ifndef TVMFFI_CONFORMANCE_TESTS_INSPECT_FOREIGN_H_
#define TVMFFI_CONFORMANCE_TESTS_INSPECT_FOREIGN_H_

#include <stddef.h>

enum { FOREIGN_CAPACITY = 2048 };

// Writes the library into `image` and returns its size. It exports TVMFFIGetVersion,
// TVMFFIObjectIncRef and TVMFFIOfTomorrow, needs libc.so.6, has the SONAME libforeign.so and the
// build id 00 01 .. 13. It has no section headers, and these functions (address, size, names):
//   0x10800 16  local_name (local), TVMFFIGetVersion (global)
//   0x10810  0  TVMFFIOfTomorrow
//   0x10820 32  TVMFFIObjectIncRef
size_t foreign_library(unsigned char image[FOREIGN_CAPACITY]);

#endif  // TVMFFI_CONFORMANCE_TESTS_INSPECT_FOREIGN_H_
