// SPDX-License-Identifier: Apache-2.0
// What the files of trace_bugs share.
#ifndef TVMFFI_CONFORMANCE_TESTS_TRACE_BUGS_H_
#define TVMFFI_CONFORMANCE_TESTS_TRACE_BUGS_H_

#include <stdbool.h>

#include "abi/abi.h"

extern AbiApi api;  // of the runtime

// The handle of a library; the program ends if there is none.
void *open_library(const char *path);

// A function object with this code.
TVMFFIObjectHandle make(TVMFFISafeCallType code);
int take_anything(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result);

// Through the cell, as C++ and Rust call.
int call_in_place(TVMFFIObjectHandle function, TVMFFIAny *args, int32_t num_args,
                  TVMFFIAny *result);

void forget_error(void);

// Raises an error, and returns the code.
int fail(int code);

// Nothing is mapped as low.
static inline void *unmapped(void)
{
  return (void *)(uintptr_t)0x2468;
}

extern TVMFFIObject static_object;
int give_object(TVMFFIAny *result, int32_t type, TVMFFIObject *object);

// A deleter of what is not to be freed.
void keep(void *self, int flags);

DLTensor right_tensor(void);

// Another runtime, which makes mistakes or does not.
extern AbiApi wrong_api;
void choose_runtime(bool wrong);

// A call is made by the function with the mistake, so each has its own.
#define ARGUMENT(name, ...)                                         \
  __attribute__((noinline)) void name(bool wrong)                   \
  {                                                                 \
    TVMFFIObjectHandle function = make(take_anything);              \
    TVMFFIAny argument = {.type_index = kTVMFFINone}, result = {0}; \
    __VA_ARGS__;                                                    \
    (void)!api.FunctionCall(function, &argument, 1, &result);       \
    api.ObjectDecRef(function);                                     \
  }

// Whether a function that is called is to make its mistake.
extern bool wrong_now;

// The mistake is made by a function, which is called in both ways.
#define RESULT(name, ...)                                                                   \
  __attribute__((noinline)) static int name##_code(void *self, const TVMFFIAny *args,       \
                                                   int32_t num_args, TVMFFIAny *result)     \
  {                                                                                         \
    bool wrong = wrong_now;                                                                 \
    (void)self, (void)args, (void)num_args, (void)wrong, (void)result;                      \
    __VA_ARGS__;                                                                            \
  }                                                                                         \
  void name(bool wrong)                                                                     \
  {                                                                                         \
    for (int way = 0; way < 2; ++way) {                                                     \
      TVMFFIObjectHandle function = make(name##_code);                                      \
      TVMFFIAny argument = {.type_index = kTVMFFIInt}, result = {0};                        \
      wrong_now = wrong;                                                                    \
      int code = (way ? call_in_place : api.FunctionCall)(function, &argument, 1, &result); \
      if (code != 0) forget_error();                                                        \
      api.ObjectDecRef(function);                                                           \
    }                                                                                       \
  }

// The mistakes, or their right twins.
#define BUG(name, ...) void name(bool wrong);
#define DEEP_BUGS
#include "tests/trace/trace_bugs.def"

#endif  // TVMFFI_CONFORMANCE_TESTS_TRACE_BUGS_H_
