// SPDX-License-Identifier: Apache-2.0
// What a refused call leaves behind: a code, an error, and nothing else.
#include <stdlib.h>

#include "kernel/kernel_battery.h"

CHAPTER(kernel);

// What a case looks at after a call that was refused. Calls that are not refused though they should
// be, and those that end the process, are for other cases to judge.
typedef void Look(KernelCall *call);

static KernelCall *new_shorter_call(Iut *iut, const Kernel *kernel)
{
  KernelCall *call = new_right_call(iut, kernel);
  call->num_args = --call->value_count;
  return call;
}

static KernelCall *new_call_with_device(Iut *iut, const Kernel *kernel, unsigned position)
{
  KernelCall *call = new_right_call(iut, kernel);
  call->values[position] = any_none();
  call->values[position].type_index = kTVMFFIDevice;
  return call;
}

static bool try_refusal(KernelCall *call, bool returns, Look *look)
{
  note_wrong_call(call);
  if (!returns && end_of_call(call) != CALL_RETURNS) return false;
  make_call(call);
  if (call->returned == 0) return false;
  look(call);
  return true;
}

// Looks at every refused call; ends the case as not applicable if none is refused.
static void for_each_refusal(Iut *iut, const Kernel *kernel, Look *look)
{
  KernelCall *calls[KERNEL_PARAMETERS_MAX + 1];
  unsigned refused = 0, count = 0;
  if (kernel->parameter_count == 0) case_not_applicable("the function takes no arguments");
  if (kernel_has_example(kernel) && !kernel->launches) require_right_call(iut, kernel);
  calls[count++] = new_shorter_call(iut, kernel);
  for (uint32_t i = 0; i < kernel->parameter_count; ++i)
    if (kernel->parameters[i].kind != KERNEL_DEVICE && kernel->parameters[i].kind != KERNEL_ANY)
      calls[count++] = new_call_with_device(iut, kernel, i);
  const bool returns = calls_return(calls, count);
  for (unsigned i = 0; i < count; ++i) refused += try_refusal(calls[i], returns, look);
  if (refused == 0) case_not_applicable("no wrong call of it is refused");
}

static void look_for_error(KernelCall *call)
{
  expect_that(call->error != NULL || call->returned == -2, "an error is raised",
              "%d and no error raised", call->returned);
}

KERNEL_CASE(refusal_raises_an_error, .clauses = {KER_11}, .needs = KERNEL_NEEDS_ARITY,
            .title = "a refused call has raised an error in its thread")
{
  for_each_refusal(iut, kernel, look_for_error);
}

static const char *lacks_nothing_known(const CaseInstance *instance)
{
  return instance->kernel->source != KERNEL_UNKNOWN ? "its arguments are known" : NULL;
}

// Of a function that nobody describes, and that was not found out by calls.
KERNEL_CASE(any_refusal_raises_an_error, .clauses = {KER_11}, .lacks = lacks_nothing_known,
            .title = "a function of which nothing is known raises an error where it fails")
{
  static const KernelKind kinds[] = {KERNEL_NONE, KERNEL_INT, KERNEL_STRING};
  enum { KINDS = sizeof kinds / sizeof *kinds };
  unsigned refused = 0;
  for (int i = -1; i < KINDS; ++i) {
    // A call that was noted borrows it.
    Kernel *asked = malloc(sizeof *asked);
    if (!asked) case_inconclusive("no memory for a signature");
    kernel_copy(asked, kernel);
    asked->parameter_count = i >= 0;
    asked->parameters[0] = (KernelParameter){.kind = kinds[i < 0 ? 0 : i], .alignment = 1};
    KernelCall *call = new_right_call(iut, asked);
    if (end_of_call(call) != CALL_RETURNS) continue;
    note_call(call, "with %s: ", i < 0 ? "no arguments" : kernel_kind_names[kinds[i]]);
    make_call(call);
    if (call->returned == 0) continue;
    look_for_error(call);
    ++refused;
  }
  if (refused == 0) case_not_applicable("it refuses none of the calls by which it was asked");
}

static void look_at_code(KernelCall *call)
{
  expect_int("code of the refused call", call->returned, -1);
}

KERNEL_CASE(refusal_returns_minus_one, .clauses = {KER_13}, .wrong_call = true,
            .needs = KERNEL_NEEDS_ARITY, .title = "a refused call returns -1")
{
  for_each_refusal(iut, kernel, look_at_code);
}

static void look_at_object(KernelCall *call)
{
  if (!call->error) return;
  Iut *iut = call->iut;
  expect_that(object_type_index(iut, call->error) == kTVMFFIError, "an object of type index 67",
              "type index %d", object_type_index(iut, call->error));
  expect_that(object_strong(iut, call->error) >= 1, "at least one reference", "none");
}

KERNEL_CASE(raised_object_is_an_error, .clauses = {KER_15}, .needs = KERNEL_NEEDS_ARITY,
            .title = "a refused call raises an error object that the caller owns once it is taken")
{
  for_each_refusal(iut, kernel, look_at_object);
}

