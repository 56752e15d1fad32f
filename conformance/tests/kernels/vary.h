// SPDX-License-Identifier: Apache-2.0
// vary(x, mode, step, y): y[i] is the sum of the x of a group of `step`, or its opposite. Nobody says
// how it is called, but its refusals suggest it. An including file may leave a check out.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_VARY_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_VARY_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

#ifndef LEAST_STEP
#define LEAST_STEP 1
#endif
#ifndef SCRATCH
#define SCRATCH(count) calloc((count), sizeof(double))
#endif
#ifndef NAME_ROOM
#define NAME_ROOM(size) ((size) + 1)
#endif
#ifndef ENDS_AT
#define ENDS_AT(extent) (extent)
#endif
#ifndef ENDS_IN
#define ENDS_IN(tensor, extent) ENDS_AT(extent)
#endif
#ifndef CHECKS_RANK
#define CHECKS_RANK(tensor) ((tensor)->ndim == 1)
#endif
#ifndef STRIDE
#define STRIDE(tensor) ((tensor)->strides ? (tensor)->strides[0] : 1)
#endif
#ifndef IS_DOUBLE
#define IS_DOUBLE(tensor) ((tensor)->dtype.bits == 64)
#endif

static inline int vary_fail(const char *kind, const char *message)
{
  TVMFFIErrorSetRaisedFromCStr(kind, message);
  return -1;
}

static inline const DLTensor *vary_tensor(const TVMFFIAny *arg)
{
  if (arg->type_index == kTVMFFIDLTensorPtr) return arg->v_ptr;
  if (arg->type_index == kTVMFFITensor) return (const void *)((const TVMFFIObject *)arg->v_obj + 1);
  return NULL;
}

static inline bool vary_text(const TVMFFIAny *arg, TVMFFIByteArray *text)
{
  if (arg->type_index == kTVMFFIRawStr) {
    text->data = arg->v_c_str;
    text->size = strlen(arg->v_c_str);
  } else if (arg->type_index == kTVMFFISmallStr) {
    text->data = arg->v_bytes;
    text->size = arg->small_str_len;
  } else if (arg->type_index == kTVMFFIStr) {
    *text = *(const TVMFFIByteArray *)(const void *)((const TVMFFIObject *)arg->v_obj + 1);
  } else {
    return false;
  }
  return true;
}

// What is wrong with a tensor, said of the one of this name; NULL: nothing.
static inline const char *vary_problem(const DLTensor *tensor, const char *name)
{
  static _Thread_local char words[64];
  const char *wrong = NULL;
  if (!CHECKS_RANK(tensor))
    wrong = "must have 1 dimension";
  else if (tensor->dtype.code != kDLFloat || tensor->dtype.lanes != 1 ||
           (tensor->dtype.bits != 32 && tensor->dtype.bits != 64))
    wrong = "must be float32 or float64";
  else if (tensor->device.device_type != kDLCPU)
    wrong = "must be on the CPU";
  else if (!tensor->data && tensor->shape[0] > 0)
    wrong = "has no data";
  snprintf(words, sizeof words, "%s %s", name, wrong ? wrong : "");
  return wrong ? words : NULL;
}

static inline double vary_get(const DLTensor *x, int64_t i)
{
  const char *first = (const char *)x->data + x->byte_offset;
  if (IS_DOUBLE(x)) return ((const double *)(const void *)first)[i * STRIDE(x)];
  return (double)((const float *)(const void *)first)[i * STRIDE(x)];
}

static inline void vary_set(const DLTensor *y, int64_t i, double value)
{
  char *first = (char *)y->data + y->byte_offset;
  if (IS_DOUBLE(y))
    ((double *)(void *)first)[i * STRIDE(y)] = value;
  else
    ((float *)(void *)first)[i * STRIDE(y)] = (float)value;
}

// 1 or -1; 0 for an unknown mode.
static inline int vary_sign(TVMFFIByteArray mode)
{
  char *name = malloc(NAME_ROOM(mode.size));
  int sign = 0;
  if (!name) return 0;
  memcpy(name, mode.data, mode.size);
  name[mode.size] = '\0';
  if (mode.size == 4 && strcmp(name, "keep") == 0) sign = 1;
  if (mode.size == 6 && strcmp(name, "negate") == 0) sign = -1;
  free(name);
  return sign;
}

__attribute__((visibility("default"))) int __tvm_ffi_vary(void *handle, const TVMFFIAny *args,
                                                          int32_t num_args, TVMFFIAny *result);

int __tvm_ffi_vary(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)handle;
  (void)result;
  TVMFFIByteArray mode;
  if (num_args != 4) return vary_fail("TypeError", "vary takes 4 arguments");
  const DLTensor *x = vary_tensor(&args[0]), *y = vary_tensor(&args[3]);
  if (!x) return vary_fail("TypeError", "x must be a tensor");
  if (!vary_text(&args[1], &mode)) return vary_fail("TypeError", "mode must be a string");
  if (args[2].type_index != kTVMFFIInt && args[2].type_index != kTVMFFIBool)
    return vary_fail("TypeError", "step must be an int");
  if (!y) return vary_fail("TypeError", "y must be a tensor");
  if (vary_problem(x, "x")) return vary_fail("ValueError", vary_problem(x, "x"));
  if (vary_problem(y, "y")) return vary_fail("ValueError", vary_problem(y, "y"));
  if (x->dtype.bits != y->dtype.bits) return vary_fail("TypeError", "x and y are of two types");
  if (x->shape[0] != y->shape[0]) return vary_fail("ValueError", "x and y must be as long");
  int sign = vary_sign(mode);
  if (!sign) return vary_fail("ValueError", "mode must be keep or negate");
  int64_t n = x->shape[0], step = args[2].v_int64;
  if (step < LEAST_STEP) return vary_fail("ValueError", "step must be positive");
  size_t groups = (size_t)(n / step + 1);
  double *sums = SCRATCH(groups);
  if (!sums) return vary_fail("MemoryError", "no memory");
  for (int64_t i = 0; i < n; ++i) sums[i / step] += vary_get(x, i);
  for (int64_t i = 0; i < ENDS_IN(y, n); ++i) vary_set(y, i, sign * sums[i / step]);
  free(sums);
  return 0;
}

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_VARY_H_
