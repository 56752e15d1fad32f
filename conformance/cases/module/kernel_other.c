// SPDX-License-Identifier: Apache-2.0
// What a call gives, next to what another build of the module gives for it (--same-as).
#include "kernel/kernel_other.h"
#include "kernel/kernel_battery.h"
#include "kernel/kernel_chosen.h"
#include "kernel/kernel_steps.h"

#include <stdio.h>
#include <stdlib.h>

#include "plan/kernel_choice.h"

CHAPTER(kernel);

enum { LIMIT_MS = 4000 };

// A call of each build, with arguments of their own.
typedef struct Both {
  KernelCall *actual, *other;
} Both;

static bool returns(KernelCall *call)
{
  return end_of_call_within(call, LIMIT_MS) == CALL_RETURNS;
}

// What two calls of the same build give may differ: then nothing follows from another one.
static bool is_repeatable(Iut *iut, const Kernel *kernel, KernelCall *call)
{
  KernelCall *again = new_right_call(iut, kernel);
  make_call(again);
  const bool alike = again->returned == 0 && kernel_calls_alike(call, again);
  drop_outcome(again);
  return alike;
}

// A call that the other build has served; true if anything is expected of it.
static bool judge(Iut *iut, const Kernel *kernel, Both both, bool promised)
{
  if (!returns(both.actual))
    return !expect_that(false, "the call returns, as in the other build", "it does not");
  make_call(both.actual);
  const bool served = both.actual->returned == 0;
  const bool comparable = served && is_repeatable(iut, kernel, both.actual);
  if (comparable) expect_same_as_other(both.actual, both.other);
  if (!served && promised)
    expect_that(false, "the other build serves the call: 0", "%s", both.actual->error_text);
  drop_outcome(both.actual);
  return comparable || (!served && promised);
}

// True if anything was expected of the call. What the other build refuses, or can't bear, says
// nothing of this one.
static bool compare(Iut *iut, const Kernel *kernel, const char *words, bool promised)
{
  Both both = {new_right_call(iut, kernel), new_right_call(iut, kernel)};
  kernel_require_no_needs(both.other);
  both.other->function = kernel_other_function(iut, kernel->name);
  if (!returns(both.other)) return false;
  make_call(both.other);
  note_call(both.actual, words[0] ? "with %s: " : "%s", words);
  const bool judged = both.other->returned == 0 && judge(iut, kernel, both, promised);
  drop_outcome(both.other);
  return judged;
}

// Each call that the signature lists or allows; returns how many were compared.
static unsigned compare_choices(Iut *iut, const Kernel *kernel, const Signature *signature)
{
  KernelChoice *choices = calloc(KERNEL_CHOICES_MAX, sizeof *choices);
  Kernel *made = malloc(sizeof *made);
  char problem[KERNEL_PROBLEM_MAX];
  unsigned compared = 0;
  if (!choices || !made) case_inconclusive("no memory for the choices");
  const size_t count = kernel_chosen(signature, choices);
  for (size_t i = 0; i < count; ++i) {
    kernel_copy(made, kernel);
    if (!kernel_of_choice(signature, &choices[i], made, problem)) continue;
    // A call borrows its kernel.
    Kernel *own = malloc(sizeof *own);
    if (!own) case_inconclusive("no memory for a call");
    kernel_copy(own, made);
    compared += compare(iut, own, choices[i].words, choices[i].standing == KERNEL_PROMISED);
  }
  free(choices);
  free(made);
  return compared;
}

// --- Without a signature file --------------------------------------------------------------------

static bool is_whole(const KernelParameter *parameter)
{
  return parameter->dtype.code == kDLInt || parameter->dtype.code == kDLUInt;
}

// Makes one parameter of the example another one, in its `way`; false if there is none.
static bool vary(KernelParameter *parameter, unsigned way, char words[96])
{
  snprintf(words, 96, "another value of %.40s", parameter->name[0] ? parameter->name : "it");
  if (way == 0 && parameter->optional && parameter->kind != KERNEL_NONE) {
    parameter->kind = KERNEL_NONE;
    return true;
  }
  if (parameter->kind == KERNEL_BOOL && way == 1) {
    parameter->integer = !parameter->integer;
    return true;
  }
  if (parameter->kind == KERNEL_INT && (way == 1 || way == 2)) {
    parameter->integer += way == 1 ? 1 : -1;
    return true;
  }
  if (parameter->kind == KERNEL_FLOAT && (way == 1 || way == 2)) {
    parameter->number = way == 1 ? parameter->number * 2 + 0.25 : -parameter->number;
    return true;
  }
  // Integers may be places in other tensors.
  if (parameter->kind == KERNEL_TENSOR && parameter->typed && !is_whole(parameter) && way < 3) {
    parameter->number = way == 1 ? parameter->number + 3 : -parameter->number - 2;
    return way > 0;
  }
  return false;
}

// The example, and calls that differ from it in one parameter.
static unsigned compare_variations(Iut *iut, const Kernel *kernel)
{
  unsigned compared = compare(iut, kernel, "", true);
  char words[96];
  for (uint32_t i = 0; i < kernel->parameter_count; ++i)
    for (unsigned way = 0; way < 3; ++way) {
      Kernel *made = malloc(sizeof *made);
      if (!made) case_inconclusive("no memory for a call");
      kernel_copy(made, kernel);
      if (vary(&made->parameters[i], way, words)) compared += compare(iut, made, words, false);
    }
  return compared;
}

KERNEL_CASE(same_as_the_other_build, .clauses = {KER_61},
            .needs = KERNEL_NEEDS_OTHER | KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN, .patience = 10,
            .title = "a call gives what the other build, which the user names, gives for it")
{
  const Signature *signature = signature_under_test();
  unsigned compared = signature && kernel->chosen ? compare_choices(iut, kernel, signature)
                                                  : compare_variations(iut, kernel);
  if (compared == 0)
    case_not_applicable("no call is served by both builds, and gives the same when it is repeated");
}
