// SPDX-License-Identifier: Apache-2.0
// Loading modules and looking into them, through the functions that a runtime registers. For the
// main thread of a case: what must succeed ends the case if it does not.
#ifndef TVMFFI_CONFORMANCE_CASES_RUNTIME_MODULE_LOADING_H_
#define TVMFFI_CONFORMANCE_CASES_RUNTIME_MODULE_LOADING_H_

#include "battery/carrier.h"
#include "cases/runtime/container_calling.h"

// What `self` of the carrier gives; that of node 3 gives 3.
enum { CARRIER_SELF = 100 };

// Loads a library, given its path and a string that may be empty.
static const char so_loader[] = "ffi.Module.load_from_file.so";
// Chooses a loader by the extension of a path.
static const char load_from_file[] = "ffi.ModuleLoadFromFile";

// --- Loading -------------------------------------------------------------------------------------

// Own: the module of the library at this path, loaded as the public document does it.
#define load_path(...) load_path_(EXPECT_HERE_, __VA_ARGS__)
static inline TVMFFIObjectHandle load_path_(const char *at, Iut *iut, const char *path)
{
  TVMFFIObjectHandle module =
      object_of_(at, iut, so_loader,
                 VALUES(view_of_raw_string(fenced_string(path)), view_of_small_string("")));
  require(expect_int_(at, "type index of what was loaded", object_type_index(iut, module),
                      kTVMFFIModule));
  return module;
}

// Own: the module of one of the libraries that the suite brings.
#define load_library(iut, file) load_path(iut, library_path_of(file))

// Own: the module of node `number`.
static inline TVMFFIObjectHandle load_node(Iut *iut, int number)
{
  char file[16] = "node_";
  file[5] = number < 10 ? (char)('0' + number) : '1';
  strcpy(file + 6, number < 10 ? ".so" : "0.so");
  if (number >= 10) file[6] = (char)('0' + number % 10);
  return load_library(iut, file);
}

// The code of an attempt to load the library at this path. Own: the module, if it succeeds.
static inline int try_to_load(Iut *iut, const char *path, TVMFFIObjectHandle *module)
{
  TVMFFIAny result = any_none();
  int code = call_registered(iut, &result, so_loader,
                             VALUES(view_of_raw_string(path), view_of_small_string("")));
  *module = result.type_index >= kTVMFFIStaticObjectBegin ? result.v_obj : NULL;
  return code;
}

// --- Functions of modules ------------------------------------------------------------------------

// What one of the functions ffi.Module... says about a name in a module. Own.
static inline TVMFFIAny ask_module(Iut *iut, const char *registered_name, TVMFFIObjectHandle module,
                                   TVMFFIAny name, bool imports)
{
  return value_of(iut, registered_name,
                  VALUES(view_of_object(iut, module), name, view_of_bool(imports)));
}

// Own: the function of this name, or NULL.
static inline TVMFFIObjectHandle find_in(Iut *iut, TVMFFIObjectHandle module, TVMFFIAny name,
                                         bool imports)
{
  TVMFFIAny found = ask_module(iut, "ffi.ModuleGetFunction", module, name, imports);
  if (found.type_index == kTVMFFINone) return NULL;
  require(expect_type_index(&found, kTVMFFIFunction));
  return found.v_obj;
}

static inline TVMFFIObjectHandle find_function(Iut *iut, TVMFFIObjectHandle module,
                                               const char *name, bool imports)
{
  return find_in(iut, module, view_of_raw_string(fenced_string(name)), imports);
}

// The integer that a function gives without arguments.
#define integer_of(...) integer_of_(EXPECT_HERE_, __VA_ARGS__)
static inline int64_t integer_of_(const char *at, Iut *iut, TVMFFIObjectHandle function)
{
  TVMFFIAny result = any_none();
  require(expect_ok_(at, iut, iut->FunctionCall(function, NULL, 0, &result)));
  require(expect_type_index_(at, &result, kTVMFFIInt));
  return result.v_int64;
}

