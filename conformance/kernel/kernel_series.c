// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_series.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "battery/access.h"
#include "battery/expect.h"
#include "battery/faults_fence.h"
#include "battery/fence.h"
#include "battery/probe.h"
#include "kernel/kernel_allocator.h"
#include "kernel/kernel_cuda.h"
#include "kernel/kernel_given.h"
#include "kernel/kernel_held.h"
#include "kernel/kernel_second.h"
#include "kernel/kernel_strides.h"
#include "kernel/kernel_tried.h"
#include "plan/case.h"
#include "signature/signature_line.h"

enum { SECONDS = 1, VALUES_MAX = 24 };

// --- How tensors lie -----------------------------------------------------------------------------

static const struct {
  const char *words;
  KernelStrides *strides;
  TensorForm form;
} forms[SERIES_FORMS] = {
    {"", NULL, {0}},
    {"as an object", NULL, {.as_object = true}},
    {"elements apart", kernel_strides_apart, {0}},
    {"columns side by side", kernel_strides_of_columns, {0}},
    {"gaps behind each dimension", kernel_strides_with_gaps, {0}},
    {"a byte offset", NULL, {.byte_offset = 64}},
    {"no strides", NULL, {.no_strides = true}},
};

static bool has_elements(const KernelParameter *at)
{
  for (int32_t k = 0; k < at->rank; ++k)
    if (at->shape[k].size < 1) return false;
  return true;
}

static void lay(KernelCall *call, uint32_t i, unsigned form)
{
  const KernelParameter *at = &call->kernel->parameters[i];
  int64_t strides[KERNEL_RANK_MAX] = {0};
  if (form == 0 || at->kind != KERNEL_TENSOR || !at->typed || at->device.device_type != kDLCPU)
    return;
  TensorForm made = forms[form].form;
  if (forms[form].strides && has_elements(at)) {
    forms[form].strides(at, strides);
    made.strides = strides;
  }
  call_with_tensor(call, i, &made);
}

bool kernel_series_may_share(const Kernel *kernel, uint32_t output, uint32_t input)
{
  const KernelParameter *one = &kernel->parameters[output], *other = &kernel->parameters[input];
  if (output == input || one->kind != KERNEL_TENSOR || other->kind != KERNEL_TENSOR ||
      !one->typed || !other->typed || one->role == KERNEL_IN || one->rank != other->rank ||
      !kernel_is_same_dtype(one->dtype, other->dtype) || one->device.device_type != kDLCPU ||
      other->device.device_type != kDLCPU)
    return false;
  for (int32_t k = 0; k < one->rank; ++k)
    if (one->shape[k].size != other->shape[k].size) return false;
  return true;
}

// The output is the tensor that the input is, and holds what that holds.
static void share(KernelCall *call, int output, int input)
{
  KernelTensor *to = &call->tensors[output];
  const KernelTensor *from = &call->tensors[input];
  if (!to->memory || !from->memory || to->memory_size != from->memory_size) return;
  kernel_tensor_replace(to, from->memory);
  call->values[input] = call->values[output];
}

// --- What earlier calls gave ---------------------------------------------------------------------

// In a copy of the process: objects that calls of the series were given and have returned, each once, strings among them.
static struct {
  unsigned count;
  TVMFFIAny items[VALUES_MAX];  // own
} earlier;

static void keep_value(Iut *iut, const TVMFFIAny *value)
{
  TVMFFIAny own;
  if (value->type_index < kTVMFFISmallStr || earlier.count == VALUES_MAX) return;
  for (unsigned i = 0; i < earlier.count; ++i)
    if (earlier.items[i].v_obj == value->v_obj) return;
  if (iut->AnyViewToOwnedAny(value, &own) == 0) earlier.items[earlier.count++] = own;
}

static bool is_of_type(Iut *iut, int32_t type_index, const char *key)
{
  const TVMFFITypeInfo *info = iut->GetTypeInfo(type_index);
  return !key[0] || (info && info->type_key.size == strlen(key) &&
                     memcmp(info->type_key.data, key, info->type_key.size) == 0);
}

// Whether a value may be what the parameter takes.
static bool may_be(Iut *iut, const KernelParameter *at, const TVMFFIAny *value)
{
  const int32_t index = value->type_index;
  switch (at->kind) {
    case KERNEL_TENSOR:
      return index == kTVMFFITensor;
    case KERNEL_STRING:
      return index == kTVMFFISmallStr || index == kTVMFFIStr;
    case KERNEL_BYTES:
      return index == kTVMFFISmallBytes || index == kTVMFFIBytes;
    case KERNEL_SHAPE:
      return index == kTVMFFIShape;
    case KERNEL_FUNCTION:
      return index == kTVMFFIFunction;
    case KERNEL_ARRAY:
    case KERNEL_TUPLE:
      return kernel_is_sequence(value);
    case KERNEL_MAP:
      return kernel_is_map(value);
    case KERNEL_OBJECT:
      return index >= kTVMFFIDynObjectBegin && is_of_type(iut, index, at->type_key);
    default:
      return false;
  }
}

