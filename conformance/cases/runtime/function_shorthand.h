// SPDX-License-Identifier: Apache-2.0
// What nearly every case of the chapter function does, in one line each. For the main thread of a
// case: each of them ends the case if the library does not do what it should.
#ifndef TVMFFI_CONFORMANCE_CASES_RUNTIME_FUNCTION_SHORTHAND_H_
#define TVMFFI_CONFORMANCE_CASES_RUNTIME_FUNCTION_SHORTHAND_H_

#include "battery/battery.h"

// Own: a function that logs its calls, and its end, into `log`.
static inline TVMFFIObjectHandle new_logged_function(Iut *iut, CallLog *log)
{
  return new_function(iut, log, call_log_callee, call_log_delete);
}

// Own: the same with neither closure nor deleter; it logs into call_log_without_self.
static inline TVMFFIObjectHandle new_plain_function(Iut *iut)
{
  return new_function(iut, NULL, call_log_callee_without_self, NULL);
}

static inline void end_nothing(__attribute__((unused)) void *self)
{
}

// Own: a function that the library can't share with anybody, since it has a deleter; it logs into
// call_log_without_self.
static inline TVMFFIObjectHandle new_single_function(Iut *iut)
{
  return new_function(iut, NULL, call_log_callee_without_self, end_nothing);
}

// A byte array, fenced, over fenced data or, where there is none, over NULL.
static inline const TVMFFIByteArray *fenced_name(const char *data, size_t size)
{
  TVMFFIByteArray without_data = {NULL, 0};
  return data ? fenced_bytes(data, size)
              : fenced_copy("the byte array", &without_data, sizeof without_data);
}

// Enters a function under a name that is free.
static inline void enter_function(Iut *iut, const TVMFFIByteArray *name,
                                  TVMFFIObjectHandle function)
{
  require(expect_ok(iut, iut->FunctionSetGlobal(name, function, 0)));
}

// Own: what stands under the name; NULL if nothing does. The output holds another address before.
static inline TVMFFIObjectHandle look_up(Iut *iut, const TVMFFIByteArray *name)
{
  TVMFFIObjectHandle function = &function;
  require(expect_ok(iut, iut->FunctionGetGlobal(name, &function)));
  return function;
}

// The name leads to this function, NULL meaning that it is unknown. Leaves the counts as they were.
static inline bool expect_entered(Iut *iut, const TVMFFIByteArray *name,
                                  TVMFFIObjectHandle function)
{
  TVMFFIObjectHandle found = look_up(iut, name);
  bool good = expect_pointer("what the name leads to", found, function);
  if (good && found) release_object(iut, found);
  return good;
}

// Calls the function without arguments and wants success. Own: the result.
static inline TVMFFIAny call_without_arguments(Iut *iut, TVMFFIObjectHandle function)
{
  TVMFFIAny result = any_none();
  require(expect_ok(iut, iut->FunctionCall(function, NULL, 0, &result)));
  return result;
}

// A call returned `code`, what its callback returned: the very number if it is one that the
// documents name, else not 0.
static inline void expect_code(const char *what, int returned, int code)
{
  if (code >= -2 && code <= 0)
    expect_int(what, returned, code);
  else
    expect_that(returned != 0, "a code other than 0", "0");
}

// A value of these 16 bytes.
static inline TVMFFIAny value_of_bits(int32_t type_index, uint32_t padding, uint64_t payload)
{
  TVMFFIAny value = any_none();
  value.type_index = type_index;
  value.zero_padding = padding;
  value.v_uint64 = payload;
  return value;
}

#endif  // TVMFFI_CONFORMANCE_CASES_RUNTIME_FUNCTION_SHORTHAND_H_
