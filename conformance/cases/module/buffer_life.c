// SPDX-License-Identifier: Apache-2.0
// Inputs stay, outputs are written whole, nothing is kept; tensors that are empty, or all of one.
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "kernel/kernel_battery.h"

CHAPTER(buffer);

enum { NEEDS_A_RUN = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN | KERNEL_NEEDS_TENSOR };

KERNEL_CASE(inputs_are_not_written_to, .clauses = {BUF_15}, .needs = NEEDS_A_RUN,
            .title = "a valid call does not write to its inputs")
{
  unsigned tried = 0;
  KernelCall *call = require_right_call(iut, kernel);
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    const KernelTensor *tensor = &call->tensors[i];
    if (!tensor->memory || tensor->role != KERNEL_IN) continue;
    expect_that(kernel_tensor_untouched(tensor), "the memory is as it was", "it was written to");
    ++tried;
  }
  if (tried == 0) case_not_applicable("none of its tensors is an input only");
}

typedef struct FillRow {
  const char *name;
  int fill;
} FillRow;

static const FillRow fills[] = {{"zeros", 0}, {"ones", 0xFF}};

KERNEL_CASE_ROWS(outputs_are_written_whole, fills, .clauses = {BUF_16}, .needs = NEEDS_A_RUN,
                 .title = "outputs do not depend on what they held before the call")
{
  unsigned tried = 0;
  KernelCall *right = require_right_call(iut, kernel), *call = new_right_call(iut, kernel);
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    const KernelTensor *tensor = &call->tensors[i];
    if (!tensor->memory || tensor->role != KERNEL_OUT) continue;
    memset(tensor->memory, row->fill, tensor->memory_size);
    ++tried;
  }
  if (tried == 0) case_not_applicable("none of its tensors is an output only");
  note_call(call, "with outputs full of %s: ", row->name);
  make_call(call);
  expect_same_outcome(call, right);
}

static const char all_on_host[] = "none of its tensors is on a device other than the CPU";

static const char *lacks_device(const CaseInstance *instance)
{
  const Kernel *kernel = instance->kernel;
  for (uint32_t i = 0; i < kernel->parameter_count; ++i)
    if (kernel->parameters[i].kind == KERNEL_TENSOR &&
        kernel->parameters[i].device.device_type != kDLCPU)
      return NULL;
  return all_on_host;
}

KERNEL_CASE(host_leaves_device_memory, .clauses = {BUF_10},
            .needs = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_TENSOR, .lacks = lacks_device,
            .title = "the host does not access tensors that are on a device")
{
  unsigned on_device = 0;
  KernelCall *call = new_right_call(iut, kernel);
  for (unsigned i = 0; i < kernel->parameter_count; ++i)
    on_device +=
        call->tensors[i].tensor && (!call->tensors[i].on_host || call->tensors[i].on_device);
  if (on_device == 0) case_not_applicable("%s", all_on_host);
  note_call(call, "with %u tensors on a device: ", on_device);
  make_call(call);
  expect_that(true, "the call returns", "%d", call->returned);
}

// --- Nothing is kept -----------------------------------------------------------------------------

// Whoever looks at the tensors of an earlier call now is caught.
static void take_tensors_away(KernelCall *call)
{
  for (unsigned i = 0; i < call->kernel->parameter_count; ++i) {
    KernelTensor *tensor = &call->tensors[i];
    if (!tensor->tensor) continue;
    // A tensor object may be kept by a function of which nobody says that it does not, and one that is `retained` while
    // the function has a reference to it.
    if (tensor->object && !kernel_is_promised(call->kernel)) continue;
    if (tensor->object && call->kernel->parameters[i].retained &&
        object_strong(call->iut, call->values[i].v_obj) > 1)
      continue;
    kernel_tensor_leave_device(tensor);
    fence_take_away(tensor->memory, tensor->memory_size);
    if (tensor->rank > 0) {
      fence_take_away(tensor->tensor->shape, sizeof *tensor->shape);
      fence_take_away(tensor->tensor->strides, sizeof *tensor->strides);
    }
    fence_take_away(tensor->tensor, sizeof *tensor->tensor);
  }
}

static KernelCall *call_again(Iut *iut, const Kernel *kernel)
{
  KernelCall *call = new_right_call(iut, kernel);
  note_call(call, "when the tensors of the call before are gone: ");
  make_call(call);
  return call;
}