// The value from the end of what there is that may be the parameter's; NULL if there are not so many.
static const TVMFFIAny *from_the_end(Iut *iut, const KernelParameter *at, unsigned which)
{
  for (unsigned k = earlier.count; k-- > 0;)
    if (may_be(iut, at, &earlier.items[k]) && which-- == 0) return &earlier.items[k];
  return NULL;
}

static void give_earlier(KernelCall *call, const SeriesCall *from)
{
  for (uint32_t i = 0; i < call->kernel->parameter_count; ++i) {
    const KernelParameter *at = &call->kernel->parameters[i];
    const bool lacks = at->kind == KERNEL_OBJECT && call->values[i].type_index == kTVMFFINone;
    const bool takes = at->kind == KERNEL_OBJECT ? from->earlier > 0 : from->takes == (int)i;
    const TVMFFIAny *value =
        lacks || takes ? from_the_end(call->iut, at, from->earlier ? from->earlier - 1u : 0) : NULL;
    if (value) call->values[i] = *value;
  }
}

static void keep_values(const KernelCall *call)
{
  for (uint32_t i = 0; i < call->kernel->parameter_count; ++i)
    if (call->kernel->parameters[i].kind == KERNEL_OBJECT) keep_value(call->iut, &call->values[i]);
  if (call->returned == 0) keep_value(call->iut, call->result);
}

// --- One call ------------------------------------------------------------------------------------

// What is known of the function under test says what calls of it need: not those of others.
static KernelCall *new_call(Iut *iut, const SeriesCall *from)
{
  static const TensorForm apart = {.stride_factor = 2};
  const Kernel *kernel = from->kernel;
  if (strcmp(kernel->name, kernel_under_test()->name) != 0)
    return new_call_through(iut, kernel, kernel_host_function(kernel->name), NULL, NULL);
  return from->held_apart ? new_call_with_elements(iut, kernel, &apart)
                          : new_right_call(iut, kernel);
}

KernelCall *kernel_series_call(Iut *iut, const SeriesCall *from)
{
  KernelCall *call = new_call(iut, from);
  for (uint32_t i = 0; i < from->kernel->parameter_count; ++i) lay(call, i, from->forms[i]);
  if (from->output >= 0) share(call, from->output, from->input);
  give_earlier(call, from);
  return call;
}

void kernel_series_describe(const SeriesCall *from, const KernelCall *call, char *text,
                            size_t capacity)
{
  const Kernel *kernel = from->kernel;
  char one[64], two[64];
  SignatureLine line = {text, capacity, 0};
  signature_say(&line, "%s(", kernel->name);
  describe_values(call, text + line.size, capacity - line.size);
  line.size = strlen(text);
  signature_say(&line, ")");
  for (uint32_t i = 0; i < kernel->parameter_count; ++i)
    if (from->forms[i])
      signature_say(&line, ", %s: %s", parameter_name(kernel, i, one), forms[from->forms[i]].words);
  if (from->held_apart && kernel->element_count)
    signature_say(&line, ", elements of tensors in containers apart");
  if (from->output >= 0)
    signature_say(&line, ", %s in the memory of %s",
                  parameter_name(kernel, (unsigned)from->input, one),
                  parameter_name(kernel, (unsigned)from->output, two));
}

// --- What comes of it ----------------------------------------------------------------------------

static uint64_t references_to(const KernelCall *call, unsigned i)
{
  if (i < KERNEL_PARAMETERS_MAX) {
    const TVMFFIAny *value = &call->values[i];
    if ((int32_t)i >= call->value_count || value->type_index < kTVMFFIStaticObjectBegin ||
        !value->v_obj)
      return 0;
    return object_strong(call->iut, value->v_obj);
  }
  const KernelTensor *tensor = kernel_call_tensor_of(call, i);
  return tensor->object ? object_strong(call->iut, tensor->object) : 0;
}

static void count_references(const KernelCall *call, uint64_t counts[KERNEL_TENSORS_MAX])
{
  for (unsigned i = 0; i < KERNEL_TENSORS_MAX; ++i) counts[i] = references_to(call, i);
}

