// SPDX-License-Identifier: Apache-2.0
// Which extents of a call that was found vary together: as long as each other, one more, or so many times as long.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/kernel_choice.h"
#include "pretended.h"
#include "unit/unit.h"

TEST_GROUP(signature_vary);

enum { MOST = 4000 };

static bool is_of(const KernelParameter *tensor, int32_t rank, bool floats)
{
  return tensor->rank == rank &&
         (floats ? pretended_is_float(tensor, 32)
                 : tensor->dtype.code == kDLInt && tensor->dtype.bits == 64);
}

static int64_t element(const KernelParameter *tensor, int64_t at)
{
  return (int64_t)kernel_element_of(tensor, (size_t)at);
}

// out[s] is the sum of rows offsets[s] to offsets[s + 1] of values.
static const char *sum_spans(const Kernel *call)
{
  const KernelParameter *values = &call->parameters[0], *offsets = &call->parameters[1],
                        *out = &call->parameters[2];
  if (!is_of(values, 2, true)) return "ValueError: values must be a matrix of float32";
  if (!is_of(offsets, 1, false)) return "ValueError: offsets must be a vector of int64";
  if (!is_of(out, 2, true)) return "ValueError: out must be a matrix of float32";
  const int64_t count = out->shape[0].size;
  if (offsets->shape[0].size != count + 1)
    return "ValueError: offsets must be one more than the rows of out";
  if (out->shape[1].size != values->shape[1].size)
    return "ValueError: out must have as many columns as values";
  if (element(offsets, 0) != 0 || element(offsets, count) != values->shape[0].size)
    return "ValueError: offsets must go from 0 to the rows of values";
  return NULL;
}

TEST(offsets_are_one_more_than_what_they_divide)
{
  PretendedSearch found;
  char text[KERNEL_EXTENT_TEXT_MAX], of_rows[KERNEL_EXTENT_TEXT_MAX + 2];
  pretended_search(&found, "`f(0: Tensor, 1: Tensor, 2: Tensor) -> None`", sum_spans, MOST, NULL);
  ck_assert(found.kernel.found);
  const KernelParameter *values = &found.kernel.parameters[0],
                        *offsets = &found.kernel.parameters[1], *out = &found.kernel.parameters[2];
  ck_assert_str_ne(out->shape[0].symbol, "");
  snprintf(of_rows, sizeof of_rows, "%s+1", out->shape[0].symbol);
  ck_assert_str_eq(kernel_extent_text(&offsets->shape[0], text), of_rows);
  ck_assert_int_eq(offsets->shape[0].size, out->shape[0].size + 1);
  // Columns, and the rows that are divided, have names of their own.
  ck_assert_str_eq(values->shape[1].symbol, out->shape[1].symbol);
  ck_assert_str_ne(values->shape[0].symbol, "");
  ck_assert_str_ne(values->shape[0].symbol, out->shape[0].symbol);
  free(found.known);
}

TEST(other_sizes_stay_right)
{
  PretendedSearch found;
  pretended_search(&found, "`f(0: Tensor, 1: Tensor, 2: Tensor) -> None`", sum_spans, MOST, NULL);
  ck_assert_ptr_null(sum_spans(&found.kernel));
  for (int64_t size = 1; size < 300; size = size * 3 + 1) {
    Kernel other = found.kernel;
    kernel_set_size(&other, other.parameters[2].shape[0].symbol, size);
    ck_assert_ptr_null(sum_spans(&other));
    ck_assert(kernel_change_sizes(&other, 2, 1));
    ck_assert_ptr_null(sum_spans(&other));
  }
  free(found.known);
}

// Two numbers of 4 bits are in each byte, whose number the message tells.
static const char *unpack(const Kernel *call)
{
  static char words[80];
  const KernelParameter *packed = &call->parameters[0], *out = &call->parameters[1];
  if (packed->rank != 1) return "ValueError: packed must have 1 dimension";
  if (!is_of(out, 1, true)) return "ValueError: out must be a vector of float32";
  const int64_t wanted = 2 * packed->shape[0].size;
  snprintf(words, sizeof words, "ValueError: out must have %d elements, not %d", (int)wanted,
           (int)out->shape[0].size);
  return out->shape[0].size == wanted ? NULL : words;
}

