// SPDX-License-Identifier: Apache-2.0
// What comes out of a call is made of its arguments, not of those of a call before it.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "battery/faults_fence.h"
#include "kernel/kernel_apart.h"
#include "kernel/kernel_battery.h"
#include "kernel/kernel_cuda.h"
#include "kernel/kernel_varied.h"

CHAPTER(kernel);

enum { FILL = 0, VARIATIONS_MOST = 40, SECONDS_MOST = 2 };

// --- Other calls ---------------------------------------------------------------------------------

static bool is_whole(DLDataType dtype)
{
  return dtype.code == kDLInt || dtype.code == kDLUInt || dtype.code == kDLBool;
}

// Other floats: whole numbers may be places in other tensors.
static bool take_other_data(Kernel *kernel)
{
  bool changed = false;
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    KernelParameter *at = kernel_place(kernel, i);
    if (at->kind == KERNEL_FLOAT) at->number = at->number * 2 + 0.25;
    if (at->kind == KERNEL_TENSOR && at->typed && !is_whole(at->dtype)) {
      at->number += 3;
      for (uint32_t k = 0; k < at->value_count; ++k) at->values[k] += 1;
    }
    changed |= at->kind == KERNEL_FLOAT || (at->kind == KERNEL_TENSOR && !is_whole(at->dtype));
  }
  return changed;
}

// Whole numbers that are all the least of those that they are: places in other tensors, which leave the others out.
static bool take_one_place(Kernel *kernel)
{
  bool changed = false;
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    KernelParameter *at = kernel_place(kernel, i);
    const bool rises = at->value_count == 0 && at->contents == KERNEL_RISING;
    if (at->kind != KERNEL_TENSOR || !at->typed || !is_whole(at->dtype) ||
        !(rises || at->value_count > 1))
      continue;
    if (rises) at->values[0] = at->number;
    for (uint32_t k = 1; k < at->value_count; ++k)
      if (at->values[k] < at->values[0]) at->values[0] = at->values[k];
    at->value_count = 1;
    changed = true;
  }
  return changed;
}

static bool take_other_number(Kernel *kernel, unsigned which, int64_t by)
{
  for (uint32_t i = 0; i < kernel->parameter_count; ++i) {
    KernelParameter *at = &kernel->parameters[i];
    if ((at->kind != KERNEL_INT && at->kind != KERNEL_BOOL) || which-- > 0) continue;
    at->integer = at->kind == KERNEL_BOOL ? !at->integer : at->integer + by;
    return true;
  }
  return false;
}

// Other letters in each text within a container, as many as before: a text alone may be a mode.
static bool take_other_letters(Kernel *kernel)
{
  bool changed = false;
  for (uint32_t i = kernel->parameter_count; i < kernel_place_count(kernel); ++i) {
    KernelParameter *at = kernel_place(kernel, i);
    if ((at->kind != KERNEL_STRING && at->kind != KERNEL_BYTES) || at->name[0]) continue;
    for (size_t k = 0; k < kernel_text_length(at); ++k)
      if ((at->text[k] >= 'a' && at->text[k] < 'z') || (at->text[k] >= 'A' && at->text[k] < 'Z'))
        ++at->text[k], changed = true;
  }
  return changed;
}

// Without one of the entries of maps.
static bool leave_entry_out(Kernel *kernel, unsigned which)
{
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    const KernelParameter *map = kernel_place_of(kernel, i);
    for (uint32_t k = 0; map->keyed && k < map->element_count; ++k) {
      KernelParameter *entry = &kernel->elements[map->first_element + k];
      if (entry->kind == KERNEL_NONE || which-- > 0) continue;
      entry->kind = KERNEL_NONE;
      entry->is_given = false;
      return true;
    }
  }
  return false;
}

// None for one of the parameters that may be None.
static bool leave_value_out(Kernel *kernel, unsigned which)
{
  for (uint32_t i = 0; i < kernel->parameter_count; ++i) {
    KernelParameter *at = &kernel->parameters[i];
    const bool given = at->optional && at->kind != KERNEL_NONE && at->kind != KERNEL_ANY;
    if (!given || which-- > 0) continue;
    at->kind = KERNEL_NONE;
    return true;
  }
  return false;
}