KERNEL_CASE(nothing_is_kept, .clauses = {BUF_20}, .needs = NEEDS_A_RUN,
            .title = "a valid call succeeds after the tensors of earlier calls were freed")
{
  KernelCall *first = require_right_call(iut, kernel);
  if (first->result->type_index >= kTVMFFIStaticObjectBegin)
    case_not_applicable("it returns an object, which may be made of an argument");
  KernelCall *second = new_right_call(iut, kernel);
  note_call(second, "second call: ");
  make_call(second);
  if (!expect_served(second)) return;
  take_tensors_away(first);
  KernelCall *third = call_again(iut, kernel);
  expect_same_outcome(third, second);
  take_tensors_away(third);
  expect_same_outcome(call_again(iut, kernel), second);
}

static KernelCall *new_large_call(Iut *iut, const Kernel *kernel, const void *large)
{
  (void)kernel;
  return new_right_call(iut, large);
}

// Threads of the function's own may be at work on a large tensor when it returns.
KERNEL_CASE(nothing_is_kept_of_large_tensors, .clauses = {BUF_20}, .needs = NEEDS_A_RUN,
            .explores = true, .title = "the memory of large tensors is not used after the call")
{
  enum { MANY = 50021, FEW = 211, WAIT_US = 20000 };
  Kernel *large = malloc(sizeof *large);
  bool any = false;
  if (!large) case_inconclusive("no memory for a signature");
  kernel_copy(large, kernel);
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    KernelParameter *parameter = &large->parameters[i];
    if (parameter->kind == KERNEL_INT && parameter->shape[0].symbol[0])
      case_not_applicable("one of its integers is an extent");
    if (parameter->kind != KERNEL_TENSOR) continue;
    if (parameter->dtype.code == kDLInt || parameter->dtype.code == kDLUInt)
      case_not_applicable("whole numbers may be indices");
    if (parameter->rank > 2) case_not_applicable("large tensors of more dimensions take too long");
    for (int32_t k = 0; k < parameter->rank; ++k) {
      if (!parameter->shape[k].symbol[0]) continue;
      parameter->shape[k].size =
          kernel_extent_of(&parameter->shape[k], parameter->rank == 1 ? MANY : FEW);
      any = true;
    }
  }
  if (!any) case_not_applicable("nothing says which larger tensors it takes");
  KernelCall *right = require_right_call(iut, kernel);
  if (right->result->type_index >= kTVMFFIStaticObjectBegin)
    case_not_applicable("it returns an object, which may be made of an argument");
  if (explore_call(iut, kernel, new_large_call, large) != EXPLORED_SERVED)
    case_not_applicable("a call with large tensors is refused, or takes too long");
  KernelCall *call = new_right_call(iut, large);
  note_call(call, "with large tensors, gone after the call: ");
  make_call(call);
  if (call->returned != 0)
    case_not_applicable("a call with large tensors is refused: %s", call->error_text);
  take_tensors_away(call);
  usleep(WAIT_US);
  expect_that(true, "nothing uses the tensors of the call", "something does");
}

// --- Extents of 0 and 1 --------------------------------------------------------------------------

// The shape with each extent that the signature leaves open set to `size`. True if there is one.
static bool set_extents(const KernelParameter *parameter, int64_t size, TensorForm *form)
{
  bool any = false;
  form->has_shape = true;
  form->rank = form->extents = parameter->rank;
  for (int32_t i = 0; i < parameter->rank; ++i) {
    form->shape[i] = parameter->shape[i].symbol[0] ? kernel_extent_of(&parameter->shape[i], size)
                                                   : parameter->shape[i].size;
    any |= form->shape[i] == size;
  }
  return any;
}

static bool is_tensor(const Kernel *kernel, unsigned position)
{
  return kernel->parameters[position].kind == KERNEL_TENSOR && kernel->parameters[position].typed;
}

// The right call with all open extents of all tensors of this size; NULL if there are none.
static KernelCall *new_call_of_size(Iut *iut, const Kernel *kernel, int64_t size, bool no_data)
{
  KernelCall *call = new_right_call(iut, kernel);
  bool any = false;
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    const KernelParameter *at = &kernel->parameters[i];
    if (at->kind == KERNEL_INT && at->shape[0].symbol[0])
      call->values[i].v_int64 = kernel_extent_of(&at->shape[0], size);
    if (!is_tensor(kernel, i)) continue;
    TensorForm form = {0};
    bool has_one = set_extents(&kernel->parameters[i], size, &form);
    form.no_data = no_data && has_one;
    any |= has_one;
    call_with_tensor(call, i, &form);
  }
  return any ? call : NULL;
}

