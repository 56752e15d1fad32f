// SPDX-License-Identifier: Apache-2.0
// Calls that are found: the elements of their tensors matter, where another argument can have them do so.
#include <math.h>
#include <stdlib.h>

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
  ck_assert_double_eq(found.kernel.parameters[2].number, 2);
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
