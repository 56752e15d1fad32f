// SPDX-License-Identifier: Apache-2.0
// What a function leaves as it was, and what it does when others fail.
#include <stddef.h>
#include <stdio.h>

#include "kernel/kernel_battery.h"

CHAPTER(kernel);

enum { NEEDS_A_RUN = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN };

// --- Arguments -----------------------------------------------------------------------------------

KERNEL_CASE(arguments_are_as_they_were, .clauses = {KER_6}, .needs = NEEDS_A_RUN,
            .title = "arguments, and the descriptions of tensors, are not written to")
{
  KernelCall *call = new_right_call(iut, kernel);
  DLTensor before[KERNEL_PARAMETERS_MAX];
  for (unsigned i = 0; i < kernel->parameter_count; ++i)
    if (call->tensors[i].tensor) before[i] = *call->tensors[i].tensor;
  note_call(call, "the right call, its arguments read-only: ");
  make_call(call);
  if (call->returned != 0) case_not_applicable("the right call is refused: %s", call->error_text);
  size_t size = (size_t)call->value_count * sizeof *call->values;
  expect_memory("the arguments", call->args, size, call->values, size);
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    const KernelTensor *tensor = &call->tensors[i];
    if (!tensor->tensor) continue;
    size_t extents = (size_t)tensor->rank * sizeof *tensor->shape;
    expect_memory("a DLTensor", tensor->tensor, sizeof before[i], &before[i], sizeof before[i]);
    expect_memory("a shape", tensor->tensor->shape, extents, tensor->shape, extents);
    expect_memory("strides", tensor->tensor->strides, extents, tensor->strides, extents);
  }
}

// --- Refusals ------------------------------------------------------------------------------------

// NULL where a device is no wrong argument.
static KernelCall *new_call_with_device(Iut *iut, const Kernel *kernel, unsigned position)
{
  KernelKind kind = kernel->parameters[position].kind;
  if (kind == KERNEL_DEVICE || kernel_takes_anything(&kernel->parameters[position])) return NULL;
  KernelCall *call = new_right_call(iut, kernel);
  call->values[position] = any_none();
  call->values[position].type_index = kTVMFFIDevice;
  return call;
}

static bool signal_is_pending(void)
{
  return atomic_load(&kernel_host.observer->calls[FN_EnvCheckSignals]) > 0;
}

KERNEL_CASE(minus_two_is_for_signals, .clauses = {KER_14}, .needs = KERNEL_NEEDS_ARITY,
            .title = "-2 is returned only by a function that has asked for signals")
{
  KernelCall *calls[KERNEL_PARAMETERS_MAX];
  unsigned tried = 0, count = 0;
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    calls[count] = new_call_with_device(iut, kernel, i);
    count += calls[count] != NULL;
  }
  const bool returns = count > 0 && calls_return(calls, count);
  for (unsigned i = 0; i < count; ++i) {
    note_wrong_call(calls[i]);
    if (!returns && end_of_call(calls[i]) != CALL_RETURNS) continue;
    make_call(calls[i]);
    if (calls[i]->returned == 0) continue;
    expect_that(calls[i]->returned != -2 || signal_is_pending(), "a code that is not -2", "%d",
                calls[i]->returned);
    ++tried;
  }
  if (tried == 0) case_not_applicable("no wrong call of it is refused");
}

KERNEL_CASE(every_call_returns, .clauses = {KER_46}, .wrong_call = true,
            .needs = KERNEL_NEEDS_ARITY,
            .title = "a call with any one argument wrong or missing returns")
{
  unsigned returned = 0;
  if (kernel_has_example(kernel) && !kernel->launches) require_right_call(iut, kernel);
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    KernelCall *call = new_call_with_device(iut, kernel, i);
    if (call) note_wrong_call(call);
    if (call) make_call(call);
    returned += call && call->returned != 0;
    KernelCall *shorter = new_right_call(iut, kernel);
    shorter->num_args = shorter->value_count = (int32_t)i;
    note_wrong_call(shorter);
    make_call(shorter);
    returned += shorter->returned != 0;
  }
  if (returned == 0) case_not_applicable("no wrong call of it is refused");
  expect_that(true, "each call returns", "%u did, with a code", returned);
}

// A call that did not come back when nobody knew how the function is called. It has no pointer and
// no integer, which a function would have to trust.
KERNEL_CASE(asking_call_returns, .clauses = {KER_46}, .wrong_call = true,
            .needs = KERNEL_NEEDS_LOST_CALL,
            .title = "a call that asks the function for its signature returns")
{
  enum { TIMES = 4 };
  for (int i = 0; i < TIMES; ++i) {
    KernelCall *call = new_right_call(iut, kernel);
    note_call(call, "with %u argument%s: ", kernel->parameter_count,
              kernel->parameter_count == 1 ? "" : "s");
    make_call(call);
  }
  case_inconclusive(
      "this call ended the process when the function was asked for its signature, and not now");
}

