// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_bases.h"

#include <stdlib.h>
#include <string.h>

#include "battery/expect.h"
#include "expression/expression.h"
#include "kernel/kernel_call.h"
#include "kernel/kernel_chosen.h"
#include "plan/kernel_choice.h"

enum { LIMIT_MS = 1000 };

typedef struct Base {
  Kernel *kernel;  // own
  unsigned named;  // arguments that differ, and that a statement names
} Base;

static bool is_other(const KernelParameter *a, const KernelParameter *b)
{
  return a->kind != b->kind || a->integer != b->integer || a->number != b->number ||
         a->element_count != b->element_count || a->text_size != b->text_size ||
         memcmp(a->text, b->text, a->text_size) != 0 ||
         memcmp(&a->dtype, &b->dtype, sizeof a->dtype) != 0;
}

// How many arguments that the expression names are other ones.
static unsigned count_named(const char *text, const Kernel *example, const Kernel *other)
{
  ExpressionError error;
  Expression *expression = *text ? expression_parse(text, &error) : NULL;
  unsigned named = 0;
  for (size_t i = 0; expression && expression_name(expression, i); ++i)
    for (uint32_t k = 0; k < example->parameter_count && k < other->parameter_count; ++k)
      named += strcmp(expression_name(expression, i), example->parameters[k].name) == 0 &&
               is_other(&example->parameters[k], &other->parameters[k]);
  expression_free(expression);
  return named;
}

// The most of any statement that is not broken yet.
static unsigned most_named(const Signature *signature, const Kernel *example, const Kernel *other,
                           const KernelUnbroken *done)
{
  const SignatureForm *form = signature_form(signature, example->form);
  unsigned most = 0;
  for (uint32_t i = 0; i < form->where.count && i < KERNEL_STATEMENTS_MAX; ++i) {
    if (done->conditions[i]) continue;
    const unsigned named =
        count_named(signature_condition(signature, form->where.first + i), example, other);
    if (named > most) most = named;
  }
  for (uint32_t i = 0; i < form->refusals.count && i < KERNEL_STATEMENTS_MAX; ++i) {
    const SignatureRefusal *refusal = signature_refusal(signature, form->refusals.first + i);
    if (done->refusals[i]) continue;
    const unsigned named = count_named(signature_text(signature, refusal->when), example, other);
    if (named > most) most = named;
  }
  return most;
}

static bool is_promised(const KernelChoice *choice, const Kernel *example)
{
  return choice->standing == KERNEL_PROMISED && choice->form == example->form;
}

// The calls of these choices that differ from the example in what is named.
static size_t make_bases(const Signature *signature, const Kernel *example,
                         const KernelUnbroken *done, const KernelChoice *choices, size_t count,
                         Base *bases)
{
  char problem[KERNEL_PROBLEM_MAX];
  size_t made = 0;
  for (size_t i = 0; i < count; ++i) {
    if (!is_promised(&choices[i], example)) continue;
    Kernel *kernel = malloc(sizeof *kernel);
    if (!kernel) case_inconclusive("no memory for a signature");
    kernel_copy(kernel, example);
    const bool good = kernel_of_choice(signature, &choices[i], kernel, problem);
    const unsigned named = good ? most_named(signature, example, kernel, done) : 0;
    if (named > 0)
      bases[made++] = (Base){kernel, named};
    else
      free(kernel);
  }
  return made;
}

size_t kernel_bases(Iut *iut, const Signature *signature, const Kernel *example,
                    const KernelUnbroken *done, const Kernel **bases, size_t capacity)
{
  KernelChoice *choices = calloc(KERNEL_CHOICES_MAX, sizeof *choices);
  Base *made = calloc(KERNEL_CHOICES_MAX, sizeof *made);
  if (!choices || !made) case_inconclusive("no memory for the choices");
  const size_t count =
      make_bases(signature, example, done, choices, kernel_chosen(signature, choices), made);
  size_t taken = 0;
  unsigned most = 0;
  for (size_t i = 0; i < count; ++i)
    if (made[i].named > most) most = made[i].named;
  for (unsigned named = most; named > 0 && taken < capacity; --named)
    for (size_t i = 0; i < count && taken < capacity; ++i)
      if (made[i].named == named && kernel_is_served(iut, made[i].kernel, LIMIT_MS)) {
        bases[taken++] = made[i].kernel;
        made[i].kernel = NULL;
      }
  for (size_t i = 0; i < count; ++i) free(made[i].kernel);
  free(made);
  free(choices);
  return taken;
}
