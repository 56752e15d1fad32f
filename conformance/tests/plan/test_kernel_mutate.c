// SPDX-License-Identifier: Apache-2.0
// Calls that differ from another one: as drawn numbers choose, and within what a call may be.
#include <stdlib.h>
#include <string.h>

#include "plan/kernel_choice.h"
#include "plan/kernel_mutate.h"
#include "plan/random.h"
#include "unit/unit.h"

enum { DRAWS = 20000 };

static KernelExtent named(const char *symbol, int64_t size)
{
  KernelExtent extent = {.size = size};
  strcpy(extent.symbol, symbol);
  return extent;
}

static KernelParameter tensor(DLDataType dtype, KernelRole role, KernelExtent first,
                              KernelExtent second)
{
  return (KernelParameter){.kind = KERNEL_TENSOR,
                           .typed = true,
                           .dtype = dtype,
                           .role = role,
                           .device = {kDLCPU, 0},
                           .rank = 2,
                           .shape = {first, second},
                           .number = 1};
}

// Of each kind one, tensors of float32[n, d], int32[n + 1, 3] and an output, an array of two of them and a map.
enum { X, AT, OUT, K, SCALE, FLAG, MODE, TYPE, SHAPE, PARTS, OPTIONS, F, LATER, PARAMETERS };

static Kernel *new_call(void)
{
  static const DLDataType f32 = {kDLFloat, 32, 1}, i32 = {kDLInt, 32, 1};
  Kernel *call = calloc(1, sizeof *call);
  ck_assert_ptr_nonnull(call);
  KernelParameter *p = call->parameters;
  KernelExtent more = named("n", 5);
  more.more = 1;
  call->parameter_count = PARAMETERS;
  p[X] = tensor(f32, KERNEL_IN, named("n", 4), named("d", 3));
  p[AT] = tensor(i32, KERNEL_IN, more, (KernelExtent){.size = 3});
  p[OUT] = tensor(f32, KERNEL_OUT, named("n", 4), named("d", 3));
  p[K] = (KernelParameter){.kind = KERNEL_INT, .integer = 3, .optional = true};
  p[SCALE] = (KernelParameter){.kind = KERNEL_FLOAT, .number = 0.5};
  p[FLAG] = (KernelParameter){.kind = KERNEL_BOOL};
  p[MODE] = (KernelParameter){.kind = KERNEL_STRING, .text = "sum", .text_size = 3};
  p[TYPE] = (KernelParameter){.kind = KERNEL_DTYPE, .text = "float32"};
  p[SHAPE] =
      (KernelParameter){.kind = KERNEL_SHAPE, .rank = 2, .shape = {{.size = 2}, {.size = 5}}};
  p[PARTS] = (KernelParameter){.kind = KERNEL_ARRAY, .first_element = 0, .element_count = 2};
  p[OPTIONS] =
      (KernelParameter){.kind = KERNEL_MAP, .keyed = true, .first_element = 2, .element_count = 1};
  p[F] = (KernelParameter){.kind = KERNEL_FUNCTION, .text = "float"};
  p[LATER] = (KernelParameter){.kind = KERNEL_ARRAY, .first_element = 3};
  call->element_count = 3;
  call->elements[0] = call->elements[1] = p[X];
  call->elements[2] = (KernelParameter){.kind = KERNEL_INT, .integer = 1, .name = "axis"};
  return call;
}

static void check_within(const Kernel *call)
{
  ck_assert_uint_eq(call->parameter_count, PARAMETERS);
  ck_assert_uint_le(call->element_count, KERNEL_ELEMENTS_MAX);
  ck_assert(kernel_elements(call) <= 1 << 16);
  for (uint32_t i = 0; i < kernel_place_count(call); ++i) {
    const KernelParameter *at = kernel_place_of(call, i);
    ck_assert_int_ge(at->rank, 0);
    ck_assert_int_le(at->rank, KERNEL_RANK_MAX);
    ck_assert_uint_le(at->value_count, KERNEL_VALUES_MAX);
    ck_assert_uint_lt(at->text_size, KERNEL_TEXT_MAX);
    ck_assert_uint_le(at->first_element + at->element_count, call->element_count);
    for (int32_t k = 0; k < at->rank && at->kind == KERNEL_TENSOR; ++k)
      ck_assert_int_ge(at->shape[k].size, 0);
  }
}

TEST(changed_again_and_again_it_stays_a_call)
{
  Kernel *call = new_call(), *before = new_call();
  uint64_t random = 7;
  for (unsigned i = 0; i < DRAWS; ++i) {
    kernel_copy(before, call);
    if (!kernel_mutate(call, &random)) kernel_copy(call, before);
    check_within(call);
    if (i % 16 == 0) {
      free(call);
      call = new_call();
    }
  }
  free(call);
  free(before);
}

TEST(the_same_state_gives_the_same_change)
{
  Kernel *one = new_call(), *other = new_call();
  uint64_t a = 3, b = 3;
  for (unsigned i = 0; i < 64; ++i) {
    ck_assert_int_eq(kernel_mutate(one, &a), kernel_mutate(other, &b));
    ck_assert(a == b);
    ck_assert_mem_eq(one, other, sizeof *one);
  }
  free(one);
  free(other);
}

// What became of a parameter, as bits, in one change each of as many calls.
enum {
  WAS_VALUE = 1,
  WAS_NONE = 2,
  WAS_KIND = 4,
  WAS_RANK = 8,
  WAS_EXTENT = 16,
  WAS_DTYPE = 32,
  WAS_DEVICE = 64,
  WAS_LONGER = 128,
  WAS_SHORTER = 256,
};

