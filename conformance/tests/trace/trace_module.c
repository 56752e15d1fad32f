// SPDX-License-Identifier: Apache-2.0
// A module for trace_bugs and trace_recorded: a function that should ask for the stream, one that
// computes, and a deleter.
#include <stdbool.h>

#include "abi/abi.h"

#define EXPORTED __attribute__((visibility("default")))

EXPORTED TVMFFIStreamHandle (*trace_module_stream)(int32_t device_type, int32_t device_id);

EXPORTED int __tvm_ffi_kernel(void *self, const TVMFFIAny *args, int32_t num_args,
                              TVMFFIAny *result)
{
  (void)self, (void)args, (void)num_args, (void)result;
  if (trace_module_stream) trace_module_stream(kDLCUDA, 0);
  return 0;
}

// The second tensor is the first one times a number.
EXPORTED int __tvm_ffi_scale(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self, (void)num_args, (void)result;
  const DLTensor *in = (const DLTensor *)(args[0].v_obj + 1);
  const DLTensor *out = (const DLTensor *)(args[1].v_obj + 1);
  for (int64_t i = 0; i < in->shape[0]; ++i)
    ((float *)out->data)[i] = ((float *)in->data)[i] * (float)args[2].v_int64;
  return 0;
}

// A function as C++ code makes one: it can be called in two ways.
static int answer_by_code(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self, (void)num_args;
  *result = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = args[0].v_int64 + 1};
  return 0;
}

static void answer_by_cpp(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  answer_by_code(self, args, num_args, result);
}

static void keep(void *self, int flags)
{
  (void)self, (void)flags;
}

static struct {
  TVMFFIObject header;
  TVMFFIFunctionCell cell;
} native = {{UINT64_C(0x100000002), kTVMFFIFunction, 0, {.deleter = keep}},
            {answer_by_code, (void *)(uintptr_t)answer_by_cpp}};

EXPORTED int __tvm_ffi_native(void *self, const TVMFFIAny *args, int32_t num_args,
                              TVMFFIAny *result)
{
  (void)self, (void)args, (void)num_args;
  *result = (TVMFFIAny){.type_index = kTVMFFIFunction, .v_obj = &native.header};
  return 0;
}

EXPORTED void trace_module_deleter(void *self, int flags)
{
  (void)self, (void)flags;
}