// Makes `other` the call with this number, counted from 0; false if there is none.
// `only_before`: it may leave what an earlier call has set, by right, and is no call to be judged after others.
static bool vary(const Kernel *kernel, unsigned number, Kernel *other, const char **words,
                 bool *only_before)
{
  enum { DATA, LARGER, SMALLER, MUCH_LARGER, LETTERS, PLACES, INTEGERS, ENTRIES = INTEGERS + 3 };
  enum { NONE = ENTRIES + 4, VARIANTS = NONE + 4 };
  kernel_copy(other, kernel);
  *only_before = number >= NONE && number < VARIANTS;
  *words = "other elements";
  if (number == DATA) return take_other_data(other);
  *words = number == SMALLER ? "smaller tensors" : "larger tensors";
  if (number == LARGER) return kernel_change_sizes(other, 2, 1);
  if (number == SMALLER) return kernel_change_sizes(other, 1, -1);
  if (number == MUCH_LARGER) return kernel_change_sizes(other, 64, 0);
  *words = "other texts";
  if (number == LETTERS) return take_other_letters(other);
  *words = "other integers in tensors";
  if (number == PLACES) return take_one_place(other);
  *words = "another number";
  if (number < ENTRIES) return take_other_number(other, number - INTEGERS, 1);
  *words = "an entry of a map less";
  if (number < NONE) return leave_entry_out(other, number - ENTRIES);
  *words = "None for an argument";
  if (number < VARIANTS) return leave_value_out(other, number - NONE);
  *words = "tensors of another data type or rank";
  return kernel_variant(kernel, number - VARIANTS, other);
}

// --- Judging -------------------------------------------------------------------------------------

// Two kinds of calls, and what came out of them.
typedef struct Pair {
  const Kernel *first, *second;
  ApartOutcome *alone, *after;
} Pair;

// Whether the call comes to the same when it is made twice: a function that remembers more than its
// arguments is not judged.
static bool is_steady(Iut *iut, const Kernel *kernel, ApartOutcome *alone, ApartOutcome *again)
{
  char ignored[160];
  return kernel_apart_call(iut, NULL, kernel, FILL, alone) == APART_SERVED &&
         kernel_apart_call(iut, kernel, kernel, FILL, again) == APART_SERVED &&
         kernel_apart_close(again, alone, ignored);
}

// The second call of a pair, after the first one, comes to what it comes to alone. True if that was
// judged.
static bool judge(Iut *iut, const Pair *pair, const char *words)
{
  char difference[160] = "";
  const ApartEnd end = kernel_apart_call(iut, pair->first, pair->second, FILL, pair->after);
  if (end != APART_LOST && end != APART_SERVED) return false;
  const bool same = end == APART_SERVED && kernel_apart_close(pair->after, pair->alone, difference);
  if (!same) note_call(new_right_call(iut, pair->second), "after a call with %s: ", words);
  expect_that(end == APART_SERVED, "the call returns, as it does alone", "it ends the process");
  if (end == APART_SERVED) expect_that(same, "it comes to the same as alone", "%s", difference);
  return true;
}

KERNEL_CASE(earlier_call_does_not_matter, .clauses = {KER_54},
            .needs = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN, .patience = 5, .explores = true,
            .title = "a call comes to the same after one with other arguments as without it")
{
  if (kernel_cuda_chosen() || faults_obstacle)
    case_not_applicable("a copy of the process cannot make the call");
  ApartOutcome *outcomes = kernel_apart_outcomes(4);
  ApartOutcome *own = &outcomes[0], *after = &outcomes[1];
  // Of the call that was varied last, and of the one before, which may be the other one.
  ApartOutcome *alone = &outcomes[2], *last_alone = &outcomes[3];
  Kernel *last = NULL;
  unsigned judged = 0;
  const time_t end = time(NULL) + SECONDS_MOST;
  if (!is_steady(iut, kernel, own, after))
    case_not_applicable("it is refused, or does not give the same twice");
  for (unsigned i = 0; i < VARIATIONS_MOST && time(NULL) <= end; ++i) {
    Kernel *other = malloc(sizeof *other);
    const char *words;
    bool only_before;
    if (!other) case_inconclusive("no memory for a signature");
    // A call that was noted borrows it: it lives until the process of the case ends.
    if (!vary(kernel, i, other, &words, &only_before) || !is_steady(iut, other, alone, after))
      continue;
    judged += judge(iut, &(Pair){other, kernel, own, after}, words);
    if (only_before) continue;
    judged += judge(iut, &(Pair){kernel, other, alone, after}, "the arguments of the example");
    if (last) {
      judged += judge(iut, &(Pair){last, other, alone, after}, "other arguments");
      judged += judge(iut, &(Pair){other, last, last_alone, after}, words);
    }
    last = other;
    ApartOutcome *const swapped = last_alone;
    last_alone = alone;
    alone = swapped;
  }
  if (judged == 0) case_not_applicable("it serves no other call, or remembers earlier ones");
}

