// SPDX-License-Identifier: Apache-2.0
// Calls that are drawn: the same each time, and made of what came of earlier ones.
#include <stdlib.h>
#include <string.h>

#include "kernel/kernel_drawn.h"
#include "kernel/kernel_host.h"
#include "unit/unit.h"

enum { SERIES = 300 };

// f(n: int, mode: str, out: ... or None), of which a call was found.
static Kernel *new_kernel(const char *name)
{
  Kernel *kernel = calloc(1, sizeof *kernel);
  ck_assert_ptr_nonnull(kernel);
  strcpy(kernel->name, name);
  kernel->found = true;
  kernel->parameter_count = 3;
  kernel->parameters[0] = (KernelParameter){.kind = KERNEL_INT, .integer = 3};
  kernel->parameters[1] = (KernelParameter){.kind = KERNEL_STRING, .text = "sum", .text_size = 3};
  kernel->parameters[2] = (KernelParameter){.kind = KERNEL_ANY, .optional = true};
  return kernel;
}

static ApartOutcome *new_outcome(ApartEnd end)
{
  ApartOutcome *outcome = calloc(1, sizeof *outcome);
  ck_assert_ptr_nonnull(outcome);
  outcome->end = end;
  return outcome;
}

TEST(the_example_comes_first)
{
  SeriesCall calls[SERIES_MAX];
  Kernel *kernel = new_kernel("f");
  Drawing *drawing = drawing_new(kernel);
  ck_assert_uint_eq(drawing_begin(drawing, calls), 1);
  ck_assert(calls[0].promised);
  ck_assert_mem_eq(calls[0].kernel, kernel, offsetof(Kernel, elements));
  ck_assert_int_eq(calls[0].output, -1);
  ck_assert_int_eq(calls[0].takes, -1);
}

TEST(the_same_calls_are_drawn_each_time)
{
  SeriesCall ones[SERIES_MAX], others[SERIES_MAX];
  Drawing *one = drawing_new(new_kernel("f")), *other = drawing_new(new_kernel("f"));
  unsigned changed = 0;
  for (unsigned i = 0; i < SERIES; ++i) {
    drawing_next(one, ones);
    drawing_next(other, others);
    for (unsigned k = 0; k < SERIES_MAX; ++k) {
      ck_assert_mem_eq(ones[k].kernel, others[k].kernel, offsetof(Kernel, elements));
      ck_assert(!ones[k].promised);
      changed += ones[k].kernel->parameters[0].integer != 3;
    }
  }
  ck_assert_uint_gt(changed, SERIES);
}

// How many of the calls that are drawn next have this text.
static unsigned count_text(Drawing *drawing, const char *text)
{
  SeriesCall calls[SERIES_MAX];
  unsigned count = 0;
  for (unsigned i = 0; i < SERIES; ++i) {
    drawing_next(drawing, calls);
    for (unsigned k = 0; k < SERIES_MAX; ++k)
      count += strcmp(calls[k].kernel->parameters[1].text, text) == 0;
  }
  return count;
}

TEST(texts_of_messages_are_tried)
{
  SeriesCall calls[SERIES_MAX];
  Drawing *drawing = drawing_new(new_kernel("f"));
  ApartOutcome *refused = new_outcome(APART_REFUSED);
  ck_assert_uint_eq(count_text(drawing, "softly"), 0);
  drawing_next(drawing, calls);
  strcpy(refused->refusal, "ValueError: mode must be \"softly\" or \"hard\"");
  drawing_note(drawing, 0, refused);
  ck_assert_uint_gt(count_text(drawing, "softly"), 5);
  ck_assert_uint_eq(count_text(drawing, "ValueError"), 0);
}

static unsigned count_outputs(Drawing *drawing)
{
  SeriesCall calls[SERIES_MAX];
  unsigned count = 0;
  for (unsigned i = 0; i < SERIES; ++i) {
    drawing_next(drawing, calls);
    for (unsigned k = 0; k < SERIES_MAX; ++k) {
      const KernelParameter *at = &calls[k].kernel->parameters[2];
      count += at->kind == KERNEL_TENSOR && at->role == KERNEL_OUT && at->dtype.code == kDLInt &&
               at->dtype.bits == 16 && at->rank == 2 && at->shape[0].size == 2 &&
               at->shape[1].size == 5;
    }
  }
  return count;
}

// As the result is: int16[2, 5].
TEST(what_is_optional_is_given_a_tensor_like_the_result)
{
  static const int64_t shape[] = {2, 5};
  static const DLDataType int16 = {kDLInt, 16, 1};
  SeriesCall calls[SERIES_MAX];
  Drawing *drawing = drawing_new(new_kernel("f"));
  ApartOutcome *served = new_outcome(APART_SERVED);
  ck_assert_uint_eq(count_outputs(drawing), 0);
  served->count = 2;
  served->parts[0] = (ApartPart){.size = sizeof shape, .name = "the shape of " KERNEL_APART_RESULT};
  served->parts[1] = (ApartPart){
      .first = sizeof shape, .size = sizeof int16, .name = "the type of " KERNEL_APART_RESULT};
  memcpy(served->bytes, shape, sizeof shape);
  memcpy(served->bytes + sizeof shape, &int16, sizeof int16);
  ck_assert_uint_eq(drawing_begin(drawing, calls), 1);
  drawing_note(drawing, 0, served);
  ck_assert_uint_gt(count_outputs(drawing), 10);
}

// More changes are made to what was served: here to a call with a text that no single change makes again.
TEST(calls_that_were_served_are_changed_further)
{
  SeriesCall calls[SERIES_MAX];
  Drawing *drawing = drawing_new(new_kernel("f"));
  char text[KERNEL_TEXT_MAX] = "";
  int at = -1;
  while (at < 0) {
    drawing_next(drawing, calls);
    for (int k = 0; k < SERIES_MAX && at < 0; ++k)
      if (strlen(calls[k].kernel->parameters[1].text) > 5) at = k;
  }
  strcpy(text, calls[at].kernel->parameters[1].text);
  ApartOutcome *served = new_outcome(APART_SERVED);
  const unsigned before = count_text(drawing, text);
  drawing_begin(drawing, calls);
  while (true) {
    drawing_next(drawing, calls);
    for (at = 0; at < SERIES_MAX && strcmp(calls[at].kernel->parameters[1].text, text) != 0; ++at)
      continue;
    if (at < SERIES_MAX) break;
  }
  drawing_note(drawing, (unsigned)at, served);
  ck_assert_uint_gt(count_text(drawing, text), 2 * before + 20);
}

TEST(functions_beside_it_are_called_now_and_then)
{
  const Kernel *beside[] = {new_kernel("g"), new_kernel("h")};
  SeriesCall calls[SERIES_MAX];
  unsigned own = 0, others = 0;
  kernel_host_set_beside(beside, 2);
  Drawing *drawing = drawing_new(new_kernel("f"));
  kernel_host_set_beside(NULL, 0);
  for (unsigned i = 0; i < SERIES; ++i) {
    drawing_next(drawing, calls);
    for (unsigned k = 0; k < SERIES_MAX; ++k) {
      const char *name = calls[k].kernel->name;
      own += strcmp(name, "f") == 0;
      others += strcmp(name, "g") == 0 || strcmp(name, "h") == 0;
    }
  }
  ck_assert_uint_eq(own + others, SERIES * SERIES_MAX);
  ck_assert_uint_gt(own, SERIES * SERIES_MAX / 3);
  ck_assert_uint_gt(others, SERIES);
}
