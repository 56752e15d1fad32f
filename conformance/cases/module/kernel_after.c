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

// Another float: between 0 and 1 where it was.
static double other_float(double number)
{
  return number / 2 + 0.125;
}

// Other floats: whole numbers may be places in other tensors. False if it is none.
static bool take_other_value(KernelParameter *at)
{
  if (at->kind == KERNEL_FLOAT) at->number = other_float(at->number);
  if (at->kind == KERNEL_TENSOR && at->typed && !is_whole(at->dtype)) {
    at->number += 3;
    for (uint32_t k = 0; k < at->value_count; ++k) at->values[k] += 1;
  }
  return at->kind == KERNEL_FLOAT || (at->kind == KERNEL_TENSOR && !is_whole(at->dtype));
}

static bool take_other_data(Kernel *kernel)
{
  bool changed = false;
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i)
    changed |= take_other_value(kernel_place(kernel, i));
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

// One of the floats that are no elements of tensors, all others as they were.
static bool take_other_float(Kernel *kernel, unsigned which)
{
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    KernelParameter *at = kernel_place(kernel, i);
    const bool given = i < kernel->parameter_count || kernel_holder_of(kernel, i);
    if (at->kind != KERNEL_FLOAT || !given || which-- > 0) continue;
    at->number = other_float(at->number);
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

// The place of one of the entries of maps; -1 if there are not so many.
static int entry_at(const Kernel *kernel, unsigned which)
{
  for (uint32_t i = kernel->parameter_count; i < kernel_place_count(kernel); ++i) {
    const KernelParameter *map = kernel_holder_of(kernel, i);
    const bool entry = map && map->keyed && kernel_place_of(kernel, i)->kind != KERNEL_NONE;
    if (entry && which-- == 0) return (int)i;
  }
  return -1;
}

// The place of one of the parameters that may be None; -1 if there are not so many.
static int optional_at(const Kernel *kernel, unsigned which)
{
  for (uint32_t i = 0; i < kernel->parameter_count; ++i) {
    const KernelParameter *at = &kernel->parameters[i];
    const bool given = at->optional && at->kind != KERNEL_NONE && at->kind != KERNEL_ANY;
    if (given && which-- == 0) return (int)i;
  }
  return -1;
}

static bool leave_out(Kernel *kernel, int place)
{
  if (place < 0) return false;
  KernelParameter *at = kernel_place(kernel, (uint32_t)place);
  at->kind = KERNEL_NONE;
  at->is_given = false;
  return true;
}

// The same call with another value at a place, or in the array that is there; false if there is no other one.
static bool take_other_at(Kernel *kernel, int place)
{
  KernelParameter *at = kernel_place(kernel, (uint32_t)place);
  bool changed = take_other_value(at);
  if (at->kind == KERNEL_INT) at->integer += at->integer > 1 ? -1 : 1;
  if (at->kind == KERNEL_BOOL) at->integer = !at->integer;
  changed |= at->kind == KERNEL_INT || at->kind == KERNEL_BOOL;
  for (uint32_t i = 0; at->kind == KERNEL_ARRAY && i < at->element_count; ++i)
    changed |= take_other_value(&kernel->elements[at->first_element + i]);
  return changed;
}

// Whether it works on data that it is given: what takes settings alone may tell what they are, and an object may keep
// what calls do.
static bool works_on_data(const Kernel *kernel)
{
  bool data = false;
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    const KernelParameter *at = kernel_place_of(kernel, i);
    const bool holds = at->kind == KERNEL_TENSOR || at->kind == KERNEL_ARRAY;
    if (at->kind == KERNEL_OBJECT) return false;
    data |= i < kernel->parameter_count && !at->optional && holds;
  }
  return data;
}

// So much larger as the tensors stay small enough.
static bool make_much_larger(const Kernel *kernel, Kernel *other)
{
  const double most = 1 << 19;
  for (int64_t times = 64; times > 2; times /= 2) {
    kernel_copy(other, kernel);
    if (!kernel_change_sizes(other, times, 0)) return false;
    if (kernel_elements(other) <= most) return true;
  }
  return false;
}

// How a call was varied. `only_before`: it may leave what an earlier call has set, by right, and is not judged after
// others. `left_out` is the place of what is left out, -1 if nothing is.
typedef struct Varied {
  const char *words;
  bool only_before;
  int left_out;
} Varied;

