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
#include "kernel/kernel_program.h"
#include "kernel/kernel_series.h"
#include "kernel/kernel_varied.h"
#include "plan/case.h"
#include "plan/kernel_choice.h"
#include "plan/kernel_mutate.h"
#include "plan/random.h"

enum {
  BASES_MAX = 48,
  SERIES_MOST = 500,
  CHANGES_MOST = 4,
  AGAIN = 4,  // so often what differs is made again, in each build
  WORDS_MAX = 64,
  WORD_MAX = 32,
};
static const double SECONDS_MOST = 8;

typedef struct Drawn {
  Kernel *kernel;  // own
  SeriesCall call;
  unsigned pool;
  bool gives_tensor;  // the other build returned one, or several: of the first
  DLDataType dtype;
  int32_t rank;
  int64_t shape[KERNEL_RANK_MAX];
} Drawn;

// What is expected of a call.
static const char *const promised[] = {
    [KERNEL_DIFFERS_SERVED] = "the call comes to what it comes to in the other build",
    [KERNEL_DIFFERS_REFUSED] =
        "the call is refused, as in the other build, and changes no more than there",
    [KERNEL_DIFFERS_MEMORY] =
        "made over and over, the call keeps no more memory than in the other build",
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
  char words[WORDS_MAX][WORD_MAX];  // of messages: texts that may be taken
  unsigned word_count;
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

// A text, or the name of an entry of a map, that a message has named.
static void take_word(Differ *differ, Kernel *kernel)
{
  const uint32_t places = kernel_place_count(kernel);
  const char *word = differ->words[random_below(&differ->random, differ->word_count)];
  for (unsigned tries = 0; places > 0 && tries < 8; ++tries) {
    KernelParameter *at = kernel_place(kernel, (uint32_t)random_below(&differ->random, places));
    if (at->kind == KERNEL_STRING) {
      memset(at->text, 0, sizeof at->text);
      snprintf(at->text, sizeof at->text, "%s", word);
      at->text_size = (uint32_t)strlen(word);
      return;
    }
    if (at->kind == KERNEL_MAP && (at->keyed || at->element_count == 0)) {
      at->keyed = true;
      kernel_add_entry(kernel, at, word);
      return;
    }
  }
}

// For what may be None and is, a tensor as the call returns: a place to write that to.
static void give_output(Kernel *kernel, const Drawn *base)
{
  for (uint32_t i = 0; i < kernel->parameter_count; ++i) {
    KernelParameter *at = &kernel->parameters[i];
    if (!at->optional || (at->kind != KERNEL_ANY && at->kind != KERNEL_NONE)) continue;
    at->kind = KERNEL_TENSOR;
    at->typed = true;
    at->role = KERNEL_OUT;
    at->dtype = base->dtype;
    at->rank = base->rank;
    at->alignment = 1;
    at->device = (DLDevice){kDLCPU, 0};
    for (int32_t k = 0; k < base->rank; ++k) at->shape[k] = (KernelExtent){.size = base->shape[k]};
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
  if (base->gives_tensor && random_one_in(&differ->random, 4)) give_output(drawn->kernel, base);
  drawn->gives_tensor = false;
  if (!beside || !random_one_in(&differ->random, 3)) change(differ, drawn, base);
  if (differ->word_count && random_one_in(&differ->random, 4)) take_word(differ, drawn->kernel);
  if (at > 0 && random_one_in(&differ->random, 3))
    take_value(differ, drawn->kernel, differ->drawn[random_below(&differ->random, at)].kernel);
  if (random_one_in(&differ->random, 5)) lay_tensors(differ, drawn);
  if (random_one_in(&differ->random, 12)) share_memory(differ, drawn);
  drawn->call.object = (unsigned char)random_below(&differ->random, 4);
}

// What the call returned, if that is a tensor or begins with one.
static void note_result(Drawn *drawn, const ApartOutcome *outcome)
{
  static const char shape[] = "the shape of " KERNEL_APART_RESULT;
  for (uint32_t i = 0; i + 1 < outcome->count && !drawn->gives_tensor; ++i) {
    const ApartPart *part = &outcome->parts[i], *type = &outcome->parts[i + 1];
    const size_t rank = part->size / sizeof *drawn->shape;
    if (strncmp(part->name, shape, sizeof shape - 1) != 0 || rank > KERNEL_RANK_MAX ||
        type->size != sizeof drawn->dtype)
      continue;
    memcpy(drawn->shape, outcome->bytes + part->first, part->size);
    memcpy(&drawn->dtype, outcome->bytes + type->first, sizeof drawn->dtype);
    drawn->rank = (int32_t)rank;
    drawn->gives_tensor = true;
  }
}

static void copy_result(Drawn *to, const Drawn *from)
{
  to->gives_tensor = from->gives_tensor;
  to->dtype = from->dtype;
  to->rank = from->rank;
  memcpy(to->shape, from->shape, sizeof to->shape);
}

static void note_word(Differ *differ, const char *word, size_t size)
{
  char copy[WORD_MAX];
  if (size == 0 || size >= sizeof copy || differ->word_count == WORDS_MAX) return;
  snprintf(copy, sizeof copy, "%.*s", (int)size, word);
  for (unsigned i = 0; i < differ->word_count; ++i)
    if (strcmp(differ->words[i], copy) == 0) return;
  memcpy(differ->words[differ->word_count++], copy, sizeof copy);
}

// The words of a message but for the first, which is its kind.
static void note_words(Differ *differ, const char *message)
{
  static const char parts[] = " ,.;:()[]{}<>|/\"'`!?\n\t";
  const char *at = strstr(message, ": ");
  while (at && *at) {
    at += strspn(at, parts);
    const size_t size = strcspn(at, parts);
    note_word(differ, at, size);
    at += size;
  }
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

// Whether the call has come to something else here than in the other build; `text` says to what. What is refused here and served
// there says nothing, unless it is promised.
static bool is_another(const Differ *differ, const SeriesCall *call, const ApartOutcome *own,
                       const ApartOutcome *other, char text[160])
{
  if (!is_judged(differ, other->end) || own->end == APART_NOT_AFTER || own->end == APART_UNSEEN)
    return false;
  if (differ->which == KERNEL_DIFFERS_MEMORY) return keeps_more(own, other, text);
  if (own->end == other->end) return !kernel_apart_near(own, other, differ->stated, text);
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
  if (differ->which == KERNEL_DIFFERS_MEMORY)
    return one->end == other->end && !keeps_more(one, other, ignored);
  return one->end == other->end && kernel_apart_near(one, other, differ->stated, ignored);
}

// --- What explains it ----------------------------------------------------------------------------

// Floats that the call is given, but for those that are no numbers.
static double largest_of(const Kernel *kernel)
{
  enum { SEEN_MOST = 4096 };
  double largest = 0;
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    const KernelParameter *at = kernel_place_of(kernel, i);
    if (at->kind == KERNEL_FLOAT && isfinite(at->number)) largest = fmax(largest, fabs(at->number));
    if (at->kind != KERNEL_TENSOR || !at->typed || kernel_dtype_is_whole(at->dtype)) continue;
    for (size_t k = 0; k < SEEN_MOST; ++k) {
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

// `seed` 0: all floats alike.
static void nudge(Kernel *kernel, double times, uint32_t seed)
{
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    KernelParameter *at = kernel_place(kernel, i);
    if (at->kind == KERNEL_FLOAT) at->number *= 1 + times * last_digits(64);
    at->nudge = times * last_digits(at->dtype.bits);
    at->nudge_seed = seed;
  }
}

static void make_nudged(Differ *differ, const SeriesCall *calls, unsigned count, double times,
                        uint32_t seed, ApartOutcome *outcome)
{
  SeriesCall nudged[SERIES_MAX];
  Kernel *kernels[SERIES_MAX];
  for (unsigned i = 0; i < count; ++i) {
    nudged[i] = calls[i];
    nudged[i].kernel = kernels[i] = kernel_new_copy(calls[i].kernel);
    nudge(kernels[i], times, seed);
  }
  kernel_series_make(differ->iut, &(Series){.calls = nudged, .count = count, .other = true},
                     differ->again);
  memcpy(outcome, &differ->again[count - 1], sizeof *outcome);
  for (unsigned i = 0; i < count; ++i) free(kernels[i]);
}

// Whether the last of these calls, which came to `own` here, is so sensitive to the last digits of its floats in the other
// build.
static bool is_explained(Differ *differ, const SeriesCall *calls, unsigned count,
                         const ApartOutcome *own, const ApartOutcome *other)
{
  static const double times[APART_LARGER] = {1, 2, 3, 5};
  static ApartOutcome *nudged;
  ApartSensitivity sensitivity = {.largest = largest_of(calls[count - 1].kernel)};
  if (own->end != other->end || looks_at_heap(differ)) return false;
  if (!nudged) nudged = kernel_apart_outcomes(APART_LARGER + APART_APART);
  for (unsigned k = 0; k < APART_LARGER; ++k) {
    sensitivity.larger[k] = &nudged[k];
    make_nudged(differ, calls, count, times[k], 0, &nudged[k]);
  }
  for (unsigned k = 0; k < APART_APART; ++k) {
    sensitivity.apart[k] = &nudged[APART_LARGER + k];
    make_nudged(differ, calls, count, 1, k + 1, &nudged[APART_LARGER + k]);
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
    kernel_series_make(differ->iut, &(Series){calls, count, true, fills[i], looks_at_heap(differ)},
                       differ->again);
    if (!is_same(differ, last, expected)) return false;
    kernel_series_make(differ->iut, &(Series){calls, count, false, fills[i], looks_at_heap(differ)},
                       differ->again);
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
    ApartOutcome *expected = kernel_apart_outcomes(1);
    memcpy(expected, &differ->other[i], sizeof *expected);
    SeriesCall left[SERIES_MAX];
    unsigned left_count = i + 1;
    memcpy(left, calls, left_count * sizeof *left);
    if (is_explained(differ, left, left_count, &differ->own[i], expected)) continue;
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
    for (unsigned i = 0; i < back; ++i) {
      differ->served[first + i] = differ->other[i].end == APART_SERVED;
      if (differ->other[i].end == APART_REFUSED) note_words(differ, differ->other[i].refusal);
      if (differ->other[i].end == APART_SERVED)
        note_result(&differ->drawn[first + i], &differ->other[i]);
    }
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
  for (unsigned i = 0; i < count; ++i) copy_result(&differ->pools[0].bases[i], &differ->drawn[i]);
  // Others may end the process that holds a device.
  const bool apart = !kernel_cuda_chosen();
  const unsigned most = looks_at_heap(differ) ? SERIES_MOST / 4 : SERIES_MOST;
  for (unsigned i = 0; apart && !told && i < most && clock_seconds() < last; ++i) {
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
