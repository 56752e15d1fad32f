// SPDX-License-Identifier: Apache-2.0
// Calls that are found: the elements of their tensors matter, where another argument can have them do so.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan/kernel_choice.h"
#include "pretended.h"
#include "unit/unit.h"

TEST_GROUP(signature_sense);

// What the elements of a tensor come to, each where it is.
static uint64_t digest_of(const KernelParameter *tensor)
{
  uint64_t digest = 1;
  for (size_t i = 0; i < 4; ++i)
    digest = digest * 31 + (uint64_t)lround(16 * (double)kernel_element_of(tensor, i));
  return digest;
}

// Points further away than a radius don't count.
static uint64_t nearest(const Kernel *call)
{
  const KernelParameter *points = &call->parameters[0], *radius = &call->parameters[1];
  return radius->kind == KERNEL_FLOAT && radius->number < 5 ? 1 : digest_of(points);
}

TEST(a_number_is_one_that_lets_elements_matter)
{
  PretendedSearch found;
  pretended_search_outcome(&found, "`f(0: Tensor, 1: float) -> int`", nearest);
  ck_assert(found.kernel.found);
  ck_assert_double_ge(found.kernel.parameters[1].number, 5);
  free(found.known);
}

// A value is tried before the argument is left out.
TEST(what_may_be_left_out_is_given)
{
  PretendedSearch found;
  pretended_search_outcome(&found, "`f(0: Tensor, 1: Optional<float>) -> int`", nearest);
  ck_assert_int_eq(found.kernel.parameters[1].kind, KERNEL_FLOAT);
  ck_assert_double_ge(found.kernel.parameters[1].number, 5);
  free(found.known);
}

// The mean is given, or computed.
static uint64_t center(const Kernel *call)
{
  return call->parameters[1].kind == KERNEL_ANY ? digest_of(&call->parameters[0]) : 1;
}

TEST(what_leaves_elements_out_is_left_out)
{
  PretendedSearch found;
  pretended_search_outcome(&found, "`f(0: Tensor, 1: Optional<float>) -> int`", center);
  ck_assert_int_eq(found.kernel.parameters[1].kind, KERNEL_ANY);
  free(found.known);
}

// Elements are added where the second number is 0, and those of the other tensor are where it is not.
static uint64_t choose(const Kernel *call)
{
  return digest_of(&call->parameters[call->parameters[2].integer == 0 ? 0 : 1]);
}

// As many matter with another number: there is no reason to change it.
TEST(a_call_in_which_others_matter_stays)
{
  PretendedSearch found;
  pretended_search_outcome(&found, "`f(0: Tensor, 1: Tensor, 2: bool) -> int`", choose);
  const int64_t before = found.kernel.parameters[2].integer;
  free(found.known);
  pretended_search_outcome(&found, "`f(0: Tensor, 1: Tensor, 2: bool) -> int`", NULL);
  ck_assert_int_eq(found.kernel.parameters[2].integer, before);
  free(found.known);
}

// Both are added, but for a weight of 0.
static uint64_t blend(const Kernel *call)
{
  const double weight = call->parameters[2].number;
  const uint64_t one = weight == 1 ? 0 : digest_of(&call->parameters[0]);
  return one * 7 + (weight == 0.5 ? 0 : digest_of(&call->parameters[1])) + 1;
}

TEST(more_matter_than_before)
{
  PretendedSearch found;
  pretended_search_outcome(&found, "`f(0: Tensor, 1: Tensor, 2: float) -> int`", blend);
  ck_assert_double_ne(found.kernel.parameters[2].number, 0.5);
  ck_assert_double_ne(found.kernel.parameters[2].number, 1);
  free(found.known);
}

// The number counts how much noise is added.
static uint64_t add_noise(const Kernel *call)
{
  static uint64_t calls = 1;
  return call->parameters[1].number < 5 ? 1 : ++calls;
}

// With noise another thing comes out each time, whatever the elements are: nothing follows from that.
TEST(what_is_not_steady_does_not_count)
{
  PretendedSearch found;
  pretended_search_outcome(&found, "`f(0: Tensor, 1: float) -> int`", add_noise);
  ck_assert_double_lt(found.kernel.parameters[1].number, 5);
  free(found.known);
}

// A number that is scaled by what a function returns, which is 0 or, as a bool, true.
static uint64_t scale(const Kernel *call)
{
  const KernelParameter *by = &call->parameters[2];
  const bool scaled = by->kind == KERNEL_FUNCTION && strcmp(by->text, "bool") == 0;
  return 7 * digest_of(&call->parameters[0]) + 1 +
         (scaled ? (uint64_t)lround(1024 * call->parameters[1].number) : 0);
}

TEST(a_function_returns_what_lets_a_number_matter)
{
  PretendedSearch found;
  pretended_search_outcome(&found, "`f(0: Tensor, 1: float, 2: (...) -> Any) -> int`", scale);
  ck_assert_str_eq(found.kernel.parameters[2].text, "bool");
  free(found.known);
}

// The sum of some integers, as far as a limit goes.
static uint64_t count_up(const Kernel *call)
{
  const KernelParameter *counts = &call->parameters[0];
  int64_t sum = 0;
  for (uint32_t i = 0; i < counts->element_count; ++i)
    sum += call->elements[counts->first_element + i].integer;
  const int64_t limit = call->parameters[1].integer;
  return (uint64_t)(1 + (sum < limit ? sum : limit)) * 31;
}

// Both matter where the limit is between.
TEST(numbers_matter_too)
{
  PretendedSearch found;
  pretended_search_outcome(&found, "`f(0: Array<int>, 1: int) -> int`", count_up);
  const Kernel *call = &found.kernel;
  ck_assert(call->found);
  Kernel other = *call;
  ++other.parameters[1].integer;
  const bool limited = count_up(&other) != count_up(call);
  other = *call;
  --other.parameters[1].integer;
  ck_assert(limited || count_up(&other) != count_up(call));
  other = *call;
  for (uint32_t i = 0; i < call->parameters[0].element_count; ++i)
    ++other.elements[call->parameters[0].first_element + i].integer;
  const bool counted = count_up(&other) != count_up(call);
  other = *call;
  --other.elements[call->parameters[0].first_element].integer;
  ck_assert(counted || count_up(&other) != count_up(call));
  free(found.known);
}
