// SPDX-License-Identifier: Apache-2.0
// The call: which code runs, and with which arguments.
#include "cases/runtime/function_shorthand.h"

CHAPTER(function);

//--------------------------------------------------------------------------------------------------
// Which code runs
//--------------------------------------------------------------------------------------------------

// Own: a function object that the library did not make. What stands where later versions have a C++
// call points to nowhere.
static TVMFFIObjectHandle new_foreign_function(const Iut *iut, TVMFFISafeCallType safe_call)
{
  TVMFFIObjectHandle object = new_probe_object_of(iut, kTVMFFIFunction);
  memcpy(object_body(iut, object), &safe_call, sizeof safe_call);
  return object;
}

static TVMFFISafeCallType safe_call_of(const Iut *iut, TVMFFIObjectHandle function)
{
  TVMFFISafeCallType safe_call;
  memcpy(&safe_call, object_body(iut, function), sizeof safe_call);
  return safe_call;
}

CASE(foreign_function_is_called_through_its_cell, .clauses = {FUN_5},
     .title =
         "a function object that the runtime did not make is called through the safe call in "
         "its cell, once, with its own handle")
{
  TVMFFIObjectHandle function = new_foreign_function(iut, call_log_callee_without_self);
  call_log_without_self.gives = true;
  call_log_without_self.give = view_of_int(42);
  TVMFFIAny argument = view_of_int(7), result = any_none();
  require(expect_ok(iut, iut->FunctionCall(function, fenced_args(&argument, 1), 1, &result)));
  expect_int("calls of the safe call", call_log_without_self.calls, 1);
  expect_pointer("handle that the safe call got", call_log_without_self.handle, function);
  expect_int("number of arguments that it got", call_log_without_self.num_args, 1);
  expect_same_bytes(&result, &call_log_without_self.give);
  expect_counts(iut, function, .strong = 1, .weak = 1);
  release_object(iut, function);
  expect_int("calls of the deleter of the object", probe_deleter_calls(function), 1);
}

static unsigned other_calls;

static int other_callee(__attribute__((unused)) void *handle,
                        __attribute__((unused)) const TVMFFIAny *args,
                        __attribute__((unused)) int32_t num_args,
                        __attribute__((unused)) TVMFFIAny *result)
{
  ++other_calls;
  return 0;
}

CASE(call_reads_the_cell_at_every_call, .clauses = {FUN_5},
     .title =
         "when the safe call in the cell of a foreign function changes, the next call runs the "
         "new one")
{
  TVMFFIObjectHandle function = new_foreign_function(iut, call_log_callee_without_self);
  TVMFFISafeCallType other = other_callee;
  call_without_arguments(iut, function);
  expect_int("calls of the first safe call", call_log_without_self.calls, 1);
  memcpy(object_body(iut, function), &other, sizeof other);
  call_without_arguments(iut, function);
  expect_int("calls of the first safe call after the change", call_log_without_self.calls, 1);
  expect_int("calls of the second", other_calls, 1);
}

static const struct {
  const char *name;
  int code;
} codes[] = {{"success", 0}, {"minus_one", -1}, {"minus_two", -2}, {"five", 5}};

CASE_ROWS(safe_call_runs_once_a_call, codes, .clauses = {FUN_5},
          .title = "a call runs the safe call once, whatever it returns")
{
  CallLog log = {.returns = row->code};
  call_log_without_self.returns = row->code;
  TVMFFIObjectHandle closure = new_logged_function(iut, &log);
  TVMFFIObjectHandle foreign = new_foreign_function(iut, call_log_callee_without_self);
  iut->FunctionCall(closure, NULL, 0, fenced_result());
  expect_int("runs of a closure's callback", log.calls, 1);
  iut->FunctionCall(foreign, NULL, 0, fenced_result());
  expect_int("runs of a foreign function's safe call", call_log_without_self.calls, 1);
  release_object(iut, closure);
}

static const struct {
  const char *name;
  bool closure;
} kinds[] = {{"plain", false}, {"closure", true}};