static bool rules_out_size(const Kernel *kernel, int64_t size)
{
  Kernel *call = malloc(sizeof *call);
  if (!call) case_inconclusive("no memory for a signature");
  kernel_copy(call, kernel);
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    KernelExtent *extent;
    for (int32_t k = 0; (extent = kernel_extent_at(&call->parameters[i], k)); ++k)
      if (extent->symbol[0]) extent->size = kernel_extent_of(extent, size);
    kernel_take_extent(&call->parameters[i]);
  }
  bool outside = call_is_outside(call);
  free(call);
  return outside;
}

// Numbers and texts may rule an extent of 0 out: `k` of the `n` greatest elements.
static bool takes_only_tensors(const Kernel *kernel)
{
  for (unsigned i = 0; i < kernel->parameter_count; ++i)
    if (!is_tensor(kernel, i)) return false;
  return true;
}

typedef struct EmptyRow {
  const char *name;
  bool no_data;
} EmptyRow;

static const EmptyRow empty[] = {{"with_data", false}, {"without_data", true}};

KERNEL_CASE_ROWS(
    empty_tensors, empty, .clauses = {BUF_12}, .wrong_call = true, .needs = NEEDS_A_RUN,
    .title = "tensors whose free extents are 0 are accepted, and no memory is accessed")
{
  require_right_call(iut, kernel);
  if (rules_out_size(kernel, 0)) case_not_applicable("the signature rules extents of 0 out");
  KernelCall *call = new_call_of_size(iut, kernel, 0, row->no_data);
  if (!call) case_not_applicable("the signature leaves no extent open");
  note_call(call, "with extents of 0, %s data: ", row->no_data ? "without" : "with");
  make_call(call);
  if (call->returned != 0 && !takes_only_tensors(kernel))
    case_not_applicable("extents of 0 are refused, and other arguments may rule them out");
  expect_served(call);
  expect_that(call->tensors[0].tensor == NULL || kernel_tensor_gaps_untouched(&call->tensors[0]),
              "no memory is touched", "it was written to");
}

typedef struct StrideRow {
  const char *name;
  int64_t stride;
} StrideRow;

static const StrideRow odd_strides[] = {{"zero", 0}, {"large", INT64_C(1) << 40}, {"negative", -3}};

KERNEL_CASE_ROWS(stride_of_extent_one, odd_strides, .clauses = {BUF_4}, .wrong_call = true,
                 .needs = NEEDS_A_RUN,
                 .title = "the stride of an extent of 1 does not change the outputs")
{
  require_right_call(iut, kernel);
  KernelCall *right = new_call_of_size(iut, kernel, 1, false);
  if (!right) case_not_applicable("no extent of its tensors may be 1");
  note_call(right, "with extents of 1: ");
  make_call(right);
  if (right->returned != 0) case_not_applicable("a call with extents of 1 is refused");
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    int64_t strides[KERNEL_RANK_MAX] = {0};
    TensorForm form = {.strides = strides};
    char name[64];
    if (!is_tensor(kernel, i) || !set_extents(&kernel->parameters[i], 1, &form)) continue;
    KernelCall *call = new_call_of_size(iut, kernel, 1, false);
    for (int32_t k = 0; k < form.rank; ++k)
      strides[k] = form.shape[k] == 1 ? row->stride : call->tensors[i].strides[k];
    call_with_tensor(call, i, &form);
    note_call(call, "with a stride (%s) of an extent of 1 for %s: ", row->name,
              parameter_name(kernel, i, name));
    make_call(call);
    expect_same_outcome(call, right);
  }
}

// --- Two devices ---------------------------------------------------------------------------------

KERNEL_CASE(two_devices, .clauses = {BUF_11}, .wrong_call = true,
            .needs = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_TENSOR,
            .title = "tensors on devices with different ids are refused")
{
  unsigned on_device = 0, last = 0;
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    if (!is_tensor(kernel, i) || kernel->parameters[i].device.device_type == kDLCPU) continue;
    last = i;
    ++on_device;
  }
  if (on_device < 2) case_not_applicable("fewer than two of its tensors are on a device");
  if (!kernel->launches) require_right_call(iut, kernel);
  KernelCall *call = new_right_call(iut, kernel);
  DLDevice other = kernel->parameters[last].device;
  char name[64];
  ++other.device_id;
  call_with_tensor(call, last, &(TensorForm){.has_device = true, .device = other});
  note_call(call, "with another device for %s: ", parameter_name(kernel, last, name));
  make_call(call);
  expect_refused(call);
}
