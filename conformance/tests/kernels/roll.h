// SPDX-License-Identifier: Apache-2.0
// roll(x, out): out[i] = x[i + 1], and x[0] behind; out may be x, and is returned. A file that includes it
// says what is wrong with it.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_ROLL_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_ROLL_H_

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

#ifndef ROLL_INTO
#define ROLL_INTO(out, x, n) roll_into(out, x, n)
#endif
#ifndef ROLL_RESULT
#define ROLL_RESULT(x, out) (out)
#endif

static int roll_fail(const char *kind, const char *message)
{
  TVMFFIErrorSetRaisedFromCStr(kind, message);
  return -1;
}

static const DLTensor *roll_tensor(const TVMFFIAny *value)
{
  return (const DLTensor *)(const void *)((const char *)value->v_obj + sizeof(TVMFFIObject));
}

static bool roll_takes(const DLTensor *x)
{
  return x->ndim == 1 && x->dtype.code == kDLFloat && x->dtype.bits == 32 && x->dtype.lanes == 1 &&
         x->device.device_type == kDLCPU && (x->shape[0] == 0 || x->data) &&
         (x->shape[0] < 2 || !x->strides || x->strides[0] == 1);
}

__attribute__((unused)) static void roll_into(float *out, const float *x, int64_t n)
{
  const float first = x[0];
  for (int64_t i = 0; i + 1 < n; ++i) out[i] = x[i + 1];
  out[n - 1] = first;
}

__attribute__((visibility("default"))) int __tvm_ffi_roll(void *handle, const TVMFFIAny *args,
                                                          int32_t num_args, TVMFFIAny *result);

int __tvm_ffi_roll(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)handle;
  if (num_args != 2) return roll_fail("TypeError", "roll takes 2 arguments, x and out");
  if (args[0].type_index != kTVMFFITensor) return roll_fail("TypeError", "x must be a tensor");
  if (args[1].type_index != kTVMFFITensor) return roll_fail("TypeError", "out must be a tensor");
  const DLTensor *x = roll_tensor(&args[0]), *out = roll_tensor(&args[1]);
  if (!roll_takes(x)) return roll_fail("ValueError", "x must be a compact vector of float32");
  if (!roll_takes(out)) return roll_fail("ValueError", "out must be a compact vector of float32");
  if (x->shape[0] != out->shape[0]) return roll_fail("ValueError", "out must be as long as x");
  if (x->shape[0] > 0)
    ROLL_INTO((float *)(void *)((char *)out->data + out->byte_offset),
              (const float *)(const void *)((const char *)x->data + x->byte_offset), x->shape[0]);
  *result = ROLL_RESULT(args[0], args[1]);
  TVMFFIObjectIncRef(result->v_obj);
  return 0;
}

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_ROLL_H_
