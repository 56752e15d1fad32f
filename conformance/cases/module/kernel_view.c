// SPDX-License-Identifier: Apache-2.0
// Tensors in results: those that show the memory of an argument lie within it, and keep it; elements of
// bools are 0 or 1.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/kernel_battery.h"
#include "kernel/kernel_held.h"

CHAPTER(kernel);

enum { NEEDS_A_RUN = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN, DEPTH_MAX = 4 };

// --- The tensors of a result ---------------------------------------------------------------------

typedef void LookAtTensor(KernelCall *call, TVMFFIObjectHandle object, const DLTensor *tensor,
                          void *context);

static void look_within(KernelCall *call, const TVMFFIAny *value, int depth, LookAtTensor *look,
                        void *context)
{
  Iut *iut = call->iut;
  KernelHeld held;
  if (value->type_index == kTVMFFITensor) {
    look(call, value->v_obj, object_body(iut, value->v_obj), context);
    return;
  }
  if (depth == DEPTH_MAX || !kernel_held_is_open(iut, value)) return;
  if (kernel_held_take(iut, value, &held) == 0)
    for (int64_t i = 0; i < held.count; ++i)
      look_within(call, &held.items[i], depth + 1, look, context);
  kernel_held_release(iut, &held);
}

// --- Views ---------------------------------------------------------------------------------------

typedef struct Views {
  uint64_t before[KERNEL_PARAMETERS_MAX];  // references of the arguments that are objects
  unsigned looked;
} Views;

// The bytes from the first element to behind the last, as distances from the data pointer. False if there
// are no elements.
static bool span_of(const DLTensor *tensor, int64_t *first, int64_t *behind)
{
  const int64_t width = ((int64_t)tensor->dtype.bits * tensor->dtype.lanes + 7) / 8;
  int64_t compact = 1, low = 0, high = 0;
  for (int32_t k = tensor->ndim; k-- > 0;) {
    const int64_t reach = tensor->shape[k] - 1;
    const int64_t stride = tensor->strides ? tensor->strides[k] : compact;
    if (reach < 0) return false;
    *(stride < 0 ? &low : &high) += reach * stride;
    compact *= tensor->shape[k];
  }
  *first = (int64_t)tensor->byte_offset + low * width;
  *behind = (int64_t)tensor->byte_offset + (high + 1) * width;
  return true;
}

// The argument whose memory a tensor begins in; -1 if there is none.
static int argument_shown(const KernelCall *call, const DLTensor *tensor)
{
  const uintptr_t at = (uintptr_t)tensor->data + tensor->byte_offset;
  for (unsigned i = 0; i < call->kernel->parameter_count; ++i) {
    const KernelTensor *argument = &call->tensors[i];
    const uintptr_t memory = (uintptr_t)argument->memory;
    if (argument->memory && argument->on_host && at >= memory &&
        at < memory + argument->memory_size)
      return (int)i;
  }
  return -1;
}

static void look_at_view(KernelCall *call, TVMFFIObjectHandle object, const DLTensor *tensor,
                         void *context)
{
  Views *views = context;
  int64_t first, behind;
  char name[64], expected[112];
  if (tensor->device.device_type != kDLCPU || tensor->ndim < 0 || tensor->ndim > KERNEL_RANK_MAX)
    return;
  const int i = argument_shown(call, tensor);
  if (i < 0 || object == call->values[i].v_obj || !span_of(tensor, &first, &behind)) return;
  const DLTensor *argument = call->tensors[i].tensor;
  const int64_t apart = (const char *)tensor->data - (const char *)argument->data;
  int64_t from, to;
  if (!span_of(argument, &from, &to)) return;
  parameter_name(call->kernel, (unsigned)i, name);
  ++views->looked;
  snprintf(expected, sizeof expected, "a view of %s lies within its elements", name);
  expect_that(first + apart >= from && behind + apart <= to, expected,
              "it reaches from byte %lld to %lld of %lld", (long long)(first + apart - from),
              (long long)(behind + apart - from), (long long)(to - from));
  if (!views->before[i]) return;
  snprintf(expected, sizeof expected, "a view of %s keeps it", name);
  expect_that(object_strong(call->iut, call->values[i].v_obj) > views->before[i], expected,
              "it has no reference more while the result lives");
}

