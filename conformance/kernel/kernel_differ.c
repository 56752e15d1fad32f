// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_differ.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "battery/clock.h"
#include "battery/expect.h"
#include "kernel/kernel_chosen.h"
#include "kernel/kernel_cuda.h"
#include "kernel/kernel_drawn.h"
#include "kernel/kernel_program.h"
#include "kernel/kernel_varied.h"
#include "plan/case.h"
#include "plan/kernel_choice.h"

enum {
  SERIES_MOST = 333,
  AGAIN = 4,     // so often what differs is made again, in each build
  PATIENCE = 8,  // seconds that it may take here
};
static const double SECONDS_MOST = 8;

// What is expected of a call.
static const char *const promised[] = {
    [KERNEL_DIFFERS_SERVED] = "the call comes to what it comes to in the other build",
    [KERNEL_DIFFERS_REFUSED] =
        "the call is refused, as in the other build, and leaves no more behind",
    [KERNEL_DIFFERS_MEMORY] =
        "made over and over, the call keeps no more memory than in the other build",
};

typedef struct Differ {
  Iut *iut;
  KernelDiffers which;
  KernelCall *stated;  // whose signature file states how close floats have to be; NULL: none does
  Drawing *drawing;    // NULL: the calls are listed
  ApartOutcome *other, *own, *again;  // SERIES_MAX each
  ApartOutcome *nudged;               // APART_LARGER and APART_APART
  unsigned compared;
} Differ;

static bool looks_at_heap(const Differ *differ)
{
  return differ->which == KERNEL_DIFFERS_MEMORY;
}

// --- Comparing -----------------------------------------------------------------------------------

// Whether a call that ended so in the other build is judged here.
static bool is_judged(const Differ *differ, ApartEnd end)
{
  return (end == APART_SERVED && differ->which != KERNEL_DIFFERS_REFUSED) ||
         (end == APART_REFUSED && differ->which != KERNEL_DIFFERS_SERVED);
}

static bool keeps_more(const ApartOutcome *own, const ApartOutcome *other, char text[160])
{
  enum { LEAK = 8 };  // octets, each time
  snprintf(text, 160, "%llu bytes more are in use after %d calls like it, there %llu",
           (unsigned long long)own->growth, SERIES_ROUNDS, (unsigned long long)other->growth);
  return own->end == other->end && own->growth > other->growth &&
         own->growth - other->growth >= LEAK * SERIES_ROUNDS;
}

// Whether a call that both have refused has done more here.
static bool does_more(const Differ *differ, const ApartOutcome *own, const ApartOutcome *other,
                      char text[160])
{
  if (!own->untouched && !kernel_apart_near(own, other, differ->stated, text)) return true;
  snprintf(text, 160, "it holds %llu references more to its arguments, there %llu",
           (unsigned long long)own->held, (unsigned long long)other->held);
  return own->held > other->held;
}

// Whether the call has come to something else here than in the other build; `text` says to what. What is refused here and served
// there says nothing, unless it is promised.
static bool is_another(const Differ *differ, const SeriesCall *call, const ApartOutcome *own,
                       const ApartOutcome *other, char text[160])
{
  if (!is_judged(differ, other->end) || own->end == APART_NOT_AFTER || own->end == APART_UNSEEN)
    return false;
  if (differ->which == KERNEL_DIFFERS_MEMORY) return keeps_more(own, other, text);
  if (own->end == APART_REFUSED && other->end == APART_REFUSED)
    return does_more(differ, own, other, text);
  if (own->end == other->end) return !kernel_apart_near(own, other, differ->stated, text);
  if (own->end == APART_LOST)
    snprintf(text, 160, "it ends the process, or is still running after 8 seconds");
  else if (own->end == APART_REFUSED)
    snprintf(text, 160, "it is refused: %.120s", own->refusal);
  else
    snprintf(text, 160, "it is served; there: %.120s", other->refusal);
  return own->end != APART_REFUSED || call->promised;
}

static bool is_same(const Differ *differ, const ApartOutcome *one, const ApartOutcome *other)
{
  char ignored[160];
  if (differ->which == KERNEL_DIFFERS_MEMORY)
    return one->end == other->end && !keeps_more(one, other, ignored);
  return one->end == other->end && kernel_apart_near(one, other, differ->stated, ignored);
}

// --- What explains it ----------------------------------------------------------------------------

// Of the floats that the call is given, but for those that are not finite.
static double largest_of(const Kernel *kernel)
{
  enum { SEEN_MOST = 4096 };
  double largest = 0;
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    const KernelParameter *at = kernel_place_of(kernel, i);
    if (at->kind == KERNEL_FLOAT && isfinite(at->number)) largest = fmax(largest, fabs(at->number));
    if (at->kind != KERNEL_TENSOR || !at->typed || kernel_dtype_is_whole(at->dtype)) continue;
    double count = 1;
    for (int32_t k = 0; k < at->rank; ++k) count *= (double)at->shape[k].size;
    for (size_t k = 0; k < SEEN_MOST && (double)k < count; ++k) {
      const double element = (double)kernel_element_of(at, k);
      if (isfinite(element)) largest = fmax(largest, fabs(element));
    }
  }
  return largest;
}

