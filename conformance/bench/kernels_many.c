// SPDX-License-Identifier: Apache-2.0
// Kernels with four parameters, as many as KERNELS says, 1, 300 or 1,000: mix_000(x, y, n, f) and so on,
// y = x * f + n for vectors of floats. Each checks all that there is to check.
#include <stdbool.h>
#include <tvm/ffi/c_api.h>

static int fail(const char *kind, const char *message)
{
  TVMFFIErrorSetRaisedFromCStr(kind, message);
  return -1;
}

static const DLTensor *tensor_of(const TVMFFIAny *value)
{
  if (value->type_index == kTVMFFIDLTensorPtr) return value->v_ptr;
  if (value->type_index != kTVMFFITensor) return NULL;
  return (const DLTensor *)(const void *)((const char *)value->v_obj + sizeof(TVMFFIObject));
}

static bool is_vector(const DLTensor *tensor)
{
  return tensor && tensor->device.device_type == kDLCPU && tensor->dtype.code == kDLFloat &&
         tensor->dtype.bits == 32 && tensor->dtype.lanes == 1 && tensor->ndim == 1 &&
         (!tensor->strides || tensor->shape[0] == 1 || tensor->strides[0] == 1) &&
         (tensor->data || tensor->shape[0] == 0);
}

static bool is_whole(const TVMFFIAny *value)
{
  return value->type_index == kTVMFFIInt || value->type_index == kTVMFFIBool;
}

static float *floats_of(const DLTensor *tensor)
{
  return (float *)(void *)((char *)tensor->data + tensor->byte_offset);
}

static int mix(const TVMFFIAny *args, int32_t num_args)
{
  if (num_args != 4) return fail("TypeError", "it takes 4 arguments: x, y, n, f");
  const DLTensor *x = tensor_of(&args[0]), *y = tensor_of(&args[1]);
  if (!x) return fail("TypeError", "x must be a tensor");
  if (!y) return fail("TypeError", "y must be a tensor");
  if (!is_whole(&args[2])) return fail("TypeError", "n must be an int");
  if (!is_whole(&args[3]) && args[3].type_index != kTVMFFIFloat)
    return fail("TypeError", "f must be a float");
  if (!is_vector(x)) return fail("ValueError", "x is not a vector of float32 on the CPU");
  if (!is_vector(y)) return fail("ValueError", "y is not a vector of float32 on the CPU");
  if (x->shape[0] != y->shape[0]) return fail("ValueError", "x and y differ in length");
  float n = (float)args[2].v_int64;
  float f = is_whole(&args[3]) ? (float)args[3].v_int64 : (float)args[3].v_float64;
  const float *from = floats_of(x);
  float *to = floats_of(y);
  for (int64_t i = 0; i < x->shape[0]; ++i) to[i] = from[i] * f + n;
  return 0;
}

#define KERNEL(number)                                                              \
  __attribute__((visibility("default"))) int __tvm_ffi_mix_##number(                \
      void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result);    \
  int __tvm_ffi_mix_##number(void *handle, const TVMFFIAny *args, int32_t num_args, \
                             TVMFFIAny *result)                                     \
  {                                                                                 \
    (void)handle, (void)result;                                                     \
    return mix(args, num_args);                                                     \
  }
// clang-format off
#define TEN(n)                                                              \
  KERNEL(n##0) KERNEL(n##1) KERNEL(n##2) KERNEL(n##3) KERNEL(n##4)          \
  KERNEL(n##5) KERNEL(n##6) KERNEL(n##7) KERNEL(n##8) KERNEL(n##9)
#define HUNDRED(n)                                                          \
  TEN(n##0) TEN(n##1) TEN(n##2) TEN(n##3) TEN(n##4)                         \
  TEN(n##5) TEN(n##6) TEN(n##7) TEN(n##8) TEN(n##9)
// clang-format on

#if KERNELS == 1
KERNEL(000)
#elif KERNELS == 300 || KERNELS == 1000
HUNDRED(0)
HUNDRED(1)
HUNDRED(2)
#if KERNELS == 1000
HUNDRED(3)
HUNDRED(4)
HUNDRED(5)
HUNDRED(6)
HUNDRED(7)
HUNDRED(8)
HUNDRED(9)
#endif
#else
#error "KERNELS is 1, 300 or 1000"
#endif