// tvm-ffi#217: code generators call the safe call themselves.
CASE_ROWS(safe_call_can_be_called_directly, kinds, .clauses = {FUN_6},
          .title =
              "calling the safe call in the cell with the function's handle does what "
              "TVMFFIFunctionCall does")
{
  CallLog own_log = {0}, *log = row->closure ? &own_log : &call_log_without_self;
  TVMFFIObjectHandle function =
      row->closure ? new_logged_function(iut, log) : new_plain_function(iut);
  TVMFFISafeCallType safe_call = safe_call_of(iut, function);
  require(expect_that(safe_call != NULL, "a safe call in the cell", "NULL"));
  TVMFFIAny arguments[2] = {view_of_int(1), view_of_int(2)};
  TVMFFIAny *args = fenced_args(arguments, 2), *result = fenced_result();
  log->gives = true;
  log->give = view_of_int(3);
  expect_int("what the safe call returned", safe_call(function, args, 2, result), 0);
  expect_int("calls of the callback", log->calls, 1);
  expect_pointer("handle that the callback got", log->handle,
                 row->closure ? (void *)log : (void *)function);
  expect_int("number of arguments that it got", log->num_args, 2);
  expect_memory("the arguments", log->args, sizeof arguments, arguments, sizeof arguments);
  expect_same_bytes(result, &log->give);
  log->returns = -2;
  expect_int("what the safe call returned then", safe_call(function, args, 2, result), -2);
  release_object(iut, function);
}

//--------------------------------------------------------------------------------------------------
// Arguments
//--------------------------------------------------------------------------------------------------

// A callee that compares while the arguments are there: afterwards they may be gone.
typedef struct Witness {
  const TVMFFIAny *expected;
  int32_t count;
  unsigned calls;
  int32_t seen_count;
  bool same;
  TVMFFIAny first;
} Witness;

static Witness witness;

static int witness_callee(__attribute__((unused)) void *handle, const TVMFFIAny *args,
                          int32_t num_args, __attribute__((unused)) TVMFFIAny *result)
{
  ++witness.calls;
  witness.seen_count = num_args;
  witness.same =
      num_args == witness.count &&
      (num_args == 0 || memcmp(args, witness.expected, (size_t)num_args * sizeof *args) == 0);
  if (num_args > 0) witness.first = args[0];
  return 0;
}

static const struct {
  const char *name;
  int32_t count;
  bool closure, array;
} counts[] = {
    {"none", 0, false, false},
    {"none_closure", 0, true, false},
    {"none_with_array", 0, true, true},
    {"one", 1, false, true},
    {"one_closure", 1, true, true},
    {"eight", 8, false, true},
    {"eight_closure", 8, true, true},
    {"thousand", 1000, false, true},
    {"thousand_closure", 1000, true, true},
    {"seventy_thousand", 70000, true, true},
};

CASE_ROWS(arguments_arrive_complete_and_in_order, counts, .clauses = {FUN_7, FUN_8},
          .title = "the callback gets as many arguments as the caller gave, in the same order")
{
  size_t size = (size_t)row->count * sizeof(TVMFFIAny);
  TVMFFIAny *values = malloc(size ? size : 1);
  if (!values) case_inconclusive("no memory for %d arguments", (int)row->count);
  for (int32_t i = 0; i < row->count; ++i) values[i] = view_of_int(INT64_MAX - i);
  TVMFFIObjectHandle function =
      new_function(iut, row->closure ? &witness : NULL, witness_callee, NULL);
  witness = (Witness){.expected = values, .count = row->count, .seen_count = -1};
  TVMFFIAny *args = row->array ? fenced_args(values, (size_t)row->count) : NULL;
  require(expect_ok(iut, iut->FunctionCall(function, args, row->count, fenced_result())));
  expect_int("calls of the callback", witness.calls, 1);
  expect_int("number of arguments that it got", witness.seen_count, row->count);
  expect_that(witness.same, "the arguments of the caller, in order", "other arguments");
  free(values);
  release_object(iut, function);
}

