// SPDX-License-Identifier: Apache-2.0
// None in the place of what may be left out, where the function itself says what may.
#include <stdlib.h>
#include <string.h>

#include "kernel/kernel_battery.h"

CHAPTER(argument);

enum { LIMIT_MS = 1500 };

// What came of None in calls with different other arguments.
typedef struct Nones {
  unsigned missed;  // refused with the error of a value that is read where there is none
  unsigned others;  // served, refused with another error, or did not return
} Nones;

// Whether the words are those with which C++ reads an absent value: of the official headers and of the
// standard library.
static bool reads_absent_value(const char *error)
{
  return strcasestr(error, "optional access") || strcasestr(error, "bad_optional_access");
}

static void try_none(Iut *iut, const Kernel *kernel, unsigned position, Nones *nones)
{
  KernelCall *call = new_right_call(iut, kernel);
  call->values[position] = any_none();
  if (end_of_call_within(call, LIMIT_MS) != CALL_RETURNS) {
    ++nones->others;
    return;
  }
  make_call(call);
  const bool missed = call->returned != 0 && reads_absent_value(call->error_text);
  char name[64];
  if (missed && nones->missed++ == 0)
    note_call(call, "with None for %s: ", parameter_name(kernel, position, name));
  nones->others += !missed;
  drop_outcome(call);
}

// Another parameter may be what it depends on: each with each of a few other values, as far as one is
// a number or may be None, too.
static void try_with_others(Iut *iut, const Kernel *kernel, unsigned position, Nones *nones)
{
  static const int64_t integers[] = {0, 1, 2, 3};
  for (unsigned i = 0; i < kernel->parameter_count && nones->others == 0; ++i) {
    const KernelParameter *at = &kernel->parameters[i];
    const bool number = at->kind == KERNEL_INT || at->kind == KERNEL_BOOL;
    const size_t count = number ? sizeof integers / sizeof *integers : at->optional ? 1 : 0;
    for (size_t k = 0; k < count && i != position && nones->others == 0; ++k) {
      // A call that was noted borrows it.
      Kernel *other = malloc(sizeof *other);
      if (!other) case_inconclusive("no memory for a signature");
      kernel_copy(other, kernel);
      if (at->kind == KERNEL_BOOL && integers[k] > 1) continue;
      if (number) other->parameters[i].integer = integers[k];
      if (!number) other->parameters[i] = (KernelParameter){.kind = KERNEL_ANY, .optional = true};
      KernelCall *given = new_right_call(iut, other);
      if (end_of_call_within(given, LIMIT_MS) != CALL_RETURNS) continue;
      make_call(given);
      // What is refused anyway says nothing of None.
      const bool served = given->returned == 0;
      drop_outcome(given);
      if (served) try_none(iut, other, position, nones);
    }
  }
}

static bool may_depend_on_more(const Kernel *kernel)
{
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    const KernelKind kind = kernel_place_of(kernel, i)->kind;
    if (kind == KERNEL_STRING || kind == KERNEL_MAP) return true;
  }
  return false;
}

KERNEL_CASE(optional_may_be_none, .clauses = {ARG_18},
            .needs = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN, .patience = 2, .explores = true,
            .title = "None for what the function calls optional is not read as a value")
{
  unsigned judged = 0;
  char name[64];
  require_right_call(iut, kernel);
  if (kernel_is_promised(kernel)) case_not_applicable("a signature file says what it takes");
  if (may_depend_on_more(kernel))
    case_not_applicable("a string or a map may say what must be given");
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    const KernelParameter *at = &kernel->parameters[i];
    Nones nones = {0};
    if (!at->optional || at->kind == KERNEL_ANY || at->kind == KERNEL_NONE) continue;
    try_none(iut, kernel, i, &nones);
    if (nones.missed > 0) try_with_others(iut, kernel, i, &nones);
    ++judged;
    expect_that(nones.missed == 0 || nones.others > 0, "it does without the value in some call",
                "each of %u calls with None for %s reads the value that is not there", nones.missed,
                parameter_name(kernel, i, name));
  }
  if (judged == 0) case_not_applicable("it says of no parameter that it is optional");
}
