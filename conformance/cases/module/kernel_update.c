// SPDX-License-Identifier: Apache-2.0
// Tensors that a function updates: what they hold after a call is made of what they held before. A call
// that is refused leaves them as they were.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "battery/faults_fence.h"
#include "kernel/kernel_battery.h"
#include "kernel/kernel_cuda.h"
#include "kernel/kernel_varied.h"

CHAPTER(kernel);

enum { SECONDS = 2 };

// A call that was noted borrows it: it lives until the process of the case ends.
// The place of a tensor, as kernel_call_tensor counts them.
static uint32_t place_of(const Kernel *kernel, unsigned tensor)
{
  return tensor < KERNEL_PARAMETERS_MAX ? tensor
                                        : kernel->parameter_count + tensor - KERNEL_PARAMETERS_MAX;
}

static bool is_there(const Kernel *kernel, unsigned tensor)
{
  const uint32_t place = place_of(kernel, tensor);
  if (tensor < KERNEL_PARAMETERS_MAX && tensor >= kernel->parameter_count) return false;
  if (place >= kernel_place_count(kernel)) return false;
  const KernelParameter *at = kernel_place_of(kernel, place);
  return at->kind == KERNEL_TENSOR && at->typed && at->device.device_type == kDLCPU;
}

// --- What is updated -----------------------------------------------------------------------------

static KernelCall *new_plain_call(Iut *iut, const Kernel *kernel, const void *context)
{
  (void)kernel;
  return new_right_call(iut, context);
}

// The elements of a tensor after a call with the example's, or with others; NULL if it is refused, or
// does not write to the tensor. Own.
static unsigned char *elements_after(Iut *iut, const Kernel *kernel, unsigned tensor, int more,
                                     size_t *size)
{
  Kernel *changed = kernel_new_copy(kernel);
  KernelParameter *at = kernel_place(changed, place_of(kernel, tensor));
  at->number += more;
  for (uint32_t i = 0; i < at->value_count; ++i) at->values[i] += more;
  if (explore_call(iut, kernel, new_plain_call, changed) != EXPLORED_SERVED) return NULL;
  KernelCall *call = new_right_call(iut, changed);
  make_call(call);
  const KernelTensor *made = kernel_call_tensor_of(call, tensor);
  if (call->returned != 0 || !made->on_host || kernel_tensor_untouched(made)) return NULL;
  *size = kernel_tensor_gather(made, NULL);
  unsigned char *elements = malloc(*size + 1);
  if (!elements) case_inconclusive("no memory for elements");
  kernel_tensor_gather(made, elements);
  return elements;
}

// Whether a tensor holds something else after the call where it held something else before: it is not
// written as a whole.
static bool is_updated(Iut *iut, const Kernel *kernel, unsigned tensor)
{
  size_t size, other_size;
  unsigned char *one = elements_after(iut, kernel, tensor, 0, &size);
  unsigned char *other = one ? elements_after(iut, kernel, tensor, 1, &other_size) : NULL;
  const bool updated = other && size == other_size && memcmp(one, other, size) != 0;
  free(one);
  free(other);
  return updated;
}

// --- Calls that are refused ----------------------------------------------------------------------

typedef struct Judging {
  Iut *iut;
  const Kernel *kernel;
  bool of_elements;
  bool updated[KERNEL_TENSORS_MAX];
  unsigned refused;
} Judging;

static void judge(Judging *judging, NewCall *new_call, const void *context, const char *words)
{
  if (explore_call(judging->iut, judging->kernel, new_call, context) != EXPLORED_REFUSED) return;
  ++judging->refused;
  for (unsigned i = 0; i < KERNEL_TENSORS_MAX; ++i) {
    char name[64];
    if (!judging->updated[i] || !explored_change(i)) continue;
    KernelCall *call = new_call(judging->iut, judging->kernel, context);
    note_call(call, "with %s: ", words);
    make_call(call);
    expect_that(false, "what the function updates is as it was before the call, which is refused",
                "%s is not", kernel_tensor_name(judging->kernel, i, name));
  }
}