// Makes `other` the call with this number, counted from 0; false if there is none.
static bool vary(const Kernel *kernel, unsigned number, Kernel *other, Varied *varied)
{
  enum { DATA, LARGER, SMALLER, MUCH_LARGER, LETTERS, PLACES, FLOATS, INTEGERS = FLOATS + 6 };
  enum { ENTRIES = INTEGERS + 3, NONE = ENTRIES + 4, VARIANTS = NONE + 4 };
  const char **words = &varied->words;
  kernel_copy(other, kernel);
  *varied =
      (Varied){"other elements", number >= NONE && number < VARIANTS && !works_on_data(kernel), -1};
  if (number == DATA) return take_other_data(other);
  *words = number == SMALLER ? "smaller tensors" : "larger tensors";
  if (number == LARGER) return kernel_change_sizes(other, 2, 1);
  if (number == SMALLER) return kernel_change_sizes(other, 1, -1);
  if (number == MUCH_LARGER) return make_much_larger(kernel, other);
  *words = "other texts";
  if (number == LETTERS) return take_other_letters(other);
  *words = "other integers in tensors";
  if (number == PLACES) return take_one_place(other);
  *words = "another number";
  if (number < INTEGERS) return take_other_float(other, number - FLOATS);
  if (number < ENTRIES) return take_other_number(other, number - INTEGERS, 1);
  *words = number < NONE ? "an entry of a map less" : "None for an argument";
  if (number < VARIANTS) {
    varied->left_out =
        number < NONE ? entry_at(kernel, number - ENTRIES) : optional_at(kernel, number - NONE);
    return leave_out(other, varied->left_out);
  }
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
  if (!same && end == APART_SERVED &&
      (!kernel_apart_again(iut, NULL, pair->second, FILL, pair->alone) ||
       !kernel_apart_again(iut, pair->first, pair->second, FILL, pair->after)))
    return false;
  if (!same) note_call(new_right_call(iut, pair->second), "after a call with %s: ", words);
  expect_that(end == APART_SERVED, "the call returns, as it does alone", "it ends the process");
  if (end == APART_SERVED) expect_that(same, "it comes to the same as alone", "%s", difference);
  return true;
}

// The call without a value, after one that has another in its place, and after one without it with larger tensors. The calls
// live on: those that were noted borrow them.
static unsigned judge_left_out(Iut *iut, const Kernel *kernel, const Varied *varied, Pair pair)
{
  if (varied->left_out < 0) return 0;
  Kernel *changed = kernel_new_copy(kernel), *larger = kernel_new_copy(pair.second);
  unsigned judged = 0;
  pair.first = changed;
  if (take_other_at(changed, varied->left_out))
    judged += judge(iut, &pair, "another value in the place of what is left out");
  pair.first = larger;
  if (kernel_change_sizes(larger, 2, 1)) judged += judge(iut, &pair, "larger tensors");
  return judged;
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
  Kernel *last = NULL, *first = NULL;
  unsigned judged = 0;
  const time_t end = time(NULL) + SECONDS_MOST;
  if (!is_steady(iut, kernel, own, after))
    case_not_applicable("it is refused, or does not give the same twice");
  for (unsigned i = 0; i < VARIATIONS_MOST && time(NULL) <= end; ++i) {
    Kernel *other = kernel_new_copy(kernel);
    Varied varied;
    // A call that was noted borrows it: it lives until the process of the case ends.
    if (!vary(kernel, i, other, &varied) || !is_steady(iut, other, alone, after)) continue;
    judged += judge(iut, &(Pair){other, kernel, own, after}, varied.words);
    if (varied.only_before) continue;
    judged += judge_left_out(iut, kernel, &varied, (Pair){NULL, other, alone, after});
    judged += judge(iut, &(Pair){kernel, other, alone, after}, "the arguments of the example");
    if (first) judged += judge(iut, &(Pair){first, other, alone, after}, "other elements");
    if (last) {
      if (last != first)
        judged += judge(iut, &(Pair){last, other, alone, after}, "other arguments");
      judged += judge(iut, &(Pair){other, last, last_alone, after}, varied.words);
    }
    last = other;
    if (i == 0) first = other;
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
  // Where a file says how large those in containers are, one size is made larger by what it says.
  const bool held = kernel->chosen && kernel->element_count > 0;
  if (!held && kernel_make_large(large) && shares_work(iut, large, outcome, why)) return large;
  for (uint32_t i = 0; i < kernel->size_count; ++i)
    if (make_longer(kernel, i, large) && shares_work(iut, large, outcome, why)) return large;
  free(large);
  return NULL;
}

// Threads of the function's own share the work on them. What the order of their work may change is
// no difference: the last digits of sums, and the order of elements.
KERNEL_CASE(large_call_gives_the_same, .clauses = {KER_54},
            .needs = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN, .patience = 5, .explores = true,
            .title = "a call with large tensors comes to the same each time")
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
