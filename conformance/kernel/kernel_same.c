// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_same.h"

#include <stdio.h>
#include <string.h>

#include "battery/access.h"
#include "battery/fence.h"
#include "kernel/kernel_held.h"
#include "kernel/kernel_result.h"

// --- What a result holds -------------------------------------------------------------------------

static bool is_string(const TVMFFIAny *value)
{
  return value->type_index == kTVMFFISmallStr || value->type_index == kTVMFFIStr;
}

static bool number_of(const TVMFFIAny *value, double *number)
{
  *number = value->type_index == kTVMFFIFloat ? value->v_float64 : (double)value->v_int64;
  return value->type_index == kTVMFFIFloat || value->type_index == kTVMFFIInt ||
         value->type_index == kTVMFFIBool;
}

// --- Where a pointer points ----------------------------------------------------------------------

// A place in the memory of an argument. `memory` says which of several it is.
typedef struct Place {
  uint32_t parameter, memory;
  intptr_t offset;
  bool found;
} Place;

// Whether `pointer` points into the memory in which `begin` is: the fence, or `size` bytes.
static bool is_within(uintptr_t pointer, const void *begin, size_t size)
{
  FenceFacts fence;
  uintptr_t first = (uintptr_t)begin;
  if (!begin) return false;
  if (fence_find(begin, &fence)) {
    first = (uintptr_t)fence.buffer;
    size = fence.size;
  }
  return pointer >= first && pointer - first <= size;
}

static bool try_memory(uintptr_t pointer, uint32_t parameter, uint32_t memory, const void *begin,
                       size_t size, Place *place)
{
  if (place->found || !is_within(pointer, begin, size)) return place->found;
  *place = (Place){parameter, memory, (intptr_t)(pointer - (uintptr_t)begin), true};
  return true;
}

static void try_argument(const KernelCall *call, uint32_t i, uintptr_t pointer, Place *place)
{
  const KernelTensor *tensor = &call->tensors[i];
  const TVMFFIAny *value = &call->values[i];
  int32_t index = value->type_index;
  TVMFFIByteArray text;
  if (tensor->tensor) {
    try_memory(pointer, i, 0, tensor->first, 0, place);
    try_memory(pointer, i, 1, tensor->tensor, sizeof *tensor->tensor, place);
    try_memory(pointer, i, 2, tensor->tensor->shape, 0, place);
    try_memory(pointer, i, 3, tensor->tensor->strides, 0, place);
  }
  if (index == kTVMFFIByteArrayPtr)
    try_memory(pointer, i, 4, ((const TVMFFIByteArray *)value->v_ptr)->data, 0, place);
  if (index >= kTVMFFIStaticObjectBegin && result_text(call->iut, value, &text))
    try_memory(pointer, i, 5, text.data, text.size, place);
  if (index == kTVMFFIOpaquePtr || index == kTVMFFIByteArrayPtr || index == kTVMFFIRawStr ||
      index >= kTVMFFIStaticObjectBegin)
    try_memory(pointer, i, 6, value->v_ptr, 0, place);
}

static Place place_of(const KernelCall *call, uintptr_t pointer)
{
  Place place = {0};
  for (uint32_t i = 0; i < call->kernel->parameter_count && !place.found; ++i)
    try_argument(call, i, pointer, &place);
  if (call->args) try_memory(pointer, KERNEL_PARAMETERS_MAX, 0, call->args, 0, &place);
  return place;
}

static const char *describe_place(const KernelCall *call, Place place, char text[128])
{
  char name[64];
  const void *pointer = call->result->v_ptr;
  if (!place.found)
    snprintf(text, 128, "%s", pointer ? "a pointer into no argument" : "NULL");
  else
    snprintf(text, 128, "a pointer into %s, at %+td",
             parameter_name(call->kernel, place.parameter, name), place.offset);
  return text;
}

// --- Two of them ---------------------------------------------------------------------------------

// How two results must be compared.
typedef enum Likeness {
  OF_TYPE,
  OF_TEXT,
  OF_ELEMENTS,
  OF_NUMBER,
  OF_PLACE,
  OF_BYTES,
  OF_ITEMS
} Likeness;

typedef struct Pair {
  Likeness likeness;
  TVMFFIByteArray actual, expected;  // OF_TEXT, OF_ELEMENTS
  Place here, there;                 // OF_PLACE
  bool same;
} Pair;

