// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_differ.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "battery/clock.h"
#include "battery/expect.h"
#include "kernel/kernel_chosen.h"
#include "kernel/kernel_cuda.h"
#include "kernel/kernel_program.h"
#include "kernel/kernel_series.h"
#include "kernel/kernel_varied.h"
#include "plan/case.h"
#include "plan/kernel_mutate.h"
#include "plan/random.h"

enum {
  BASES_MAX = 48,
  SERIES_MOST = 500,
  CHANGES_MOST = 4,
  AGAIN = 4,  // so often what differs is made again, in each build
};
static const double SECONDS_MOST = 4;

typedef struct Drawn {
  Kernel *kernel;  // own
  SeriesCall call;
  unsigned pool;
} Drawn;

// What is expected of a call.
static const char *const promised[] = {
    [KERNEL_DIFFERS_SERVED] = "the call comes to what it comes to in the other build",
    [KERNEL_DIFFERS_REFUSED] =
        "the call is refused, as in the other build, and changes no more than there",
};

// Of one function, calls that the other build serves: more changes are made to them. The first is the one that is known.
typedef struct Pool {
  Drawn bases[BASES_MAX];
  unsigned count;
} Pool;

typedef struct Differ {
  Iut *iut;
  const Kernel *kernel;
  KernelDiffers which;
  KernelCall *stated;  // whose signature file states how close floats have to be; NULL: none does
  uint64_t random;
  Pool pools[1 + KERNELS_BESIDE_MAX];  // the first is that of the function under test
  unsigned pool_count;
  Drawn drawn[SERIES_MAX];
  ApartOutcome *other, *own, *again;  // SERIES_MAX each
  bool served[SERIES_MAX];            // by the other build, of the calls that were made last
  unsigned compared;
} Differ;

// --- Drawing calls -------------------------------------------------------------------------------

static void lay_tensors(Differ *differ, Drawn *drawn)
{
  for (uint32_t i = 0; i < drawn->kernel->parameter_count; ++i) {
    if (!kernel_is_typed_tensor(drawn->kernel, i) || random_one_in(&differ->random, 2)) continue;
    drawn->call.forms[i] = (unsigned char)random_below(&differ->random, SERIES_FORMS);
  }
  drawn->call.held_apart = random_one_in(&differ->random, 3);
}

static void share_memory(Differ *differ, Drawn *drawn)
{
  const uint32_t count = drawn->kernel->parameter_count;
  for (unsigned tries = 0; count > 1 && tries < 8; ++tries) {
    const uint32_t output = (uint32_t)random_below(&differ->random, count);
    const uint32_t input = (uint32_t)random_below(&differ->random, count);
    if (!kernel_series_may_share(drawn->kernel, output, input)) continue;
    drawn->call.output = (int)output;
    drawn->call.input = (int)input;
    return;
  }
}

static void copy_call(Drawn *to, const Drawn *from)
{
  Kernel *kernel = to->kernel ? to->kernel : kernel_new_copy(from->kernel);
  kernel_copy(kernel, from->kernel);
  *to = *from;
  to->kernel = kernel;
  to->call.kernel = kernel;
}

// Changes a call, and others of `base` in its place until one was changed.
static void change(Differ *differ, Drawn *drawn, const Drawn *base)
{
  unsigned changes = 0;
  for (unsigned tries = 0; tries < 24; ++tries) {
    if (kernel_mutate(drawn->kernel, &differ->random)) {
      if (++changes == CHANGES_MOST || !random_one_in(&differ->random, 2)) return;
      continue;
    }
    // What could not be changed may be anything.
    copy_call(drawn, base);
    changes = 0;
  }
}

// A value of an earlier call of the series, for a place of the same kind: a key that was put, a name that was written.
static void take_value(Differ *differ, Kernel *kernel, const Kernel *earlier)
{
  const uint32_t places = kernel_place_count(kernel), others = kernel_place_count(earlier);
  for (unsigned tries = 0; places > 0 && others > 0 && tries < 16; ++tries) {
    KernelParameter *at = kernel_place(kernel, (uint32_t)random_below(&differ->random, places));
    const KernelParameter *from =
        kernel_place_of(earlier, (uint32_t)random_below(&differ->random, others));
    if (at->kind != from->kind) continue;
    if (at->kind == KERNEL_TENSOR &&
        (!at->typed || !from->typed || !kernel_is_same_dtype(at->dtype, from->dtype)))
      continue;
    at->integer = from->integer;
    at->number = from->number;
    memcpy(at->text, from->text, sizeof at->text);
    at->text_size = from->text_size;
    at->contents = from->contents;
    at->seed = from->seed;
    at->value_count = from->value_count;
    memcpy(at->values, from->values, sizeof at->values);
    return;
  }
}

