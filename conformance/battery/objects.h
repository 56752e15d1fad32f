// SPDX-License-Identifier: Apache-2.0
// Objects that the library under test makes, and the table of the kinds of objects. For the main
// thread of a case: a library that refuses to make one ends the case.
#ifndef TVMFFI_CONFORMANCE_BATTERY_OBJECTS_H_
#define TVMFFI_CONFORMANCE_BATTERY_OBJECTS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "battery/iut.h"

// --- Objects of a given content ------------------------------------------------------------------

// Own: a string or bytes object (kTVMFFIStr, kTVMFFIBytes) with this content, longer than 7 bytes.
TVMFFIAny new_text(Iut *iut, int32_t type_index, const char *text);
// Own: an error of these three texts.
TVMFFIObjectHandle new_error(Iut *iut, const char *kind, const char *message,
                             const char *backtrace);
// Own: the error in the slot of this thread, which must hold one.
TVMFFIObjectHandle take_raised_error(Iut *iut);
// Own: a function over this callback; `self` and `deleter` may be NULL.
TVMFFIObjectHandle new_function(Iut *iut, void *self, TVMFFISafeCallType callback,
                                void (*deleter)(void *self));
// Own: an opaque object over this pointer; `deleter` may be NULL.
TVMFFIObjectHandle new_opaque(Iut *iut, void *handle, void (*deleter)(void *handle));

// --- Objects of any content ----------------------------------------------------------------------
// All of one signature, for tables of cases. Own: a new object with one strong and one weak
// reference.

TVMFFIObjectHandle new_string_object(Iut *iut);
TVMFFIObjectHandle new_bytes_object(Iut *iut);
// The same, converted from a view of borrowed bytes.
TVMFFIObjectHandle new_string_object_of_view(Iut *iut);
TVMFFIObjectHandle new_bytes_object_of_view(Iut *iut);
TVMFFIObjectHandle new_error_object(Iut *iut);
TVMFFIObjectHandle new_error_object_with_cause(Iut *iut);
// Raised from C strings, and taken off the slot.
TVMFFIObjectHandle new_raised_error_object(Iut *iut);
TVMFFIObjectHandle new_big_integer_object(Iut *iut);
// Without `self` and deleter.
TVMFFIObjectHandle new_function_object(Iut *iut);
// The next six hold something whose destruction object_contents_destroyed counts.
TVMFFIObjectHandle new_closure_object(Iut *iut);
TVMFFIObjectHandle new_opaque_object(Iut *iut);
TVMFFIObjectHandle new_tensor_object(Iut *iut);
TVMFFIObjectHandle new_versioned_tensor_object(Iut *iut);
// A tensor that was exported and imported again, and a view of a tensor; each holds the only
// reference to the tensor that it was made of.
TVMFFIObjectHandle new_tensor_object_of_tensor(Iut *iut);
TVMFFIObjectHandle new_tensor_view_object(Iut *iut);

// How many contents of these objects have been destroyed in this process.
unsigned object_contents_destroyed(void);

// --- Kinds ---------------------------------------------------------------------------------------

// A type of objects. Rows of cases carry its name in their ids.
typedef struct ObjectKind {
  const char *name;
  int32_t type_index;
  TVMFFIObjectHandle (*make)(Iut *iut);  // NULL if `maker` makes it, or nothing does
  const char *maker;                     // the registered function that makes it, or NULL
  size_t arguments;                      // how many integers the maker takes
} ObjectKind;

// The rows of all types of objects that the ABI names, for a table of ObjectKind. A case about
// headers alone makes a probe object of the type index (new_probe_object_of).
#define OBJECT_KINDS                                          \
  OBJECT_KINDS_BUT_FUNCTION,                                  \
  {                                                           \
    "function", kTVMFFIFunction, new_function_object, NULL, 0 \
  }
#define OBJECT_KINDS_BUT_FUNCTION                                                             \
  {"object", kTVMFFIObject, NULL, "ffi.GetInvalidObject", 0},                                 \
      {"string", kTVMFFIStr, new_string_object, NULL, 0},                                     \
      {"bytes", kTVMFFIBytes, new_bytes_object, NULL, 0},                                     \
      {"error", kTVMFFIError, new_error_object, NULL, 0},                                     \
      {"shape", kTVMFFIShape, NULL, "ffi.Shape", 2},                                          \
      {"tensor", kTVMFFITensor, new_tensor_object, NULL, 0},                                  \
      {"array", kTVMFFIArray, NULL, "ffi.Array", 2}, {"map", kTVMFFIMap, NULL, "ffi.Map", 2}, \
      {"module", kTVMFFIModule, NULL, "ffi.SystemLib", 0},                                    \
      {"opaque", kTVMFFIOpaquePyObject, new_opaque_object, NULL, 0},                          \
      {"list", kTVMFFIList, NULL, "ffi.List", 2}, {"dict", kTVMFFIDict, NULL, "ffi.Dict", 2}, \
      {"visit-interrupt", kTVMFFIVisitInterrupt, NULL, "ffi.VisitInterrupt", 1},              \
  {                                                                                           \
    "big-integer", kTVMFFIBigInt, new_big_integer_object, NULL, 0                             \
  }

// Own: an object of this kind; the case does not apply to a library without the function that makes
// it. The library may hold references to it, too.
TVMFFIObjectHandle new_object_of_kind(Iut *iut, const ObjectKind *kind);
// Whether the library has the function that makes it.
bool can_make_object_of_kind(Iut *iut, const ObjectKind *kind);
// The case does not apply to a library whose version does not have this built-in type: a runtime may
// end the process when it looks up the key of a type that is not registered.
void require_type_index_of_version(const Iut *iut, int32_t type_index);

#endif  // TVMFFI_CONFORMANCE_BATTERY_OBJECTS_H_