// Some of the last digits that a float of so many bits has.
static double last_digits(int bits)
{
  return bits < 32 ? 0x1p-8 : bits < 64 ? 0x1p-21 : 0x1p-50;
}

typedef struct Nudge {
  double times;
  uint32_t seed;  // 0: all floats alike
  bool numbers;   // those that are no elements of tensors, too
} Nudge;

static void nudge(Kernel *kernel, Nudge by)
{
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    KernelParameter *at = kernel_place(kernel, i);
    if (by.numbers && at->kind == KERNEL_FLOAT) at->number *= 1 + by.times * last_digits(64);
    at->nudge = by.times * last_digits(at->dtype.bits);
    at->nudge_seed = by.seed;
  }
}

static void make_nudged(Differ *differ, const SeriesCall *calls, unsigned count, Nudge by,
                        ApartOutcome *outcome)
{
  SeriesCall nudged[SERIES_MAX];
  Kernel *kernels[SERIES_MAX];
  for (unsigned i = 0; i < count; ++i) {
    nudged[i] = calls[i];
    nudged[i].kernel = kernels[i] = kernel_new_copy(calls[i].kernel);
    nudge(kernels[i], by);
  }
  kernel_series_make(differ->iut, &(Series){.calls = nudged, .count = count, .other = true},
                     differ->again);
  memcpy(outcome, &differ->again[count - 1], sizeof *outcome);
  for (unsigned i = 0; i < count; ++i) free(kernels[i]);
}

// Whether the last of these calls, which came to `own` here, is so sensitive to the last digits of its floats in the other
// build. Where one is served and the other refused, to those of its tensors: a number may be just at a limit that is meant.
static bool is_explained(Differ *differ, const SeriesCall *calls, unsigned count,
                         const ApartOutcome *own, const ApartOutcome *other)
{
  static const double times[APART_LARGER] = {1, 2, 3, 5};
  ApartSensitivity sensitivity = {.largest = largest_of(calls[count - 1].kernel)};
  const bool numbers = own->end == other->end;
  if (own->end == APART_LOST || looks_at_heap(differ)) return false;
  if (own->end == APART_REFUSED && own->held > other->held) return false;
  for (unsigned k = 0; k < APART_LARGER; ++k) {
    sensitivity.larger[k] = &differ->nudged[k];
    make_nudged(differ, calls, count, (Nudge){times[k], 0, numbers}, sensitivity.larger[k]);
  }
  for (unsigned k = 0; k < APART_APART; ++k) {
    sensitivity.apart[k] = &differ->nudged[APART_LARGER + k];
    make_nudged(differ, calls, count, (Nudge){1, k + 1, numbers}, sensitivity.apart[k]);
  }
  return kernel_apart_explains(&sensitivity, own, other);
}

// --- Again ---------------------------------------------------------------------------------------

// Whether the last of these calls comes to `expected` in the other build each time, whatever fresh memory holds, and to something
// else here more than once.
static bool differs_again(Differ *differ, const SeriesCall *calls, unsigned count,
                          const ApartOutcome *expected, char text[160])
{
  static const unsigned char fills[AGAIN] = {0, 0xFF, 0xA5, 0x3C};
  const ApartOutcome *last = &differ->again[count - 1];
  unsigned differs = 0;
  for (unsigned i = 0; i < AGAIN; ++i) {
    Series series = {.calls = calls,
                     .count = count,
                     .other = true,
                     .fill = fills[i],
                     .heap = looks_at_heap(differ)};
    kernel_series_make(differ->iut, &series, differ->again);
    if (!is_same(differ, last, expected)) return false;
    // On a busy machine it may take longer.
    series.other = false;
    series.seconds = PATIENCE;
    kernel_series_make(differ->iut, &series, differ->again);
    differs += is_another(differ, &calls[count - 1], last, expected, text);
  }
  return differs > 1;
}

// The fewest calls before the last with which that still differs, the first `*count` of `calls`.
static void leave_out_calls(Differ *differ, SeriesCall *calls, unsigned *count,
                            const ApartOutcome *expected, char text[160])
{
  char last_text[160];
  SeriesCall fewer[SERIES_MAX];
  fewer[0] = calls[*count - 1];
  if (*count > 1 && differs_again(differ, fewer, 1, expected, last_text)) {
    calls[0] = fewer[0];
    *count = 1;
    snprintf(text, 160, "%s", last_text);
    return;
  }
  for (unsigned i = 0; *count > 2 && i + 1 < *count;) {
    unsigned left = 0;
    for (unsigned k = 0; k < *count; ++k)
      if (k != i) fewer[left++] = calls[k];
    if (!differs_again(differ, fewer, left, expected, last_text)) {
      ++i;
      continue;
    }
    memcpy(calls, fewer, left * sizeof *calls);
    *count = left;
    snprintf(text, 160, "%s", last_text);
  }
}

