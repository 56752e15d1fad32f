// SPDX-License-Identifier: Apache-2.0
// Texts that a function tells apart: it looks at all of them, not at how they begin.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "battery/faults_fence.h"
#include "kernel/kernel_apart.h"
#include "kernel/kernel_battery.h"
#include "kernel/kernel_cuda.h"

CHAPTER(argument);

enum { FILL = 0, UNKNOWN = 3 };

static const char no_text[] = "it takes no text of which it refuses others";

static const char *lacks_text(const CaseInstance *instance)
{
  for (uint32_t i = 0; i < instance->kernel->parameter_count; ++i)
    if (instance->kernel->parameters[i].kind == KERNEL_STRING) return NULL;
  return no_text;
}

static ApartEnd end_with(Iut *iut, const Kernel *kernel, uint32_t position, const char *text,
                         size_t size, ApartOutcome *outcome)
{
  Kernel *changed = kernel_new_copy(kernel);
  KernelParameter *at = &changed->parameters[position];
  memcpy(at->text, text, size);
  at->text[size] = '\0';
  at->text_size = (uint32_t)size;
  const ApartEnd end = kernel_apart_call(iut, NULL, changed, FILL, outcome);
  free(changed);
  return end;
}

// Whether texts that have nothing in common with the one that is known are refused.
static bool refuses_others(Iut *iut, const Kernel *kernel, uint32_t position, ApartOutcome *outcome)
{
  static const char *const unknown[UNKNOWN] = {"qzxjk", "QZ", "0qz"};
  for (int i = 0; i < UNKNOWN; ++i)
    if (end_with(iut, kernel, position, unknown[i], strlen(unknown[i]), outcome) != APART_REFUSED)
      return false;
  return true;
}

// Judges the text with another end, from its first `kept` letters on.
static void judge(Iut *iut, const Kernel *kernel, uint32_t position, size_t kept,
                  ApartOutcome outcomes[2])
{
  char text[KERNEL_TEXT_MAX] = "", name[64];
  memcpy(text, kernel->parameters[position].text, kept);
  memcpy(text + kept, "_qz", 3);
  const bool same = end_with(iut, kernel, position, text, kept + 3, &outcomes[1]) == APART_SERVED &&
                    kernel_apart_same(&outcomes[0], &outcomes[1]);
  if (same)
    note_call(new_right_call(iut, kernel), "as with \"%.40s\" for %s: ", text,
              parameter_name(kernel, position, name));
  expect_that(!same, "a text that goes on in another way is refused, or gives something else",
              "the same as the example's, of which texts of other letters are refused");
}

KERNEL_CASE(text_counts_as_a_whole, .clauses = {ARG_19},
            .needs = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN, .patience = 2, .explores = true,
            .lacks = lacks_text, .unconcerned = true,
            .title = "a text is not taken for another one that begins like it")
{
  enum { SHORT = 3 };
  unsigned judged = 0;
  if (kernel_cuda_chosen() || faults_obstacle)
    case_not_applicable("a copy of the process cannot make the call");
  if (kernel_is_promised(kernel))
    case_not_concerned("its signature file says which texts it takes");
  ApartOutcome *outcomes = kernel_apart_outcomes(2);
  if (kernel_apart_call(iut, NULL, kernel, FILL, &outcomes[0]) != APART_SERVED)
    case_not_applicable("the right call is refused, or what comes out cannot be looked at");
  for (uint32_t i = 0; i < kernel->parameter_count; ++i) {
    const size_t size = kernel_text_length(&kernel->parameters[i]);
    if (kernel->parameters[i].kind != KERNEL_STRING || size < 2 || size + 4 > KERNEL_TEXT_MAX ||
        !refuses_others(iut, kernel, i, &outcomes[1]))
      continue;
    judge(iut, kernel, i, size, outcomes);
    judge(iut, kernel, i, 1, outcomes);
    if (size > SHORT) judge(iut, kernel, i, SHORT, outcomes);
    ++judged;
  }
  if (judged == 0) case_not_concerned("%s", no_text);
}

// --- Within containers ---------------------------------------------------------------------------

static bool is_text_inside(const Kernel *kernel, uint32_t place)
{
  const KernelParameter *at = kernel_place_of(kernel, place);
  return place >= kernel->parameter_count && at->kind == KERNEL_STRING && !at->name[0] &&
         kernel_text_length(at) + 3 < KERNEL_TEXT_MAX;
}

static const char no_text_inside[] = "none of its containers holds a text";

static const char *lacks_text_inside(const CaseInstance *instance)
{
  for (uint32_t i = 0; i < kernel_place_count(instance->kernel); ++i)
    if (is_text_inside(instance->kernel, i)) return NULL;
  return no_text_inside;
}

// The call with these bytes behind a text in a container.
static bool serve_longer(Iut *iut, const Kernel *kernel, uint32_t place, const char *more,
                         size_t size, ApartOutcome *outcome)
{
  Kernel *changed = kernel_new_copy(kernel);
  KernelParameter *at = kernel_place(changed, place);
  const size_t own = kernel_text_length(at);
  memcpy(at->text + own, more, size);
  at->text_size = (uint32_t)(own + size);
  const ApartEnd end = kernel_apart_call(iut, NULL, changed, FILL, outcome);
  free(changed);
  return end == APART_SERVED;
}

KERNEL_CASE(nul_does_not_end_a_text_inside, .clauses = {ARG_11},
            .needs = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN, .lacks = lacks_text_inside,
            .after_right_call = true, .explores = true,
            .title = "bytes after a NUL within a text in a container are not ignored")
{
  unsigned judged = 0;
  if (kernel_cuda_chosen() || faults_obstacle)
    case_not_applicable("a copy of the process cannot make the call");
  ApartOutcome *outcomes = kernel_apart_outcomes(3);
  if (kernel_apart_call(iut, NULL, kernel, FILL, &outcomes[0]) != APART_SERVED)
    case_not_applicable("the right call is refused, or what comes out cannot be looked at");
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    if (!is_text_inside(kernel, i) || !serve_longer(iut, kernel, i, "xy", 2, &outcomes[1]) ||
        kernel_apart_same(&outcomes[0], &outcomes[1]) ||
        !serve_longer(iut, kernel, i, "\0y", 2, &outcomes[2]))
      continue;
    const bool same = kernel_apart_same(&outcomes[0], &outcomes[2]);
    if (same) note_call(new_right_call(iut, kernel), "as with a NUL and a letter more inside: ");
    expect_that(!same, "something else comes out than of the characters before the NUL",
                "the same");
    ++judged;
  }
  if (judged == 0) case_not_applicable("nothing that comes out depends on a text in a container");
}
