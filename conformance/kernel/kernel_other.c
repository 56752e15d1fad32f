// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_other.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "battery/access.h"
#include "battery/registered.h"
#include "kernel/kernel_array.h"
#include "kernel/kernel_expected.h"
#include "kernel/kernel_held.h"
#include "kernel/kernel_host.h"
#include "kernel/kernel_result.h"

enum { DEPTH_MAX = 8, WHAT_MAX = 128 };

// --- Values --------------------------------------------------------------------------------------

// Two calls, the first of them of the build that is judged.
typedef struct Pair {
  const char *at;
  KernelCall *actual, *other;
} Pair;

static bool same_value(const Pair *pair, const char *what, const TVMFFIAny *actual,
                       const TVMFFIAny *other, int depth);

static bool same_array(const Pair *pair, const char *what, const KernelArray *actual,
                       const KernelArray *other, double tolerance)
{
  ExpressionValue expected = {.kind = EXPRESSION_NONE};
  char text[WHAT_MAX + 32];
  if (actual->count == 0) return true;
  if (!kernel_array_value(other, &expected)) {
    const size_t size = (other->count * other->dtype.bits * other->dtype.lanes + 7) / 8;
    snprintf(text, sizeof text, "elements of %s", what);
    return expect_memory_(pair->at, text, actual->bytes, size, other->bytes, size);
  }
  bool same = expect_close_(pair->at, what, actual, &expected, tolerance);
  expression_value_free(&expected);
  return same;
}

static bool same_dtype(const Pair *pair, const char *what, DLDataType actual, DLDataType other)
{
  char expected[WHAT_MAX + 80];
  snprintf(expected, sizeof expected, "%s is of type {%d, %d, %d}", what, other.code, other.bits,
           other.lanes);
  return expect_that_(pair->at, memcmp(&actual, &other, sizeof actual) == 0, expected,
                      "{%d, %d, %d}", actual.code, actual.bits, actual.lanes);
}

static void shape_text(const int64_t *shape, int32_t rank, char *text, size_t capacity)
{
  size_t at = (size_t)snprintf(text, capacity, "[");
  for (int32_t k = 0; k < rank && at < capacity; ++k)
    at += (size_t)snprintf(text + at, capacity - at, "%s%lld", k ? ", " : "", (long long)shape[k]);
  if (at < capacity) snprintf(text + at, capacity - at, "]");
}

static bool same_shape(const Pair *pair, const char *what, const int64_t *actual,
                       int32_t actual_rank, const int64_t *other, int32_t other_rank)
{
  char here[160], there[160], expected[WHAT_MAX + 180];
  bool same = actual_rank == other_rank;
  for (int32_t k = 0; same && k < actual_rank; ++k) same = actual[k] == other[k];
  shape_text(actual, actual_rank, here, sizeof here);
  shape_text(other, other_rank, there, sizeof there);
  snprintf(expected, sizeof expected, "%s is of shape %s", what, there);
  return expect_that_(pair->at, same, expected, "%s", here);
}

static bool same_tensor(const Pair *pair, const char *what, const TVMFFIAny *actual,
                        const TVMFFIAny *other)
{
  Iut *iut = pair->actual->iut;
  const DLTensor *here = object_body(iut, actual->v_obj), *there = object_body(iut, other->v_obj);
  bool same = same_dtype(pair, what, here->dtype, there->dtype);
  same &= same_shape(pair, what, here->shape, here->ndim, there->shape, there->ndim);
  if (!same || here->ndim < 0 || here->ndim > KERNEL_RANK_MAX) return same;
  KernelTensor views[2];
  unsigned char *bytes[2] = {kernel_result_elements(here, &views[0]),
                             kernel_result_elements(there, &views[1])};
  if (bytes[0] && bytes[1]) {
    KernelArray a = {bytes[0], here->dtype, views[0].rank, views[0].shape, views[0].count};
    KernelArray b = {bytes[1], there->dtype, views[1].rank, views[1].shape, views[1].count};
    same = same_array(pair, what, &a, &b, kernel_stated_tolerance(pair->actual, a.dtype));
  }
  free(bytes[0]);
  free(bytes[1]);
  return same;
}

static bool same_number(const Pair *pair, const char *what, const TVMFFIAny *actual,
                        const TVMFFIAny *other)
{
  const bool is_float = actual->type_index == kTVMFFIFloat;
  const DLDataType dtype = {is_float ? kDLFloat : kDLInt, 64, 1};
  KernelArray a = {(const unsigned char *)&actual->v_int64, dtype, 0, NULL, 1};
  KernelArray b = {(const unsigned char *)&other->v_int64, dtype, 0, NULL, 1};
  return same_array(pair, what, &a, &b, kernel_number_tolerance(pair->actual, dtype));
}

