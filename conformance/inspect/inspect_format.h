// SPDX-License-Identifier: Apache-2.0
// The formats of binaries that are read, and what is said differently in each.
#ifndef TVMFFI_CONFORMANCE_INSPECT_INSPECT_FORMAT_H_
#define TVMFFI_CONFORMANCE_INSPECT_INSPECT_FORMAT_H_

#include <stdbool.h>
#include <stdint.h>

#include "inspect/elffile.h"

typedef enum InspectFormat {
  INSPECT_FORMAT_ELF,
  INSPECT_FORMAT_MACHO,  // macOS
  INSPECT_FORMAT_PE,     // Windows
  INSPECT_FORMAT_NONE,   // none of them
} InspectFormat;

// The format of the bytes, by how they begin. Of Mach-O, files for one processor only: a universal
// file holds several.
InspectFormat inspect_format_of(const unsigned char *bytes, uint64_t size);

// "ELF", "Mach-O", "PE".
const char *inspect_format_name(InspectFormat format);

// The name of a library without its folders.
ElfText inspect_format_base_name(ElfText library);

// Whether a library that a file of this format needs is a runtime, by its name: "libtvm_ffi.so",
// "@rpath/libtvm_ffi.dylib", "tvm_ffi.dll", also with what tools for wheels put into names.
bool inspect_format_is_runtime(InspectFormat format, ElfText library);

#endif  // TVMFFI_CONFORMANCE_INSPECT_INSPECT_FORMAT_H_
