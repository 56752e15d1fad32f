// SPDX-License-Identifier: Apache-2.0
#include "plan/kernel_solve.h"

#include <stdio.h>
#include <string.h>

#include "plan/kernel_site.h"

enum { SOLVE_TRIES = 300, LISTED_TRIES = 200, TRIES_LEAST = 10, ELEMENTS_MOST = 1 << 22 };

unsigned kernel_draw(uint32_t *state, unsigned below)
{
  *state = *state * 1664525u + 1013904223u;
  return below ? (*state >> 8) % below : 0;
}

// Elements of a tensor, at most ELEMENTS_MOST.
static size_t elements_of(const KernelParameter *tensor)
{
  size_t count = 1;
  for (int32_t k = 0; k < tensor->rank; ++k) {
    const int64_t size = tensor->shape[k].size;
    if (size <= 0) return 0;
    count = (uint64_t)size > ELEMENTS_MOST / count ? ELEMENTS_MOST : count * (size_t)size;
  }
  return count;
}

// Of all tensors of a call: conditions are worked out over them for each try.
static size_t count_elements(const Kernel *kernel)
{
  size_t all = 1;
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    const KernelParameter *at = kernel_place_of(kernel, i);
    if (at->kind == KERNEL_TENSOR) all += elements_of(at);
  }
  return all;
}

bool kernel_choice_solve(const Signature *signature, KernelChoice *choice,
                         const bool pinned[KERNEL_SITES_MAX], Kernel *kernel,
                         char problem[KERNEL_PROBLEM_MAX])
{
  char later[KERNEL_PROBLEM_MAX];
  KernelSites sites;
  KernelChoice other = *choice;
  uint32_t state = 17;
  bool free = false;
  for (int i = 0; i < KERNEL_SITES_MAX; ++i) free |= !pinned[i];
  if (kernel_of_choice(signature, choice, kernel, problem)) return true;
  // With the sizes and values that are listed first, if that can be; zeros tell little apart.
  static const KernelWhole ways[] = {KERNEL_COUNTED,    KERNEL_COUNTED_FROM_0, KERNEL_WHOLE_FROM_0,
                                     KERNEL_WHOLE_TO_2, KERNEL_COUNTED_0,      KERNEL_WHOLE_0};
  for (size_t i = 0; free && i < sizeof ways / sizeof ways[0]; ++i) {
    other.whole = (uint8_t)ways[i];
    if (!kernel_of_choice(signature, &other, kernel, later)) continue;
    *choice = other;
    return true;
  }
  kernel_sites_of(signature, choice->form, &sites);
  // Large calls are tried less often: a case that waits for one runs out of time.
  size_t left = ELEMENTS_MOST;
  for (int all = 0; free && all < LISTED_TRIES + SOLVE_TRIES; ++all) {
    // Of few points at first, then of more; with what is listed first, and then with what is not promised.
    const int tries = all < LISTED_TRIES ? all : all - LISTED_TRIES;
    const bool listed = all < LISTED_TRIES;
    const size_t elements = count_elements(kernel);
    if (all >= TRIES_LEAST && elements > left) break;
    left -= elements < left ? elements : left;
    const unsigned moved = 1 + (unsigned)tries / 40;
    other = *choice;
    for (unsigned i = 0; i < moved && sites.count > 0; ++i) {
      const int site = (int)kernel_draw(&state, (unsigned)sites.count);
      const KernelSite *at = &sites.items[site];
      const bool promised = listed || (tries % 3 && at->promised > 1);
      if (!pinned[site])
        other.options[site] = (uint8_t)kernel_draw(&state, promised ? at->promised : at->options);
    }
    other.whole = (uint8_t)(tries % 2 ? kernel_draw(&state, KERNEL_WHOLE_WAYS) : choice->whole);
    if (!kernel_of_choice(signature, &other, kernel, later)) continue;
    *choice = other;
    return true;
  }
  return false;
}