// Makes the call with its tensors as objects, and looks at what it returns; true if that was served.
static bool look_at_views(Iut *iut, const Kernel *kernel, Views *views)
{
  KernelCall *call = new_right_call(iut, kernel);
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    if (kernel->parameters[i].kind != KERNEL_TENSOR || !kernel->parameters[i].typed) continue;
    call_with_tensor(call, i, &(TensorForm){.as_object = true});
    if (call->values[i].type_index == kTVMFFITensor)
      views->before[i] = object_strong(iut, call->values[i].v_obj);
  }
  if (end_of_call(call) != CALL_RETURNS) return false;
  note_call(call, "with tensor objects: ");
  make_call(call);
  if (call->returned != 0) return false;
  look_within(call, call->result, 0, look_at_view, views);
  return true;
}

static const char no_views[] = "no tensor in its result shows an argument";
static const char no_bools[] = "no tensor in its result is of bools";

// A signature file says that the result holds no tensor.
static const char *lacks_result(const CaseInstance *instance, const char *why)
{
  static const KernelKind without[] = {KERNEL_NONE,   KERNEL_INT,   KERNEL_FLOAT, KERNEL_BOOL,
                                       KERNEL_STRING, KERNEL_BYTES, KERNEL_SHAPE};
  const Kernel *kernel = instance->kernel;
  for (size_t i = 0; kernel->chosen && i < sizeof without / sizeof *without; ++i)
    if (kernel->result.kind == without[i] && !kernel->result.optional) return why;
  return NULL;
}

static const char *lacks_views(const CaseInstance *instance)
{
  return lacks_result(instance, no_views);
}

static const char *lacks_bools(const CaseInstance *instance)
{
  return lacks_result(instance, no_bools);
}

KERNEL_CASE(view_in_the_result, .clauses = {KER_31}, .needs = NEEDS_A_RUN | KERNEL_NEEDS_TENSOR,
            .lacks = lacks_views, .after_right_call = true,
            .title = "a tensor in the result that shows an argument lies within it, and keeps it")
{
  Views views = {0};
  require_right_call(iut, kernel);
  if (!look_at_views(iut, kernel, &views))
    case_not_applicable("it takes no tensors that are objects");
  if (views.looked == 0) case_not_applicable("%s", no_views);
}

// --- Bools ---------------------------------------------------------------------------------------

typedef struct Bools {
  unsigned looked, wrong;
} Bools;

static void look_at_bools(KernelCall *call, TVMFFIObjectHandle object, const DLTensor *tensor,
                          void *context)
{
  Bools *bools = context;
  size_t count;
  TVMFFIAny value = {.type_index = kTVMFFITensor};
  value.v_obj = object;
  if (tensor->dtype.code != kDLBool || tensor->dtype.bits != 8 || tensor->dtype.lanes != 1 ||
      !result_tensor(call->iut, &value, &count))
    return;
  const unsigned char *bytes = (const unsigned char *)tensor->data + tensor->byte_offset;
  for (size_t i = 0; i < count; ++i) bools->wrong += bytes[i] > 1;
  ++bools->looked;
}

static void look_at_call(Iut *iut, const Kernel *kernel, const char *words, Bools *bools)
{
  KernelCall *call = new_right_call(iut, kernel);
  if (end_of_call(call) != CALL_RETURNS) return;
  note_call(call, "%s", words);
  make_call(call);
  if (call->returned == 0) look_within(call, call->result, 0, look_at_bools, bools);
}

KERNEL_CASE(bools_of_the_result, .clauses = {KER_29}, .needs = NEEDS_A_RUN, .lacks = lacks_bools,
            .after_right_call = true,
            .title = "each element of a tensor of bools in the result is 0 or 1")
{
  static const double bits[] = {255, 85, 170, 4};
  Bools bools = {0};
  Kernel *full = malloc(sizeof *full);
  require_right_call(iut, kernel);
  if (!full) case_inconclusive("no memory for a signature");
  look_at_call(iut, kernel, "", &bools);
  kernel_copy(full, kernel);
  for (uint32_t i = 0; i < kernel_place_count(full); ++i) {
    KernelParameter *at = kernel_place(full, i);
    if (at->kind != KERNEL_TENSOR || !at->typed || at->dtype.code != kDLUInt) continue;
    at->contents = KERNEL_RISING;
    at->value_count = sizeof bits / sizeof *bits;
    memcpy(at->values, bits, sizeof bits);
  }
  if (bools.looked > 0) look_at_call(iut, full, "with other elements, ", &bools);
  if (bools.looked == 0) case_not_applicable("%s", no_bools);
  expect_that(bools.wrong == 0, "each element is 0 or 1", "%u are not", bools.wrong);
}