static void tell(Differ *differ, const SeriesCall *call, unsigned before, const char *text)
{
  char words[192], after[48] = "";
  const KernelCall *made = kernel_series_call(differ->iut, call);
  if (before)
    snprintf(after, sizeof after, "after %u other call%s: ", before, before > 1 ? "s" : "");
  kernel_series_describe(call, made, words, sizeof words);
  note("%s%s", after, words);
  kernel_program_note(made);
  expect_that(false, promised[differ->which], "%s", text);
}

// Whether one of the calls that came back in the other build differs; then it is told.
static bool compare(Differ *differ, const SeriesCall *calls, unsigned count)
{
  char text[160] = "";
  for (unsigned i = 0; i < count; ++i) {
    differ->compared +=
        is_judged(differ, differ->other[i].end) && differ->own[i].end != APART_UNSEEN;
    if (!is_another(differ, &calls[i], &differ->own[i], &differ->other[i], text)) continue;
    const ApartOutcome *expected = &differ->other[i];
    SeriesCall left[SERIES_MAX];
    unsigned left_count = i + 1;
    memcpy(left, calls, left_count * sizeof *left);
    if (!differs_again(differ, left, left_count, expected, text)) continue;
    if (is_explained(differ, left, left_count, &differ->own[i], expected)) continue;
    leave_out_calls(differ, left, &left_count, expected, text);
    tell(differ, &left[left_count - 1], left_count - 1, text);
    return true;
  }
  return false;
}

// Makes the calls; the one that ends the other build's process is left out, and those behind it are a series of their own. True
// if one was told of.
static bool judge(Differ *differ, const SeriesCall *calls, unsigned count)
{
  for (unsigned first = 0; first < count;) {
    const Series series = {.calls = calls + first,
                           .count = count - first,
                           .other = true,
                           .heap = looks_at_heap(differ)};
    const unsigned back = kernel_series_make(differ->iut, &series, differ->other);
    if (back > 0) {
      kernel_series_make(
          differ->iut,
          &(Series){.calls = calls + first, .count = back, .heap = looks_at_heap(differ)},
          differ->own);
      if (compare(differ, calls + first, back)) return true;
    }
    for (unsigned i = 0; differ->drawing && i < back; ++i)
      drawing_note(differ->drawing, first + i, &differ->other[i]);
    first += back + 1;
  }
  return false;
}

static Differ *new_differ(Iut *iut, KernelDiffers which)
{
  Differ *differ = calloc(1, sizeof *differ);
  if (!differ) case_inconclusive("no memory for calls");
  *differ = (Differ){.iut = iut, .which = which};
  differ->other = kernel_apart_outcomes(SERIES_MAX);
  differ->own = kernel_apart_outcomes(SERIES_MAX);
  differ->again = kernel_apart_outcomes(SERIES_MAX);
  differ->nudged = kernel_apart_outcomes(APART_LARGER + APART_APART);
  return differ;
}

static unsigned end(Differ *differ, bool told)
{
  if (!told && differ->compared)
    expect_that(true, promised[differ->which], "%u calls were compared", differ->compared);
  return differ->compared;
}

unsigned kernel_differ_drawn(Iut *iut, const Kernel *kernel, KernelDiffers which)
{
  Differ *differ = new_differ(iut, which);
  SeriesCall calls[SERIES_MAX];
  differ->drawing = drawing_new(kernel);
  const double last = clock_seconds() + SECONDS_MOST;
  bool told = judge(differ, calls, drawing_begin(differ->drawing, calls));
  // Others may end the process that holds a device.
  const bool apart = !kernel_cuda_chosen();
  const unsigned most = looks_at_heap(differ) ? SERIES_MOST / 4 : SERIES_MOST;
  for (unsigned i = 0; apart && !told && i < most && clock_seconds() < last; ++i) {
    drawing_next(differ->drawing, calls);
    told = judge(differ, calls, SERIES_MAX);
  }
  return end(differ, told);
}

unsigned kernel_differ_listed(Iut *iut, const Kernel *kernel)
{
  const Signature *signature = signature_under_test();
  Differ *differ = new_differ(iut, KERNEL_DIFFERS_SERVED);
  KernelChoice *choices = calloc(KERNEL_CHOICES_MAX, sizeof *choices);
  Kernel *made = kernel_new_copy(kernel);
  char problem[KERNEL_PROBLEM_MAX];
  if (!choices) case_inconclusive("no memory for the choices");
  differ->stated = new_right_call(iut, kernel);
  const size_t count = kernel_chosen(signature, choices);
  bool told = false;
  for (size_t i = 0; !told && i < count; ++i) {
    kernel_copy(made, kernel);
    if (!kernel_of_choice(signature, &choices[i], made, problem)) continue;
    const bool is_promised = choices[i].standing == KERNEL_PROMISED;
    told =
        judge(differ,
              &(SeriesCall){
                  .kernel = made, .output = -1, .input = -1, .takes = -1, .promised = is_promised},
              1);
  }
  free(choices);
  free(made);
  return end(differ, told);
}
