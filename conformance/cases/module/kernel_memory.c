// SPDX-License-Identifier: Apache-2.0
// What comes out of a call is made of its arguments, not of what memory held that it was given.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/kernel_battery.h"
#include "kernel/kernel_varied.h"
#include "plan/kernel_choice.h"

CHAPTER(kernel);

enum { VARIANTS_MOST = 14, SECONDS = 4 };

// `plain` is what came of the valid call: a function that writes the result of that one is not for
// memory that is not written.
static FreshEnd judge(Iut *iut, const Kernel *kernel, FreshEnd plain, const char *words)
{
  char difference[160] = "the result, of which nothing is written, does";
  const FreshEnd end = kernel_fresh_memory(iut, kernel, difference);
  const bool lost = end == FRESH_DIFFERS || (end == FRESH_UNWRITTEN && plain == FRESH_SAME);
  if (end == FRESH_UNKNOWN) return end;
  if (lost) note_call(new_right_call(iut, kernel), "%swith fresh memory full of 0x5a: ", words);
  expect_that(!lost, "the same comes out, whatever fresh memory held", "%s not", difference);
  return end;
}

// What calls are made of: `other` is the valid one, changed in one respect or two.
typedef struct Others {
  Iut *iut;
  const Kernel *kernel;
  FreshEnd plain;
  Kernel *other;  // own
} Others;

static void judge_other(const Others *others, const char *words, ...)
    __attribute__((format(printf, 2, 3)));

static void judge_other(const Others *others, const char *words, ...)
{
  char text[128];
  va_list arguments;
  if (!clock_leaves(SECONDS)) return;
  va_start(arguments, words);
  vsnprintf(text, sizeof text, words, arguments);
  va_end(arguments);
  judge(others->iut, others->other, others->plain, text);
}

// --- Other values --------------------------------------------------------------------------------

static void judge_dtypes(const Others *others, unsigned i)
{
  KernelParameter *own = &others->other->parameters[i];
  char name[64];
  for (unsigned k = 0; own->kind == KERNEL_DTYPE && k < KERNEL_DTYPES_TRIED; ++k) {
    snprintf(own->text, KERNEL_TEXT_MAX, "%s", kernel_dtypes_tried[k].name);
    own->text_size = 0;
    judge_other(others, "with %s for %s, ", own->text, parameter_name(others->kernel, i, name));
  }
}

static void judge_numbers(const Others *others, unsigned i)
{
  static const int64_t integers[] = {0, 1, 2, 3, 5, 64};
  static const double numbers[] = {0, 1, 2, 0.25, -1};
  KernelParameter *own = &others->other->parameters[i];
  char name[64];
  parameter_name(others->kernel, i, name);
  for (unsigned k = 0; own->kind == KERNEL_INT && k < sizeof integers / sizeof *integers; ++k) {
    own->integer = integers[k];
    judge_other(others, "with %d for %s, ", (int)integers[k], name);
  }
  for (unsigned k = 0; own->kind == KERNEL_FLOAT && k < sizeof numbers / sizeof *numbers; ++k) {
    own->number = numbers[k];
    judge_other(others, "with %g for %s, ", numbers[k], name);
  }
  for (int k = 0; own->kind == KERNEL_BOOL && k < 2; ++k) {
    own->integer = k;
    judge_other(others, "with %s for %s, ", k ? "true" : "false", name);
  }
}

// Without what may be left out. A function may return memory as it is where it is given nothing to
// write there.
static void judge_without(const Others *others, unsigned i)
{
  KernelParameter *own = &others->other->parameters[i];
  Others lenient = *others;
  char name[64];
  if (!own->optional || own->kind == KERNEL_NONE) return;
  own->kind = KERNEL_NONE;
  lenient.plain = FRESH_UNKNOWN;
  judge_other(&lenient, "with None for %s, ", parameter_name(others->kernel, i, name));
}