TEST(an_extent_is_so_many_times_another_one)
{
  PretendedSearch found;
  char text[KERNEL_EXTENT_TEXT_MAX], twice[KERNEL_EXTENT_TEXT_MAX + 2];
  pretended_search(&found, "`f(0: Tensor, 1: Tensor) -> None`", unpack, MOST, NULL);
  ck_assert(found.kernel.found);
  const KernelExtent *packed = &found.kernel.parameters[0].shape[0],
                     *out = &found.kernel.parameters[1].shape[0];
  snprintf(twice, sizeof twice, "2*%s", packed->symbol);
  ck_assert_str_eq(kernel_extent_text(out, text), twice);
  ck_assert_int_eq(kernel_extent_of(out, 7), 14);
  ck_assert_int_eq(kernel_extent_size(out), packed->size);
  free(found.known);
}

// Whether messages name one dimension, and not all.
static bool names_one;

// Several tensors with extents of the first one, of which each message names one with the extents that it has to have.
static const char *attend(const Kernel *call)
{
  enum { COUNT = 6 };
  static char words[160];
  static const int axes[COUNT][3] = {{0, 1, 2},   {0, 1, 2},  {0, 1, -1},
                                     {0, -1, -1}, {0, 2, -1}, {1, 2, -1}};
  static const char *const names[COUNT] = {"q", "out", "lse", "lengths", "bias", "gate"};
  const KernelParameter *q = &call->parameters[0];
  if (!is_of(q, 3, true)) return "ValueError: q must have 3 dimensions of float32";
  for (int i = 1; i < COUNT; ++i) {
    const KernelParameter *at = &call->parameters[i];
    int64_t wanted[3];
    int32_t rank = 0;
    bool same = true;
    for (; rank < 3 && axes[i][rank] >= 0; ++rank) wanted[rank] = q->shape[axes[i][rank]].size;
    snprintf(words, sizeof words, "ValueError: %s must have %d dimensions", names[i], (int)rank);
    if (at->rank != rank) return words;
    for (int32_t k = 0; k < rank; ++k) same &= at->shape[k].size == wanted[k];
    int size = snprintf(words, sizeof words, "ValueError: %s has shape (", names[i]);
    for (int32_t k = 0; k < rank; ++k)
      size += snprintf(words + size, sizeof words - (size_t)size, k ? ", %d" : "%d",
                       (int)at->shape[k].size);
    for (int32_t k = 0; k < rank && names_one; ++k)
      if (at->shape[k].size != wanted[k]) {
        snprintf(words + size, sizeof words - (size_t)size, "): dimension %d must be %d", (int)k,
                 (int)wanted[k]);
        return words;
      }
    size += snprintf(words + size, sizeof words - (size_t)size, "), expected (");
    for (int32_t k = 0; k < rank; ++k)
      size +=
          snprintf(words + size, sizeof words - (size_t)size, k ? ", %d" : "%d", (int)wanted[k]);
    snprintf(words + size, sizeof words - (size_t)size, ")");
    if (!same) return words;
  }
  return NULL;
}

static void check_attended(void)
{
  PretendedSearch found;
  pretended_search(&found,
                   "`f(0: Tensor, 1: Tensor, 2: Tensor, 3: Tensor, 4: Tensor, 5: Tensor) -> None`",
                   attend, MOST, NULL);
  ck_assert(found.kernel.found);
  const KernelParameter *at = found.kernel.parameters;
  for (int k = 0; k < 3; ++k) {
    ck_assert_str_ne(at[0].shape[k].symbol, "");
    ck_assert_str_ne(at[0].shape[k].symbol, at[0].shape[(k + 1) % 3].symbol);
    ck_assert_str_eq(at[1].shape[k].symbol, at[0].shape[k].symbol);
  }
  ck_assert_str_eq(at[2].shape[1].symbol, at[0].shape[1].symbol);
  ck_assert_str_eq(at[3].shape[0].symbol, at[0].shape[0].symbol);
  ck_assert_str_eq(at[4].shape[1].symbol, at[0].shape[2].symbol);
  ck_assert_str_eq(at[5].shape[0].symbol, at[0].shape[1].symbol);
  ck_assert_str_eq(at[5].shape[1].symbol, at[0].shape[2].symbol);
  free(found.known);
}

