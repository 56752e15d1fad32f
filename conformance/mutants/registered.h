// SPDX-License-Identifier: Apache-2.0
// Mutants of functions that are reached by name: they put another under the name when the library is
// loaded.
//
//   #include "mutants/registered.h"
//
//   MUTANT_REGISTERED(CON_17, from_the_last, "ffi.ArraySize", "elements are counted from the last")
//   {
//     int status = ORIGINAL(args, num_args, result);
//     if (status == 0) --result->v_int64;
//     return status;
//   }
//
// ORIGINAL is the function that stood there, with the arguments of a safe call: args, num_args,
// result. MUTANT_UNREGISTERED(CLAUSE, name, "ffi.Name", "title"); takes a name out of the table.
// ALSO_REGISTERED and ALSO_UNREGISTERED add one to a mutant.
#ifndef TVMFFI_CONFORMANCE_MUTANTS_REGISTERED_H_
#define TVMFFI_CONFORMANCE_MUTANTS_REGISTERED_H_

#include "mutants/mutant.h"

#define MUTANT_REGISTERED(clause, name, registered, title) \
  MUTANT_TITLE_(clause, clause##_##name, title)            \
  ALSO_REGISTERED(clause, name, registered)
#define ALSO_REGISTERED(clause, name, registered) REGISTERED_(clause, name, registered, __COUNTER__)
#define REGISTERED_(clause, name, registered, number) \
  REGISTERED_NUMBERED_(clause, name, registered, number)
#define REGISTERED_NUMBERED_(clause, name, registered, number)                                 \
  static int registered_call_##number(void *, const TVMFFIAny *, int32_t, TVMFFIAny *);        \
  AT_LOAD(clause, name)                                                                        \
  {                                                                                            \
    registered_replace(registered, registered_call_##number);                                  \
  }                                                                                            \
  static int registered_call_##number(void *original, const TVMFFIAny *args, int32_t num_args, \
                                      TVMFFIAny *result)

#define ORIGINAL(args, num_args, result) registered_call(original, args, num_args, result)

#define MUTANT_UNREGISTERED(clause, name, registered, title) \
  MUTANT_TITLE_(clause, clause##_##name, title)              \
  ALSO_UNREGISTERED(clause, name, registered)
#define ALSO_UNREGISTERED(clause, name, registered) \
  AT_LOAD(clause, name)                             \
  {                                                 \
    registered_remove(registered);                  \
  }                                                 \
  _Static_assert(1, "")

static inline int registered_call(void *function, const TVMFFIAny *args, int32_t num_args,
                                  TVMFFIAny *result)
{
  TVMFFIAny *writable;
  memcpy(&writable, &args, sizeof writable);
  return TVMFFIFunctionCall(function, writable, num_args, result);
}

// Own: the function of this name, or NULL.
static inline void *registered_find(const char *name)
{
  TVMFFIByteArray text = {name, strlen(name)};
  TVMFFIObjectHandle function = NULL;
  TVMFFIFunctionGetGlobal(&text, &function);
  return function;
}

// Calls another function by name.
static inline int registered_call_by_name(const char *name, const TVMFFIAny *args, int32_t num_args,
                                          TVMFFIAny *result)
{
  void *function = registered_find(name);
  int status = registered_call(function, args, num_args, result);
  TVMFFIObjectDecRef(function);
  return status;
}

// The reference to what stood there has static lifetime.
static inline void registered_replace(const char *name, TVMFFISafeCallType call)
{
  TVMFFIByteArray text = {name, strlen(name)};
  TVMFFIObjectHandle wrapper = NULL;
  void *original = registered_find(name);
  if (!original || TVMFFIFunctionCreate(original, call, NULL, &wrapper) != 0) return;
  TVMFFIFunctionSetGlobal(&text, wrapper, 1);
  TVMFFIObjectDecRef(wrapper);
}

static inline void registered_remove(const char *name)
{
  TVMFFIAny text = {.type_index = kTVMFFIRawStr, .v_c_str = name}, result = {0};
  registered_call_by_name("ffi.FunctionRemoveGlobal", &text, 1, &result);
}

static inline int is_object(const TVMFFIAny *value)
{
  return value->type_index >= kTVMFFIStaticObjectBegin;
}

#endif  // TVMFFI_CONFORMANCE_MUTANTS_REGISTERED_H_
