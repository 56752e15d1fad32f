// SPDX-License-Identifier: Apache-2.0
// Calls that are refused late, when the function has begun to work: for an element, a number, a text,
// an extent, a data type, a device, or since a function among the arguments fails.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "battery/faults_fence.h"
#include "kernel/kernel_apart.h"
#include "kernel/kernel_battery.h"
#include "kernel/kernel_callback.h"
#include "kernel/kernel_cuda.h"
#include "kernel/kernel_explore.h"
#include "kernel/kernel_refused.h"
#include "kernel/kernel_varied.h"

CHAPTER(kernel);

enum { WORDS_MAX = 10, SECONDS = 2, FILL = 0 };

// Refusals that were looked at, by their words without the numbers.
typedef struct Heard {
  uint64_t hashes[WORDS_MAX];
  unsigned count;
} Heard;

static bool is_news(Heard *heard, const char *words)
{
  uint64_t hash = UINT64_C(14695981039346656037);
  for (; *words; ++words)
    if (!isdigit((unsigned char)*words) && *words != '-')
      hash = (hash ^ (unsigned char)*words) * UINT64_C(1099511628211);
  for (unsigned i = 0; i < heard->count; ++i)
    if (heard->hashes[i] == hash) return false;
  if (heard->count == WORDS_MAX) return false;
  heard->hashes[heard->count++] = hash;
  return true;
}

// What the right call comes to before the refused ones, and after them; NULL where that is not compared.
static ApartOutcome *before, *after;

// A function that remembers more than its arguments, or takes an object, may give something else by right.
static void find_before(Iut *iut, const Kernel *kernel)
{
  char ignored[160];
  before = after = NULL;
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i)
    if (kernel_place_of(kernel, i)->kind == KERNEL_OBJECT) return;
  if (kernel_cuda_chosen() || faults_obstacle) return;
  ApartOutcome *outcomes = kernel_apart_outcomes(2);
  if (kernel_apart_call(iut, NULL, kernel, FILL, &outcomes[0]) != APART_SERVED ||
      kernel_apart_call(iut, kernel, kernel, FILL, &outcomes[1]) != APART_SERVED ||
      !kernel_apart_close(&outcomes[1], &outcomes[0], ignored))
    return;
  before = &outcomes[0];
  after = &outcomes[1];
}

// The right call, in a copy of this process, which has made refused ones.
static void look_at_right(Iut *iut, const Kernel *kernel, const KernelCall *refused)
{
  char difference[160] = "it does not come back";
  if (!before) return;
  const ApartEnd end = kernel_apart_call(iut, NULL, kernel, FILL, after);
  if (end == APART_UNSEEN) return;
  if (end == APART_REFUSED) snprintf(difference, sizeof difference, "it is refused");
  const bool same = end == APART_SERVED && kernel_apart_close(after, before, difference);
  if (!same && end == APART_SERVED && !kernel_apart_again(iut, NULL, kernel, FILL, after)) return;
  if (!same)
    note_call(new_right_call(iut, kernel),
              "after calls refused with \"%.60s\": ", refused->error_text);
  expect_that(same, "the right call comes to the same as before", "%s", difference);
}

// A call that was made and refused in words of its own.
static void look_closer(Iut *iut, const Kernel *kernel, KernelCall *call, Heard *heard)
{
  if (call->returned == 0 || !is_news(heard, call->error_text)) return;
  look_for_leaks(call, (StatedError){"", ""});
  look_at_right(iut, kernel, call);
}

static void look_at_refused(Iut *iut, const Kernel *kernel, const Variation *variation,
                            unsigned position, Heard *heard)
{
  char name[64];
  KernelCall *call = kernel_varied_call(iut, kernel, variation);
  note_call(call,
            "over and over, with another value of %s: ", parameter_name(kernel, position, name));
  make_call(call);
  look_closer(iut, kernel, call, heard);
}

// Those calls that are refused in other words than the ones before.
static void look_at_varied(Iut *iut, const Kernel *kernel, unsigned position, Heard *heard)
{
  static AddVariations *const ways[] = {
      kernel_vary_elements, kernel_vary_numbers, kernel_vary_texts,  kernel_vary_none,
      kernel_vary_extents,  kernel_vary_ranks,   kernel_vary_dtypes, kernel_vary_device};
  static Variations variations;
  const bool tensor = kernel_is_typed_tensor(kernel, position);
  variations.count = 0;
  for (size_t i = 0; i < sizeof ways / sizeof *ways; ++i) {
    const bool of_tensors = ways[i] == kernel_vary_elements || ways[i] == kernel_vary_extents ||
                            ways[i] == kernel_vary_ranks || ways[i] == kernel_vary_dtypes ||
                            ways[i] == kernel_vary_device;
    if (tensor || !of_tensors) ways[i](kernel, (int)position, &variations);
  }
  const void *tried[VARIATIONS_MAX];
  unsigned count = 0;
  for (unsigned i = 0; i < variations.count; ++i)
    if (!variations.items[i].at_start) tried[count++] = &variations.items[i];
  for (unsigned i = 0, made; i < count && clock_leaves(SECONDS); i += made) {
    Explored ends[EXPLORED_AT_ONCE];
    made = explore_calls(iut, kernel, kernel_varied_call, tried + i, count - i, ends);
    for (unsigned k = 0; k < made; ++k)
      if (ends[k] == EXPLORED_REFUSED) look_at_refused(iut, kernel, tried[i + k], position, heard);
  }
}

static KernelCall *new_changed_call(Iut *iut, const Kernel *kernel, const void *context)
{
  (void)kernel;
  return new_right_call(iut, context);
}