TEST(the_extents_that_words_ask_for_vary_together)
{
  names_one = false;
  check_attended();
}

TEST(the_dimension_that_words_ask_for_varies)
{
  names_one = true;
  check_attended();
}

// out is the k greatest elements of each row of x, of which there are at least so many.
static const char *find_greatest(const Kernel *call)
{
  const KernelParameter *x = &call->parameters[0], *k = &call->parameters[1],
                        *out = &call->parameters[2];
  if (!is_of(x, 2, true)) return "ValueError: x must be a matrix of float32";
  if (!is_of(out, 2, true)) return "ValueError: out must be a matrix of float32";
  if (out->shape[0].size != x->shape[0].size) return "ValueError: out must have as many rows as x";
  if (k->integer < 1 || k->integer > x->shape[1].size)
    return "ValueError: k must be from 1 to the columns of x";
  if (out->shape[1].size != k->integer) return "ValueError: out must have k columns";
  return NULL;
}

TEST(an_integer_may_be_an_extent)
{
  PretendedSearch found;
  pretended_search(&found, "`f(0: Tensor, 1: int, 2: Tensor) -> None`", find_greatest, MOST, NULL);
  ck_assert(found.kernel.found);
  const KernelParameter *k = &found.kernel.parameters[1], *out = &found.kernel.parameters[2];
  ck_assert_str_ne(k->shape[0].symbol, "");
  ck_assert_str_eq(k->shape[0].symbol, out->shape[1].symbol);
  Kernel other = found.kernel;
  ck_assert(kernel_change_sizes(&other, 2, 1));
  ck_assert_int_eq(other.parameters[1].integer, 2 * k->integer + 1);
  ck_assert_ptr_null(find_greatest(&other));
  other = found.kernel;
  kernel_set_size(&other, k->shape[0].symbol, 1);
  ck_assert_int_eq(other.parameters[1].integer, 1);
  ck_assert_ptr_null(find_greatest(&other));
  free(found.known);
}

// An integer that may be any is none, though it is as large as an extent.
static const char *add(const Kernel *call)
{
  const KernelParameter *x = &call->parameters[0], *out = &call->parameters[2];
  if (!is_of(x, 1, true)) return "ValueError: x must be a vector of float32";
  if (!is_of(out, 1, true)) return "ValueError: out must be a vector of float32";
  return out->shape[0].size == x->shape[0].size ? NULL : "ValueError: out must be as long as x";
}

TEST(an_integer_that_is_free_is_no_extent)
{
  PretendedSearch found;
  pretended_search(&found, "`f(0: Tensor, 1: int, 2: Tensor) -> None`", add, MOST, NULL);
  ck_assert(found.kernel.found);
  ck_assert_str_eq(found.kernel.parameters[1].shape[0].symbol, "");
  free(found.known);
}

// Each call makes a million elements, and none is served.
static const char *want_more(const Kernel *call)
{
  const KernelParameter *x = &call->parameters[0];
  if (!is_of(x, 2, true)) return "ValueError: x must be a matrix of float32";
  if (x->shape[0].size != 1024) return "ValueError: x must have 1024 rows";
  if (x->shape[1].size != 1024) return "ValueError: x must have 1024 columns";
  return "ValueError: scale must be 0.123, y and z must be right";
}