// Where nobody has kept a reference, the memory of tensors is taken away, as a caller does who frees it.
static void end_tensors(KernelCall *call, const uint64_t before[KERNEL_TENSORS_MAX],
                        const uint64_t after[KERNEL_TENSORS_MAX])
{
  for (unsigned i = 0; i < kernel_call_tensor_end(call); ++i) {
    const KernelTensor *tensor = kernel_call_tensor_of(call, i);
    if (tensor->memory && !tensor->on_device && after[i] <= before[i])
      fence_take_away(tensor->memory, tensor->memory_size);
  }
}

// How often each is referenced more than before the call. Of one that was refused only the sum.
static bool take_references(const uint64_t before[KERNEL_TENSORS_MAX],
                            const uint64_t after[KERNEL_TENSORS_MAX], bool served,
                            ApartOutcome *outcome)
{
  uint64_t more[KERNEL_TENSORS_MAX];
  outcome->held = 0;
  for (unsigned i = 0; i < KERNEL_TENSORS_MAX; ++i) {
    more[i] = after[i] - before[i];
    if (after[i] > before[i]) outcome->held += more[i];
  }
  return !served || kernel_apart_add(outcome, "the number of references to arguments", more,
                                     KERNEL_TENSORS_MAX, false);
}

// The least by which the heap grew in some rounds of calls, after a few that may fill what is kept for later ones.
static uint64_t growth_of(KernelCall *call)
{
  enum { WARM_UP = 16, SERIES = 2 };
  uint64_t least = UINT64_MAX;
  for (int i = 0; i < WARM_UP; ++i) kernel_call_again(call->iut, call);
  for (int k = 0; k < SERIES; ++k) {
    const size_t before = heap_in_use();
    for (int i = 0; i < SERIES_ROUNDS; ++i) kernel_call_again(call->iut, call);
    const size_t after = heap_in_use();
    const uint64_t more = after > before ? after - before : 0;
    if (more < least) least = more;
  }
  return least;
}

static void make_and_take(KernelCall *call, const Series *series, ApartOutcome *outcome)
{
  uint64_t before[KERNEL_TENSORS_MAX], after[KERNEL_TENSORS_MAX];
  count_references(call, before);
  kernel_given_begin();
  // Blocks of the fence are none of the heap that is looked at.
  if (!series->heap) faults_fence(series->fill);
  make_call(call);
  faults_unfence();
  const bool served = call->returned == 0;
  // What functions were given before the call was refused depends on the order of its checks.
  bool seen = kernel_given_end(served ? outcome : NULL);
  seen &=
      served ? kernel_apart_take(call, false, outcome) : kernel_apart_take_refused(call, outcome);
  snprintf(outcome->refusal, sizeof outcome->refusal, "%s", call->error_text);
  keep_values(call);
  drop_outcome(call);
  count_references(call, after);
  seen &= take_references(before, after, served, outcome);
  outcome->growth = series->heap ? growth_of(call) : 0;
  outcome->end = !seen ? APART_UNSEEN : served ? APART_SERVED : APART_REFUSED;
  end_tensors(call, before, after);
}

// Each within `seconds`; 0: no limit.
static void make_calls(Iut *iut, const Series *series, unsigned seconds, ApartOutcome *outcomes)
{
  kernel_allocator_fill(series->fill);
  for (unsigned i = 0; i < series->count; ++i) {
    alarm(seconds);
    outcomes[i].end = APART_LOST;
    make_and_take(kernel_series_call(iut, &series->calls[i]), series, &outcomes[i]);
  }
}

static _Noreturn void make_in_copy(Iut *iut, const Series *series, ApartOutcome *outcomes)
{
  for (int i = 1; i < 32; ++i) signal(i, SIG_DFL);
  make_calls(iut, series, series->seconds ? series->seconds : SECONDS, outcomes);
  raise(SIGKILL);  // no code of the library runs at the end
  _exit(0);
}

static void copy_process(Iut *iut, const Series *series, ApartOutcome *outcomes)
{
  int status;
  const pid_t copy = kernel_fork();
  if (copy == 0) make_in_copy(iut, series, outcomes);
  if (copy < 0 || waitpid(copy, &status, 0) != copy)
    case_inconclusive("no copy of the process can be made");
}

unsigned kernel_series_make(Iut *iut, const Series *series, ApartOutcome *outcomes)
{
  unsigned back = 0;
  for (unsigned i = 0; i < series->count; ++i) {
    outcomes[i].end = APART_NOT_AFTER;
    outcomes[i].count = outcomes[i].used = 0;
  }
  if (series->other)
    kernel_second_make(iut, series, outcomes);
  else if (kernel_cuda_chosen() && !kernel_second_is_here())
    make_calls(iut, series, 0, outcomes);
  else
    copy_process(iut, series, outcomes);
  while (back < series->count && outcomes[back].end != APART_LOST &&
         outcomes[back].end != APART_NOT_AFTER)
    ++back;
  return back;
}
