// SPDX-License-Identifier: Apache-2.0
// add_one(x, y), y = x + 1 for vectors of floats, or of INTEGERS, in the manner of what a compiler emits. A file
// that includes it says which checks it makes: CHECKS is EVERY_CHECK in the right one, and lacks
// one in each wrong one. A file may also define what happens at the beginning, in the middle and at
// the end: FIRST, COMPUTE, FINALLY, statements.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_ADD_ONE_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_ADD_ONE_H_

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_env_api.h>

enum {
  CHECK_FEW = 1 << 0,  // too few arguments
  CHECK_MANY = 1 << 1,
  CHECK_COUNT_FIRST = 1 << 2,  // before the arguments are looked at
  CHECK_TYPE = 1 << 3,
  CHECK_OBJECT = 1 << 4,  // an object is a tensor only if its index says so
  CHECK_NULL = 1 << 5,
  CHECK_DEVICE = 1 << 6,
  CHECK_DTYPE = 1 << 7,
  CHECK_LANES = 1 << 8,
  CHECK_RANK = 1 << 9,
  CHECK_STRIDES = 1 << 10,
  CHECK_NO_STRIDES = 1 << 11,  // strides NULL
  CHECK_DATA = 1 << 12,
  CHECK_SHAPE = 1 << 13,
  HONOUR_OFFSET = 1 << 14,
  CHECK_WIDE = 1 << 15,   // extents as the 64 bits that they are
  CHECK_EMPTY = 1 << 16,  // without elements, data may be NULL
  EVERY_CHECK = (1 << 17) - 1,
};

// The type of the elements.
#ifdef INTEGERS
#define ELEMENT_CODE kDLInt
#define ELEMENT_TYPE "int32"
typedef int32_t Element;
#else
#define ELEMENT_CODE kDLFloat
#define ELEMENT_TYPE "float32"
typedef float Element;
#endif
#ifndef CHECKS
#define CHECKS EVERY_CHECK
#endif
#ifndef IS_RIGHT_DEVICE
#define IS_RIGHT_DEVICE(device) ((device).device_type == kDLCPU)
#define DEVICE_COMPLAINT "is not on the CPU"
#endif
#ifndef KIND
#define KIND "ValueError"
#endif
#ifndef FAIL
#define FAIL(kind, message) (TVMFFIErrorSetRaisedFromCStr(kind, message), -1)
#endif
// A message about the first tensor, or the second.
#ifndef ABOUT
#define ABOUT(second, words) ((second) ? "y " words : "x " words)
#endif
#ifndef X_COMPLAINT
#define X_COMPLAINT "x has to be a tensor"
#define Y_COMPLAINT "y has to be a tensor"
#endif
// A statement that comes before everything.
#ifndef FIRST
#define FIRST (void)0
#endif
// Data types that are taken for the right one.
#ifndef ALSO_TAKES
#define ALSO_TAKES(dtype) false
#endif
// The loop over the elements.
#ifndef COMPUTE
#define COMPUTE \
  for (int64_t i = 0; i < x->shape[0]; ++i) to[i] = from[i] + 1
#endif
#ifndef FINALLY
#define FINALLY return 0
#endif

#define KERNEL_EXPORT __attribute__((visibility("default")))

static inline bool checks(int check)
{
  return (CHECKS & check) != 0;
}

static int take_tensor(const TVMFFIAny *arg, const DLTensor **out, const char *complaint)
{
  (void)complaint;
  bool object = arg->type_index == kTVMFFITensor ||
                (!checks(CHECK_OBJECT) && arg->type_index >= kTVMFFIStaticObjectBegin);
  if (object)
    *out = (const DLTensor *)(const void *)((const char *)arg->v_obj + sizeof(TVMFFIObject));
  else if (arg->type_index == kTVMFFIDLTensorPtr || !checks(CHECK_TYPE))
    *out = arg->v_ptr;
  else
    return FAIL("TypeError", complaint);
  return 0;
}

static int check_tensor(const DLTensor *tensor, bool second)
{
  (void)second;
  if (checks(CHECK_NULL) && !tensor) return FAIL(KIND, ABOUT(second, "is NULL"));
  if (checks(CHECK_DEVICE) && !IS_RIGHT_DEVICE(tensor->device))
    return FAIL(KIND, ABOUT(second, DEVICE_COMPLAINT));
  bool is_own =
      (tensor->dtype.code == ELEMENT_CODE && tensor->dtype.bits == 32) || ALSO_TAKES(tensor->dtype);
  if (checks(CHECK_DTYPE) && !is_own)
    return FAIL(KIND, ABOUT(second, "is not of type " ELEMENT_TYPE));
  if (checks(CHECK_LANES) && tensor->dtype.lanes != 1)
    return FAIL(KIND, ABOUT(second, "has lanes"));
  if (checks(CHECK_RANK) && tensor->ndim != 1) return FAIL(KIND, ABOUT(second, "is no vector"));
  if (checks(CHECK_STRIDES) && (tensor->strides || !checks(CHECK_NO_STRIDES)) &&
      tensor->shape[0] != 1 && tensor->strides[0] != 1)
    return FAIL(KIND, ABOUT(second, "has strides"));
  if (checks(CHECK_DATA) && !tensor->data && (!checks(CHECK_EMPTY) || tensor->shape[0] != 0))
    return FAIL(KIND, ABOUT(second, "has no data"));
  return 0;
}

static inline Element *elements_of(const DLTensor *tensor)
{
  return (Element *)(void *)((char *)tensor->data +
                             (checks(HONOUR_OFFSET) ? tensor->byte_offset : 0));
}

KERNEL_EXPORT int __tvm_ffi_add_one(void *handle, const TVMFFIAny *args, int32_t num_args,
                                    TVMFFIAny *result);

int __tvm_ffi_add_one(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  const DLTensor *x = NULL, *y = NULL;
  int code;
  (void)handle;
  (void)result;
  FIRST;
  bool wrong = (checks(CHECK_FEW) && num_args < 2) || (checks(CHECK_MANY) && num_args > 2);
  if (checks(CHECK_COUNT_FIRST) && wrong) return FAIL("TypeError", "add_one takes 2 arguments");
  if ((code = take_tensor(&args[0], &x, X_COMPLAINT)) != 0 ||
      (!checks(CHECK_COUNT_FIRST) && (code = check_tensor(x, false)) != 0))
    return code;
  if (wrong) return FAIL("TypeError", "add_one takes 2 arguments");
  if ((code = take_tensor(&args[1], &y, Y_COMPLAINT)) != 0 ||
      (code = check_tensor(x, false)) != 0 || (code = check_tensor(y, true)) != 0)
    return code;
  bool same = checks(CHECK_WIDE) ? x->shape[0] == y->shape[0]
                                 : (int32_t)x->shape[0] == (int32_t)y->shape[0];
  if (checks(CHECK_SHAPE) && !same) return FAIL(KIND, "x and y differ in length");
  const Element *from = elements_of(x);
  Element *to = elements_of(y);
  COMPUTE;
  FINALLY;
}

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_ADD_ONE_H_
