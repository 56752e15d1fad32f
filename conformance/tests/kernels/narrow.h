// SPDX-License-Identifier: Apache-2.0
// narrow(x, keys, y, sums, order): x of float16 within -200 and 200, the sums of its rows, and the order of
// some keys. A file that includes it says what is wrong with it.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_NARROW_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_NARROW_H_

#include <stdbool.h>
#include <stdint.h>
#include <tvm/ffi/c_api.h>

#ifndef CLIPPED
#define CLIPPED(half) narrow_clip(half)
#endif
// What is kept of a sum.
#ifndef SUM
#define SUM(sum) (sum)
#endif
// Whether a key comes before another one that stands in front of it.
#ifndef BEFORE
#define BEFORE(a, b) ((a) < (b))
#endif

static double narrow_number(uint16_t half)
{
  const int exponent = half >> 10 & 31;
  double number = exponent ? 1024 + (half & 1023) : half & 1023;
  for (int i = exponent ? exponent : 1; i < 25; ++i) number /= 2;
  for (int i = 25; i < exponent; ++i) number *= 2;
  return half & 0x8000 ? -number : number;
}

// The nearest that is not larger; of positive ones.
__attribute__((unused)) static uint16_t narrow_half(double number)
{
  uint16_t half = 0;
  if (number < 0) return (uint16_t)(narrow_half(-number) | 0x8000);
  for (uint16_t bit = 0x4000; bit; bit >>= 1)
    if ((half | bit) < 0x7c00 && narrow_number(half | bit) <= number) half |= bit;
  return half;
}

__attribute__((unused)) static uint16_t narrow_clip(uint16_t half)
{
  const uint16_t most = 0x5a40;  // 200
  if ((half & 0x7fff) <= most || (half & 0x7fff) > 0x7c00) return half;
  return (half & 0x8000) | most;
}

static const DLTensor *narrow_tensor(const TVMFFIAny *arg, DLDataType dtype, int32_t rank)
{
  const DLTensor *tensor = arg->v_ptr;
  if (arg->type_index == kTVMFFITensor)
    tensor = (const DLTensor *)(const void *)((const char *)arg->v_ptr + sizeof(TVMFFIObject));
  else if (arg->type_index != kTVMFFIDLTensorPtr)
    return NULL;
  if (!tensor || tensor->ndim != rank || tensor->device.device_type != kDLCPU ||
      tensor->dtype.code != dtype.code || tensor->dtype.bits != dtype.bits ||
      tensor->dtype.lanes != 1)
    return NULL;
  int64_t stride = 1;
  for (int32_t k = rank; tensor->strides && k-- > 0; stride *= tensor->shape[k])
    if (stride && tensor->shape[k] > 1 && tensor->strides[k] != stride) return NULL;
  return tensor;
}

static void *narrow_data(const DLTensor *tensor)
{
  return (char *)tensor->data + tensor->byte_offset;
}

static void narrow_sort(const int32_t *keys, int64_t *order, int64_t n)
{
  for (int64_t i = 0; i < n; ++i) {
    int64_t at = i;
    for (; at > 0 && BEFORE(keys[i], keys[order[at - 1]]); --at) order[at] = order[at - 1];
    order[at] = i;
  }
}

static int narrow_fail(const char *kind, const char *message)
{
  TVMFFIErrorSetRaisedFromCStr(kind, message);
  return -1;
}

TVM_FFI_DLL_EXPORT int __tvm_ffi_narrow(void *self, const TVMFFIAny *args, int32_t num_args,
                                        TVMFFIAny *result)
{
  static const struct {
    DLDataType dtype;
    int32_t rank;
  } stated[] = {{{kDLFloat, 16, 1}, 2},
                {{kDLInt, 32, 1}, 1},
                {{kDLFloat, 16, 1}, 2},
                {{kDLFloat, 32, 1}, 1},
                {{kDLInt, 64, 1}, 1}};
  const DLTensor *t[5];
  (void)self;
  if (num_args != 5) return narrow_fail("TypeError", "narrow takes 5 arguments");
  for (int i = 0; i < 5; ++i)
    if (!(t[i] = narrow_tensor(&args[i], stated[i].dtype, stated[i].rank)))
      return narrow_fail("TypeError", "x, keys, y, sums or order is no such tensor");
  for (int i = 0; i < 5; ++i)
    if (!t[i]->data && t[i]->shape[0] && (t[i]->ndim < 2 || t[i]->shape[1]))
      return narrow_fail("ValueError", "x, keys, y, sums or order has no data");
  const int64_t m = t[0]->shape[0], n = t[0]->shape[1];
  if (t[1]->shape[0] != n || t[2]->shape[0] != m || t[2]->shape[1] != n || t[3]->shape[0] != m ||
      t[4]->shape[0] != n)
    return narrow_fail("ValueError", "the shapes of x, keys, y, sums and order do not agree");
  const uint16_t *x = narrow_data(t[0]);
  uint16_t *y = narrow_data(t[2]);
  float *sums = narrow_data(t[3]);
  for (int64_t i = 0; i < m; ++i) {
    double sum = 0;
    for (int64_t j = 0; j < n; ++j) {
      sum = SUM(sum + narrow_number(x[i * n + j]));
      y[i * n + j] = (uint16_t)(CLIPPED(x[i * n + j]));
    }
    sums[i] = (float)sum;
  }
  narrow_sort(narrow_data(t[1]), narrow_data(t[4]), n);
  *result = (TVMFFIAny){.type_index = kTVMFFINone};
  return 0;
}

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_NARROW_H_
