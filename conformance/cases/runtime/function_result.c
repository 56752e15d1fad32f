// SPDX-License-Identifier: Apache-2.0
// What comes back from a call: result and return code.
#include "cases/runtime/function_shorthand.h"

CHAPTER(function);

//--------------------------------------------------------------------------------------------------
// The result
//--------------------------------------------------------------------------------------------------

static const struct {
  const char *name;
  int32_t type_index;
  uint32_t padding;
  uint64_t payload;
} plain_results[] = {
    {"none", kTVMFFINone, 0, 0},
    {"int_min", kTVMFFIInt, 0, UINT64_C(1) << 63},
    {"int_with_padding", kTVMFFIInt, 3, 7},
    {"bool_true", kTVMFFIBool, 0, 1},
    {"bool_of_two", kTVMFFIBool, 0, 2},
    {"float_half", kTVMFFIFloat, 0, 0x3FE0000000000000},
    {"float_signalling_nan", kTVMFFIFloat, 0, 0x7FF0000000000001},
    {"opaque_pointer", kTVMFFIOpaquePtr, 0, 0xFFFFFFFFFFFFFFFF},
    {"dtype", kTVMFFIDataType, 0, 0x00042002},
    {"dtype_with_rubbish", kTVMFFIDataType, 0, 0xDEADBEEF00042002},
    {"device", kTVMFFIDevice, 0, 0x0000000100000002},
    {"dltensor_pointer", kTVMFFIDLTensorPtr, 0, 0x1000},
    {"raw_string", kTVMFFIRawStr, 0, 0x1000},
    {"byte_array", kTVMFFIByteArrayPtr, 0, 0x1000},
    {"rvalue_reference", kTVMFFIObjectRValueRef, 0, 0x1000},
    {"empty_string", kTVMFFISmallStr, 0, 0},
    {"string_of_seven", kTVMFFISmallStr, 7, 0x0067666564636261},
    {"bytes_with_rubbish", kTVMFFISmallBytes, 1, 0x6867666564636261},
    {"index_63", 63, 9, 0x0123456789ABCDEF},
};

// Calls `function`, which logs into `log`, and wants what the log gives.
static void expect_given(Iut *iut, TVMFFIObjectHandle function, CallLog *log)
{
  TVMFFIAny *result = fenced_result();
  require(expect_ok(iut, iut->FunctionCall(function, NULL, 0, result)));
  expect_int("calls of the callback", log->calls, 1);
  expect_same_bytes(result, &log->give);
}

CASE_ROWS(plain_result_arrives_bit_for_bit, plain_results, .clauses = {FUN_10},
          .title = "the caller finds all 16 bytes of the result that the callback wrote")
{
  CallLog log = {.gives = true};
  log.give = value_of_bits(row->type_index, row->padding, row->payload);
  call_log_without_self.gives = true;
  call_log_without_self.give = log.give;
  TVMFFIObjectHandle closure = new_logged_function(iut, &log), plain = new_plain_function(iut);
  note("calling a closure");
  expect_given(iut, closure, &log);
  note("calling a plain function");
  expect_given(iut, plain, &call_log_without_self);
  release_object(iut, closure);
  release_object(iut, plain);
}

static const ObjectKind object_results[] = {
    OBJECT_KINDS,
    {.name = "dynamic_type", .type_index = PROBE_TYPE_INDEX},
};

CASE_ROWS(object_result_belongs_to_the_caller, object_results, .clauses = {FUN_11, FUN_10},
          .title =
              "the reference that the callback puts into the result is the caller's, no more "
              "and no less")
{
  CallLog log = {.gives = true};
  TVMFFIObjectHandle object = new_probe_object_of(iut, row->type_index);
  log.give = view_of_object(iut, object);
  TVMFFIObjectHandle function = new_logged_function(iut, &log);
  TVMFFIAny *result = fenced_result();
  require(expect_ok(iut, iut->FunctionCall(function, NULL, 0, result)));
  expect_same_bytes(result, &log.give);
  expect_counts(iut, object, .strong = 1, .weak = 1);
  expect_deleter_calls(object, "");
  release_any(iut, result);
  expect_deleter_calls(object, "3");
  release_object(iut, function);
}

static uint64_t made_strong;

static int make_string(void *handle, __attribute__((unused)) const TVMFFIAny *args,
                       __attribute__((unused)) int32_t num_args, TVMFFIAny *result)
{
  Iut *iut = handle;
  TVMFFIByteArray text = bytes_of("a string on the heap");
  int code = iut->StringFromByteArray(&text, result);
  if (code == 0 && result->type_index == kTVMFFIStr)
    made_strong = object_strong(iut, result->v_obj);
  return code;
}

CASE(string_made_by_the_callback_arrives_with_one_reference, .clauses = {FUN_11},
     .title =
         "a heap string that the callback makes for the result reaches the caller with the "
         "references that it had")
{
  TVMFFIObjectHandle function = new_function(iut, iut, make_string, NULL);
  TVMFFIAny *result = fenced_result();
  require(expect_ok(iut, iut->FunctionCall(function, NULL, 0, result)));
  require(expect_heap_string(iut, result, "a string on the heap", 20));
  expect_int("strong references", (int64_t)object_strong(iut, result->v_obj), (int64_t)made_strong);
  release_any(iut, result);
  release_object(iut, function);
}

