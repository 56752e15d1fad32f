// SPDX-License-Identifier: Apache-2.0
// Arguments that are objects at addresses where those of earlier calls were, which are gone: what a function keeps by
// address is that of another one then.
#include <stdio.h>
#include <stdlib.h>

#include "battery/clock.h"
#include "kernel/kernel_apart.h"
#include "kernel/kernel_battery.h"
#include "kernel/kernel_chosen.h"
#include "kernel/kernel_cuda.h"
#include "kernel/kernel_place.h"
#include "kernel/kernel_refused.h"
#include "plan/kernel_choice.h"

CHAPTER(kernel);

enum { JUDGED_MOST = 8, ROUNDS = 6 };
static const double SECONDS_MOST = 2;

typedef struct Reusing {
  Iut *iut;
  const char *words;  // what the call differs in from the example
  ApartOutcome *alone, *after, *control;
  unsigned judged[KERNEL_PARAMETERS_MAX];
  bool any;
} Reusing;

// --- Which calls ---------------------------------------------------------------------------------

// Tensors are other ones in each call.
static bool is_same(const Kernel *one, const KernelParameter *a, const Kernel *other,
                    const KernelParameter *b, int depth)
{
  bool same = a->kind == b->kind && a->kind != KERNEL_TENSOR && a->integer == b->integer &&
              a->number == b->number && a->element_count == b->element_count &&
              a->rank == b->rank && kernel_text_length(a) == kernel_text_length(b) &&
              memcmp(a->text, b->text, kernel_text_length(a)) == 0 &&
              memcmp(a->shape, b->shape, sizeof a->shape) == 0;
  for (uint32_t i = 0; same && i < a->element_count && depth < SIGNATURE_DEPTH_MAX; ++i)
    same = is_same(one, &one->elements[a->first_element + i], other,
                   &other->elements[b->first_element + i], depth + 1);
  return same;
}

// --- Judging -------------------------------------------------------------------------------------

static bool gives_the_same(const ApartOutcome *outcome, const ApartOutcome *alone,
                           char difference[160])
{
  if (outcome->end == APART_SERVED) return kernel_apart_close(outcome, alone, difference);
  snprintf(difference, 160,
           outcome->end == APART_LOST ? "the call ends the process" : "the call is refused");
  return false;
}

// Whether it is another outcome each time with the used address, and never without.
static bool is_for_the_address(const Reusing *reusing, const Kernel *before, const Kernel *kernel,
                               int position)
{
  char ignored[160];
  for (unsigned i = 0; i < ROUNDS; ++i) {
    const ApartEnd end =
        kernel_apart_reusing(reusing->iut, before, kernel, position, reusing->control);
    if (end == APART_NOT_AFTER || end == APART_UNSEEN ||
        gives_the_same(reusing->control, reusing->alone, ignored))
      return false;
    kernel_apart_reusing(reusing->iut, i % 2 ? before : NULL, kernel, APART_NOTHING,
                         reusing->control);
    if (!gives_the_same(reusing->control, reusing->alone, ignored)) return false;
  }
  return true;
}

static void judge(Reusing *reusing, const Kernel *before, const Kernel *kernel, uint32_t position)
{
  char difference[160] = "", name[64];
  const ApartEnd end =
      kernel_apart_reusing(reusing->iut, before, kernel, (int)position, reusing->after);
  if (end == APART_NOT_AFTER || end == APART_UNSEEN) return;
  const bool same = gives_the_same(reusing->after, reusing->alone, difference);
  if (!same && !is_for_the_address(reusing, before, kernel, (int)position)) return;
  if (!same)
    note_call(new_right_call(reusing->iut, kernel),
              "with %s, and an object for %s where that of an earlier call was: ",
              reusing->words[0] ? reusing->words : "the example's values",
              parameter_name(kernel, position, name));
  expect_that(same, "the call gives what it gives alone", "%s", difference);
  // Once is enough for one that does not.
  reusing->judged[position] += same ? 1 : JUDGED_MOST;
  reusing->any = true;
}

