// SPDX-License-Identifier: Apache-2.0
// Registered functions about modules.
#ifndef REFERENCE_SRC_MODULE_MODULE_NATIVE_H_
#define REFERENCE_SRC_MODULE_MODULE_NATIVE_H_

#include "native/native.h"

// ffi.ModuleGetFunction, ffi.ModuleImplementsFunction, ffi.ModuleGetFunctionMetadata,
// ffi.ModuleGetFunctionDoc
NativeBody module_native_get_function, module_native_implements, module_native_get_metadata,
    module_native_get_doc;
// ffi.ModuleGetKind, ffi.ModuleGetPropertyMask, ffi.ModuleInspectSource
NativeBody module_native_get_kind, module_native_get_property_mask, module_native_inspect_source;
// ffi.ModuleGetWriteFormats, ffi.ModuleWriteToFile
NativeBody module_native_get_write_formats, module_native_write_to_file;
// ffi.ModuleImportModule, ffi.ModuleClearImports
NativeBody module_native_import, module_native_clear_imports;
// ffi.ModuleGlobalsAdd, ffi.ModuleGlobalsRemove
NativeBody module_native_add_global, module_native_remove_global;

#endif  // REFERENCE_SRC_MODULE_MODULE_NATIVE_H_