// One of the functions beside the one under test now and then, where there are any.
static void draw(Differ *differ, unsigned at)
{
  Drawn *drawn = &differ->drawn[at];
  const bool beside = differ->pool_count > 1 && random_one_in(&differ->random, 3);
  const unsigned number =
      beside ? 1 + (unsigned)random_below(&differ->random, differ->pool_count - 1) : 0;
  const Pool *pool = &differ->pools[number];
  const Drawn *base =
      &pool->bases[random_one_in(&differ->random, 3) ? 0
                                                     : random_below(&differ->random, pool->count)];
  if (at > 0 && random_one_in(&differ->random, 10)) {  // once more
    copy_call(drawn, &differ->drawn[random_below(&differ->random, at)]);
    return;
  }
  copy_call(drawn, base);
  if (!beside || !random_one_in(&differ->random, 3)) change(differ, drawn, base);
  if (at > 0 && random_one_in(&differ->random, 3))
    take_value(differ, drawn->kernel, differ->drawn[random_below(&differ->random, at)].kernel);
  if (random_one_in(&differ->random, 5)) lay_tensors(differ, drawn);
  if (random_one_in(&differ->random, 12)) share_memory(differ, drawn);
  drawn->call.object = (unsigned char)random_below(&differ->random, 4);
}

static void keep_base(Differ *differ, const Drawn *drawn)
{
  Pool *pool = &differ->pools[drawn->pool];
  const bool room = pool->count < BASES_MAX;
  Drawn *base = &pool->bases[room ? pool->count : 1 + random_below(&differ->random, BASES_MAX - 1)];
  copy_call(base, drawn);
  // Memory is laid out anew for each.
  memset(base->call.forms, 0, sizeof base->call.forms);
  base->call.held_apart = false;
  base->call.output = base->call.input = -1;
  if (room) ++pool->count;
}

static void add_base(Differ *differ, unsigned number, const Kernel *kernel)
{
  Pool *pool = &differ->pools[number];
  if (pool->count == BASES_MAX) return;
  Drawn drawn = {
      .kernel = kernel_new_copy(kernel), .call = {.output = -1, .input = -1}, .pool = number};
  drawn.call.kernel = drawn.kernel;
  pool->bases[pool->count++] = drawn;
}

// The example, and what is known to be taken in its place.
static void add_bases(Differ *differ)
{
  Kernel *other = kernel_new_copy(differ->kernel);
  const Kernel *beside;
  add_base(differ, 0, differ->kernel);
  for (unsigned i = 0; i < 8 && kernel_variant(differ->kernel, i, other); ++i)
    add_base(differ, 0, other);
  kernel_copy(other, differ->kernel);
  if (kernel_make_large(other)) add_base(differ, 0, other);
  free(other);
  for (differ->pool_count = 1; (beside = kernel_beside(differ->pool_count - 1));
       ++differ->pool_count)
    add_base(differ, differ->pool_count, beside);
}

// --- Comparing -----------------------------------------------------------------------------------

static ApartEnd judged_end(const Differ *differ)
{
  return differ->which == KERNEL_DIFFERS_SERVED ? APART_SERVED : APART_REFUSED;
}

// Whether the call has come to something else here than in the other build; `text` says to what. What is refused here and served
// there says nothing, unless it is promised.
static bool is_another(const Differ *differ, const SeriesCall *call, const ApartOutcome *own,
                       const ApartOutcome *other, char text[160])
{
  const ApartEnd expected = judged_end(differ);
  if (other->end != expected || own->end == APART_NOT_AFTER || own->end == APART_UNSEEN)
    return false;
  if (own->end == expected) return !kernel_apart_near(own, other, differ->stated, text);
  if (own->end == APART_LOST)
    snprintf(text, 160, "it ends the process, or runs still after a second");
  else if (own->end == APART_REFUSED)
    snprintf(text, 160, "it is refused: %.120s", own->refusal);
  else
    snprintf(text, 160, "it is served; there: %.120s", other->refusal);
  return own->end != APART_REFUSED || call->promised;
}