// --- Large tensors -------------------------------------------------------------------------------

static bool has_whole_numbers(const Kernel *kernel)
{
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    const KernelParameter *at = kernel_place_of(kernel, i);
    if (at->kind == KERNEL_TENSOR && at->typed && is_whole(at->dtype)) return true;
  }
  return false;
}

static bool has_short_floats(const Kernel *kernel)
{
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    const KernelParameter *at = kernel_place_of(kernel, i);
    if (at->kind == KERNEL_TENSOR && at->typed && !is_whole(at->dtype) && at->dtype.bits < 32)
      return true;
  }
  return false;
}

// One of the sizes that a file names so large, where all of them would be too many. False if there is no such call,
// or none that stays small enough.
static bool make_longer(const Kernel *kernel, uint32_t size, Kernel *large)
{
  enum { LONG = 5003, ELEMENTS_MOST = 1 << 21 };
  const Signature *signature = kernel->chosen ? signature_under_test() : NULL;
  kernel_copy(large, kernel);
  return signature && kernel_resize(signature, large, kernel->sizes[size].name, LONG) &&
         kernel_elements(large) <= ELEMENTS_MOST;
}

// Whether the call is served by several threads; else `why` says what it is.
static bool shares_work(Iut *iut, const Kernel *kernel, ApartOutcome *outcome, const char **why)
{
  const bool served = kernel_apart_call(iut, NULL, kernel, FILL, outcome) == APART_SERVED;
  *why = served ? "a single thread works on large tensors"
                : "a call with large tensors is refused, or takes too long";
  return served && outcome->threads;
}

// A call with large tensors that several threads work on, and what comes of it. NULL if there is none; `why` says so.
static Kernel *new_large_call(Iut *iut, const Kernel *kernel, ApartOutcome *outcome,
                              const char **why)
{
  Kernel *large = malloc(sizeof *large);
  if (!large) case_inconclusive("no memory for a signature");
  kernel_copy(large, kernel);
  *why = "nothing says which larger tensors it takes";
  if (kernel_make_large(large) && shares_work(iut, large, outcome, why)) return large;
  for (uint32_t i = 0; i < kernel->size_count; ++i)
    if (make_longer(kernel, i, large) && shares_work(iut, large, outcome, why)) return large;
  free(large);
  return NULL;
}

// Threads of the function's own share the work on them. What the order of their work may change is
// no difference: the last digits of sums, and the order of elements.
KERNEL_CASE(large_call_gives_the_same, .clauses = {KER_54},
            .needs = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN | KERNEL_NEEDS_TENSOR, .patience = 5,
            .explores = true, .title = "a call with large tensors comes to the same each time")
{
  enum { TIMES = 60, SECONDS = 2 };
  if (kernel_cuda_chosen() || faults_obstacle)
    case_not_applicable("a copy of the process cannot make the call");
  if (has_short_floats(kernel))
    case_not_applicable("sums of its elements need more bits than they have");
  ApartOutcome *outcomes = kernel_apart_outcomes(2);
  if (!is_steady(iut, kernel, &outcomes[0], &outcomes[1]))
    case_not_applicable("it is refused, or does not give the same twice");
  const char *why;
  const Kernel *large = new_large_call(iut, kernel, &outcomes[0], &why);
  if (!large) case_not_applicable("%s", why);
  const time_t end = time(NULL) + SECONDS;
  // Which of equal numbers is found may be by chance.
  const bool whole = !has_whole_numbers(kernel);
  bool same = true;
  for (unsigned i = 0; i < TIMES && same && time(NULL) <= end; ++i)
    same = kernel_apart_call(iut, NULL, large, FILL, &outcomes[1]) != APART_SERVED ||
           kernel_apart_alike(&outcomes[1], &outcomes[0], whole);
  char difference[160] = "";
  if (!same) {
    note_call(new_right_call(iut, large), "with large tensors, ");
    kernel_apart_close(&outcomes[1], &outcomes[0], difference);
  }
  expect_that(same, "it comes to the same each time", "%s",
              difference[0] ? difference : "elements of an output differ");
}
