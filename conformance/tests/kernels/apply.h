// SPDX-License-Identifier: Apache-2.0
// apply(f, t, x, y): y = f(x, t) for vectors of doubles, element by element. A file that includes it says
// what is wrong with it.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_APPLY_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_APPLY_H_

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

// What f is given: an element.
#ifndef GIVEN
#define GIVEN(value) (value)
#endif
#ifndef COUNT
#define COUNT 2
#endif
// What becomes of the code of f.
#ifndef CODE
#define CODE(code) (code)
#endif
#ifndef IS_NUMBER
#define IS_NUMBER(value) ((value).type_index == kTVMFFIFloat)
#endif
// Statements around the calls.
#ifndef BEFORE
#define BEFORE (void)0
#endif
#ifndef AFTER
#define AFTER (void)0
#endif
// The object that is handed to f besides.
#ifndef HAND_OVER
#define HAND_OVER args[1].v_obj
#endif

static int apply_fail(const char *kind, const char *message)
{
  TVMFFIErrorSetRaisedFromCStr(kind, message);
  return -1;
}

static const DLTensor *apply_tensor(const TVMFFIAny *arg)
{
  if (arg->type_index == kTVMFFITensor)
    return (const DLTensor *)(const void *)((const char *)arg->v_obj + sizeof(TVMFFIObject));
  return arg->type_index == kTVMFFIDLTensorPtr ? arg->v_ptr : NULL;
}

static bool apply_is_good(const DLTensor *tensor)
{
  return tensor && tensor->device.device_type == kDLCPU && tensor->ndim == 1 &&
         tensor->dtype.code == kDLFloat && tensor->dtype.bits == 64 && tensor->dtype.lanes == 1 &&
         (!tensor->strides || tensor->strides[0] == 1 || tensor->shape[0] <= 1) &&
         (tensor->data || tensor->shape[0] == 0);
}

static double *apply_data(const DLTensor *tensor)
{
  return (double *)(void *)((char *)tensor->data + tensor->byte_offset);
}

__attribute__((visibility("default"))) int __tvm_ffi_apply(void *handle, const TVMFFIAny *args,
                                                           int32_t num_args, TVMFFIAny *result);

int __tvm_ffi_apply(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  TVMFFIAny given[3];
  (void)handle;
  (void)result;
  if (num_args != 4) return apply_fail("TypeError", "apply takes 4 arguments");
  if (args[0].type_index != kTVMFFIFunction)
    return apply_fail("TypeError", "f has to be a function");
  if (args[1].type_index != kTVMFFIShape) return apply_fail("TypeError", "t has to be a shape");
  const DLTensor *x = apply_tensor(&args[2]), *y = apply_tensor(&args[3]);
  if (!x) return apply_fail("TypeError", "x has to be a tensor");
  if (!y) return apply_fail("TypeError", "y has to be a tensor");
  if (!apply_is_good(x)) return apply_fail("ValueError", "x has to be a compact vector");
  if (!apply_is_good(y)) return apply_fail("ValueError", "y has to be a compact vector");
  if (x->shape[0] != y->shape[0]) return apply_fail("ValueError", "x and y differ in length");
  BEFORE;
  for (int64_t i = 0; i < x->shape[0]; ++i) {
    TVMFFIAny out;
    memset(given, 0, sizeof given);
    memset(&out, 0, sizeof out);
    given[0].type_index = kTVMFFIFloat;
    given[0].v_float64 = GIVEN(apply_data(x)[i]);
    given[1].type_index = kTVMFFIShape;
    given[1].v_obj = HAND_OVER;
    int code = CODE(TVMFFIFunctionCall(args[0].v_obj, given, COUNT, &out));
    if (code != 0) return code;
    const bool number = IS_NUMBER(out);
    const double value = out.v_float64;
    if (!number && out.type_index >= kTVMFFIStaticObjectBegin) TVMFFIObjectDecRef(out.v_obj);
    if (!number) return apply_fail("TypeError", "f has to return a float");
    apply_data(y)[i] = value;
  }
  AFTER;
  return 0;
}

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_APPLY_H_
