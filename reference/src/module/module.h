// SPDX-License-Identifier: Apache-2.0
// Module objects: those of this runtime, and those of classes that were compiled from C++ headers.
#ifndef REFERENCE_SRC_MODULE_MODULE_H_
#define REFERENCE_SRC_MODULE_MODULE_H_

#include <stdbool.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_module.h>

#include "core/nest.h"

// A module as compiled code knows it: what C++ takes for its address stands in front of the header
// that handles point to. The fields are read and changed with the lock.
typedef struct {
  const void *vtable;
  TVMFFIObject header;
  TVMFFIObject *imports;  // own: an array of modules; may be NULL
  TVMFFIObject *found;  // own: what was found for generated code, see module_context.c; may be NULL
} ModuleObject;

// A module of this runtime. It ends in `module_end`.
typedef struct {
  ModuleObject base;
  tvmffi_module_kind kind;
  void *self;
} ModuleOwn;

static inline ModuleObject *module_of(TVMFFIObject *module)
{
  return (ModuleObject *)((char *)module - offsetof(ModuleObject, header));
}

// Returns the module if it is one of this runtime, else NULL. Borrow.
ModuleOwn *module_own(TVMFFIObject *module);

// Guards the fields of modules and what else this chapter has in common. Nothing is called that may
// be foreign while it is held, nor the dynamic linker.
void module_lock(void);
void module_unlock(void);

// Adds a reference unless the module is about to end. Returns false then.
bool module_try_retain(TVMFFIObject *module);

// Raises an error unless something is there already. Returns -1.
// what: of which it is said that it failed without an error.
int module_failed(const char *what, const TVMFFIByteArray *name);

//--------------------------------------------------------------------------------------------------
// What modules can do. They return 0; -1 with an error. Modules are borrowed.
//--------------------------------------------------------------------------------------------------

// Finds a function of the module itself. out: own; NULL for none.
int module_get_function(TVMFFIObject *module, const TVMFFIByteArray *name, TVMFFIObject **out);

// Tells whether it has the function. out: 0 or 1.
int module_implements_function(TVMFFIObject *module, const TVMFFIByteArray *name, int *out);

// Find what is known of a function. out: own; None for nothing.
int module_get_metadata(TVMFFIObject *module, const TVMFFIByteArray *name, TVMFFIAny *out);
int module_get_doc(TVMFFIObject *module, const TVMFFIByteArray *name, TVMFFIAny *out);

// out: own, a string.
int module_get_kind(TVMFFIObject *module, TVMFFIAny *out);
int module_inspect_source(TVMFFIObject *module, const TVMFFIByteArray *format, TVMFFIAny *out);
int module_get_property_mask(TVMFFIObject *module, int64_t *out);
// out: own, an array of strings.
int module_get_write_formats(TVMFFIObject *module, TVMFFIObject **out);
int module_write_to_file(TVMFFIObject *module, const TVMFFIByteArray *file,
                         const TVMFFIByteArray *format);

//--------------------------------------------------------------------------------------------------
// Imports
//--------------------------------------------------------------------------------------------------

// Returns the imports as they are now. Own: an array; NULL for none.
TVMFFIObject *module_imports(TVMFFIObject *module);

// Replaces the imports. Returns own: the old ones; may be NULL.
// imports: own, an array; may be NULL.
TVMFFIObject *module_exchange_imports(TVMFFIObject *module, TVMFFIObject *imports);

// Appends an import. Returns 0; -1 with RuntimeError if there would be a cycle, with InternalError
// if there is no memory.
int module_import(TVMFFIObject *module, TVMFFIObject *other);

//--------------------------------------------------------------------------------------------------
// The end
//--------------------------------------------------------------------------------------------------

// Drops what a dead module of this runtime holds.
void module_end(TVMFFIObject *module, Nest *nest);

#endif  // REFERENCE_SRC_MODULE_MODULE_H_
