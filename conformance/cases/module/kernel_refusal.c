// SPDX-License-Identifier: Apache-2.0
// What a signature file rules out by limits, lists and conditions: calls that are wrong in one value, and
// have to be refused, whatever else is right. And calls that it lists as refused.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/kernel_battery.h"
#include "kernel/kernel_chosen.h"
#include "kernel/kernel_excluded.h"
#include "kernel/kernel_pairs.h"
#include "kernel/kernel_stated.h"
#include "plan/kernel_choice.h"
#include "plan/kernel_condition.h"

CHAPTER(kernel);

static bool has_containers(const Kernel *kernel)
{
  for (uint32_t i = 0; i < kernel->parameter_count; ++i)
    if (kernel->parameters[i].kind == KERNEL_ARRAY || kernel->parameters[i].kind == KERNEL_MAP)
      return true;
  return false;
}

// Whether the call is what the file means: it is refused as the file states, or must be, and is served.
static bool is_meant(const KernelTrying *trying, const Kernel *kernel, const char *words,
                     StatedError stated)
{
  const unsigned before = fences_made();
  KernelCall *call = new_right_call(trying->iut, kernel);
  note_call(call, "%s: ", words);
  make_call(call);
  const bool meant = call->returned == 0 ? kernel_outside(trying->signature, kernel, NULL).by != 0
                                         : kernel_error_is(call, stated.kind, stated.message);
  drop_outcome(call);
  drop_refused(call, before);
  return meant;
}

// The call that a file lists as refused. Other containers and tensors are as long as what it gives there. If that is not
// what is meant, they are as long as in the example: that they differ is, then.
static bool make_refused(const KernelTrying *trying, const KernelChoice *choice, Kernel *kernel,
                         StatedError stated, char why[KERNEL_PROBLEM_MAX])
{
  KernelChoice apart = *choice;
  if (!kernel_of_choice(trying->signature, choice, kernel, why)) return false;
  // A call holds on to its kernel.
  Kernel *other = malloc(sizeof *other);
  if (!other) case_inconclusive("no memory for a signature");
  kernel_copy(other, kernel);
  if (!has_containers(kernel) || kernel->launches || is_meant(trying, other, choice->words, stated))
    return true;
  apart.lengths = trying->kernel;
  kernel_copy(other, trying->kernel);
  if (kernel_of_choice(trying->signature, &apart, other, why)) kernel_copy(kernel, other);
  return true;
}

// Those that the file lists. What can't be made is said in `problem`.
static void try_listed(KernelTrying *trying, char *problem, size_t capacity)
{
  const Signature *signature = trying->signature;
  const size_t most = signature->calls.count + signature->refusals.count;
  KernelRefused *refused = calloc(most + 1, sizeof *refused);
  if (!refused) case_inconclusive("no memory for a signature");
  const size_t count = kernel_refusals(signature, refused, most);
  for (size_t i = 0; i < count; ++i) {
    const KernelChoice *choice = &refused[i].choice;
    const StatedError stated = {signature_text(signature, refused[i].kind),
                                signature_text(signature, refused[i].message)};
    char why[KERNEL_PROBLEM_MAX];
    // A call holds on to its kernel.
    Kernel *kernel = malloc(sizeof *kernel);
    if (!kernel) case_inconclusive("no memory for a signature");
    kernel_copy(kernel, trying->kernel);
    if (!make_refused(trying, choice, kernel, stated, why)) {
      snprintf(problem, capacity, "%s: %s", choice->words, why);
      free(kernel);
      continue;
    }
    const unsigned before = fences_made();
    KernelCall *call = new_right_call(trying->iut, kernel);
    note_call(call, "%s: ", choice->words);
    kernel_note_outside(trying, kernel, NULL);
    kernel_look_with(trying, call, before, stated);
  }
  free(refused);
}

static bool is_variant(const KernelTrying *trying, uint32_t position)
{
  const SignatureForm *form = signature_form(trying->signature, trying->kernel->form);
  return position < form->parameters.count &&
         signature_type(trying->signature, form->parameters.first + position)->kind ==
             KERNEL_VARIANT;
}

