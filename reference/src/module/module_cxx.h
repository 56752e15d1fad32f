// SPDX-License-Identifier: Apache-2.0
// Modules as C++ sees them. Classes that were compiled from the official headers are called through
// their tables of virtual functions, and modules of this runtime have such a table for them.
//
// The table is that of releases 0.1.0 to 0.1.15 under the Itanium C++ ABI. Strings and bytes take
// 16 bytes, as the value they are; functions and arrays a pointer; all of them are returned through
// memory of the caller.
#ifndef REFERENCE_SRC_MODULE_MODULE_CXX_H_
#define REFERENCE_SRC_MODULE_MODULE_CXX_H_

#include <tvm/ffi/c_api.h>

// What the vtable of all modules of this runtime is.
extern const void *const module_cxx_vtable;

// These call a module of a foreign class, as those of the same names in module.h do.
const char *module_cxx_get_kind(TVMFFIObject *module);
int module_cxx_get_property_mask(TVMFFIObject *module, int64_t *out);
int module_cxx_get_function(TVMFFIObject *module, const TVMFFIByteArray *name, TVMFFIObject **out);
int module_cxx_implements_function(TVMFFIObject *module, const TVMFFIByteArray *name, int *out);
int module_cxx_get_metadata(TVMFFIObject *module, const TVMFFIByteArray *name, TVMFFIAny *out);
int module_cxx_get_doc(TVMFFIObject *module, const TVMFFIByteArray *name, TVMFFIAny *out);
int module_cxx_write_to_file(TVMFFIObject *module, const TVMFFIByteArray *file,
                             const TVMFFIByteArray *format);
int module_cxx_get_write_formats(TVMFFIObject *module, TVMFFIObject **out);
int module_cxx_save_to_bytes(TVMFFIObject *module, TVMFFIAny *out);
int module_cxx_inspect_source(TVMFFIObject *module, const TVMFFIByteArray *format, TVMFFIAny *out);
int module_cxx_import(TVMFFIObject *module, TVMFFIObject *other);
int module_cxx_clear_imports(TVMFFIObject *module);

#endif  // REFERENCE_SRC_MODULE_MODULE_CXX_H_
