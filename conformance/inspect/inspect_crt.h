// SPDX-License-Identifier: Apache-2.0
// Which C and C++ libraries a PE file needs, by the names of the DLLs.
#ifndef TVMFFI_CONFORMANCE_INSPECT_INSPECT_CRT_H_
#define TVMFFI_CONFORMANCE_INSPECT_INSPECT_CRT_H_

#include "pe/pe.h"

// Each is a library that the file needs, empty if it needs none of the kind.
typedef struct InspectCrt {
  BinaryText compiler;   // vcruntime140.dll: what MSVC's code calls
  BinaryText cxx;        // msvcp140.dll, libstdc++-6.dll, libc++.dll
  BinaryText universal;  // the C library of Windows 10: ucrtbase.dll, api-ms-win-crt-*.dll
  BinaryText old;        // one of its own heap: msvcrt.dll, msvcr120.dll
  BinaryText debug;      // one that only development machines have: ucrtbased.dll
} InspectCrt;

void inspect_crt_read(const PeFile *pe, InspectCrt *crt);

// Whether it needs no C library at all: it brings its own, or calls none.
bool inspect_crt_is_static(const InspectCrt *crt);

#endif  // TVMFFI_CONFORMANCE_INSPECT_INSPECT_CRT_H_