// Calls with other numbers and data types among the values, and without some, those that are served.
static void judge_values(const Others *others)
{
  static void (*const judges[])(const Others *, unsigned) = {judge_dtypes, judge_numbers,
                                                             judge_without};
  for (unsigned i = 0; i < others->kernel->parameter_count; ++i)
    for (size_t k = 0; k < sizeof judges / sizeof *judges; ++k) {
      kernel_copy(others->other, others->kernel);
      judges[k](others, i);
    }
}

// What `other` is, with other integers among the values besides: these may say how the work is shared, which leaves
// something over in some sizes.
static void judge_integers_of(const Others *others, const char *words)
{
  static const int64_t shares[] = {1, 2, 3, 4};
  char name[64];
  for (unsigned i = 0; i < others->kernel->parameter_count; ++i) {
    KernelParameter *own = &others->other->parameters[i];
    const int64_t before = own->integer;
    for (unsigned k = 0; own->kind == KERNEL_INT && k < sizeof shares / sizeof *shares; ++k) {
      own->integer = shares[k];
      judge_other(others, "with %s, and %d for %s, ", words, (int)shares[k],
                  parameter_name(others->kernel, i, name));
    }
    own->integer = before;
  }
}

// --- Other elements ------------------------------------------------------------------------------

static bool is_whole(const KernelParameter *parameter)
{
  return parameter->dtype.code == kDLInt || parameter->dtype.code == kDLUInt;
}

// Of a vector of whole numbers, the first, and the last one for all others: where they are offsets, all
// parts but the first are empty. False if it is something else.
static bool take_ends(KernelParameter *parameter)
{
  if (parameter->kind != KERNEL_TENSOR || !parameter->typed || parameter->rank != 1 ||
      !is_whole(parameter))
    return false;
  const int64_t count = parameter->shape[0].size;
  if (count < 3 || count > KERNEL_VALUES_MAX) return false;
  const double first = (double)kernel_element_of(parameter, 0);
  const double last = (double)kernel_element_of(parameter, (size_t)count - 1);
  for (int64_t i = 0; i < count; ++i) parameter->values[i] = i == 0 ? first : last;
  parameter->value_count = (uint32_t)count;
  return first != last;
}

static void judge_ends(const Others *others)
{
  char name[64];
  for (unsigned i = 0; i < others->kernel->parameter_count; ++i) {
    kernel_copy(others->other, others->kernel);
    if (!take_ends(&others->other->parameters[i])) continue;
    judge_other(others, "with the last element of %s from the second on, ",
                parameter_name(others->kernel, i, name));
  }
}

// Elements that are few, of which many are the same.
typedef struct Few {
  const char *words;
  bool whole;
  uint32_t count;
  double values[3];
} Few;

// Calls in which many elements of a tensor are the same, or all.
static void judge_elements(const Others *others)
{
  static const Few few[] = {{"zeros", false, 1, {0}},          {"ones", false, 1, {1}},
                            {"-1 and 1", false, 2, {-1, 1}},   {"0, 1 and 0", false, 3, {0, 1, 0}},
                            {"zeros", true, 1, {0}},           {"ones", true, 1, {1}},
                            {"1 and 0", true, 2, {1, 0}},      {"-1 and 0", true, 2, {-1, 0}},
                            {"1000 and 0", true, 2, {1000, 0}}};
  char name[64];
  for (unsigned i = 0; i < others->kernel->parameter_count; ++i)
    for (size_t k = 0; k < sizeof few / sizeof *few; ++k) {
      kernel_copy(others->other, others->kernel);
      KernelParameter *own = &others->other->parameters[i];
      if (own->kind != KERNEL_TENSOR || !own->typed || is_whole(own) != few[k].whole) continue;
      own->contents = KERNEL_RISING;
      own->value_count = few[k].count;
      memcpy(own->values, few[k].values, sizeof few[k].values);
      judge_other(others, "with %s in %s, ", few[k].words, parameter_name(others->kernel, i, name));
    }
}