// Whether the argument of the call may be another object of the same kind as before, and was not judged often enough.
static bool is_to_be_judged(const Reusing *reusing, const Kernel *before, const Kernel *kernel,
                            uint32_t position)
{
  const KernelParameter *old = &before->parameters[position];
  const KernelParameter *value = &kernel->parameters[position];
  return position < before->parameter_count && reusing->judged[position] < JUDGED_MOST &&
         kernel_has_place(value) && kernel_has_place(old) &&
         !is_same(before, old, kernel, value, 0);
}

static bool is_worth_a_call(const Reusing *reusing, const Kernel *before, const Kernel *kernel)
{
  for (uint32_t i = 0; i < kernel->parameter_count; ++i)
    if (is_to_be_judged(reusing, before, kernel, i)) return true;
  return false;
}

static void judge_pair(Reusing *reusing, const Kernel *before, const Kernel *kernel)
{
  for (uint32_t i = 0; i < kernel->parameter_count; ++i)
    if (is_to_be_judged(reusing, before, kernel, i)) judge(reusing, before, kernel, i);
}

// --- The case ------------------------------------------------------------------------------------

// Whether values of the type may be objects that can be made again.
static bool may_have_place(const SignatureType *type)
{
  switch (type->kind) {
    case KERNEL_ARRAY:
    case KERNEL_TUPLE:
    case KERNEL_MAP:
    case KERNEL_SHAPE:
    case KERNEL_STRING:
    case KERNEL_BYTES:
    case KERNEL_VARIANT:
      return true;
    default:
      return false;
  }
}

static const char *lacks_objects(const CaseInstance *instance)
{
  const Signature *signature = instance->signature;
  if (!signature || !instance->kernel->chosen)
    return "no signature file describes it (--signatures)";
  const SignatureForm *form = signature_form(signature, instance->kernel->form);
  for (uint32_t i = 0; i < form->parameters.count; ++i)
    if (may_have_place(signature_type(signature, form->parameters.first + i))) return NULL;
  return "it takes no container, shape or text";
}

// Each call of the signature file, after the example, and after the one before it.
static void judge_choices(Reusing *reusing, const Kernel *kernel, const Signature *signature)
{
  KernelChoice *choices = calloc(KERNEL_CHOICES_MAX, sizeof *choices);
  if (!choices) case_inconclusive("no memory for the choices");
  const size_t count = kernel_chosen(signature, choices);
  const double end = clock_seconds() + SECONDS_MOST;
  const Kernel *last = kernel;
  for (size_t i = 0; i < count && clock_seconds() < end; ++i) {
    char problem[KERNEL_PROBLEM_MAX];
    // A call holds on to its kernel.
    Kernel *made = malloc(sizeof *made);
    if (!made) case_inconclusive("no memory for a call");
    kernel_copy(made, kernel);
    reusing->words = choices[i].words;
    if (!kernel_of_choice(signature, &choices[i], made, problem) ||
        !(is_worth_a_call(reusing, kernel, made) || is_worth_a_call(reusing, last, made)) ||
        kernel_apart_reusing(reusing->iut, NULL, made, APART_NOTHING, reusing->alone) !=
            APART_SERVED) {
      free(made);
      continue;
    }
    judge_pair(reusing, kernel, made);
    if (last != kernel) judge_pair(reusing, last, made);
    last = made;
  }
  free(choices);
}

KERNEL_CASE(object_where_another_was, .clauses = {KER_54},
            .needs = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN, .lacks = lacks_objects, .patience = 5,
            .explores = true,
            .title =
                "a container, shape or long text at the address of an earlier one is not "
                "taken for that one")
{
  if (kernel_cuda_chosen()) case_not_applicable("a copy of the process cannot make the call");
  kernel_require_no_object(kernel);
  ApartOutcome *outcomes = kernel_apart_outcomes(3);
  Reusing reusing = {
      .iut = iut, .alone = &outcomes[0], .after = &outcomes[1], .control = &outcomes[2]};
  judge_choices(&reusing, kernel, signature_under_test());
  if (!reusing.any)
    case_not_applicable("no other object came to lie where one was, in calls that are served");
}
