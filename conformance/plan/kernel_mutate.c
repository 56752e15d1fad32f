// SPDX-License-Identifier: Apache-2.0
#include "plan/kernel_mutate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plan/random.h"

enum { ELEMENTS_MOST = 1 << 16 };

#define COUNT(array) (sizeof(array) / sizeof *(array))

typedef struct Change {
  Kernel *kernel;
  uint64_t *random;
} Change;

static size_t below(const Change *change, size_t bound)
{
  return random_below(change->random, bound);
}

static bool one_in(const Change *change, size_t bound)
{
  return random_one_in(change->random, bound);
}

static bool is_whole(DLDataType dtype)
{
  return dtype.code == kDLInt || dtype.code == kDLUInt || dtype.code == kDLBool;
}

// --- Numbers -------------------------------------------------------------------------------------

static int64_t other_integer(const Change *change, int64_t integer)
{
  static const int64_t limits[] = {INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, 1LL << 32, 65536};
  switch (below(change, 8)) {
    case 0:
      return integer + 1;
    case 1:
      return integer - 1;
    case 2:
      return (int64_t)((uint64_t)integer * 2);
    case 3:
      return (int64_t)(0 - (uint64_t)integer);
    case 4:
      // The same lower half.
      return integer + (1LL << 32);
    case 5:
      return limits[below(change, COUNT(limits))];
    default:
      return (int64_t)below(change, 12) - 2;
  }
}

static const double odd_floats[] = {NAN,  INFINITY, -INFINITY, 1e30, -1e30, 1e-30,
                                    1e10, -0.0,     0.999,     1e-8, 65536};

static double other_float(const Change *change, double number)
{
  static const double usual[] = {0, 1, -1, 0.5, 0.1, 0.9, 2, 3, -0.5, 100};
  switch (below(change, 5)) {
    case 0:
      return number * 2 + 0.25;
    case 1:
      return number / 2;
    case 2:
      return -number;
    case 3:
      return odd_floats[below(change, COUNT(odd_floats))];
    default:
      return usual[below(change, COUNT(usual))];
  }
}

// --- Texts ---------------------------------------------------------------------------------------

static void set_text(KernelParameter *at, const char *text, size_t size)
{
  char copy[KERNEL_TEXT_MAX] = "";
  if (size >= sizeof copy) size = sizeof copy - 1;
  memcpy(copy, text, size);
  memcpy(at->text, copy, sizeof copy);
  at->text_size = (uint32_t)size;
}

static bool other_text(const Change *change, KernelParameter *at)
{
  static const char *const words[] = {
      "",     "none", "sum",    "mean",   "max",   "a b a", "a,b,,c",
      "1",    "-1",   "0x1",    "A",      "zero",  "Zz",    "\xc3\xa9t\xc3\xa9",
      "\xff", "\n",   " a  b ", "linear", "1.5e3", "aaaa"};
  char text[KERNEL_TEXT_MAX];
  const size_t size = kernel_text_length(at);
  memcpy(text, at->text, sizeof text);
  switch (size ? below(change, 7) : 6) {
    case 0:
      set_text(at, text, size - 1);
      break;
    case 1:
      set_text(at, text + 1, size - 1);
      break;
    case 2:
      text[below(change, size)] ^= 0x20;
      set_text(at, text, size);
      break;
    case 3:
      text[below(change, size)] = at->text[below(change, size)];
      set_text(at, text, size);
      break;
    case 4:  // twice
      if (size * 2 >= sizeof text) return false;
      memcpy(text + size, at->text, size);
      set_text(at, text, size * 2);
      break;
    case 5:  // with a NUL, and more behind it
      if (size + 2 >= sizeof text) return false;
      text[size] = '\0';
      text[size + 1] = 'x';
      set_text(at, text, size + 2);
      break;
    default: {
      const char *word = words[below(change, COUNT(words))];
      set_text(at, word, strlen(word));
    }
  }
  return true;
}

// --- Tensors -------------------------------------------------------------------------------------