// The calls that two values are of, and how they are compared: `close` and `tensors` (NULL: bit for bit) tell of floats,
// and of tensors, whether they are near enough.
typedef struct Sides {
  const KernelCall *actual, *expected;
  KernelNumbers numbers;
  bool (*close)(double one, double other);
  bool (*tensors)(Iut *iut, const TVMFFIAny *one, const TVMFFIAny *other);
} Sides;

static void compare_bytes(Pair *pair, Likeness likeness)
{
  pair->likeness = likeness;
  pair->same = pair->actual.size == pair->expected.size &&
               (pair->actual.size == 0 ||
                memcmp(pair->actual.data, pair->expected.data, pair->actual.size) == 0);
}

// True if the values are pointers, or ints that are addresses, so that their places decide.
static bool compare_places(Pair *pair, const Sides *sides, const TVMFFIAny *a, const TVMFFIAny *b)
{
  pair->likeness = OF_PLACE;
  pair->here = place_of(sides->actual, (uintptr_t)a->v_ptr);
  pair->there = place_of(sides->expected, (uintptr_t)b->v_ptr);
  bool found = pair->here.found && pair->there.found;
  if (a->type_index == kTVMFFIInt && (!found || a->v_int64 == b->v_int64)) return false;
  pair->same = found ? pair->here.parameter == pair->there.parameter &&
                           pair->here.memory == pair->there.memory &&
                           pair->here.offset == pair->there.offset
                     : pair->here.found == pair->there.found && !a->v_ptr == !b->v_ptr;
  return true;
}

static bool same_item(const Sides *sides, const TVMFFIAny *a, const TVMFFIAny *b, int depth);

// What stands at the key, in whatever order maps have their entries. Of keys of which it can't be asked whether they
// are there nothing is told.
static bool same_entry(const Sides *sides, const TVMFFIAny *container, const TVMFFIAny *key,
                       const TVMFFIAny *item, int depth)
{
  Iut *iut = sides->actual->iut;
  TVMFFIByteArray text;
  TVMFFIAny other;
  bool has = true;
  if (!result_text(iut, key, &text) && key->type_index != kTVMFFIInt) return true;
  if (kernel_is_map(container) && kernel_held_has(iut, container, *key, &has) != 0) return true;
  if (!has || kernel_held_item(iut, container, *key, &other) != 0) return has;
  const bool same = same_item(sides, item, &other, depth);
  release_any(iut, &other);
  return same;
}

// What two containers hold. Of what can't be asked for nothing is told.
static bool same_items(const Sides *sides, const TVMFFIAny *a, const TVMFFIAny *b, int depth)
{
  enum { DEPTH_MOST = 4 };
  Iut *iut = sides->actual->iut;
  int64_t count, other;
  KernelHeld held;
  if (depth == DEPTH_MOST || !kernel_held_is_open(iut, a) ||
      kernel_held_size(iut, a, &count) != 0 || kernel_held_size(iut, b, &other) != 0)
    return true;
  bool same = count == other;
  if (kernel_held_take(iut, a, &held) == 0)
    for (int64_t i = 0; same && i < held.count; ++i)
      same = same_entry(sides, b, &held.keys[i], &held.items[i], depth + 1);
  kernel_held_release(iut, &held);
  return same;
}

static bool same_numbers(const Sides *sides, const TVMFFIAny *a, const TVMFFIAny *b)
{
  Pair pair = {.likeness = OF_NUMBER};
  double left, right;
  if (a->type_index == b->type_index) {
    if (a->v_uint64 == b->v_uint64) return true;
    if (a->type_index == kTVMFFIInt && compare_places(&pair, sides, a, b)) return pair.same;
    if (a->type_index == kTVMFFIFloat)
      return sides->close && sides->close(a->v_float64, b->v_float64);
    return false;
  }
  return sides->numbers == KERNEL_NUMBERS_BY_VALUE && number_of(a, &left) && number_of(b, &right) &&
         left == right;
}