static const TVMFFIErrorCell *cell_of(KernelCall *call)
{
  if (!call->error || object_type_index(call->iut, call->error) != kTVMFFIError) return NULL;
  return error_cell(call->iut, call->error);
}

static void look_at_text(KernelCall *call)
{
  const TVMFFIErrorCell *cell = cell_of(call);
  if (!cell) return;
  expect_that(is_utf8(cell->kind.data, cell->kind.size), "a kind that is UTF-8", "%s",
              call->error_text);
  expect_that(is_utf8(cell->message.data, cell->message.size), "a message that is UTF-8", "%s",
              call->error_text);
}

KERNEL_CASE(error_text_is_utf8, .clauses = {KER_16}, .wrong_call = true,
            .needs = KERNEL_NEEDS_ARITY,
            .title = "kind and message of the error that a refused call raises are UTF-8")
{
  for_each_refusal(iut, kernel, look_at_text);
}

static void look_for_words(KernelCall *call)
{
  const TVMFFIErrorCell *cell = cell_of(call);
  if (!cell) return;
  expect_that(cell->kind.size > 0, "a kind", "an empty one");
  expect_that(cell->message.size > 0, "a message", "an empty one");
}

KERNEL_CASE(error_says_something, .clauses = {KER_17}, .wrong_call = true,
            .needs = KERNEL_NEEDS_ARITY,
            .title = "kind and message of the error that a refused call raises are not empty")
{
  for_each_refusal(iut, kernel, look_for_words);
}

static bool has_kind(const TVMFFIErrorCell *cell, const char *kind)
{
  return cell->kind.size == strlen(kind) && memcmp(cell->kind.data, kind, cell->kind.size) == 0;
}

static void look_at_kind(KernelCall *call)
{
  const TVMFFIErrorCell *cell = cell_of(call);
  if (!cell) return;
  expect_that(has_kind(cell, "TypeError") || has_kind(cell, "ValueError"),
              "a TypeError or a ValueError", "%s", call->error_text);
}

KERNEL_CASE(error_kind, .clauses = {KER_18}, .wrong_call = true, .needs = KERNEL_NEEDS_ARITY,
            .title = "the error for a wrong argument is a TypeError or a ValueError")
{
  for_each_refusal(iut, kernel, look_at_kind);
}

static void look_at_slot(KernelCall *call)
{
  expect_same_bytes(call->result, &call->result_before);
}

KERNEL_CASE(refusal_leaves_the_result, .clauses = {KER_20}, .wrong_call = true,
            .needs = KERNEL_NEEDS_ARITY,
            .title = "a refused call does not change the 16 bytes of the result")
{
  for_each_refusal(iut, kernel, look_at_slot);
}

static void look_at_outputs(KernelCall *call)
{
  expect_outputs_untouched(call);
}

KERNEL_CASE(refusal_leaves_the_outputs, .clauses = {KER_21}, .wrong_call = true,
            .needs = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_TENSOR,
            .title = "a refused call does not change the memory of tensors")
{
  for_each_refusal(iut, kernel, look_at_outputs);
}

KERNEL_CASE(success_raises_nothing, .clauses = {KER_12},
            .needs = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN,
            .title = "a valid call leaves no error raised")
{
  KernelCall *call = require_right_call(iut, kernel);
  expect_that(call->error == NULL, "no error raised", "%s", call->error_text);
}

KERNEL_CASE(old_error_is_not_mistaken, .clauses = {KER_24},
            .needs = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN,
            .title = "a valid call succeeds while an older error is raised")
{
  KernelCall *right = require_right_call(iut, kernel), *call = new_right_call(iut, kernel);
  iut->ErrorSetRaisedFromCStr("RuntimeError", "an error from before the call");
  call->program_before =
      "  RUNTIME(TVMFFIErrorSetRaisedFromCStr)\n"
      "  (\"RuntimeError\", \"an error from before the call\");\n";
  note_call(call, "with an older error raised: ");
  make_call(call);
  expect_same_outcome(call, right);
}

KERNEL_CASE(refusal_leaks_nothing, .clauses = {KER_36}, .wrong_call = true,
            .needs = KERNEL_NEEDS_ARITY, .patience = 5,
            .title = "refused calls, made over and over, do not leak memory")
{
  if (kernel->parameter_count == 0) case_not_applicable("the function takes no arguments");
  if (kernel_has_example(kernel) && !kernel->launches) require_right_call(iut, kernel);
  KernelCall *call = new_shorter_call(iut, kernel);
  note_call(call, "over and over, without the last argument: ");
  if (end_of_call(call) != CALL_RETURNS)
    case_not_applicable("a call without the last argument does not return");
  make_call(call);
  if (call->returned == 0) case_not_applicable("a call without the last argument is served");
  drop_outcome(call);
  expect_no_heap_growth(iut, 1000, refuse_again, call);
}
