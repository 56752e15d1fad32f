// SPDX-License-Identifier: Apache-2.0
// Loading: from files, by their extension, and from bytes, by their kind.
#ifndef REFERENCE_SRC_MODULE_MODULE_LOAD_H_
#define REFERENCE_SRC_MODULE_MODULE_LOAD_H_

#include <tvm/ffi/c_api.h>

#include "native/native.h"

// Lets the loader of a kind make a module of bytes.
// name: of the library, place: of the entry, for messages. out: own. Returns 0; -1 with
// RuntimeError if there is no loader, TypeError if it gives no module, or the loader's own error.
int module_load_from_bytes(const char *name, size_t place, const TVMFFIByteArray *kind,
                           const TVMFFIByteArray *value, TVMFFIObject **out);

// ffi.ModuleLoadFromFile, ffi.Module.load_from_file.so
NativeBody module_load_from_file, module_load_library;

#endif  // REFERENCE_SRC_MODULE_MODULE_LOAD_H_
