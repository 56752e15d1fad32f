// SPDX-License-Identifier: Apache-2.0
// What a right call leaves in the result, and in the arguments.
#include <stdio.h>

#include "kernel/kernel_battery.h"
#include "kernel/kernel_counts.h"
#include "kernel/kernel_stated.h"

CHAPTER(kernel);

enum { NEEDS_A_RUN = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN };

KERNEL_CASE(result_is_owned, .clauses = {KER_25, KER_26}, .needs = NEEDS_A_RUN,
            .title = "the result of a valid call is None, or of a type that owned values may have")
{
  const TVMFFIAny *result = require_right_call(iut, kernel)->result;
  char text[48];
  abi_type_index_text(result->type_index, text);
  int32_t index = result->type_index;
  bool borrowed = index == kTVMFFIRawStr || index == kTVMFFIByteArrayPtr ||
                  index == kTVMFFIObjectRValueRef || index == kTVMFFIDLTensorPtr;
  bool known = index >= kTVMFFINone && (index <= kTVMFFISmallBytes || index >= kTVMFFIObject);
  expect_that(known && !borrowed, "a type index that owned values have", "%s", text);
  if (index >= kTVMFFIObject) expect_not_null("object of the result", result->v_obj);
}

KERNEL_CASE(result_padding_is_zero, .clauses = {KER_27}, .needs = NEEDS_A_RUN,
            .title = "the padding of the result of a valid call is zero")
{
  const TVMFFIAny *result = require_right_call(iut, kernel)->result;
  if (result->type_index == kTVMFFISmallStr || result->type_index == kTVMFFISmallBytes)
    expect_that(result->small_str_len <= 7, "a length of 0 to 7", "%u", result->small_str_len);
  else
    expect_int("padding of the result", result->zero_padding, 0);
}

KERNEL_CASE(result_unused_bytes_are_zero, .clauses = {KER_28, KER_29}, .needs = NEEDS_A_RUN,
            .title = "bytes that the type of the result does not use are zero")
{
  TVMFFIAny result = *require_right_call(iut, kernel)->result, expected = result;
  expected.v_uint64 &= result_used_bytes(&result);
  if (result.type_index == kTVMFFIBool) expected.v_uint64 = result.v_int64 != 0;
  expect_same_bytes(&result, &expected);
}

// What callers may leave in the slot besides a type index below 64.
KERNEL_CASE(result_slot_is_not_read, .clauses = {KER_33}, .wrong_call = true, .needs = NEEDS_A_RUN,
            .title = "the result does not depend on what it held before the call")
{
  KernelCall *right = require_right_call(iut, kernel), *call = new_right_call(iut, kernel);
  call->result_before = garbage_but_none();
  note_call(call, "with a result full of garbage, but for its type index: ");
  make_call(call);
  if (!expect_served(call)) return;
  if (memcmp(call->result, &call->result_before, sizeof *call->result) == 0) {
    expect_type_index(right->result, kTVMFFINone);
    return;
  }
  expect_same_outcome(call, right);
}

KERNEL_CASE(result_is_of_its_kind, .clauses = {KER_32}, .needs = NEEDS_A_RUN | KERNEL_NEEDS_RESULT,
            .title = "the result is a value of the kind that the signature names")
{
  const TVMFFIAny *result = require_right_call(iut, kernel)->result;
  char text[48];
  abi_type_index_text(result->type_index, text);
  // Within results a List may stand for an Array, and a Dict for a Map; the result itself may not.
  const bool container = kernel->result.kind == KERNEL_ARRAY || kernel->result.kind == KERNEL_MAP;
  const bool other =
      container && (result->type_index == kTVMFFIList || result->type_index == kTVMFFIDict);
  expect_that(kernel_is_of_kind(&kernel->result, result->type_index) && !other,
              kernel_kind_names[kernel->result.kind], "%s", text);
}

