// SPDX-License-Identifier: Apache-2.0
// Functions that are judged next to another build of theirs, without a signature file. chest_put(key, x) stores a vector of
// float32 under a key from 0 to 7, and chest_get(key, y) writes it to y, as long as it is, and says whether there is one.
// chest_weigh(x, f) is the sum of f over the elements of a vector of float32, on which f is called. chest_box(limit) makes
// an object, and chest_fill(box, n) adds to it, up to the limit, and says how much is in it. An including file changes one of the
// macros.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CHEST_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CHEST_H_

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

enum { KEYS = 8, LONGEST = 64 };

// Whether a key is one; whether one that is there is put anew; what is done with the tensor that is put.
#ifndef IS_KEY
#define IS_KEY(key) ((key) >= 0 && (key) < KEYS)
#endif
#ifndef REPLACES
#define REPLACES true
#endif
#ifndef TAKE
#define TAKE(x) (void)(x)
#endif
// The elements of a slot: its own, or others.
#ifndef ELEMENTS
#define ELEMENTS(slot, given) \
  (memmove((slot)->own, given, sizeof(slot)->own[0] * (size_t)(slot)->size), (slot)->own)
#endif
// What is done before it is known whether y is as long as it has to be.
#ifndef BEFORE_CHECK
#define BEFORE_CHECK(slot, y) (void)(y)
#endif
#ifndef GIVEN
#define GIVEN(element) (element)
#endif
#ifndef BEFORE_REFUSAL
#define BEFORE_REFUSAL(x) (void)(x)
#endif
#ifndef FAILED
#define FAILED(code) ((code) != 0)
#endif
#ifndef IS_WEIGHT
#define IS_WEIGHT(weight) ((weight) - (weight) == 0)
#endif
#ifndef REFUSES
#define REFUSES() 0
#endif
#ifndef FILL
#define FILL(box, n) ((box)->amount += (n))
#endif

#define EXPORTED(name)                                                                            \
  __attribute__((visibility("default"))) int __tvm_ffi_##name(void *, const TVMFFIAny *, int32_t, \
                                                              TVMFFIAny *);                       \
  int __tvm_ffi_##name(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)

typedef struct Slot {
  bool is_used;
  int64_t size;
  float own[LONGEST];
  const float *elements;
} Slot;

static _Thread_local Slot slots[KEYS];

static int chest_fail(const char *kind, const char *message)
{
  TVMFFIErrorSetRaisedFromCStr(kind, message);
  return -1;
}

static int chest_give(TVMFFIAny *result, int32_t type_index, int64_t payload)
{
  memset(result, 0, sizeof *result);
  result->type_index = type_index;
  result->v_int64 = payload;
  return 0;
}

static float *data_of(const DLTensor *tensor)
{
  return (float *)(void *)((char *)tensor->data + tensor->byte_offset);
}

// A vector of float32 on the CPU whose elements lie side by side; NULL, and an error is raised, if it is none.
static const DLTensor *vector_of(const TVMFFIAny *value)
{
  const DLTensor *tensor = value->v_ptr;
  if (value->type_index == kTVMFFITensor)
    tensor = (const DLTensor *)(const void *)((const char *)value->v_obj + sizeof(TVMFFIObject));
  const char *message = NULL;
  if (value->type_index != kTVMFFITensor && value->type_index != kTVMFFIDLTensorPtr)
    message = "it must be a tensor";
  else if (tensor->dtype.code != kDLFloat || tensor->dtype.bits != 32 || tensor->dtype.lanes != 1)
    message = "it must be of type float32";
  else if (tensor->ndim != 1)
    message = "it must have 1 dimension";
  else if (tensor->device.device_type != kDLCPU)
    message = "it must be on the CPU";
  else if (tensor->shape[0] > 1 && tensor->strides && tensor->strides[0] != 1)
    message = "it must be contiguous";
  else if (tensor->shape[0] < 0 || tensor->shape[0] > LONGEST)
    message = "it must have at most 64 elements";
  if (message) chest_fail("TypeError", message);
  return message ? NULL : tensor;
}

static bool is_int(const TVMFFIAny *value)
{
  return value->type_index == kTVMFFIInt || value->type_index == kTVMFFIBool;
}

EXPORTED(chest_put)
{
  (void)handle;
  if (num_args != 2)
    return chest_fail(
        "TypeError",
        "Mismatched number of arguments when calling: `chest_put(0: int, 1: ffi.Tensor) -> void`. Expected 2");
  if (!is_int(&args[0])) return chest_fail("TypeError", "key must be an int");
  const DLTensor *x = vector_of(&args[1]);
  if (!x) return -1;
  const int64_t key = args[0].v_int64;
  if (!IS_KEY(key)) {
    BEFORE_REFUSAL(&args[1]);
    return chest_fail("ValueError", "key must be from 0 to 7");
  }
  Slot *slot = &slots[key & (KEYS - 1)];
  TAKE(&args[1]);
  if (!slot->is_used || REPLACES) {
    slot->is_used = true;
    slot->size = x->shape[0];
    slot->elements = ELEMENTS(slot, data_of(x));
  }
  return chest_give(result, kTVMFFINone, 0);
}