static bool is_same(const Differ *differ, const ApartOutcome *one, const ApartOutcome *other)
{
  char ignored[160];
  return one->end == other->end && kernel_apart_near(one, other, differ->stated, ignored);
}

// Whether the last of these calls comes to `expected` in the other build each time, whatever fresh memory holds, and to something
// else here more than once.
static bool differs_again(Differ *differ, const SeriesCall *calls, unsigned count,
                          const ApartOutcome *expected, char text[160])
{
  static const unsigned char fills[AGAIN] = {0, 0xFF, 0xA5, 0x3C};
  const ApartOutcome *last = &differ->again[count - 1];
  unsigned differs = 0;
  for (unsigned i = 0; i < AGAIN; ++i) {
    kernel_series_make(differ->iut, &(Series){calls, count, true, fills[i]}, differ->again);
    if (!is_same(differ, last, expected)) return false;
    kernel_series_make(differ->iut, &(Series){calls, count, false, fills[i]}, differ->again);
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
        differ->other[i].end == judged_end(differ) && differ->own[i].end != APART_UNSEEN;
    if (!is_another(differ, &calls[i], &differ->own[i], &differ->other[i], text)) continue;
    ApartOutcome *expected = kernel_apart_outcomes(1);
    memcpy(expected, &differ->other[i], sizeof *expected);
    SeriesCall left[SERIES_MAX];
    unsigned left_count = i + 1;
    memcpy(left, calls, left_count * sizeof *left);
    if (!differs_again(differ, left, left_count, expected, text)) continue;
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
    const Series series = {.calls = calls + first, .count = count - first, .other = true};
    const unsigned back = kernel_series_make(differ->iut, &series, differ->other);
    if (back > 0) {
      kernel_series_make(differ->iut, &(Series){.calls = calls + first, .count = back},
                         differ->own);
      if (compare(differ, calls + first, back)) return true;
    }
    for (unsigned i = 0; i < back; ++i)
      differ->served[first + i] = differ->other[i].end == APART_SERVED;
    if (first + back < count) differ->served[first + back] = false;
    first += back + 1;
  }
  return false;
}

static Differ *new_differ(Iut *iut, const Kernel *kernel, KernelDiffers which)
{
  Differ *differ = calloc(1, sizeof *differ);
  if (!differ) case_inconclusive("no memory for calls");
  *differ = (Differ){.iut = iut, .kernel = kernel, .which = which, .random = 1};
  differ->other = kernel_apart_outcomes(SERIES_MAX);
  differ->own = kernel_apart_outcomes(SERIES_MAX);
  differ->again = kernel_apart_outcomes(SERIES_MAX);
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
  Differ *differ = new_differ(iut, kernel, which);
  SeriesCall calls[SERIES_MAX];
  unsigned count = 0;
  add_bases(differ);
  const double last = clock_seconds() + SECONDS_MOST;
  // The first calls are those that others are made of.
  for (; count < differ->pools[0].count && count < SERIES_MAX; ++count)
    calls[count] = differ->pools[0].bases[count].call;
  calls[0].promised = kernel_has_example(kernel);
  bool told = judge(differ, calls, count);
  // Others may end the process that holds a device.
  const bool apart = !kernel_cuda_chosen();
  for (unsigned i = 0; apart && !told && i < SERIES_MOST && clock_seconds() < last; ++i) {
    for (unsigned k = 0; k < SERIES_MAX; ++k) {
      draw(differ, k);
      calls[k] = differ->drawn[k].call;
    }
    told = judge(differ, calls, SERIES_MAX);
    for (unsigned k = 0; !told && k < SERIES_MAX; ++k)
      if (differ->served[k]) keep_base(differ, &differ->drawn[k]);
  }
  return end(differ, told);
}

unsigned kernel_differ_listed(Iut *iut, const Kernel *kernel)
{
  const Signature *signature = signature_under_test();
  Differ *differ = new_differ(iut, kernel, KERNEL_DIFFERS_SERVED);
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
              &(SeriesCall){.kernel = made, .output = -1, .input = -1, .promised = is_promised}, 1);
  }
  free(choices);
  free(made);
  return end(differ, told);
}