// Calls that end the process otherwise are not looked at.
KERNEL_CASE(no_exception_leaves, .clauses = {KER_23}, .needs = KERNEL_NEEDS_ARITY,
            .title = "no exception leaves a call with any one argument wrong or missing")
{
  KernelCall *calls[2 * KERNEL_PARAMETERS_MAX];
  unsigned returned = 0, count = 0;
  if (kernel_has_example(kernel) && !kernel->launches) require_right_call(iut, kernel);
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    KernelCall *shorter = calls[count++] = new_right_call(iut, kernel);
    shorter->num_args = shorter->value_count = (int32_t)i;
    calls[count] = new_call_with_device(iut, kernel, i);
    count += calls[count] != NULL;
  }
  const bool returns = calls_return(calls, count);
  for (unsigned i = 0; i < count; ++i) {
    const CallEnd end = returns ? CALL_RETURNS : end_of_call(calls[i]);
    note_wrong_call(calls[i]);
    expect_that(end != CALL_THROWS, "no exception leaves the function", "one does");
    returned += end == CALL_RETURNS;
  }
  if (returned == 0) case_not_applicable("no wrong call of it returns");
}

// The last argument is wrong: what was taken of the others must be given back.
KERNEL_CASE(refusal_keeps_counts, .clauses = {KER_34}, .needs = NEEDS_A_RUN | KERNEL_NEEDS_TENSOR,
            .title = "a refused call does not change the reference counts of its arguments")
{
  unsigned objects = 0, last = kernel->parameter_count - 1;
  KernelKind kind = kernel->parameters[last].kind;
  require_right_call(iut, kernel);
  if (kernel_takes_anything(&kernel->parameters[last]) || kind == KERNEL_DEVICE)
    case_not_applicable("it takes any last argument");
  KernelCall *call = new_right_call(iut, kernel);
  for (unsigned i = 0; i < last; ++i) {
    if (kernel->parameters[i].kind != KERNEL_TENSOR) continue;
    call_with_tensor(call, i, &(TensorForm){.as_object = true});
    objects += call->tensors[i].object != NULL;
  }
  call->values[last] = any_none();
  call->values[last].type_index = kTVMFFIDevice;
  note_call(call, "with tensor objects, and a device for the last argument: ");
  if (objects == 0 || end_of_call(call) != CALL_RETURNS)
    case_not_applicable("no such call is refused");
  make_call(call);
  if (call->returned == 0) case_not_applicable("no such call is refused");
  for (unsigned i = 0; i < last; ++i)
    if (call->tensors[i].object)
      expect_int("references of a tensor", (int64_t)object_strong(iut, call->tensors[i].object), 1);
}

KERNEL_CASE(wrong_argument_leaks_nothing, .clauses = {KER_36}, .wrong_call = true,
            .needs = KERNEL_NEEDS_ARITY, .patience = 5,
            .title = "1,000 calls refused for their last argument do not leak memory")
{
  if (kernel->parameter_count == 0) case_not_applicable("the function takes no arguments");
  KernelCall *call = new_call_with_device(iut, kernel, kernel->parameter_count - 1);
  if (call) note_wrong_call(call);
  if (!call || end_of_call(call) != CALL_RETURNS)
    case_not_applicable("a wrong last argument is served, or ends the process");
  make_call(call);
  if (call->returned == 0) case_not_applicable("a wrong last argument is served");
  drop_outcome(call);
  expect_no_heap_growth(iut, 1000, refuse_again, call);
}

// --- The environment -----------------------------------------------------------------------------

KERNEL_CASE(refused_allocation_is_passed_on, .clauses = {KER_22}, .needs = NEEDS_A_RUN,
            .title = "a function that is refused memory by the environment fails with an error")
{
  require_right_call(iut, kernel);
  if (atomic_load(&kernel_host.observer->calls[FN_EnvTensorAlloc]) == 0)
    case_not_applicable("it asks the environment for no tensor");
  KernelCall *call = new_right_call(iut, kernel);
  atomic_store(&kernel_host.observer->refuse_allocation, 1);
  note_call(call, "with no memory for a tensor: ");
  make_call(call);
  // (What it asked for may have been asked in calls that it needs.)
  if (atomic_load(&kernel_host.observer->refuse_allocation) != 0)
    case_not_applicable("it asks the environment for no tensor, or in its first call only");
  if (expect_refused(call)) expect_not_null("the error", call->error);
}