// Whether a text has to be handed over of which the file says nothing: most functions that are given
// one refuse what is no word of theirs.
static bool has_unknown_text(const Signature *signature, const SignatureForm *form)
{
  for (uint32_t i = 0; i < form->parameters.count; ++i) {
    const SignatureType *type = signature_type(signature, form->parameters.first + i);
    if ((type->kind == KERNEL_STRING || type->kind == KERNEL_BYTES) && !type->optional &&
        type->values.count == 0 && type->example == SIGNATURE_NONE)
      return true;
  }
  return false;
}

enum { EXAMPLE_PROBLEM_MAX = 200, CALL_PROBLEM_MAX = 200 };

// Whether an input has no elements.
static bool has_empty(const Kernel *kernel)
{
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    const KernelParameter *at = kernel_place_of(kernel, i);
    const bool is_input = at->kind == KERNEL_TENSOR && kernel_role_is_read(at->role);
    for (int32_t k = 0; is_input && k < at->rank; ++k)
      if (at->shape[k].size == 0) return true;
  }
  return false;
}

// The first listed call that can be made, with elements in all inputs if it is to be `full`, where no error is
// expected of it. If there is none, `why` says what is wrong with the first; "" if none is listed.
static bool solve_call(const Signature *signature, bool full, KernelChoice *choice, Kernel *kernel,
                       char why[CALL_PROBLEM_MAX])
{
  const SignatureRange calls = signature_form(signature, choice->form)->calls;
  const bool pinned[KERNEL_SITES_MAX] = {false};
  char problem[KERNEL_PROBLEM_MAX];
  why[0] = '\0';
  for (uint32_t i = 0; i < calls.count; ++i) {
    const SignatureCall *call = signature_call(signature, calls.first + i);
    KernelChoice other = {.form = choice->form, .settings = call->arguments};
    if (call->refused) continue;
    if (kernel_choice_solve(signature, &other, pinned, kernel, problem)) {
      if (full && has_empty(kernel)) continue;
      *choice = other;
      return true;
    }
    if (!why[0]) snprintf(why, CALL_PROBLEM_MAX, "calls[%u]: %.160s", i, problem);
  }
  return false;
}

bool kernel_solve_example(const Signature *signature, KernelChoice *choice, Kernel *kernel,
                          char problem[KERNEL_PROBLEM_MAX])
{
  char why[CALL_PROBLEM_MAX];
  const SignatureForm *form = signature_form(signature, choice->form);
  const bool pinned[KERNEL_SITES_MAX] = {false};
  if ((form->example_of_calls || has_unknown_text(signature, form)) &&
      solve_call(signature, false, choice, kernel, why))
    return true;
  const KernelChoice asked = *choice;
  if (kernel_choice_solve(signature, choice, pinned, kernel, problem)) {
    if (!form->only_calls || !has_empty(kernel) || solve_call(signature, true, choice, kernel, why))
      return true;
    *choice = asked;
    return kernel_choice_solve(signature, choice, pinned, kernel, problem);
  }
  if (solve_call(signature, false, choice, kernel, why)) return true;
  size_t length = strnlen(problem, EXAMPLE_PROBLEM_MAX);
  if (why[0]) snprintf(problem + length, KERNEL_PROBLEM_MAX - length, "; %s", why);
  return false;
}

bool kernel_example(const Signature *signature, Kernel *kernel, char problem[KERNEL_PROBLEM_MAX])
{
  KernelChoice choice = {0};
  char found[KERNEL_PROBLEM_MAX];
  if (kernel_solve_example(signature, &choice, kernel, found)) return true;
  snprintf(problem, KERNEL_PROBLEM_MAX,
           "no example call could be made: %.*s; give values with \"value\", \"min\" and \"max\", "
           "or \"sizes\", or a call in \"calls\"",
           EXAMPLE_PROBLEM_MAX + CALL_PROBLEM_MAX, found);
  return false;
}