// Calls in which each map with entries has two more, that may come to the same place.
static void judge_entries(const Others *others)
{
  Kernel *other = others->other;
  bool added = false;
  kernel_copy(other, others->kernel);
  for (uint32_t i = 0; i < kernel_place_count(others->kernel); ++i) {
    KernelParameter *at = kernel_place(other, i);
    if (at->kind != KERNEL_MAP || !at->keyed) continue;
    added |= kernel_add_entry(other, at, "a") && kernel_add_entry(other, at, "b");
  }
  if (!added) return;
  judge_other(others, "with other entries, ");
  judge_integers_of(others, "other entries");
}

// --- Other sizes ---------------------------------------------------------------------------------

// Calls in which one extent is another one, each name once for each tensor that has it.
static void judge_each_size(const Others *others)
{
  static const int64_t sizes[] = {5, 7, 13};
  for (uint32_t i = 0; i < others->kernel->parameter_count; ++i) {
    const KernelParameter *own = &others->kernel->parameters[i];
    for (int32_t k = 0; own->kind == KERNEL_TENSOR && k < own->rank; ++k)
      for (size_t n = 0; own->shape[k].symbol[0] && n < sizeof sizes / sizeof *sizes; ++n) {
        kernel_copy(others->other, others->kernel);
        kernel_set_size(others->other, own->shape[k].symbol, sizes[n]);
        judge_other(others, "with %d for %s, ", (int)sizes[n], own->shape[k].symbol);
      }
  }
}

// Calls of other sizes, those that are served.
static void judge_sizes(const Others *others)
{
  static const int64_t sizes[][2] = {{2, 1}, {8, 1}, {1, 1}, {3, 1}, {0, 1}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    kernel_copy(others->other, others->kernel);
    if (!kernel_change_sizes(others->other, sizes[i][0], sizes[i][1])) return;
    judge_other(others, "with other sizes, ");
    judge_integers_of(others, "other sizes");
  }
  kernel_copy(others->other, others->kernel);
  if (!kernel_make_large(others->other)) return;
  judge_other(others, "with large sizes, ");
  judge_integers_of(others, "large sizes");
}

// All calls other than a right one that are tried where nobody says which are.
static void judge_others(const Others *others)
{
  judge_ends(others);
  judge_values(others);
  judge_elements(others);
  judge_entries(others);
  judge_each_size(others);
  judge_sizes(others);
}

// Leaves out what may be left out, such as a tensor for what is returned otherwise. False if nothing may.
static bool leave_out(Kernel *kernel)
{
  bool any = false;
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    KernelParameter *at = &kernel->parameters[i];
    if (!at->optional || at->kind == KERNEL_NONE || at->kind == KERNEL_ANY) continue;
    at->kind = KERNEL_NONE;
    any = true;
  }
  return any;
}

KERNEL_CASE(fresh_memory_does_not_matter, .clauses = {KER_54},
            .needs = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN, .patience = 3,
            .title = "results do not depend on what their memory held before, nor scratch memory")
{
  Kernel *variant = malloc(sizeof *variant);
  if (!variant) case_inconclusive("no memory for a signature");
  const FreshEnd plain = judge(iut, kernel, FRESH_UNKNOWN, "");
  if (plain == FRESH_UNKNOWN)
    case_not_applicable("it is refused, does not give the same twice, or uses a device");
  for (unsigned i = 0; i < VARIANTS_MOST && kernel_variant(kernel, i, variant); ++i)
    judge(iut, variant, plain, "");
  if (!kernel_is_promised(kernel)) {
    const Others others = {iut, kernel, plain, variant};
    judge_others(&others);
    Kernel *without = malloc(sizeof *without);
    if (!without) case_inconclusive("no memory for a signature");
    kernel_copy(without, kernel);
    if (leave_out(without)) {
      const FreshEnd end = judge(iut, without, FRESH_UNKNOWN, "with None where it may be, ");
      const Others shorter = {iut, without, end, variant};
      if (end != FRESH_UNKNOWN) judge_others(&shorter);
    }
    free(without);
  }
  free(variant);
}