// The values of the alternatives of a variant that the example has not chosen. Those that no file
// promises to serve are taken, too: a wrong value of them is as wrong.
static void try_alternatives(KernelTrying *trying, const KernelChoice *choices, size_t count,
                             uint32_t position)
{
  const Kernel *example = trying->kernel;
  unsigned seen = 1u << example->parameters[position].kind;
  char problem[KERNEL_PROBLEM_MAX];
  for (size_t i = 0; i < count; ++i) {
    // A call holds on to its kernel.
    Kernel *made = malloc(sizeof *made);
    if (!made) case_inconclusive("no memory for a signature");
    kernel_copy(made, example);
    const bool good = choices[i].form == example->form && choices[i].call == 0 &&
                      kernel_of_choice(trying->signature, &choices[i], made, problem);
    const unsigned kind = good ? 1u << made->parameters[position].kind : seen;
    if (kind & seen) {
      free(made);
      continue;
    }
    seen |= kind;
    trying->kernel = made;
    const KernelLimits numbers =
        kernel_limits_of(trying->signature, made, &made->parameters[position]);
    kernel_try_argument(trying, &numbers, position);
    trying->kernel = example;
  }
}

static void try_variants(KernelTrying *trying)
{
  KernelChoice *choices = NULL;
  size_t count = 0;
  for (uint32_t i = 0; i < trying->kernel->parameter_count; ++i) {
    if (!is_variant(trying, i)) continue;
    if (!choices) {
      choices = calloc(KERNEL_CHOICES_MAX, sizeof *choices);
      if (!choices) case_inconclusive("no memory for the choices");
      count = kernel_chosen(trying->signature, choices);
    }
    try_alternatives(trying, choices, count, i);
  }
  free(choices);
}

// The example without what is optional; NULL if it has nothing of that, or is not served so.
static const Kernel *new_bare(const KernelTrying *trying)
{
  enum { LIMIT_MS = 1000 };
  bool optional = false;
  Kernel *bare = malloc(sizeof *bare);
  if (!bare) case_inconclusive("no memory for a signature");
  kernel_copy(bare, trying->kernel);
  for (unsigned i = 0; i < bare->parameter_count; ++i) {
    KernelParameter *parameter = &bare->parameters[i];
    if (!parameter->optional || parameter->kind == KERNEL_NONE) continue;
    parameter->kind = KERNEL_NONE;
    optional = true;
  }
  if (optional && !trying->looking && !trying->narrowed &&
      kernel_outside(trying->signature, bare, NULL).by == 0 && !bare->launches &&
      kernel_is_served(trying->iut, bare, LIMIT_MS))
    return bare;
  free(bare);
  return NULL;
}

// What each value that is changed breaks another statement with, too, may be refused for that one: then the same
// is tried without what is optional.
static void try_values(KernelTrying *trying)
{
  const Kernel *example = trying->kernel, *bare = new_bare(trying);
  for (unsigned i = 0; i < example->parameter_count; ++i) {
    const KernelLimits numbers =
        kernel_limits_of(trying->signature, example, &example->parameters[i]);
    trying->fewest = UINT_MAX;
    kernel_try_argument(trying, &numbers, i);
    if (!bare || trying->fewest == UINT_MAX || trying->fewest < 2) continue;
    trying->kernel = bare;
    trying->bare = true;
    kernel_try_argument(trying, &numbers, i);
    trying->bare = false;
    trying->kernel = example;
  }
  if (!trying->narrowed) try_variants(trying);
  kernel_try_sizes(trying);
  kernel_try_counts(trying);
}

// What no call has broken that differs from the example in one thing is tried with other calls that the file lists.
static void try_bases(KernelTrying *trying)
{
  enum { BASES_MOST = 24, SECONDS = 3, LIMIT_MS = 1000 };
  const Kernel *example = trying->kernel, *bases[KERNEL_CHOICES_MAX];
  if (example->launches || kernel_keeps_threads() || !clock_leaves(SECONDS)) return;
  const size_t count =
      kernel_bases(trying->signature, example, &trying->done, &trying->heard, bases);
  unsigned served = 0;
  trying->narrowed = true;
  for (size_t i = 0; i < count && served < BASES_MOST && clock_leaves(SECONDS); ++i) {
    if (!kernel_is_served(trying->iut, bases[i], LIMIT_MS)) continue;
    ++served;
    trying->kernel = bases[i];
    trying->looking = true;
    try_values(trying);
    trying->looking = false;
    try_values(trying);
  }
  trying->narrowed = false;
  trying->kernel = example;
}

