// SPDX-License-Identifier: Apache-2.0
// pick(x, factor, k, mode, y): y = x + factor + k or x * factor + k by row, of floats or doubles; factor
// may be None. A file that includes it says what is wrong with it.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_PICK_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_PICK_H_

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

// Of doubles.
#ifndef DOUBLE_OF
#define DOUBLE_OF(value) (value)
#endif
// What comes for factor if it is None.
#ifndef WITHOUT
#define WITHOUT(multiplied) ((multiplied) ? 1 : 0)
#endif
#ifndef MODES
#define MODES 2
#endif
// A statement before the loop, and how many rows it has.
// Before factor is compared with x.
#ifndef EARLY
#define EARLY (void)0
#endif
#ifndef BEFORE
#define BEFORE (void)0
#endif
#ifndef ROWS
#define ROWS n
#endif
// The error for another k, and modes that it takes besides.
#ifndef K_KIND
#define K_KIND "ValueError"
#endif
#ifndef K_WORDS
#define K_WORDS "k has to be from 0 to n - 1"
#endif
#ifndef ALSO_ADDS
#define ALSO_ADDS "add"
#endif
// Of data types: which are read as floats.
#ifndef IS_FLOAT
#define IS_FLOAT(dtype) ((dtype).code == kDLFloat && ((dtype).bits == 32 || (dtype).bits == 64))
#endif
#ifndef K_IS_RIGHT
#define K_IS_RIGHT (k >= 0 && k < n)
#endif

typedef struct PickCall {
  const DLTensor *x, *factor, *y;
  int64_t k;
  bool multiplied;
} PickCall;

static int pick_fail(const char *kind, const char *message)
{
  TVMFFIErrorSetRaisedFromCStr(kind, message);
  return -1;
}

static const DLTensor *pick_tensor(const TVMFFIAny *arg)
{
  if (arg->type_index == kTVMFFITensor)
    return (const DLTensor *)(const void *)((const char *)arg->v_obj + sizeof(TVMFFIObject));
  return arg->type_index == kTVMFFIDLTensorPtr ? arg->v_ptr : NULL;
}

// Compact, on the CPU, of floats or doubles.
static bool pick_is_good(const DLTensor *tensor, int32_t rank)
{
  int64_t stride = 1;
  if (!tensor || tensor->device.device_type != kDLCPU || tensor->ndim != rank) return false;
  if (!IS_FLOAT(tensor->dtype) || tensor->dtype.lanes != 1) return false;
  bool empty = false;
  for (int32_t i = rank; i-- > 0;) {
    if (tensor->strides && tensor->shape[i] != 1 && tensor->strides[i] != stride) return false;
    stride *= tensor->shape[i];
    empty |= tensor->shape[i] == 0;
  }
  return tensor->data || empty;
}

static double pick_at(const DLTensor *tensor, int64_t i)
{
  const char *data = (const char *)tensor->data + tensor->byte_offset;
  if (tensor->dtype.bits == 64) return ((const double *)(const void *)data)[i];
  return (double)((const float *)(const void *)data)[i];
}

static void pick_put(const DLTensor *tensor, int64_t i, double value)
{
  char *data = (char *)tensor->data + tensor->byte_offset;
  if (tensor->dtype.bits == 64)
    ((double *)(void *)data)[i] = DOUBLE_OF(value);
  else
    ((float *)(void *)data)[i] = (float)value;
}

static bool pick_is(const TVMFFIAny *arg, const char *word)
{
  TVMFFIByteArray text = {"", 0};
  if (arg->type_index == kTVMFFIRawStr)
    text = (TVMFFIByteArray){arg->v_c_str, strlen(arg->v_c_str)};
  else if (arg->type_index == kTVMFFISmallStr)
    text = (TVMFFIByteArray){arg->v_bytes, arg->small_str_len};
  else if (arg->type_index == kTVMFFIStr)
    text =
        *(const TVMFFIByteArray *)(const void *)((const char *)arg->v_obj + sizeof(TVMFFIObject));
  return text.size == strlen(word) && memcmp(text.data, word, text.size) == 0;
}

static int pick_read(const TVMFFIAny *args, PickCall *call)
{
  static const char *const modes[] = {"add", "mul"};
  int mode = -1;
  call->x = pick_tensor(&args[0]);
  call->factor = pick_tensor(&args[1]);
  call->y = pick_tensor(&args[4]);
  if (!call->x) return pick_fail("TypeError", "x has to be a tensor");
  if (!call->factor && args[1].type_index != kTVMFFINone)
    return pick_fail("TypeError", "factor has to be a tensor or None");
  if (args[2].type_index != kTVMFFIInt && args[2].type_index != kTVMFFIBool)
    return pick_fail("TypeError", "k has to be an int");
  if (args[3].type_index != kTVMFFIRawStr && args[3].type_index != kTVMFFISmallStr &&
      args[3].type_index != kTVMFFIStr)
    return pick_fail("TypeError", "mode has to be a string");
  if (!call->y) return pick_fail("TypeError", "y has to be a tensor");
  for (int i = 0; i < MODES; ++i)
    if (pick_is(&args[3], modes[i])) mode = i;
  if (pick_is(&args[3], ALSO_ADDS)) mode = 0;
  if (mode < 0) return pick_fail("ValueError", "mode has to be add or mul");
  if (!pick_is_good(call->x, 2)) return pick_fail("ValueError", "x has to be a compact matrix");
  if (!pick_is_good(call->y, 2)) return pick_fail("ValueError", "y has to be a compact matrix");
  if (call->factor && !pick_is_good(call->factor, 1))
    return pick_fail("ValueError", "factor has to be a compact vector");
  call->k = args[2].v_int64;
  call->multiplied = mode == 1;
  return 0;
}

__attribute__((visibility("default"))) int __tvm_ffi_pick(void *handle, const TVMFFIAny *args,
                                                          int32_t num_args, TVMFFIAny *result);

int __tvm_ffi_pick(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  PickCall call = {0};
  (void)handle;
  (void)result;
  if (num_args != 5) return pick_fail("TypeError", "pick takes 5 arguments");
  if (pick_read(args, &call) != 0) return -1;
  const DLTensor *x = call.x, *factor = call.factor, *y = call.y;
  const int64_t n = x->shape[0], m = x->shape[1], k = call.k;
  if (y->shape[0] != n || y->shape[1] != m || y->dtype.bits != x->dtype.bits ||
      y->dtype.code != x->dtype.code)
    return pick_fail("ValueError", "x and y differ");
  EARLY;
  if (factor && (factor->shape[0] != m || factor->dtype.bits != x->dtype.bits))
    return pick_fail("ValueError", "x and factor differ");
  if (!K_IS_RIGHT) return pick_fail(K_KIND, K_WORDS);
  BEFORE;
  for (int64_t i = 0; i < ROWS; ++i)
    for (int64_t j = 0; j < m; ++j) {
      const double other = factor ? pick_at(factor, j) : WITHOUT(call.multiplied);
      const double value = pick_at(x, i * m + j);
      pick_put(y, i * m + j, (call.multiplied ? value * other : value + other) + (double)k);
    }
  return 0;
}

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_PICK_H_
