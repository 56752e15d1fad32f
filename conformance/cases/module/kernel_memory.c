// SPDX-License-Identifier: Apache-2.0
// What comes out of a call is made of its arguments, not of what memory held that it was given.
#include <stdio.h>
#include <stdlib.h>

#include "kernel/kernel_battery.h"
#include "plan/kernel_choice.h"

CHAPTER(kernel);

enum { VARIANTS_MOST = 14 };

// `plain` is what came of the valid call: a function that writes the result of that one is not for
// memory that is not written.
static FreshEnd judge(Iut *iut, const Kernel *kernel, FreshEnd plain, const char *words)
{
  char difference[160] = "nothing of the result does";
  const FreshEnd end = kernel_fresh_memory(iut, kernel, difference);
  const bool lost = end == FRESH_DIFFERS || (end == FRESH_UNWRITTEN && plain == FRESH_SAME);
  if (end == FRESH_UNKNOWN) return end;
  if (lost) note_call(new_right_call(iut, kernel), "%swith fresh memory full of 0x5a: ", words);
  expect_that(!lost, "the same comes out, whatever fresh memory held", "%s not", difference);
  return end;
}

// Calls with other numbers and data types among the values, those that are served.
static void judge_values(Iut *iut, const Kernel *kernel, FreshEnd plain)
{
  static const int64_t integers[] = {0, 1, 2, 3, 5, 64};
  Kernel *other = malloc(sizeof *other);
  char words[96], name[64];
  if (!other) case_inconclusive("no memory for a signature");
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    const KernelParameter *own = &kernel->parameters[i];
    *other = *kernel;
    for (unsigned k = 0; own->kind == KERNEL_DTYPE && k < KERNEL_DTYPES_TRIED; ++k) {
      snprintf(other->parameters[i].text, KERNEL_TEXT_MAX, "%s", kernel_dtypes_tried[k].name);
      other->parameters[i].text_size = 0;
      snprintf(words, sizeof words, "with %s for %s, ", kernel_dtypes_tried[k].name,
               parameter_name(kernel, i, name));
      judge(iut, other, plain, words);
    }
    for (unsigned k = 0; own->kind == KERNEL_INT && k < sizeof integers / sizeof *integers; ++k) {
      other->parameters[i].integer = integers[k];
      snprintf(words, sizeof words, "with %d for %s, ", (int)integers[k],
               parameter_name(kernel, i, name));
      judge(iut, other, plain, words);
    }
    for (int k = 0; own->kind == KERNEL_BOOL && k < 2; ++k) {
      other->parameters[i].integer = k;
      snprintf(words, sizeof words, "with %s for %s, ", k ? "true" : "false",
               parameter_name(kernel, i, name));
      judge(iut, other, plain, words);
    }
  }
  free(other);
}

// Of a vector of whole numbers, the first, and the last one for all others: where they are offsets, all
// parts but the first are empty. False if it is something else.
static bool take_ends(KernelParameter *parameter)
{
  const DLDataType dtype = parameter->dtype;
  const bool whole = dtype.code == kDLInt || dtype.code == kDLUInt;
  if (parameter->kind != KERNEL_TENSOR || !parameter->typed || parameter->rank != 1 || !whole)
    return false;
  const int64_t count = parameter->shape[0].size;
  if (count < 3 || count > KERNEL_VALUES_MAX) return false;
  const double first = (double)kernel_element_of(parameter, 0);
  const double last = (double)kernel_element_of(parameter, (size_t)count - 1);
  for (int64_t i = 0; i < count; ++i) parameter->values[i] = i == 0 ? first : last;
  parameter->value_count = (uint32_t)count;
  return first != last;
}

// Calls of other sizes, and with offsets between which is nothing, those that are served.
static void judge_sizes(Iut *iut, const Kernel *kernel, FreshEnd plain)
{
  static const int64_t times[] = {2, 8};
  char words[96], name[64];
  Kernel *other = malloc(sizeof *other);
  if (!other) case_inconclusive("no memory for a signature");
  for (size_t i = 0; i < sizeof times / sizeof *times; ++i) {
    *other = *kernel;
    if (kernel_change_sizes(other, times[i], 1)) judge(iut, other, plain, "with other sizes, ");
  }
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    *other = *kernel;
    if (!take_ends(&other->parameters[i])) continue;
    snprintf(words, sizeof words, "with the last element of %s from the second on, ",
             parameter_name(kernel, i, name));
    judge(iut, other, plain, words);
  }
  free(other);
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
    judge_values(iut, kernel, plain);
    judge_sizes(iut, kernel, plain);
  }
  free(variant);
}