static int return_argument(void *handle, const TVMFFIAny *args,
                           __attribute__((unused)) int32_t num_args, TVMFFIAny *result)
{
  return ((Iut *)handle)->AnyViewToOwnedAny(&args[0], result);
}

CASE(argument_handed_back_has_one_reference_more, .clauses = {FUN_11, FUN_9},
     .title =
         "an object that goes in as argument and comes out as result has the one reference "
         "more that the callback took")
{
  TVMFFIObjectHandle object = new_probe_object(iut);
  TVMFFIObjectHandle function = new_function(iut, iut, return_argument, NULL);
  TVMFFIAny argument = view_of_object(iut, object), *result = fenced_result();
  require(expect_ok(iut, iut->FunctionCall(function, fenced_args(&argument, 1), 1, result)));
  expect_same_bytes(result, &argument);
  expect_counts(iut, object, .strong = 2, .weak = 1);
  release_any(iut, result);
  expect_deleter_calls(object, "");
  release_object(iut, object);
  expect_deleter_calls(object, "3");
  release_object(iut, function);
}

static const struct {
  const char *name;
  int32_t type_index;
  uint32_t padding;
  uint64_t payload;
} kept_values[] = {
    {"none_with_rubbish", kTVMFFINone, 0xA5A5A5A5, 0x5A5A5A5A5A5A5A5A},
    {"int", kTVMFFIInt, 0, 7},
    {"int_with_padding", kTVMFFIInt, 3, 7},
    {"small_string", kTVMFFISmallStr, 2, 0x6261},
    {"index_63", 63, 0, 1},
};

static void expect_kept(Iut *iut, TVMFFIAny before)
{
  CallLog log = {0};
  TVMFFIObjectHandle closure = new_logged_function(iut, &log), plain = new_plain_function(iut);
  for (int i = 0; i < 2; ++i) {
    note("calling a %s", i ? "closure" : "plain function");
    TVMFFIAny *result = fenced_result();
    *result = before;
    require(expect_ok(iut, iut->FunctionCall(i ? closure : plain, NULL, 0, result)));
    expect_same_bytes(result, &before);
  }
  expect_int("calls of the closure's callback", log.calls, 1);
  release_object(iut, closure);
  release_object(iut, plain);
}

CASE(none_that_is_not_written_stays, .clauses = {FUN_12},
     .title = "a callback that succeeds without writing a result leaves the None of the caller")
{
  expect_kept(iut, any_none());
}

CASE_ROWS(result_that_is_not_written_stays, kept_values, .clauses = {FUN_42}, .wrong_call = true,
          .title =
              "a callback that succeeds without writing a result leaves the one the caller put "
              "there")
{
  expect_kept(iut, value_of_bits(row->type_index, row->padding, row->payload));
}

//--------------------------------------------------------------------------------------------------
// The return code
//--------------------------------------------------------------------------------------------------

typedef struct Code {
  const char *name;
  int code;
} Code;

static const Code codes[] = {{"zero", 0}, {"minus_one", -1}, {"minus_two", -2}};

static const Code other_codes[] = {
    {"one", 1},
    {"five", 5},
    {"minus_three", -3},
    {"two_to_the_8", 256},
    {"two_to_the_16", 65536},
    {"largest", INT32_MAX},
    {"smallest", INT32_MIN},
};

static void expect_code_arrives(Iut *iut, int code)
{
  CallLog log = {.returns = code};
  call_log_without_self.returns = code;
  TVMFFIObjectHandle closure = new_logged_function(iut, &log), plain = new_plain_function(iut);
  expect_int("what calling the closure returned",
             iut->FunctionCall(closure, NULL, 0, fenced_result()), code);
  expect_int("what calling the plain function returned",
             iut->FunctionCall(plain, NULL, 0, fenced_result()), code);
  expect_int("calls of both callbacks", log.calls + call_log_without_self.calls, 2);
  log.returns = call_log_without_self.returns = 0;
  note("calling both once more, with 0 to return");
  call_without_arguments(iut, closure);
  call_without_arguments(iut, plain);
  release_object(iut, closure);
  release_object(iut, plain);
}

CASE_ROWS(return_code_arrives_unchanged, codes, .clauses = {FUN_13},
          .title = "the call returns the number that the callback returned")
{
  expect_code_arrives(iut, row->code);
}

CASE_ROWS(other_return_code_arrives_unchanged, other_codes, .clauses = {FUN_43}, .wrong_call = true,
          .title = "the call returns the number that the callback returned, whatever it is")
{
  expect_code_arrives(iut, row->code);
}

static const Code failures[] = {{"five", 5}, {"largest", INT32_MAX}, {"smallest", INT32_MIN}};

CASE_ROWS(other_failure_is_no_success, failures, .clauses = {FUN_13},
          .title = "the call of a callback that returned a number other than 0 returns one, too")
{
  CallLog log = {.returns = row->code};
  TVMFFIObjectHandle closure = new_logged_function(iut, &log);
  expect_code("what calling the closure returned",
              iut->FunctionCall(closure, NULL, 0, fenced_result()), row->code);
  expect_int("calls of the callback", log.calls, 1);
  release_object(iut, closure);
}