// An object that nobody else may hold: its only reference is the caller's. Others may be shared,
// and must have one reference more for each result.
KERNEL_CASE(returned_object_brings_a_reference, .clauses = {KER_30, KER_31}, .needs = NEEDS_A_RUN,
            .title = "each result that is an object has a reference of its own")
{
  KernelCall *first = require_right_call(iut, kernel);
  if (first->result->type_index < kTVMFFIObject) case_not_applicable("it returns no object");
  TVMFFIObjectHandle object = first->result->v_obj;
  uint64_t before = object_strong(iut, object);
  make_call(first);
  if (!expect_served(first)) return;
  if (first->result->v_obj == object)
    expect_int("references after a second result that is the same object",
               (int64_t)object_strong(iut, object), (int64_t)before + 1);
  else
    expect_that(object_strong(iut, first->result->v_obj) >= 1, "a reference", "none");
}

// A function may be handed over to be registered, each time anew.
static bool is_counted(const KernelCall *call, unsigned position)
{
  return call->kernel->parameters[position].kind != KERNEL_FUNCTION ||
         kernel_is_promised(call->kernel);
}

// The result may be an argument, or hold some: they are given back with it.
KERNEL_CASE(arguments_keep_their_counts, .clauses = {KER_34}, .needs = NEEDS_A_RUN,
            .title = "a valid call does not change the reference counts of its arguments")
{
  KernelCounts counts;
  require_right_call(iut, kernel);
  KernelCall *call = new_right_call(iut, kernel);
  for (unsigned i = 0; i < kernel->parameter_count; ++i)
    if (kernel->parameters[i].kind == KERNEL_TENSOR)
      call_with_tensor(call, i, &(TensorForm){.as_object = true});
  kernel_counts_take(call, is_counted, kernel_is_promised(kernel), &counts);
  if (counts.count == 0) case_not_applicable("none of its arguments is an object");
  // Where nobody says what the function keeps, one reference may be kept: a later call gives it
  // back, or keeps no more.
  const unsigned rounds = kernel_is_promised(kernel) ? 1 : 4;
  note_call(call, "with objects, and its result released: ");
  for (unsigned round = 0; round < rounds; ++round) {
    make_call(call);
    if (!expect_served(call)) return;
    drop_outcome(call);
  }
  expect_counts_stay(call, &counts, rounds - 1);
}

// What another pointer in each result leads to is the caller's, or registered; nobody here knows how
// to release it.
static void require_result_to_release(KernelCall *call)
{
  const TVMFFIAny first = *call->result;
  if (first.type_index != kTVMFFIOpaquePtr || !first.v_ptr) return;
  make_call(call);
  if (call->returned == 0 && call->result->type_index == kTVMFFIOpaquePtr && call->result->v_ptr &&
      call->result->v_ptr != first.v_ptr)
    case_not_applicable("each call returns another pointer, which only its caller can release");
}

KERNEL_CASE(good_call_leaks_nothing, .clauses = {KER_35}, .needs = NEEDS_A_RUN, .patience = 5,
            .title = "valid calls, made over and over, do not leak memory")
{
  KernelCall *call = require_right_call(iut, kernel);
  require_result_to_release(call);
  drop_outcome(call);
  note_call(call, "over and over: ");
  expect_no_heap_growth(iut, 1000, kernel_call_again, call);
}

KERNEL_CASE(same_call_gives_the_same, .clauses = {KER_9}, .wrong_call = true, .needs = NEEDS_A_RUN,
            .title = "a valid call after a valid and a refused one gives the same as the first")
{
  KernelCall *right = require_right_call(iut, kernel), *refused = new_right_call(iut, kernel);
  refused->num_args = refused->value_count = 0;
  refused->args_null = true;
  if (kernel->parameter_count > 0 && end_of_call(refused) == CALL_RETURNS) make_call(refused);
  KernelCall *again = new_right_call(iut, kernel);
  note_call(again, "after a call without arguments: ");
  make_call(again);
  expect_same_again(again, right);
}