// Values that own nothing and point nowhere, clean and unclean.
static const struct {
  const char *name;
  int32_t type_index;
  uint32_t padding;
  uint64_t payload;
} plain_values[] = {
    {"none", kTVMFFINone, 0, 0},
    {"none_with_rubbish", kTVMFFINone, 0xA5A5A5A5, 0x5A5A5A5A5A5A5A5A},
    {"int_min", kTVMFFIInt, 0, UINT64_C(1) << 63},
    {"int_max", kTVMFFIInt, 0, INT64_MAX},
    {"int_with_padding", kTVMFFIInt, 3, 7},
    {"bool_true", kTVMFFIBool, 0, 1},
    {"bool_of_two", kTVMFFIBool, 0, 2},
    {"float_one", kTVMFFIFloat, 0, 0x3FF0000000000000},
    {"float_minus_zero", kTVMFFIFloat, 0, UINT64_C(1) << 63},
    {"float_quiet_nan", kTVMFFIFloat, 0, 0x7FF8000000000001},
    {"float_signalling_nan", kTVMFFIFloat, 0, 0x7FF0000000000001},
    {"opaque_pointer", kTVMFFIOpaquePtr, 0, 0xFFFFFFFFFFFFFFFF},
    {"dtype", kTVMFFIDataType, 0, 0x00042002},
    {"dtype_with_rubbish", kTVMFFIDataType, 0, 0xDEADBEEF00042002},
    {"device", kTVMFFIDevice, 0, 0x0000000100000002},
    {"empty_string", kTVMFFISmallStr, 0, 0},
    {"string_of_seven", kTVMFFISmallStr, 7, 0x0067666564636261},
    {"string_with_rubbish", kTVMFFISmallStr, 1, 0x6867666564636261},
    {"bytes_of_three", kTVMFFISmallBytes, 3, 0x0000000000FF0001},
    {"index_63", 63, 9, 0x0123456789ABCDEF},
    {"index_of_any", kTVMFFIAny, 1, 0x0123456789ABCDEF},
};

CASE_ROWS(plain_argument_arrives_bit_for_bit, plain_values, .clauses = {FUN_8},
          .title = "an argument that owns nothing arrives with all of its 16 bytes, clean or not")
{
  TVMFFIAny value = value_of_bits(row->type_index, row->padding, row->payload);
  TVMFFIAny values[3] = {value, view_of_int(1), value};
  for (int closure = 0; closure < 2; ++closure) {
    note("calling %s", closure ? "a closure" : "a plain function");
    TVMFFIObjectHandle function =
        new_function(iut, closure ? &witness : NULL, witness_callee, NULL);
    witness = (Witness){.expected = values, .count = 3};
    require(
        expect_ok(iut, iut->FunctionCall(function, fenced_args(values, 3), 3, fenced_result())));
    expect_same_bytes(&witness.first, &value);
    expect_that(witness.same, "all three arguments of the caller", "other arguments");
    release_object(iut, function);
  }
}

static TVMFFIAny view_of_tensor(void)
{
  DLTensor tensor = {.device = {kDLCPU, 0}, .dtype = {kDLFloat, 32, 1}};
  return value_of_bits(kTVMFFIDLTensorPtr, 0,
                       (uintptr_t)fenced_copy("the DLTensor", &tensor, sizeof tensor));
}

static TVMFFIAny view_of_text(void)
{
  return view_of_raw_string(fenced_string("longer than seven"));
}

static TVMFFIAny view_of_bytes(void)
{
  return view_of_byte_array(fenced_bytes("\0\1\2", 3));
}

static const struct {
  const char *name;
  TVMFFIAny (*make)(void);
} borrowed_views[] = {
    {"dltensor_pointer", view_of_tensor},
    {"raw_string", view_of_text},
    {"byte_array", view_of_bytes},
};

CASE_ROWS(borrowed_view_arrives_as_it_is, borrowed_views, .clauses = {FUN_8},
          .title = "a view of borrowed memory is not turned into a value of its own on its way")
{
  TVMFFIAny value = row->make();
  TVMFFIObjectHandle function = new_function(iut, &witness, witness_callee, NULL);
  witness = (Witness){.expected = &value, .count = 1};
  require(expect_ok(iut, iut->FunctionCall(function, fenced_args(&value, 1), 1, fenced_result())));
  expect_same_bytes(&witness.first, &value);
  release_object(iut, function);
}

static const ObjectKind object_types[] = {
    OBJECT_KINDS,
    {.name = "unassigned_type", .type_index = 127},
    {.name = "dynamic_type", .type_index = PROBE_TYPE_INDEX},
};

