// SPDX-License-Identifier: Apache-2.0
// Calls with a number of arguments that is not the right one.
#include "kernel/kernel_battery.h"

CHAPTER(kernel);

KERNEL_CASE(right_call, .clauses = {KER_8, KER_7, KER_1},
            .needs = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN, .sees_right_call = true,
            .title = "the example call, with the handle NULL, returns 0")
{
  KernelCall *call = new_right_call(iut, kernel);
  note_call(call, "the right call: ");
  make_call(call);
  if (call->returned != 0) kernel_hint_right_call(call);
  expect_served(call);
}

KERNEL_CASE(handle_is_not_looked_at, .clauses = {KER_7},
            .needs = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN,
            .title = "an invalid handle does not change the result")
{
  KernelCall *right = require_right_call(iut, kernel), *call = new_right_call(iut, kernel);
  call->handle = fenced_device_memory("the handle", 64);
  note_call(call, "with an invalid handle: ");
  make_call(call);
  expect_same_outcome(call, right);
}

// Where the right call can be made here, a wrong one proves something only if that is served.
static KernelCall *new_call_to_invalidate(Iut *iut, const Kernel *kernel)
{
  if (kernel_has_example(kernel) && !kernel->launches) require_right_call(iut, kernel);
  return new_right_call(iut, kernel);
}

static void require_parameters(const Kernel *kernel)
{
  if (kernel->parameter_count == 0) case_not_applicable("the function takes no arguments");
}

// One that takes any number of arguments may take fewer, but reads no more of them than there are.
static void expect_refused_or_read(KernelCall *call)
{
  if (!call->kernel->variadic)
    expect_refused(call);
  else
    expect_that(call->returned == 0 || call->error, "the call is served, or raises an error",
                "%d, and no error raised", call->returned);
}

static void require_wrong_count(const Kernel *kernel, unsigned count)
{
  if (kernel->variadic && count < kernel->parameter_count) return;
  if (!count_is_due(kernel, count, SIGNATURE_CHECKS_ARITY))
    case_not_applicable("the signature takes so many arguments");
}

KERNEL_CASE(arity_none, .clauses = {KER_2}, .wrong_call = true, .needs = KERNEL_NEEDS_ARITY,
            .promise = SIGNATURE_CHECKS_ARITY,
            .title = "a call without arguments, the array NULL, is refused")
{
  require_parameters(kernel);
  require_wrong_count(kernel, 0);
  KernelCall *call = new_call_to_invalidate(iut, kernel);
  call->num_args = 0;
  call->args_null = true;
  note_call(call, "without arguments: ");
  make_call(call);
  expect_refused_or_read(call);
}

KERNEL_CASE(
    arity_one_less, .clauses = {KER_2}, .wrong_call = true, .needs = KERNEL_NEEDS_ARITY,
    .promise = SIGNATURE_CHECKS_ARITY,
    .title = "a call without the last argument is refused, and nothing is read after the others")
{
  require_parameters(kernel);
  require_wrong_count(kernel, kernel->parameter_count - 1);
  KernelCall *call = new_call_to_invalidate(iut, kernel);
  call->num_args = --call->value_count;
  note_call(call, "without the last argument: ");
  make_call(call);
  expect_refused_or_read(call);
}

KERNEL_CASE(arity_one_more, .clauses = {KER_3}, .wrong_call = true, .needs = KERNEL_NEEDS_ARITY,
            .promise = SIGNATURE_CHECKS_ARITY,
            .title = "a call with one argument more, None, is refused")
{
  require_wrong_count(kernel, kernel->parameter_count + 1);
  KernelCall *call = new_call_to_invalidate(iut, kernel);
  call->values[call->value_count++] = any_none();
  call->num_args = call->value_count;
  note_call(call, "with None behind the arguments: ");
  make_call(call);
  expect_refused(call);
}

KERNEL_CASE(arity_negative, .clauses = {KER_4}, .needs = KERNEL_NEEDS_ARITY,
            .title = "a call with -1 arguments is refused, and nothing is read")
{
  KernelCall *call = new_call_to_invalidate(iut, kernel);
  call->value_count = 0;
  call->num_args = -1;
  note_call(call, "with -1 arguments: ");
  make_call(call);
  expect_refused(call);
}

KERNEL_CASE(arity_thousand, .clauses = {KER_3}, .wrong_call = true, .needs = KERNEL_NEEDS_ARITY,
            .promise = SIGNATURE_CHECKS_ARITY,
            .title = "a call with 1,000 arguments, None after the right ones, is refused")
{
  require_wrong_count(kernel, 1000);
  KernelCall *call = new_call_to_invalidate(iut, kernel);
  while (call->value_count < 1000) call->values[call->value_count++] = any_none();
  call->num_args = call->value_count;
  note_call(call, "with 1,000 arguments: ");
  make_call(call);
  expect_refused(call);
}

// Pointers that nothing may follow, in the places of all arguments but the last, which is missing.
KERNEL_CASE(arity_before_contents, .clauses = {KER_5}, .wrong_call = true,
            .needs = KERNEL_NEEDS_ARITY,
            .title = "a call with an argument missing does not dereference the others")
{
  require_parameters(kernel);
  if (kernel->variadic) case_not_applicable("it takes fewer arguments, too");
  require_wrong_count(kernel, kernel->parameter_count - 1);
  KernelCall *call = new_call_to_invalidate(iut, kernel);
  void *nowhere = fenced_device_memory("what an argument points to", 256);
  call->num_args = --call->value_count;
  for (int32_t i = 0; i < call->value_count; ++i)
    if (call->values[i].type_index == kTVMFFIDLTensorPtr) call->values[i].v_ptr = nowhere;
  note_call(call, "without the last argument, unreadable tensors: ");
  make_call(call);
  expect_refused(call);
}