EXPORTED(chest_get)
{
  (void)handle;
  if (num_args != 2)
    return chest_fail(
        "TypeError",
        "Mismatched number of arguments when calling: `chest_get(0: int, 1: ffi.Tensor) -> bool`. Expected 2");
  if (!is_int(&args[0])) return chest_fail("TypeError", "key must be an int");
  const DLTensor *y = vector_of(&args[1]);
  if (!y) return -1;
  if (!IS_KEY(args[0].v_int64)) return chest_fail("ValueError", "key must be from 0 to 7");
  const Slot *slot = &slots[args[0].v_int64 & (KEYS - 1)];
  BEFORE_CHECK(slot, y);
  if (slot->is_used && slot->size != y->shape[0])
    return chest_fail("ValueError", "y must be as long as what was put");
  if (slot->is_used) memcpy(data_of(y), slot->elements, (size_t)slot->size * sizeof(float));
  return chest_give(result, kTVMFFIBool, slot->is_used);
}

EXPORTED(chest_weigh)
{
  double sum = 0;
  (void)handle;
  if (num_args != 2)
    return chest_fail(
        "TypeError",
        "Mismatched number of arguments when calling: `chest_weigh(0: ffi.Tensor, 1: ffi.Function) -> float`. Expected 2");
  const DLTensor *x = vector_of(&args[0]);
  if (!x) return -1;
  if (args[1].type_index != kTVMFFIFunction) return chest_fail("TypeError", "f must be a function");
  for (int64_t i = 0; i < x->shape[0]; ++i) {
    TVMFFIAny element, weight;
    chest_give(&element, kTVMFFIFloat, 0);
    chest_give(&weight, kTVMFFINone, 0);
    element.v_float64 = (double)GIVEN(data_of(x)[i]);
    const int code = TVMFFIFunctionCall(args[1].v_obj, &element, 1, &weight);
    if (FAILED(code)) return code;
    if (weight.type_index >= kTVMFFIStaticObjectBegin) TVMFFIObjectDecRef(weight.v_obj);
    if (weight.type_index != kTVMFFIFloat) return chest_fail("TypeError", "f must return a float");
    if (!IS_WEIGHT(weight.v_float64))
      return chest_fail("ValueError", "what f returns must be finite");
    sum += weight.v_float64;
  }
  // (The weights are whatever f says: what it is given shows only there.)
  chest_give(result, kTVMFFIFloat, 0);
  result->v_float64 = sum > 0 ? 1 : 0;
  return 0;
}

// --- An object -----------------------------------------------------------------------------------

typedef struct Box {
  TVMFFIObject header;
  int64_t limit, amount;
} Box;

static int32_t box_type;

__attribute__((constructor)) static void register_type(void)
{
  static const TVMFFIByteArray key = {"kernels.Box", 11};
  box_type = TVMFFITypeGetOrAllocIndex(&key, -1, 1, 0, 0, kTVMFFIObject);
  // A second build in the process would find the type taken, as the headers of C++ have it.
  if (TVMFFIGetTypeInfo(box_type)->num_methods > 0) abort();
  TVMFFIMethodInfo info;
  TVMFFIObjectHandle function = NULL;
  memset(&info, 0, sizeof info);
  if (TVMFFIFunctionCreate(NULL, __tvm_ffi_chest_get, NULL, &function) != 0) abort();
  info.name = (TVMFFIByteArray){"get", 3};
  info.method.type_index = kTVMFFIFunction;
  info.method.v_obj = function;
  if (TVMFFITypeRegisterMethod(box_type, &info) != 0) abort();
  TVMFFIObjectDecRef(function);
}

static void delete_box(void *object, int flags)
{
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) free(object);
}

EXPORTED(chest_box)
{
  (void)handle;
  if (num_args != 1)
    return chest_fail(
        "TypeError",
        "Mismatched number of arguments when calling: `chest_box(0: int) -> kernels.Box`. Expected 1");
  if (!is_int(&args[0])) return chest_fail("TypeError", "limit must be an int");
  Box *box = calloc(1, sizeof *box);
  if (!box) return chest_fail("MemoryError", "no memory for a box");
  box->header.combined_ref_count = UINT64_C(1) << 32 | 1;
  box->header.type_index = box_type;
  box->header.deleter = delete_box;
  box->limit = args[0].v_int64;
  chest_give(result, box_type, 0);
  result->v_obj = (TVMFFIObject *)box;
  return 0;
}

EXPORTED(chest_fill)
{
  (void)handle;
  if (num_args != 2)
    return chest_fail(
        "TypeError",
        "Mismatched number of arguments when calling: `chest_fill(0: kernels.Box, 1: int) -> int`. Expected 2");
  if (args[0].type_index != box_type) return chest_fail("TypeError", "box must be a Box");
  if (!is_int(&args[1])) return chest_fail("TypeError", "n must be an int");
  Box *box = (Box *)(void *)args[0].v_obj;
  const int64_t n = args[1].v_int64;
  if (n < 0 || n > 1000 || box->amount + n > box->limit) {
    (void)REFUSES();
    return chest_fail("ValueError", "the box is full");
  }
  FILL(box, n);
  return chest_give(result, kTVMFFIInt, box->amount);
}

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CHEST_H_