// The module has a function of this name, and it gives this integer.
// bool expect_function(Iut *iut, handle module, const char *name, bool imports,
//                      int64_t expected)
#define expect_function(...) expect_function_(EXPECT_HERE_, __VA_ARGS__)
static inline bool expect_function_(const char *at, Iut *iut, TVMFFIObjectHandle module,
                                    const char *name, bool imports, int64_t expected)
{
  TVMFFIObjectHandle function = find_function(iut, module, name, imports);
  if (!expect_that_(at, function != NULL, "a function of the module", "`%s` is not found", name))
    return false;
  int64_t seen = integer_of_(at, iut, function);
  release_object(iut, function);
  return expect_int_(at, name, seen, expected);
}

// The module has no function of this name.
#define expect_no_function(...) expect_no_function_(EXPECT_HERE_, __VA_ARGS__)
static inline bool expect_no_function_(const char *at, Iut *iut, TVMFFIObjectHandle module,
                                       TVMFFIAny name, bool imports)
{
  TVMFFIAny found = ask_module(iut, "ffi.ModuleGetFunction", module, name, imports);
  bool holds = expect_that_(at, found.type_index == kTVMFFINone, "None: no such function",
                            "type index %" PRId32, found.type_index);
  release_any(iut, &found);
  return holds;
}

// --- Imports -------------------------------------------------------------------------------------

static inline void import_module(Iut *iut, TVMFFIObjectHandle importer, TVMFFIObjectHandle imported)
{
  TVMFFIAny nothing =
      value_of(iut, "ffi.ModuleImportModule",
               VALUES(view_of_object(iut, importer), view_of_object(iut, imported)));
  release_any(iut, &nothing);
}

// The description of the field imports_.
static inline const TVMFFIFieldInfo *imports_field(Iut *iut)
{
  const TVMFFITypeInfo *info = iut->GetTypeInfo(kTVMFFIModule);
  require(expect_not_null("the type information of ffi.Module", info));
  for (int32_t i = 0; i < info->num_fields; ++i) {
    TVMFFIByteArray name = info->fields[i].name;
    if (name.size == 8 && memcmp(name.data, "imports_", 8) == 0) return &info->fields[i];
  }
  expect_that(false, "a field imports_ of ffi.Module", "no such field");
  case_end_unsatisfied();
}

// Own: the array of what a module imports, as the field says; NULL if the field says None.
static inline TVMFFIObjectHandle imports_of(Iut *iut, TVMFFIObjectHandle module)
{
  const TVMFFIFieldInfo *field = imports_field(iut);
  TVMFFIAny imports = any_none();
  require(expect_ok(iut, field->getter((char *)module + field->offset, &imports)));
  if (imports.type_index == kTVMFFINone) return NULL;
  require(expect_type_index(&imports, kTVMFFIArray));
  return imports.v_obj;
}

static inline int64_t number_of_imports(Iut *iut, TVMFFIObjectHandle module)
{
  TVMFFIObjectHandle imports = imports_of(iut, module);
  if (!imports) return 0;
  int64_t number = sequence_cell(iut, imports)->size;
  release_object(iut, imports);
  return number;
}

// Borrow from the module: its import of this place.
static inline TVMFFIObjectHandle import_at(Iut *iut, TVMFFIObjectHandle module, int64_t place)
{
  int64_t number = number_of_imports(iut, module);
  require(expect_that(place < number, "a place among the imports", "place %" PRId64 " of %" PRId64,
                      place, number));
  TVMFFIObjectHandle imports = imports_of(iut, module);
  TVMFFIAny import = sequence_elements(iut, imports)[place];
  release_object(iut, imports);
  require(expect_type_index(&import, kTVMFFIModule));
  return import.v_obj;
}

#endif  // TVMFFI_CONFORMANCE_CASES_RUNTIME_MODULE_LOADING_H_