static void list_values(KernelParameter *at, const Change *change)
{
  double least = 0, most = 1;
  if (at->value_count) {
    least = most = at->values[0];
    for (uint32_t k = 1; k < at->value_count; ++k) {
      least = fmin(least, at->values[k]);
      most = fmax(most, at->values[k]);
    }
  } else if (at->contents == KERNEL_RISING) {
    double count = 1;
    for (int32_t k = 0; k < at->rank; ++k) count *= (double)at->shape[k].size;
    least = at->number;
    most = at->number + fmin(fmax(count, 1), 64) - 1;
  }
  // Within what was taken; now and then a little outside, or far, or all that a narrow type has.
  const size_t outside = below(change, 7);
  if (outside == 2 && at->dtype.bits <= 16) {
    least = at->dtype.code == kDLInt ? -ldexp(1, at->dtype.bits - 1) : 0;
    most = least + ldexp(1, at->dtype.bits) - 1;
  }
  if (outside == 0) most += 1;
  if (outside == 1) least -= 1;
  const size_t span = (size_t)fmin(fmax(most - least + 1, 1), 1 << 16);
  at->value_count = 1 + (uint32_t)below(change, KERNEL_VALUES_MAX);
  for (uint32_t k = 0; k < at->value_count; ++k)
    at->values[k] = least + (double)below(change, span);
  if (one_in(change, 6)) {
    static const double far[] = {-1, 127, 255, 32768, 1e6, 2147483647, -2147483648.0, -0x1p63};
    at->values[below(change, at->value_count)] = far[below(change, COUNT(far))];
  }
  // The same lower half.
  if (at->dtype.bits == 64 && one_in(change, 8))
    at->values[below(change, at->value_count)] += 0x1p32;
  at->contents = KERNEL_SPREAD;
  at->seed = (uint32_t)below(change, 64);
}

static void list_floats(KernelParameter *at, const Change *change)
{
  static const double few[] = {0, 1, -1, 0.5, -0.5, 2, -2, 3, 7.5, 100, 0.25, 1e-3};
  at->value_count = 1 + (uint32_t)below(change, KERNEL_VALUES_MAX);
  for (uint32_t k = 0; k < at->value_count; ++k) at->values[k] = few[below(change, COUNT(few))];
  // One that may be wrong among others that are not: it is found late.
  if (one_in(change, 4))
    at->values[below(change, at->value_count)] = odd_floats[below(change, COUNT(odd_floats))];
  at->seed = (uint32_t)below(change, 64);
}

static bool other_elements(const Change *change, KernelParameter *at)
{
  static const KernelContents kinds[] = {
      KERNEL_SPREAD, KERNEL_SIGNED, KERNEL_SIGNED,   KERNEL_ZEROS, KERNEL_HUGE, KERNEL_SPECIAL,
      KERNEL_FINE,   KERNEL_SMALL,  KERNEL_NEGATIVE, KERNEL_LARGE, KERNEL_FEW,  KERNEL_SIGNED};
  if (at->role == KERNEL_OUT) return false;
  if (is_whole(at->dtype)) {
    // Offsets and parts are right wherever they end; other integers may be places in other tensors.
    if (kernel_counts(at) && !one_in(change, 4)) {
      at->uneven = (uint32_t)below(change, 256);
      return true;
    }
    if (at->dtype.code == kDLBool || one_in(change, 8)) {
      at->contents = at->dtype.code == kDLBool || one_in(change, 2) ? KERNEL_FEW : KERNEL_FINE;
      at->value_count = 0;
      at->seed = (uint32_t)below(change, 64);
      return true;
    }
    list_values(at, change);
    return true;
  }
  if (one_in(change, 4)) {
    list_floats(at, change);
    return true;
  }
  at->contents = kinds[below(change, COUNT(kinds))];
  at->value_count = 0;
  at->number = 1;
  at->seed = (uint32_t)below(change, 64);
  return true;
}

static int64_t other_size(const Change *change, int64_t size)
{
  static const int64_t sizes[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,
                                  12, 15, 16, 17, 31, 33, 64, 65, 130};
  switch (below(change, 4)) {
    case 0:
      return size + 1;
    case 1:
      return size > 0 ? size - 1 : 1;
    default:
      return sizes[below(change, COUNT(sizes))];
  }
}

static bool other_tensor(const Change *change, KernelParameter *at)
{
  const size_t way = below(change, 12);
  if (!at->typed || way < 7) return other_elements(change, at);
  if (way < 9 && at->rank > 0) {
    KernelExtent *extent = &at->shape[below(change, (size_t)at->rank)];
    const int64_t size = other_size(change, extent->size);
    if (size == extent->size) return false;
    *extent = (KernelExtent){.size = size};
    return true;
  }
  if (way == 9) {
    kernel_set_rank(at, at->rank + (at->rank == 0 || one_in(change, 2) ? 1 : -1));
    return true;
  }
  if (way == 10 && one_in(change, 3)) {
    at->device = (DLDevice){kDLCUDA, 0};
    return true;
  }
  kernel_set_dtype(at, kernel_dtypes_tried[below(change, KERNEL_DTYPES_TRIED)].dtype);
  return true;
}

// --- Containers ----------------------------------------------------------------------------------

