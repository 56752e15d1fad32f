// SPDX-License-Identifier: Apache-2.0
// What the search for a call makes of limits in messages, of messages that name nothing, and of edges.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/signature_limit.h"
#include "pretended.h"
#include "unit/unit.h"

TEST(limits_in_messages_are_read)
{
  static const struct {
    const char *message;
    double excluded, taken;
  } read[] = {{"ValueError: bits: has to be 2 to 8, got 1", 1, 2},
              {"ValueError: threads must be from 1 to 16", 0, 1},
              {"ValueError: p must be between 0 and 1", 2, 0},
              {"ValueError: k must be in [1, 4]", 5, 4},
              {"ValueError: group has to be positive", 0, 1},
              {"ValueError: eps must be non-negative", -1, 0},
              {"ValueError: n must not be negative", -1, 0},
              {"ValueError: expected n >= 3", 2, 3},
              {"ValueError: n must be at least 2, got 1", 1, 2},
              {"ValueError: n must be at most 64", 65, 64},
              {"ValueError: theta must be greater than 0", 0, 1},
              {"ValueError: block must be a power of two", 3, 4},
              {"ValueError: k must be in [1..16]", 17, 16},
              {"ValueError: no more than 16 are taken", 17, 8},
              {"ValueError: n must not be greater than 2.5", 3, 2},
              {"ValueError: n must not be less than 3", 2, 3},
              {"ValueError: offset must be negative", 0, -1},
              {"ValueError: x must be non-positive", 1e9, 0}};
  for (size_t i = 0; i < sizeof read / sizeof *read; ++i) {
    const bool last = i + 1 == sizeof read / sizeof *read;
    ck_assert_msg(refusal_excludes(read[i].message, read[i].excluded) != last, "%s",
                  read[i].message);
    ck_assert_msg(!refusal_excludes(read[i].message, read[i].taken), "%s", read[i].message);
  }
  ck_assert(!refusal_excludes("ValueError: the graph has a cycle", -1));
  ck_assert(!refusal_excludes("", 0));
}

// Its groups are checked before its bits: where both are 1, the one that is complained of is not the first that can
// be changed.
static const char *quantize(const Kernel *call)
{
  const KernelParameter *w = &call->parameters[0];
  const int64_t group = call->parameters[1].integer, bits = call->parameters[2].integer;
  static char message[80];
  if (w->rank != 2) return "ValueError: w: expected 2 dimensions";
  if (group < 1) {
    snprintf(message, sizeof message, "ValueError: group: has to be positive, got %ld",
             (long)group);
    return message;
  }
  if (w->shape[1].size % group != 0) {
    snprintf(message, sizeof message, "ValueError: group: %ld does not divide %ld columns",
             (long)group, (long)w->shape[1].size);
    return message;
  }
  if (bits >= 2 && bits <= 8) return NULL;
  snprintf(message, sizeof message, "ValueError: bits: has to be 2 to 8, got %ld", (long)bits);
  return message;
}

TEST(a_number_that_is_complained_of_for_itself_is_put_off)
{
  static PretendedSearch found;
  pretended_search(&found, "`f(0: Tensor, 1: int, 2: int) -> None`", quantize, 120, NULL);
  ck_assert(found.kernel.found);
  ck_assert_int_eq(found.kernel.parameters[1].integer > 0, 1);
  free(found.known);
}

// All that one element may say of the graph: each edge leads from one to the other.
static const char *order(const Kernel *call)
{
  const KernelParameter *from = &call->parameters[0], *to = &call->parameters[1];
  if (from->dtype.code != kDLInt) return "TypeError: src must hold integers";
  if (to->dtype.code != kDLInt) return "TypeError: dst must hold integers";
  if (from->rank != 1 || to->rank != 1) return "ValueError: src and dst must have 1 dimension";
  if (from->shape[0].size != to->shape[0].size) return "ValueError: as many of src as of dst";
  const bool apart =
      from->value_count == 1 && to->value_count == 1 && from->values[0] != to->values[0];
  return apart ? NULL : "ValueError: the graph has a cycle";
}

TEST(edges_lead_in_one_direction)
{
  static PretendedSearch found;
  pretended_search(&found, "`f(0: Tensor, 1: Tensor) -> None`", order, 400, NULL);
  ck_assert(found.kernel.found);
  free(found.known);
}

// Words of none of the topics, about a tensor of which nothing has been heard.
static const char *scale(const Kernel *call)
{
  const KernelParameter *x = &call->parameters[0], *by = &call->parameters[5];
  return by->shape[0].size * 2 == x->shape[0].size ? NULL : "ValueError: by must hold one for two";
}

TEST(words_of_no_topic_are_about_extents_and_values)
{
  static PretendedSearch found;
  pretended_search(&found,
                   "`f(0: Tensor, 1: Tensor, 2: Tensor, 3: Tensor, 4: Tensor, 5: Tensor) -> None`",
                   scale, 120, NULL);
  ck_assert(found.kernel.found);
  free(found.known);
}

// One check of the type and the rank.
static const char *sift(const Kernel *call)
{
  const KernelParameter *x = &call->parameters[0], *bits = &call->parameters[1];
  if (!pretended_is_float(x, 32) || x->rank != 2)
    return "ValueError: x must be a matrix of float32";
  if (bits->dtype.code != kDLInt || bits->dtype.bits != 32 || bits->rank != 2)
    return "ValueError: bits must be a matrix of int32";
  return NULL;
}

TEST(a_type_and_a_rank_may_be_checked_at_once)
{
  static PretendedSearch found;
  pretended_search(&found, "`f(0: Tensor, 1: Tensor) -> None`", sift, 200, NULL);
  ck_assert(found.kernel.found);
  free(found.known);
}