// The same of other integers in containers. What was made of `changed` is looked at before it is freed.
static void look_at_integers(Iut *iut, const Kernel *kernel, Heard *heard)
{
  static const int64_t integers[] = {-1, 0, 1, 100, INT64_MIN};
  enum { COUNT = sizeof integers / sizeof *integers };
  Kernel *changed = malloc(sizeof *changed);
  if (!changed) case_inconclusive("no memory for a signature");
  for (uint32_t i = 0; i < kernel->element_count * COUNT && clock_leaves(SECONDS); ++i) {
    KernelParameter *element = &changed->elements[i / COUNT];
    kernel_copy(changed, kernel);
    if (element->kind != KERNEL_INT || element->integer == integers[i % COUNT]) continue;
    element->integer = integers[i % COUNT];
    if (explore_call(iut, kernel, new_changed_call, changed) != EXPLORED_REFUSED) continue;
    KernelCall *call = new_right_call(iut, changed);
    note_call(call, "over and over, with another integer in a container: ");
    make_call(call);
    look_closer(iut, kernel, call, heard);
  }
  free(changed);
}

// The call with NaN, or -1, as the last element of a tensor in a container; NULL if that is none on the host.
static KernelCall *new_spoiled_call(Iut *iut, const Kernel *kernel, const void *context)
{
  KernelCall *call = new_right_call(iut, kernel);
  KernelTensor *tensor = kernel_call_tensor(call, *(const unsigned *)context);
  const size_t width = tensor->tensor ? tensor->element_bits / 8 : 0;
  if (!tensor->memory || !tensor->on_host || tensor->count == 0 || width == 0) return NULL;
  unsigned char *bytes = malloc(tensor->memory_size);
  if (!bytes) case_inconclusive("no memory for the elements of a tensor");
  memcpy(bytes, tensor->memory, tensor->memory_size);
  memset(bytes + (tensor->first - tensor->memory) + (tensor->count - 1) * width, 0xFF, width);
  kernel_tensor_replace(tensor, bytes);
  free(bytes);
  return call;
}

static void look_at_held(Iut *iut, const Kernel *kernel, Heard *heard)
{
  for (unsigned i = KERNEL_PARAMETERS_MAX; i < KERNEL_TENSORS_MAX && clock_leaves(SECONDS); ++i) {
    if (i - KERNEL_PARAMETERS_MAX >= kernel->element_count) return;
    if (explore_call(iut, kernel, new_spoiled_call, &i) != EXPLORED_REFUSED) continue;
    KernelCall *call = new_spoiled_call(iut, kernel, &i);
    char name[64];
    note_call(call, "over and over, with NaN or -1 behind all others in %s: ",
              kernel_tensor_name(kernel, i, name));
    make_call(call);
    look_closer(iut, kernel, call, heard);
  }
}

// A tensor on another device, and one with strides.
typedef struct Formed {
  unsigned position;
  TensorForm form;
} Formed;

static KernelCall *new_formed_call(Iut *iut, const Kernel *kernel, const void *context)
{
  const Formed *formed = context;
  KernelCall *call = new_right_call(iut, kernel);
  call_with_tensor(call, formed->position, &formed->form);
  return call;
}

// Those that are refused in other words, too.
static void look_at_forms(Iut *iut, const Kernel *kernel, unsigned position, Heard *heard)
{
  static const TensorForm forms[] = {{.has_device = true, .device = {.device_type = kDLCUDA}},
                                     {.stride_factor = 2}};
  static const char *const words[] = {"cuda:0 for the device", "other strides"};
  if (!kernel_is_typed_tensor(kernel, position) ||
      kernel->parameters[position].device.device_type != kDLCPU)
    return;
  for (size_t i = 0; i < sizeof forms / sizeof *forms; ++i) {
    const Formed formed = {position, forms[i]};
    char name[64];
    if (explore_call(iut, kernel, new_formed_call, &formed) != EXPLORED_REFUSED) continue;
    KernelCall *call = new_formed_call(iut, kernel, &formed);
    note_call(call, "over and over, with %s of %s: ", words[i],
              parameter_name(kernel, position, name));
    make_call(call);
    look_closer(iut, kernel, call, heard);
  }
}

static void look_at_callback(Iut *iut, const Kernel *kernel, unsigned position, Heard *heard)
{
  static const KernelCallbackTurn turns[] = {KERNEL_CALLBACK_FAILS, KERNEL_CALLBACK_RETURNS_NONE};
  for (size_t i = 0; i < sizeof turns / sizeof *turns; ++i) {
    KernelCall *call = new_right_call(iut, kernel);
    char name[64];
    KernelCallback *callback = kernel_callback_new(call, &kernel->parameters[position], turns[i]);
    call->values[position] = view_of_object(iut, callback->function);
    if (end_of_call(call) != CALL_RETURNS) continue;
    note_call(call,
              i == 0 ? "over and over, where %s fails: " : "over and over, where %s returns None: ",
              parameter_name(kernel, position, name));
    make_call(call);
    look_closer(iut, kernel, call, heard);
  }
}

KERNEL_CASE(late_refusal_leaves_nothing, .clauses = {KER_36, KER_54},
            .needs = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN, .patience = 5, .explores = true,
            .title =
                "calls refused for one argument, made over and over, leak nothing, and change no "
                "later call")
{
  Heard heard = {0};
  require_right_call(iut, kernel);
  find_before(iut, kernel);
  look_at_held(iut, kernel, &heard);
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    look_at_forms(iut, kernel, i, &heard);
    look_at_varied(iut, kernel, i, &heard);
    if (kernel->parameters[i].kind == KERNEL_FUNCTION) look_at_callback(iut, kernel, i, &heard);
  }
  look_at_integers(iut, kernel, &heard);
  if (heard.count == 0) case_not_applicable("it refuses none of these calls");
}
