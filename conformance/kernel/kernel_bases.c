// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_bases.h"

#include <stdlib.h>
#include <string.h>

#include "battery/expect.h"
#include "expression/expression.h"
#include "kernel/kernel_call.h"
#include "kernel/kernel_chosen.h"
#include "plan/kernel_choice.h"

typedef struct Base {
  Kernel *kernel;  // own
  unsigned named;  // arguments and sizes that differ, and that a statement names
  size_t at;       // among the choices
} Base;

// The arguments and sizes that a statement names, by their places in the example.
typedef struct Named {
  bool arguments[KERNEL_PARAMETERS_MAX], sizes[KERNEL_SIZES_MAX];
} Named;

static bool is_other(const KernelParameter *a, const KernelParameter *b)
{
  if (a->kind != b->kind || a->integer != b->integer || a->number != b->number ||
      a->element_count != b->element_count || a->text_size != b->text_size ||
      memcmp(a->text, b->text, a->text_size) != 0 ||
      memcmp(&a->dtype, &b->dtype, sizeof a->dtype) != 0 || a->rank != b->rank)
    return true;
  // (Extents of tensors are those of sizes.)
  for (int32_t i = 0; a->kind == KERNEL_SHAPE && i < a->rank; ++i)
    if (a->shape[i].size != b->shape[i].size) return true;
  return false;
}

// Returns how many they are.
static unsigned take_names(const char *text, const Kernel *example, Named *named)
{
  ExpressionError error;
  Expression *expression = *text ? expression_parse(text, &error) : NULL;
  unsigned count = 0;
  *named = (Named){0};
  for (size_t i = 0; expression && expression_name(expression, i); ++i) {
    const char *name = expression_name(expression, i);
    for (uint32_t k = 0; k < example->parameter_count; ++k)
      named->arguments[k] |= strcmp(name, example->parameters[k].name) == 0;
    for (uint32_t k = 0; k < example->size_count; ++k)
      named->sizes[k] |= strcmp(name, example->sizes[k].name) == 0;
  }
  expression_free(expression);
  for (size_t k = 0; k < KERNEL_PARAMETERS_MAX; ++k) count += named->arguments[k];
  for (size_t k = 0; k < KERNEL_SIZES_MAX; ++k) count += named->sizes[k];
  return count;
}

// What each statement names that no call has broken yet. Returns how many there are.
static size_t take_statements(const Signature *signature, const Kernel *example,
                              const KernelBroken *done, const KernelStatements *heard,
                              Named named[2 * KERNEL_STATEMENTS_MAX])
{
  const SignatureForm *form = signature_form(signature, example->form);
  size_t count = 0;
  for (uint32_t i = 0; i < form->where.count && i < KERNEL_STATEMENTS_MAX; ++i)
    if (!kernel_statements_have(&done->conditions, i))
      take_names(signature_condition(signature, form->where.first + i), example, &named[count++]);
  for (uint32_t i = 0; i < form->refusals.count && i < KERNEL_STATEMENTS_MAX; ++i) {
    const SignatureRefusal *refusal = signature_refusal(signature, form->refusals.first + i);
    if (kernel_statements_have(&done->refusals, i) || !refusal->when) continue;
    const unsigned names =
        take_names(signature_text(signature, refusal->when), example, &named[count]);
    count += names > 1 || !kernel_statements_have(heard, i);
  }
  return count;
}

// How much of what a statement names differs: the most of any.
static unsigned most_named(const Named *named, size_t count, const Kernel *example,
                           const Kernel *other)
{
  Named differs = {0};
  unsigned most = 0;
  for (uint32_t k = 0; k < example->parameter_count && k < other->parameter_count; ++k)
    differs.arguments[k] = is_other(&example->parameters[k], &other->parameters[k]);
  for (uint32_t k = 0; k < example->size_count; ++k) {
    int64_t size;
    differs.sizes[k] =
        kernel_size_of(other, example->sizes[k].name, &size) && size != example->sizes[k].size;
  }
  for (size_t i = 0; i < count; ++i) {
    unsigned own = 0;
    for (size_t k = 0; k < KERNEL_PARAMETERS_MAX; ++k)
      own += named[i].arguments[k] && differs.arguments[k];
    for (size_t k = 0; k < KERNEL_SIZES_MAX; ++k) own += named[i].sizes[k] && differs.sizes[k];
    if (own > most) most = own;
  }
  return most;
}

// Those that differ in most first, else in their order.
static int compare_bases(const void *a, const void *b)
{
  const Base *one = a, *other = b;
  if (one->named != other->named) return one->named < other->named ? 1 : -1;
  return one->at < other->at ? -1 : one->at > other->at;
}

size_t kernel_bases(const Signature *signature, const Kernel *example, const KernelBroken *done,
                    const KernelStatements *heard, const Kernel *bases[KERNEL_CHOICES_MAX])
{
  KernelChoice *choices = calloc(KERNEL_CHOICES_MAX, sizeof *choices);
  Named *named = calloc(2 * KERNEL_STATEMENTS_MAX, sizeof *named);
  Base *made = calloc(KERNEL_CHOICES_MAX, sizeof *made);
  char problem[KERNEL_PROBLEM_MAX];
  if (!choices || !named || !made) case_inconclusive("no memory for the choices");
  const size_t statements = take_statements(signature, example, done, heard, named);
  const size_t count = statements > 0 ? kernel_chosen(signature, choices) : 0;
  size_t found = 0;
  for (size_t i = 0; i < count; ++i) {
    if (choices[i].standing != KERNEL_PROMISED || choices[i].form != example->form) continue;
    Kernel *kernel = malloc(sizeof *kernel);
    if (!kernel) case_inconclusive("no memory for a signature");
    kernel_copy(kernel, example);
    const bool good = kernel_of_choice(signature, &choices[i], kernel, problem);
    const unsigned most = good ? most_named(named, statements, example, kernel) : 0;
    if (most > 0)
      made[found++] = (Base){kernel, most, i};
    else
      free(kernel);
  }
  qsort(made, found, sizeof *made, compare_bases);
  for (size_t i = 0; i < found; ++i) bases[i] = made[i].kernel;
  free(made);
  free(named);
  free(choices);
  return found;
}
