// SPDX-License-Identifier: Apache-2.0
// Mutants of what loads modules: values and modules as a mutant sees them from outside.
#ifndef TVMFFI_CONFORMANCE_MUTANTS_LOADING_H_
#define TVMFFI_CONFORMANCE_MUTANTS_LOADING_H_

#include <dlfcn.h>

#include "mutants/registered.h"

// Borrow: the bytes of a text, in whatever form it is given.
static inline TVMFFIByteArray text_in(const TVMFFIAny *value)
{
  if (value->type_index == kTVMFFIRawStr)
    return (TVMFFIByteArray){value->v_c_str, strlen(value->v_c_str)};
  if (value->type_index == kTVMFFISmallStr)
    return (TVMFFIByteArray){value->v_bytes, value->small_str_len};
  if (value->type_index == kTVMFFIStr)
    return *(const TVMFFIByteArray *)((const char *)value->v_obj + sizeof(TVMFFIObject));
  return (TVMFFIByteArray){"", 0};
}

// The same as a C string, in memory that is never given back.
static inline const char *c_text_in(const TVMFFIAny *value)
{
  TVMFFIByteArray text = text_in(value);
  return strndup(text.data, text.size);
}

static inline int ends_with(const char *text, const char *end)
{
  size_t size = strlen(text), tail = strlen(end);
  return size >= tail && strcmp(text + size - tail, end) == 0;
}

// Whether an error of this kind is raised, which it then stays.
static inline int is_raised(const char *kind)
{
  TVMFFIObjectHandle error = NULL;
  TVMFFIErrorMoveFromRaised(&error);
  if (!error) return 0;
  const TVMFFIErrorCell *cell =
      (const TVMFFIErrorCell *)(const void *)((const char *)error + sizeof(TVMFFIObject));
  int same = cell->kind.size == strlen(kind) && memcmp(cell->kind.data, kind, cell->kind.size) == 0;
  TVMFFIErrorSetRaised(error);
  TVMFFIObjectDecRef(error);
  return same;
}

// Takes the raised error away.
static inline void forget_error(void)
{
  TVMFFIObjectHandle error = NULL;
  TVMFFIErrorMoveFromRaised(&error);
  if (error) TVMFFIObjectDecRef(error);
}

static inline TVMFFIAny none_value(void)
{
  return (TVMFFIAny){.type_index = kTVMFFINone};
}

static inline TVMFFIAny value_of_object(void *object)
{
  return (TVMFFIAny){.type_index = ((TVMFFIObject *)object)->type_index, .v_obj = object};
}

// What a module imports: the cell of the array; NULL for nothing.
static inline const TVMFFISeqCell *imports_in(const void *module)
{
  char *array = *(char *const *)(const void *)((const char *)module + sizeof(TVMFFIObject));
  if (!array) return NULL;
  const TVMFFISeqCell *cell = (const TVMFFISeqCell *)(void *)(array + sizeof(TVMFFIObject));
  return cell->size ? cell : NULL;
}

static inline void *import_in(const TVMFFISeqCell *imports, int64_t place)
{
  return ((const TVMFFIAny *)imports->data)[place].v_obj;
}

// Own: the function of this name in a module, or NULL.
static inline void *function_in(void *module, TVMFFIAny name, int imports)
{
  TVMFFIAny args[] = {value_of_object(module), name, {.type_index = kTVMFFIBool}};
  TVMFFIAny found = none_value();
  args[2].v_int64 = imports;
  registered_call_by_name("ffi.ModuleGetFunction", args, 3, &found);
  return found.type_index == kTVMFFIFunction ? found.v_obj : NULL;
}

// The handle of the module that a context stands for.
static inline void *module_of_context(void *context)
{
  return (char *)context + sizeof(void *);
}

// Puts `call`, whose self is the function in `*result`, in that function's place.
static inline void put_before(TVMFFIAny *result, TVMFFISafeCallType call)
{
  TVMFFIObjectHandle wrapper = NULL;
  if (result->type_index != kTVMFFIFunction) return;
  if (TVMFFIFunctionCreate(result->v_obj, call, NULL, &wrapper) == 0) result->v_obj = wrapper;
}

#endif  // TVMFFI_CONFORMANCE_MUTANTS_LOADING_H_