TEST(calls_with_large_tensors_count_as_several)
{
  PretendedSearch found;
  pretended_search(&found, "`f(0: Tensor, 1: float, 2: Tensor, 3: Tensor) -> None`", want_more,
                   MOST, NULL);
  ck_assert(!found.kernel.found);
  ck_assert_uint_lt(found.asked.calls, MOST / 10);
  free(found.known);
}

// Rows for requests, of whose tokens the offsets tell the first and the last.
static const char *read_requests(const Kernel *call)
{
  const KernelParameter *rows = &call->parameters[0], *offsets = &call->parameters[1],
                        *tokens = &call->parameters[2];
  if (!is_of(rows, 2, true)) return "ValueError: rows must be a matrix of float32";
  if (!is_of(offsets, 1, false)) return "ValueError: offsets must be a vector of int64";
  if (!is_of(tokens, 1, false)) return "ValueError: tokens must be a vector of int64";
  const int64_t count = rows->shape[0].size;
  if (offsets->shape[0].size != count + 1) return "ValueError: offsets must be one more than rows";
  if (element(offsets, 0) != 0 || element(offsets, count) != tokens->shape[0].size)
    return "ValueError: offsets must go from 0 to the number of tokens";
  return NULL;
}

TEST(offsets_are_those_of_the_integers_behind_them)
{
  PretendedSearch found;
  pretended_search(&found, "`f(0: Tensor, 1: Tensor, 2: Tensor) -> None`", read_requests, MOST,
                   NULL);
  ck_assert(found.kernel.found);
  const KernelParameter *at = found.kernel.parameters;
  ck_assert_str_ne(at[0].shape[0].symbol, "");
  ck_assert_str_eq(at[1].shape[0].symbol, at[0].shape[0].symbol);
  ck_assert_str_ne(at[2].shape[0].symbol, "");
  ck_assert_str_ne(at[2].shape[0].symbol, at[0].shape[0].symbol);
  free(found.known);
}

// Offsets of the pages of requests, each of which has one at least; places of pages, and how much of the last is used.
static const char *read_pages(const Kernel *call)
{
  const KernelParameter *q = &call->parameters[0], *offsets = &call->parameters[1],
                        *pages = &call->parameters[2], *used = &call->parameters[3];
  if (!is_of(q, 1, true)) return "ValueError: q must be a vector of float32";
  if (!is_of(offsets, 1, false)) return "ValueError: offsets must be a vector of int64";
  if (!is_of(pages, 1, false)) return "ValueError: pages must be a vector of int64";
  if (!is_of(used, 1, false)) return "ValueError: used must be a vector of int64";
  const int64_t count = q->shape[0].size;
  if (offsets->shape[0].size != count + 1) return "ValueError: offsets must be one more than q";
  if (used->shape[0].size != count) return "ValueError: used must be as long as q";
  if (element(offsets, 0) != 0 || element(offsets, count) != pages->shape[0].size)
    return "ValueError: offsets must go from 0 to the number of pages";
  for (int64_t i = 0; i < count; ++i)
    if (element(offsets, i + 1) <= element(offsets, i)) return "ValueError: a request has no page";
  for (int64_t i = 0; i < pages->shape[0].size; ++i)
    if (element(pages, i) > 3) return "IndexError: there are 4 pages";
  return NULL;
}

TEST(what_offsets_count_varies_with_them)
{
  PretendedSearch found;
  pretended_search(&found, "`f(0: Tensor, 1: Tensor, 2: Tensor, 3: Tensor) -> None`", read_pages,
                   MOST, NULL);
  ck_assert(found.kernel.found);
  const KernelParameter *at = found.kernel.parameters;
  ck_assert_str_ne(at[0].shape[0].symbol, "");
  for (int i = 1; i < 4; ++i) ck_assert_str_eq(at[i].shape[0].symbol, at[0].shape[0].symbol);
  ck_assert_int_eq(at[1].shape[0].more, 1);
  ck_assert_int_eq(at[2].shape[0].more, 0);
  free(found.known);
}