static unsigned change_of(const KernelParameter *at, const KernelParameter *was)
{
  unsigned seen = 0;
  if (at->kind == KERNEL_NONE && was->kind != KERNEL_NONE) return WAS_NONE;
  if (at->kind != was->kind) return WAS_KIND;
  seen |= at->rank != was->rank ? WAS_RANK : 0;
  for (int32_t k = 0; k < at->rank && k < was->rank; ++k)
    seen |= at->shape[k].size != was->shape[k].size ? WAS_EXTENT : 0;
  seen |= kernel_is_same_dtype(at->dtype, was->dtype) ? 0 : WAS_DTYPE;
  seen |= at->device.device_type != was->device.device_type ? WAS_DEVICE : 0;
  seen |= at->element_count > was->element_count ? WAS_LONGER : 0;
  seen |= at->element_count < was->element_count ? WAS_SHORTER : 0;
  const bool same =
      at->integer == was->integer && memcmp(&at->number, &was->number, sizeof at->number) == 0 &&
      at->contents == was->contents && at->value_count == was->value_count &&
      at->seed == was->seed && strcmp(at->text, was->text) == 0 && at->text_size == was->text_size;
  return seen | (same ? 0 : WAS_VALUE);
}

static const struct {
  int parameter;
  unsigned changes;
} reached[] = {
    {X, WAS_VALUE | WAS_RANK | WAS_EXTENT | WAS_DTYPE | WAS_DEVICE | WAS_NONE | WAS_KIND},
    {AT, WAS_VALUE | WAS_EXTENT | WAS_DTYPE},
    {OUT, WAS_RANK | WAS_EXTENT | WAS_DTYPE | WAS_DEVICE},
    {K, WAS_VALUE | WAS_NONE | WAS_KIND},
    {SCALE, WAS_VALUE | WAS_KIND},
    {FLAG, WAS_VALUE},
    {MODE, WAS_VALUE},
    {TYPE, WAS_VALUE},
    {SHAPE, WAS_RANK | WAS_EXTENT},
    {PARTS, WAS_LONGER | WAS_SHORTER},
    {OPTIONS, WAS_LONGER},
    {F, WAS_VALUE},
    {LATER, WAS_LONGER},
};

TEST(each_parameter_is_changed_in_each_way, .rows = ROWS(reached))
{
  const int parameter = reached[_i].parameter;
  Kernel *call = new_call(), *right = new_call();
  uint64_t random = 1;
  unsigned seen = 0;
  for (unsigned i = 0; i < DRAWS; ++i) {
    kernel_copy(call, right);
    if (kernel_mutate(call, &random))
      seen |= change_of(&call->parameters[parameter], &right->parameters[parameter]);
  }
  ck_assert_msg((seen & reached[_i].changes) == reached[_i].changes, "parameter %d: %#x of %#x",
                parameter, seen, reached[_i].changes);
  free(call);
  free(right);
}

// All extents of a name at once, and the one that is one more with them.
TEST(sizes_change_together)
{
  Kernel *call = new_call(), *right = new_call();
  uint64_t random = 5;
  unsigned together = 0;
  for (unsigned i = 0; i < DRAWS; ++i) {
    kernel_copy(call, right);
    if (!kernel_mutate(call, &random)) continue;
    const KernelParameter *p = call->parameters;
    const bool kept =
        p[X].rank == 2 && p[AT].rank == 2 && p[OUT].rank == 2 && p[X].kind == KERNEL_TENSOR;
    if (kept && p[X].shape[0].size != 4 && p[X].shape[0].symbol[0] &&
        p[X].shape[0].size == p[OUT].shape[0].size &&
        p[AT].shape[0].size == p[X].shape[0].size + 1 &&
        call->elements[0].shape[0].size == p[X].shape[0].size)
      ++together;
  }
  ck_assert_uint_gt(together, 100);
  free(call);
  free(right);
}

// Offsets from 0 to 20, and parts that add up to it; 0: even ones.
TEST(uneven_steps_end_where_even_ones_do, .rows = 64)
{
  enum { COUNT = 9, MOST = 20 };
  KernelParameter at = {.kind = KERNEL_TENSOR,
                        .dtype = {kDLInt, 32, 1},
                        .rank = 1,
                        .shape = {{.size = COUNT}},
                        .contents = KERNEL_OFFSETS,
                        .most = MOST,
                        .uneven = (uint32_t)_i};
  unsigned empty = 0;
  ck_assert(kernel_element_of(&at, 0) == 0);
  ck_assert(kernel_element_of(&at, COUNT - 1) == MOST);
  for (size_t i = 1; i < COUNT; ++i) {
    ck_assert(kernel_element_of(&at, i) >= kernel_element_of(&at, i - 1));
    empty += kernel_element_of(&at, i) == kernel_element_of(&at, i - 1);
  }
  // Half of uneven steps are nothing; of eight none is now and then.
  if (_i == 0) ck_assert_uint_eq(empty, 0);
  if (_i == 1) ck_assert_uint_ge(empty, 2);
  at.contents = KERNEL_PARTS;
  long double sum = 0;
  for (size_t i = 0; i < COUNT; ++i) {
    ck_assert(kernel_element_of(&at, i) >= 0);
    sum += kernel_element_of(&at, i);
  }
  ck_assert(sum == MOST);
}