static bool same_item(const Sides *sides, const TVMFFIAny *a, const TVMFFIAny *b, int depth)
{
  Iut *iut = sides->actual->iut;
  Pair pair = {.likeness = OF_TYPE};
  double number;
  if (result_text(iut, a, &pair.actual) && result_text(iut, b, &pair.expected)) {
    compare_bytes(&pair, OF_TEXT);
    return pair.same && is_string(a) == is_string(b);
  }
  if (number_of(a, &number) && number_of(b, &number)) return same_numbers(sides, a, b);
  if (a->type_index != b->type_index) return false;
  if (result_elements(iut, a, &pair.actual) && result_elements(iut, b, &pair.expected)) {
    compare_bytes(&pair, OF_ELEMENTS);
    return pair.same || (sides->tensors && sides->tensors(iut, a, b));
  }
  return (!kernel_is_sequence(a) && !kernel_is_map(a)) || same_items(sides, a, b, depth);
}

bool kernel_same_held(const KernelCall *actual, const KernelCall *expected,
                      bool (*close)(double one, double other),
                      bool (*tensors)(Iut *iut, const TVMFFIAny *one, const TVMFFIAny *other))
{
  const Sides sides = {actual, expected, KERNEL_NUMBERS_BY_TYPE, close, tensors};
  const TVMFFIAny *a = actual->result, *b = expected->result;
  const bool containers = kernel_is_sequence(a) || kernel_is_map(a);
  return containers && a->type_index == b->type_index && same_items(&sides, a, b, 0);
}

static Pair compare(const KernelCall *actual, const KernelCall *expected, KernelNumbers numbers)
{
  Iut *iut = actual->iut;
  const TVMFFIAny *a = actual->result, *b = expected->result;
  const Sides sides = {actual, expected, numbers, NULL, NULL};
  Pair pair = {.likeness = OF_TYPE};
  double left, right;
  bool pointers = a->type_index == kTVMFFIOpaquePtr || a->type_index == kTVMFFIInt;
  if (result_text(iut, a, &pair.actual) && result_text(iut, b, &pair.expected) &&
      is_string(a) == is_string(b)) {
    compare_bytes(&pair, OF_TEXT);
  } else if (numbers == KERNEL_NUMBERS_BY_VALUE && number_of(a, &left) && number_of(b, &right)) {
    pair.likeness = OF_NUMBER;
    pair.same = a->type_index == b->type_index ? a->v_uint64 == b->v_uint64 : left == right;
  } else if (a->type_index != b->type_index) {
    pair.same = false;
  } else if (result_elements(iut, a, &pair.actual) && result_elements(iut, b, &pair.expected)) {
    compare_bytes(&pair, OF_ELEMENTS);
  } else if (kernel_is_sequence(a) || kernel_is_map(a)) {
    pair.likeness = OF_ITEMS;
    pair.same = same_items(&sides, a, b, 0);
  } else if (a->type_index >= kTVMFFIStaticObjectBegin) {
    pair.same = true;
  } else if (!pointers || !compare_places(&pair, &sides, a, b)) {
    pair.likeness = OF_BYTES;
    pair.same = memcmp(a, b, sizeof *a) == 0;
  }
  return pair;
}

bool kernel_same_result(const KernelCall *actual, const KernelCall *expected)
{
  return compare(actual, expected, KERNEL_NUMBERS_BY_TYPE).same;
}

bool expect_same_result_(const char *at, const KernelCall *actual, const KernelCall *expected,
                         KernelNumbers numbers)
{
  Pair pair = compare(actual, expected, numbers);
  const TVMFFIByteArray *a = &pair.actual, *b = &pair.expected;
  char here[128], there[128];
  double left, right;
  switch (pair.likeness) {
    case OF_TEXT:
      return expect_memory_(at, "characters of the result", a->data, a->size, b->data, b->size);
    case OF_ELEMENTS:
      return expect_memory_(at, "elements of the result", a->data, a->size, b->data, b->size);
    case OF_NUMBER:
      number_of(actual->result, &left);
      number_of(expected->result, &right);
      snprintf(there, sizeof there, "the number %.17g", right);
      return expect_that_(at, pair.same, there, "%.17g", left);
    case OF_PLACE:
      describe_place(expected, pair.there, there);
      return expect_that_(at, pair.same, there, "%s", describe_place(actual, pair.here, here));
    case OF_ITEMS:
      return expect_that_(at, pair.same, "the elements of the result are the same",
                          "one of them differs");
    case OF_BYTES:
      return expect_same_bytes_(at, actual->result, expected->result);
    default:
      return expect_type_index_(at, actual->result, expected->result->type_index);
  }
}