// Conditions of refusals that none of the calls meets, and conditions that none breaks: those that name tensors or
// containers are for other cases, too.
static void tell_unmet(const KernelTrying *trying)
{
  const Signature *signature = trying->signature;
  const SignatureForm *form = signature_form(signature, 0);
  if (signature->forms.count != 1) return;
  for (uint32_t i = 0; i < form->refusals.count && i < KERNEL_STATEMENTS_MAX; ++i) {
    const char *when = kernel_when(signature, form, i);
    if (!*when || kernel_statements_have(&trying->broken.refusals, i)) continue;
    tried(TRIED_EXCLUDED, "refuses[%u]: %s", i, when);
    tried_settled_by("\"calls\": [{\"arguments\": {...}, \"refused\": true}] where %.60s", when);
  }
  for (uint32_t i = 0; i < form->where.count && i < KERNEL_STATEMENTS_MAX; ++i) {
    const char *condition = signature_condition(signature, form->where.first + i);
    if (kernel_statements_have(&trying->broken.conditions, i) ||
        !kernel_condition_is_of_values(trying->kernel, condition))
      continue;
    tried(TRIED_EXCLUDED, "not where[%u]: %s", i, condition);
    tried_settled_by("\"calls\": [{\"arguments\": {...}, \"refused\": true}] where not (%.55s)",
                     condition);
  }
}

// `telling`: of what could not be made.
static void for_each_wrong_value(Iut *iut, const Kernel *kernel, LookAtRefusal *look, bool telling)
{
  char problem[KERNEL_PROBLEM_MAX + 96] = "";
  KernelTrying trying = {
      .iut = iut, .kernel = kernel, .signature = signature_under_test(), .look = look};
  if (!trying.signature || trying.signature->tentative || kernel->source != KERNEL_FROM_FILE)
    case_not_applicable("no signature file states its values");
  trying.changed = malloc(sizeof *trying.changed);
  if (!trying.changed) case_inconclusive("no memory for a signature");
  if (!kernel->launches) require_right_call(iut, kernel);
  memset(trying.least, 0xff, sizeof trying.least);
  clock_leaves(0);  // from here on
  trying.looking = true;
  try_values(&trying);
  trying.looking = false;
  try_values(&trying);
  try_bases(&trying);
  trying.looking = true;
  kernel_try_pairs(&trying);
  trying.looking = false;
  kernel_try_pairs(&trying);
  try_listed(&trying, problem, sizeof problem);
  free(trying.changed);
  // Once is enough.
  if (telling) tell_unmet(&trying);
  if (telling) kernel_judge_unheard(&trying);
  if (telling && problem[0]) case_inconclusive("%s", problem);
  if (trying.tried == 0) case_not_applicable("its signature file rules out no values");
  kernel_require_judged(trying.judged, trying.refused);
}

KERNEL_CASE(excluded_value_is_refused, .clauses = {KER_47, KER_11}, .needs = KERNEL_NEEDS_EXAMPLE,
            .patience = 5,
            .title =
                "a value is refused that the limits, lists or conditions of the signature "
                "exclude, and a call that it lists as refused")
{
  for_each_wrong_value(iut, kernel, look_for_refusal, true);
}

KERNEL_CASE(excluded_value_leaves_the_outputs, .clauses = {KER_21}, .wrong_call = true,
            .needs = KERNEL_NEEDS_EXAMPLE, .patience = 5,
            .title = "a call refused for a value does not change the memory of tensors")
{
  kernel_require_tensors(kernel);
  for_each_wrong_value(iut, kernel, look_at_memory, false);
}

KERNEL_CASE(atomic_value, .clauses = {KER_62}, .wrong_call = true, .needs = KERNEL_NEEDS_EXAMPLE,
            .lacks = kernel_lacks_atomic, .patience = 5,
            .title = "a call refused for a value has changed nothing")
{
  for_each_wrong_value(iut, kernel, look_at_memory, false);
}

KERNEL_CASE(excluded_value_leaks_nothing, .clauses = {KER_36}, .needs = KERNEL_NEEDS_EXAMPLE,
            .patience = 5,
            .title = "calls refused for a value, made over and over, do not leak memory")
{
  for_each_wrong_value(iut, kernel, look_for_leaks, false);
}