// The first element of an array, of any kind.
static bool begin_array(const Change *change, KernelParameter *array)
{
  static const KernelKind kinds[] = {KERNEL_INT, KERNEL_FLOAT, KERNEL_STRING, KERNEL_TENSOR,
                                     KERNEL_TENSOR};
  Kernel *kernel = change->kernel;
  if (kernel->element_count == KERNEL_ELEMENTS_MAX) return false;
  KernelParameter *first = &kernel->elements[kernel->element_count];
  *first = (KernelParameter){.kind = kinds[below(change, COUNT(kinds))], .integer = 1, .number = 1};
  if (first->kind == KERNEL_TENSOR) {
    kernel_stand_in(first);
    first->role = KERNEL_INOUT;
  }
  if (first->kind == KERNEL_STRING) set_text(first, "a", 1);
  array->first_element = kernel->element_count++;
  array->element_count = 1;
  return true;
}

static bool other_length(const Change *change, KernelParameter *at)
{
  const bool pairs = at->kind == KERNEL_MAP && !at->keyed;
  const uint32_t step = pairs ? 2 : 1;
  if (at->kind == KERNEL_MAP && at->keyed) {
    if (at->element_count == 0 || one_in(change, 3))
      return kernel_add_entry(change->kernel, at, one_in(change, 2) ? "unknown" : "axis");
    KernelParameter *entry =
        &change->kernel->elements[at->first_element + below(change, at->element_count)];
    *entry = (KernelParameter){.kind = KERNEL_NONE, .type = entry->type};
    return true;
  }
  if (at->element_count == 0) return at->kind == KERNEL_ARRAY && begin_array(change, at);
  if (one_in(change, 2)) return kernel_add_element(change->kernel, at);
  if (at->element_count < step) return false;
  at->element_count = one_in(change, 4) ? 0 : at->element_count - step;
  return true;
}

static bool other_shape(const Change *change, KernelParameter *at)
{
  static const int64_t odd[] = {-1, -2, 0, 1, INT32_MAX, 1LL << 33, INT64_MAX};
  if (at->rank == 0 || one_in(change, 3)) {
    const int32_t rank = (int32_t)below(change, 5);
    if (rank == at->rank) return false;
    for (int32_t k = at->rank; k < rank; ++k)
      at->shape[k] = (KernelExtent){.size = 1 + (int64_t)below(change, 5)};
    at->rank = rank;
    return true;
  }
  KernelExtent *extent = &at->shape[below(change, (size_t)at->rank)];
  const int64_t size =
      one_in(change, 3) ? odd[below(change, COUNT(odd))] : other_size(change, extent->size);
  if (size == extent->size) return false;
  *extent = (KernelExtent){.size = size};
  return true;
}

// --- One place -----------------------------------------------------------------------------------

static bool other_kind(const Change *change, KernelParameter *at)
{
  static const KernelKind kinds[] = {KERNEL_NONE, KERNEL_INT, KERNEL_BOOL, KERNEL_FLOAT,
                                     KERNEL_STRING};
  const KernelKind kind = kinds[below(change, COUNT(kinds))];
  if (kind == at->kind) return false;
  KernelParameter other = {.kind = kind,
                           .optional = at->optional,
                           .open = at->open,
                           .type = at->type,
                           .integer = 1,
                           .number = 0.5};
  memcpy(other.name, at->name, sizeof other.name);
  *at = other;
  return true;
}

static bool other_value(const Change *change, KernelParameter *at)
{
  static const char *const results[] = {"bool", "int", "float", "none", "str", "tensor", ""};
  switch (at->kind) {
    case KERNEL_INT:
      at->integer = other_integer(change, at->integer);
      return true;
    case KERNEL_BOOL:
      at->integer = !at->integer;
      return true;
    case KERNEL_FLOAT:
      at->number = other_float(change, at->number);
      return true;
    case KERNEL_STRING:
    case KERNEL_BYTES:
      return other_text(change, at);
    case KERNEL_DTYPE: {
      const char *name = kernel_dtypes_tried[below(change, KERNEL_DTYPES_TRIED)].name;
      set_text(at, name, strlen(name));
      return true;
    }
    case KERNEL_DEVICE:
      at->device = (DLDevice){one_in(change, 2) ? kDLCPU : kDLCUDA, (int32_t)below(change, 2)};
      return true;
    case KERNEL_SHAPE:
      return other_shape(change, at);
    case KERNEL_TENSOR:
      return other_tensor(change, at);
    case KERNEL_ARRAY:
    case KERNEL_TUPLE:
    case KERNEL_MAP:
      return other_length(change, at);
    case KERNEL_FUNCTION:
      if (one_in(change, 3)) {
        at->fails_from = 1 + (uint32_t)below(change, 3);
        return true;
      }
      if (strcmp(at->text, "float") == 0 && one_in(change, 2)) {
        at->number = one_in(change, 2) ? NAN : other_float(change, 1);
        return true;
      }
      snprintf(at->text, sizeof at->text, "%s", results[below(change, COUNT(results))]);
      return true;
    default:
      return false;
  }
}