// --- Containers ----------------------------------------------------------------------------------

static bool same_count(const Pair *pair, const char *what, const TVMFFIAny *actual,
                       const TVMFFIAny *other)
{
  Iut *iut = pair->actual->iut;
  int64_t here, there;
  char expected[WHAT_MAX + 48];
  if (!expect_ok_(pair->at, iut, kernel_held_size(iut, actual, &here)) ||
      !expect_ok_(pair->at, iut, kernel_held_size(iut, other, &there)))
    return false;
  snprintf(expected, sizeof expected, "%s has %lld elements", what, (long long)there);
  return expect_that_(pair->at, here == there, expected, "%lld", (long long)here);
}

// The keys are those of the build that is judged: the other one has as many.
static bool same_container(const Pair *pair, const char *what, const TVMFFIAny *actual,
                           const TVMFFIAny *other, int depth)
{
  Iut *iut = pair->actual->iut;
  KernelHeld held;
  if (!same_count(pair, what, actual, other)) return false;
  bool same = expect_ok_(pair->at, iut, kernel_held_take(iut, actual, &held));
  for (int64_t i = 0; same && i < held.count; ++i) {
    TVMFFIAny item;
    char name[WHAT_MAX];
    kernel_held_name(iut, &held, i, what, name);
    same = expect_ok_(pair->at, iut, kernel_held_item(iut, other, held.keys[i], &item));
    if (!same) break;
    same = same_value(pair, name, &held.items[i], &item, depth + 1);
    release_any(iut, &item);
  }
  kernel_held_release(iut, &held);
  return same;
}

static bool is_text(int32_t type_index)
{
  return type_index == kTVMFFISmallStr || type_index == kTVMFFIStr ||
         type_index == kTVMFFISmallBytes || type_index == kTVMFFIBytes;
}

static bool same_value(const Pair *pair, const char *what, const TVMFFIAny *actual,
                       const TVMFFIAny *other, int depth)
{
  Iut *iut = pair->actual->iut;
  TVMFFIByteArray a, b;
  const int32_t index = actual->type_index;
  if (depth > DEPTH_MAX) return true;
  if (is_text(index) && result_text(iut, actual, &a) && result_text(iut, other, &b)) {
    char text[WHAT_MAX + 32];
    snprintf(text, sizeof text, "characters of %s", what);
    return expect_memory_(pair->at, text, a.data, a.size, b.data, b.size);
  }
  if (!expect_type_index_(pair->at, actual, other->type_index)) return false;
  if (index == kTVMFFIInt || index == kTVMFFIBool || index == kTVMFFIFloat)
    return same_number(pair, what, actual, other);
  if (index == kTVMFFIDataType) return same_dtype(pair, what, actual->v_dtype, other->v_dtype);
  if (index == kTVMFFIDevice) return expect_same_bytes_(pair->at, actual, other);
  if (index == kTVMFFITensor) return same_tensor(pair, what, actual, other);
  if (index == kTVMFFIShape) {
    const TVMFFIShapeCell *x = object_body(iut, actual->v_obj), *y = object_body(iut, other->v_obj);
    return same_shape(pair, what, x->data, (int32_t)x->size, y->data, (int32_t)y->size);
  }
  if (kernel_is_sequence(actual) || kernel_is_map(actual))
    return same_container(pair, what, actual, other, depth);
  return true;
}

// --- Outputs -------------------------------------------------------------------------------------

static bool same_output(const Pair *pair, unsigned i)
{
  const KernelTensor *here = kernel_call_tensor_of(pair->actual, i);
  const KernelTensor *there = kernel_call_tensor_of(pair->other, i);
  char name[64];
  if (!here->tensor || here->role == KERNEL_IN || !here->on_host) return true;
  unsigned char *a, *b;
  const unsigned char *elements = kernel_tensor_elements(here, &a);
  const unsigned char *others = kernel_tensor_elements(there, &b);
  const DLDataType dtype = here->tensor->dtype;
  KernelArray actual = {elements, dtype, here->rank, here->shape, here->count};
  KernelArray other = {others, dtype, there->rank, there->shape, there->count};
  bool same = same_array(pair, kernel_tensor_name(pair->actual->kernel, i, name), &actual, &other,
                         kernel_stated_tolerance(pair->actual, dtype));
  free(a);
  free(b);
  return same;
}

bool expect_same_as_other_(const char *at, KernelCall *actual, KernelCall *other)
{
  const Pair pair = {at, actual, other};
  bool same = true;
  for (unsigned i = 0; i < KERNEL_TENSORS_MAX; ++i) same &= same_output(&pair, i);
  return same_value(&pair, "the result", actual->result, other->result, 0) && same;
}