// The same words whatever does not fit, of five vectors and their offsets.
static const char *be_mute(const Kernel *call)
{
  const KernelParameter *at = call->parameters;
  bool fits = is_of(&at[0], 1, false);
  for (int i = 1; i < 6; ++i)
    fits = fits && is_of(&at[i], 1, true) && at[i].shape[0].size + 1 == at[0].shape[0].size;
  if (!is_of(&at[0], 1, false)) return "ValueError: offsets must be a vector of int64";
  for (int i = 1; i < 6; ++i)
    if (!is_of(&at[i], 1, true)) return "ValueError: vectors of float32 are expected";
  return fits ? NULL : "ValueError: offsets must be one more than all others";
}

TEST(many_extents_are_one_less_than_another)
{
  PretendedSearch found;
  pretended_search(&found,
                   "`f(0: Tensor, 1: Tensor, 2: Tensor, 3: Tensor, 4: Tensor, 5: Tensor) -> None`",
                   be_mute, MOST, NULL);
  ck_assert(found.kernel.found);
  const KernelParameter *at = found.kernel.parameters;
  ck_assert_int_eq(at[0].shape[0].more, 1);
  for (int i = 1; i < 6; ++i) {
    ck_assert_str_ne(at[i].shape[0].symbol, "");
    ck_assert_str_eq(at[i].shape[0].symbol, at[0].shape[0].symbol);
    ck_assert_int_eq(at[i].shape[0].more, 0);
  }
  free(found.known);
}

// Six tensors of three dimensions of one shape: more dimensions than are tried three at a time.
static const char *take_many(const Kernel *call)
{
  static char words[120];
  const KernelParameter *first = &call->parameters[0];
  for (int i = 0; i < 6; ++i)
    if (!is_of(&call->parameters[i], 3, true)) return "ValueError: 3 dimensions are expected";
  for (int i = 1; i < 6; ++i) {
    const KernelParameter *at = &call->parameters[i];
    snprintf(words, sizeof words, "ValueError: x%d has shape (%d, %d, %d), not (%d, %d, %d)", i,
             (int)at->shape[0].size, (int)at->shape[1].size, (int)at->shape[2].size,
             (int)first->shape[0].size, (int)first->shape[1].size, (int)first->shape[2].size);
    for (int k = 0; k < 3; ++k)
      if (at->shape[k].size != first->shape[k].size) return words;
  }
  return NULL;
}

TEST(extents_of_many_tensors_are_told_apart)
{
  PretendedSearch found;
  pretended_search(&found,
                   "`f(0: Tensor, 1: Tensor, 2: Tensor, 3: Tensor, 4: Tensor, 5: Tensor) -> None`",
                   take_many, MOST, NULL);
  ck_assert(found.kernel.found);
  const KernelParameter *at = found.kernel.parameters;
  for (int k = 0; k < 3; ++k) {
    ck_assert_str_ne(at[0].shape[k].symbol, "");
    ck_assert_str_ne(at[0].shape[k].symbol, at[0].shape[(k + 1) % 3].symbol);
    for (int i = 1; i < 6; ++i) ck_assert_str_eq(at[i].shape[k].symbol, at[0].shape[k].symbol);
  }
  free(found.known);
}

// Columns for which there are no values: none, or at most two.
static const char *hold_values(const Kernel *call)
{
  static char words[80];
  const KernelParameter *x = &call->parameters[0];
  if (!is_of(x, 2, true)) return "ValueError: x must be a matrix of float32";
  snprintf(words, sizeof words, "ValueError: x has %d columns for 0 values", (int)x->shape[1].size);
  return x->shape[1].size > 2 ? words : NULL;
}

TEST(a_tensor_without_elements_gets_some)
{
  PretendedSearch found;
  pretended_search(&found, "`f(0: Tensor) -> None`", hold_values, MOST, NULL);
  ck_assert(found.kernel.found);
  ck_assert_int_eq(found.kernel.parameters[0].shape[1].size, 2);
  free(found.known);
}