static bool change_place(const Change *change)
{
  Kernel *kernel = change->kernel;
  const uint32_t count = kernel_place_count(kernel);
  // What containers held before they grew is still among the places.
  for (unsigned tries = 0; count > 0 && tries < 16; ++tries) {
    const uint32_t place = (uint32_t)below(change, count);
    KernelParameter *at = kernel_place(kernel, place);
    if (place >= kernel->parameter_count && !kernel_holder_of(kernel, place)) continue;
    if (at->optional && at->kind != KERNEL_NONE && one_in(change, 6)) {
      at->kind = KERNEL_NONE;
      return true;
    }
    return one_in(change, 16) ? other_kind(change, at) : other_value(change, at);
  }
  return false;
}

// --- All tensors ---------------------------------------------------------------------------------

// A tensor of the call with a type and a shape, or an integer that is an extent; NULL if a few draws found none.
static KernelParameter *draw_tensor(const Change *change, bool extents)
{
  const uint32_t count = kernel_place_count(change->kernel);
  for (unsigned tries = 0; count > 0 && tries < 16; ++tries) {
    KernelParameter *at = kernel_place(change->kernel, (uint32_t)below(change, count));
    if (at->kind == KERNEL_TENSOR && at->typed && (!extents || at->rank > 0)) return at;
  }
  return NULL;
}

static bool change_sizes(const Change *change)
{
  KernelParameter *at = draw_tensor(change, true);
  if (!at) return false;
  const KernelExtent extent = at->shape[below(change, (size_t)at->rank)];
  if (one_in(change, 4)) {
    return one_in(change, 2) ? kernel_change_sizes(change->kernel, 1, (int64_t)below(change, 4) - 1)
                             : kernel_change_sizes(change->kernel, 2 + (int64_t)below(change, 4),
                                                   (int64_t)below(change, 3));
  }
  if (!extent.symbol[0]) return false;
  kernel_set_size(change->kernel, extent.symbol, other_size(change, kernel_extent_size(&extent)));
  return true;
}

static bool change_types(const Change *change)
{
  const KernelParameter *at = draw_tensor(change, false);
  if (!at) return false;
  if (one_in(change, 3)) {
    const int32_t rank = at->rank + (at->rank == 0 || one_in(change, 2) ? 1 : -1);
    if (rank >= KERNEL_RANK_MAX) return false;
    kernel_change_ranks(change->kernel, at->rank, rank);
    return true;
  }
  const DLDataType other = kernel_dtypes_tried[below(change, KERNEL_DTYPES_TRIED)].dtype;
  if (kernel_is_same_dtype(at->dtype, other)) return false;
  kernel_change_dtypes(change->kernel, at->dtype, other);
  return true;
}

static bool change_contents(const Change *change)
{
  bool changed = false;
  for (uint32_t i = 0; i < kernel_place_count(change->kernel); ++i) {
    KernelParameter *at = kernel_place(change->kernel, i);
    if (at->kind != KERNEL_TENSOR || !at->typed || is_whole(at->dtype)) continue;
    changed |= other_elements(change, at);
  }
  return changed;
}

// Whether the tensors can be made: other sizes than they have now may be less than nothing, or too many.
static bool is_possible(const Kernel *kernel)
{
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    const KernelParameter *at = kernel_place_of(kernel, i);
    for (int32_t k = 0; at->kind == KERNEL_TENSOR && k < at->rank; ++k)
      if (at->shape[k].size < 0) return false;
  }
  return kernel_elements(kernel) <= ELEMENTS_MOST;
}

bool kernel_mutate(Kernel *kernel, uint64_t *random)
{
  const Change change = {kernel, random};
  bool changed;
  switch (random_below(random, 12)) {
    case 0:
    case 1:
      changed = change_sizes(&change);
      break;
    case 2:
      changed = change_types(&change);
      break;
    case 3:
    case 4:
      changed = change_contents(&change);
      break;
    default:
      changed = change_place(&change);
  }
  if (!changed) return false;
  // Now and then offsets do not end where they have to.
  if (!random_one_in(random, 8)) kernel_count_extents(kernel);
  return is_possible(kernel);
}