// What the kernel calls fails with this error. `self`: how often it was called.
static int fail(void *self, const TVMFFIAny *args, int32_t count, TVMFFIAny *result)
{
  _Atomic unsigned *calls = self;
  (void)args, (void)count, (void)result;
  ++*calls;
  kernel_host.observer->real.ErrorSetRaisedFromCStr("RuntimeError", "the callee fails");
  return -1;
}

KERNEL_CASE(error_of_a_callee_is_passed_on, .clauses = {KER_22}, .needs = NEEDS_A_RUN,
            .title = "a function fails with an error when a callback argument fails")
{
  unsigned tried = 0;
  _Atomic unsigned calls = 0;
  require_right_call(iut, kernel);
  if (atomic_load(&call_log_without_self.calls) == 0)
    case_not_applicable("it calls none of its arguments");
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    TVMFFIObjectHandle function = NULL;
    char name[64];
    if (kernel->parameters[i].kind != KERNEL_FUNCTION) continue;
    KernelCall *call = new_right_call(iut, kernel);
    require(expect_ok(iut, iut->FunctionCreate(&calls, fail, NULL, &function)));
    call->values[i] = view_of_object(iut, function);
    note_call(call, "when %s fails: ", parameter_name(kernel, i, name));
    calls = 0;
    make_call(call);
    if (calls == 0) continue;  // it is not needed in this call
    if (expect_refused(call)) expect_not_null("the error", call->error);
    ++tried;
  }
  if (tried == 0) case_not_applicable("none of its parameters is a function that it calls");
}

typedef struct RefusalRow {
  const char *name, *what;
  size_t turns;  // of the observer, the member that has it refuse
  AbiFunctionId asked[2];
} RefusalRow;

static const RefusalRow refusals[] = {
    {"call",
     "a call that fails",
     offsetof(Observer, refuse_call),
     {FN_FunctionCall, FN_FunctionCall}},
    {"look_up",
     "a look-up that fails",
     offsetof(Observer, refuse_lookup),
     {FN_FunctionGetGlobal, FN_EnvModLookupFromImports}},
};

KERNEL_CASE_ROWS(nested_failure_is_passed_on, refusals, .clauses = {KER_22}, .needs = NEEDS_A_RUN,
                 .title = "a function fails with an error when the runtime refuses a request")
{
  Observer *observer = kernel_host.observer;
  require_right_call(iut, kernel);
  if (atomic_load(&observer->calls[row->asked[0]]) == 0 &&
      atomic_load(&observer->calls[row->asked[1]]) == 0)
    case_not_applicable("it makes no such request");
  KernelCall *call = new_right_call(iut, kernel);
  atomic_store((atomic_uint *)(void *)((char *)observer + row->turns), 1);
  note_call(call, "with %s: ", row->what);
  make_call(call);
  if (atomic_load((atomic_uint *)(void *)((char *)observer + row->turns)) != 0)
    case_not_applicable("it does so in its first call only");
  if (expect_refused(call)) expect_not_null("the error", call->error);
}

static void judge_stream(Iut *iut, const Kernel *kernel, TVMFFIStreamHandle stream)
{
  KernelCall *call = new_right_call(iut, kernel);
  DLDevice device = {kDLCPU, 0};
  for (unsigned i = 0; i < kernel->parameter_count; ++i)
    if (kernel->parameters[i].kind == KERNEL_TENSOR && kernel->parameters[i].typed &&
        kernel->parameters[i].device.device_type != kDLCPU)
      device = kernel->parameters[i].device;
  if (device.device_type == kDLCPU) case_not_applicable("none of its tensors is on a device");
  require(expect_ok(
      iut, iut->EnvSetStream((int32_t)device.device_type, device.device_id, stream, NULL)));
  note_call(call, "with a stream set by the caller: ");
  make_call(call);
  expect_pointer("the stream after the call",
                 iut->EnvGetStream((int32_t)device.device_type, device.device_id), stream);
}

KERNEL_CASE(stream_stays, .clauses = {KER_38}, .wrong_call = true,
            .needs = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_TENSOR,
            .title = "the caller's stream is the same after the call")
{
  judge_stream(iut, kernel, fenced_device_memory("a stream", 64));
}

KERNEL_CASE(default_stream_stays, .clauses = {KER_38}, .wrong_call = true,
            .needs = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_TENSOR,
            .title = "the default stream is the same after the call")
{
  judge_stream(iut, kernel, NULL);
}