static void judge_variations(Judging *judging, unsigned position)
{
  static AddVariations *const of_tensors[] = {kernel_vary_extents, kernel_vary_ranks,
                                              kernel_vary_dtypes};
  static AddVariations *const of_values[] = {kernel_vary_numbers, kernel_vary_texts};
  static Variations variations;
  const bool tensor = kernel_is_typed_tensor(judging->kernel, position);
  char name[64], words[96];
  variations.count = 0;
  if (judging->of_elements && tensor)
    kernel_vary_elements(judging->kernel, (int)position, &variations);
  for (size_t i = 0; !judging->of_elements && tensor && i < sizeof of_tensors / sizeof *of_tensors;
       ++i)
    of_tensors[i](judging->kernel, (int)position, &variations);
  for (size_t i = 0; !judging->of_elements && !tensor && i < sizeof of_values / sizeof *of_values;
       ++i)
    of_values[i](judging->kernel, (int)position, &variations);
  snprintf(words, sizeof words, "another value of %s",
           parameter_name(judging->kernel, position, name));
  for (unsigned i = 0; i < variations.count && clock_leaves(SECONDS); ++i)
    if (!variations.items[i].at_start)
      judge(judging, kernel_varied_call, &variations.items[i], words);
}

static void judge_changed(Judging *judging, Kernel *changed, uint32_t element, const char *what)
{
  char name[64], words[128];
  snprintf(words, sizeof words, "another %s of %s", what,
           kernel_tensor_name(judging->kernel, KERNEL_PARAMETERS_MAX + element, name));
  if (clock_leaves(SECONDS)) judge(judging, new_plain_call, changed, words);
}

// A tensor in a container with another extent, type or rank.
static void judge_element(Judging *judging, uint32_t element)
{
  const KernelParameter *own = &judging->kernel->elements[element];
  for (int32_t k = 0; k < own->rank; ++k) {
    Kernel *changed = kernel_new_copy(judging->kernel);
    ++changed->elements[element].shape[k].size;
    judge_changed(judging, changed, element, "extent");
  }
  Kernel *typed = kernel_new_copy(judging->kernel), *ranked = kernel_new_copy(judging->kernel);
  kernel_set_dtype(&typed->elements[element], (DLDataType){kDLInt, 16, 1});
  judge_changed(judging, typed, element, "data type");
  kernel_set_rank(&ranked->elements[element], own->rank + 1);
  judge_changed(judging, ranked, element, "rank");
}

static void judge_all(Iut *iut, const Kernel *kernel, bool of_elements)
{
  if (kernel_is_promised(kernel))
    case_not_concerned("a signature file says whether it leaves all as it was (KER-62)");
  if (kernel_cuda_chosen() || faults_obstacle)
    case_not_applicable("a copy of the process cannot make the call");
  Judging judging = {.iut = iut, .kernel = kernel, .of_elements = of_elements};
  unsigned updated = 0;
  require_right_call(iut, kernel);
  for (unsigned i = 0; i < KERNEL_TENSORS_MAX; ++i)
    if (is_there(kernel, i)) updated += judging.updated[i] = is_updated(iut, kernel, i);
  if (updated == 0) case_not_concerned("it updates no tensor");
  for (uint32_t i = 0; i < kernel->parameter_count; ++i)
    if (kernel->parameters[i].kind != KERNEL_FUNCTION) judge_variations(&judging, i);
  for (uint32_t i = 0; !of_elements && i < kernel->element_count; ++i)
    if (is_there(kernel, KERNEL_PARAMETERS_MAX + i)) judge_element(&judging, i);
  if (judging.refused == 0) case_not_concerned("it refuses none of these calls");
  expect_that(true, "what the function updates is as it was", "it is");
}

KERNEL_CASE(refused_call_updates_nothing, .clauses = {KER_21},
            .needs = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN, .patience = 4, .explores = true,
            .unconcerned = true, .wrong_call = true,
            .title = "a call refused for an argument leaves what the function updates as it was")
{
  judge_all(iut, kernel, false);
}

// To look at all elements first takes time.
KERNEL_CASE(refused_element_updates_nothing, .clauses = {KER_21},
            .needs = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN, .patience = 4, .explores = true,
            .unconcerned = true, .wrong_call = true,
            .title = "a call refused for an element leaves what the function updates as it was")
{
  judge_all(iut, kernel, true);
}
