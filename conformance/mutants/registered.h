// SPDX-License-Identifier: Apache-2.0
// Mutants of functions that are reached by name. REGISTERED stands where OVERRIDE does for
// functions of the C API: it puts what follows under the name when the mutant is loaded.
//
//   #include "mutants/registered.h"
//
//   MUTANT(CON_17, "elements are counted from the last")
//   REGISTERED("ffi.ArraySize")
//   {
//     int status = ORIGINAL(args, num_args, result);
//     if (status == 0) --result->v_int64;
//     return status;
//   }
//
// ORIGINAL is the function that stood there, with the arguments of a safe call. UNREGISTERED takes
// a name out of the table.
#ifndef TVMFFI_CONFORMANCE_MUTANTS_REGISTERED_H_
#define TVMFFI_CONFORMANCE_MUTANTS_REGISTERED_H_

#include "mutants/mutant.h"

#define REGISTERED_UNUSED_ __attribute__((unused))
#define REGISTERED_PARAMETERS_(unused)                                          \
  unused void *original, unused const TVMFFIAny *args, unused int32_t num_args, \
      unused TVMFFIAny *result

#define REGISTERED(name) REGISTERED_NUMBERED_(name, __COUNTER__)
#define REGISTERED_NUMBERED_(name, number) REGISTERED_AS_(name, number)
#define REGISTERED_AS_(name, number)                                                    \
  static int registered_call_##number(void *, const TVMFFIAny *, int32_t, TVMFFIAny *); \
  __attribute__((constructor)) static void registered_enter_##number(void)              \
  {                                                                                     \
    registered_replace(name, registered_call_##number);                                 \
  }                                                                                     \
  static int registered_call_##number(REGISTERED_PARAMETERS_(REGISTERED_UNUSED_))

#define ORIGINAL(args, num_args, result) registered_call(original, args, num_args, result)

#define UNREGISTERED(name) UNREGISTERED_NUMBERED_(name, __COUNTER__)
#define UNREGISTERED_NUMBERED_(name, number) UNREGISTERED_AS_(name, number)
#define UNREGISTERED_AS_(name, number)                                     \
  __attribute__((constructor)) static void registered_leave_##number(void) \
  {                                                                        \
    registered_remove(name);                                               \
  }                                                                        \
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

// The reference to what stood there is kept for ever.
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

// Raises an error in place of any other, and returns -1.
static inline int fail(const char *kind, const char *message)
{
  TVMFFIErrorSetRaisedFromCStr(kind, message);
  return -1;
}

static inline int is_object(const TVMFFIAny *value)
{
  return value->type_index >= kTVMFFIStaticObjectBegin;
}

#endif  // TVMFFI_CONFORMANCE_MUTANTS_REGISTERED_H_