// The object is ours, so nothing but its header has a meaning.
// apache/tvm#6744, #6821 and #16021: tensors that were handed to callbacks kept a reference.
CASE_ROWS(object_argument_is_borrowed, object_types, .clauses = {FUN_9, FUN_8},
          .title = "an object among the arguments arrives as it is and keeps its counts")
{
  TVMFFIObjectHandle object = new_probe_object_of(iut, row->type_index);
  TVMFFIAny value = view_of_object(iut, object), values[2] = {value, value};
  for (int closure = 0; closure < 2; ++closure) {
    note("calling %s", closure ? "a closure" : "a plain function");
    TVMFFIObjectHandle function =
        new_function(iut, closure ? &witness : NULL, witness_callee, NULL);
    witness = (Witness){.expected = values, .count = 2};
    require(
        expect_ok(iut, iut->FunctionCall(function, fenced_args(values, 2), 2, fenced_result())));
    expect_same_bytes(&witness.first, &value);
    expect_that(witness.same, "both arguments of the caller", "other arguments");
    expect_counts(iut, object, .strong = 1, .weak = 1);
    release_object(iut, function);
  }
  expect_deleter_calls(object, "");
}

CASE(function_may_be_its_own_argument, .clauses = {FUN_9},
     .title = "a function called with itself as argument keeps its counts")
{
  CallLog log = {0};
  TVMFFIObjectHandle function = new_logged_function(iut, &log);
  TVMFFIAny value = view_of_object(iut, function);
  require(expect_ok(iut, iut->FunctionCall(function, fenced_args(&value, 1), 1, fenced_result())));
  expect_counts(iut, function, .strong = 1, .weak = 1);
  expect_int("calls of the callback", log.calls, 1);
  release_object(iut, function);
  expect_int("calls of the deleter", log.deleted, 1);
}

CASE(rvalue_argument_arrives_with_its_slot_untouched, .clauses = {FUN_8, FUN_9},
     .title =
         "an rvalue reference arrives as a reference: the call does not move the object out of "
         "its slot")
{
  TVMFFIObjectHandle object = new_probe_object(iut);
  const TVMFFIObjectHandle *slot = fenced_copy("the slot", &object, sizeof object);
  TVMFFIAny value = view_of_rvalue((TVMFFIObjectHandle *)(uintptr_t)slot);
  TVMFFIObjectHandle function = new_function(iut, &witness, witness_callee, NULL);
  witness = (Witness){.expected = &value, .count = 1};
  require(expect_ok(iut, iut->FunctionCall(function, fenced_args(&value, 1), 1, fenced_result())));
  expect_same_bytes(&witness.first, &value);
  expect_pointer("the handle in the slot", *slot, object);
  expect_counts(iut, object, .strong = 1, .weak = 1);
  expect_deleter_calls(object, "");
  release_object(iut, function);
}

static int move_callee(void *handle, const TVMFFIAny *args,
                       __attribute__((unused)) int32_t num_args, TVMFFIAny *result)
{
  return ((Iut *)handle)->AnyViewToOwnedAny(&args[0], result);
}

CASE(callee_moves_the_object_out_of_an_rvalue_argument, .clauses = {FUN_8, FUN_9},
     .title =
         "a callee that takes an rvalue argument empties the caller's slot and owns the "
         "caller's reference")
{
  TVMFFIObjectHandle object = new_probe_object(iut), slot = object;
  TVMFFIAny value = view_of_rvalue(&slot), result = any_none();
  TVMFFIObjectHandle function = new_function(iut, iut, move_callee, NULL);
  require(expect_ok(iut, iut->FunctionCall(function, fenced_args(&value, 1), 1, &result)));
  expect_pointer("the handle in the slot", slot, NULL);
  expect_type_index(&result, PROBE_TYPE_INDEX);
  expect_pointer("the object of the result", result.v_ptr, object);
  expect_counts(iut, object, .strong = 1, .weak = 1);
  release_any(iut, &result);
  expect_deleter_calls(object, "3");
}

CASE(caller_finds_its_arguments_unchanged, .clauses = {FUN_9},
     .title =
         "the array of arguments holds the same bytes after the call, those of unclean values "
         "too")
{
  enum { COUNT = 20 };
  TVMFFIAny values[COUNT];
  memset(values, 0xC3, sizeof values);
  for (int i = 0; i < COUNT; ++i) values[i].type_index = i % 7;
  TVMFFIAny *args = fenced_args(values, COUNT);
  CallLog log = {0};
  TVMFFIObjectHandle function = new_logged_function(iut, &log);
  require(expect_ok(iut, iut->FunctionCall(function, args, COUNT, fenced_result())));
  expect_memory("the arguments after the call", args, sizeof values, values, sizeof values);
  expect_int("calls of the callback", log.calls, 1);
  release_object(iut, function);
}
