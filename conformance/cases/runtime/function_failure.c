// SPDX-License-Identifier: Apache-2.0
// Calls that fail, and calls within calls.
#include "cases/runtime/function_shorthand.h"

CHAPTER(function);

//--------------------------------------------------------------------------------------------------
// One level
//--------------------------------------------------------------------------------------------------

// A callee that raises `error` and returns `code`, through the closure or, without one, through
// this variable.
typedef struct Raiser {
  Iut *iut;
  TVMFFIObjectHandle error;
  int code;
} Raiser;

static Raiser raiser;

static int raise_callee(__attribute__((unused)) void *handle,
                        __attribute__((unused)) const TVMFFIAny *args,
                        __attribute__((unused)) int32_t num_args,
                        __attribute__((unused)) TVMFFIAny *result)
{
  if (raiser.error) raiser.iut->ErrorSetRaised(raiser.error);
  return raiser.code;
}

static const struct {
  const char *name;
  int code;
  bool closure;
} failures[] = {
    {"minus_one", -1, false},        {"minus_two", -2, false},        {"five", 5, false},
    {"minus_one_closure", -1, true}, {"minus_two_closure", -2, true}, {"five_closure", 5, true},
};

CASE_ROWS(raised_error_reaches_the_caller, failures, .clauses = {FUN_14, FUN_13},
          .title =
              "the caller finds the very error object that the callback raised, with its kind, "
              "message and counts")
{
  TVMFFIObjectHandle error = new_error(iut, "KeyError", "no such key", "");
  raiser = (Raiser){iut, error, row->code};
  TVMFFIObjectHandle function =
      new_function(iut, row->closure ? &raiser : NULL, raise_callee, NULL);
  expect_code("what the call returned", iut->FunctionCall(function, NULL, 0, fenced_result()),
              row->code);
  expect_counts(iut, error, .strong = 2, .weak = 1);
  require(expect_pointer("the raised error", take_error(iut), error));
  expect_text("kind", error_cell(iut, error)->kind, "KeyError");
  expect_text("message", error_cell(iut, error)->message, "no such key");
  release_object(iut, error);
  expect_counts(iut, error, .strong = 1, .weak = 1);
  release_object(iut, error);
  release_object(iut, function);
}

CASE(error_made_elsewhere_reaches_the_caller, .clauses = {FUN_14},
     .title =
         "an error object that the runtime did not make reaches the caller of the function "
         "that raised it as it was")
{
  TVMFFIObjectHandle error = new_probe_object_of(iut, kTVMFFIError);
  raiser = (Raiser){iut, error, -1};
  TVMFFIObjectHandle function = new_function(iut, &raiser, raise_callee, NULL);
  expect_int("what the call returned", iut->FunctionCall(function, NULL, 0, fenced_result()), -1);
  expect_counts(iut, error, .strong = 2, .weak = 1);
  require(expect_pointer("the raised error", take_error(iut), error));
  release_object(iut, error);
  release_object(iut, error);
  expect_deleter_calls(error, "3");
  release_object(iut, function);
}

static int raise_text(void *handle, __attribute__((unused)) const TVMFFIAny *args,
                      __attribute__((unused)) int32_t num_args,
                      __attribute__((unused)) TVMFFIAny *result)
{
  ((Iut *)handle)->ErrorSetRaisedFromCStr("ValueError", "expected a tensor");
  return -1;
}

// As generated code does it: tvm-ffi#409 was about errors that got lost when arguments were
// objects.
CASE(error_of_a_call_with_object_arguments_reaches_the_caller, .clauses = {FUN_14, FUN_9},
     .title =
         "an error raised from C strings reaches the caller also when arguments are objects, "
         "and these keep their counts")
{
  TVMFFIObjectHandle object = new_probe_object_of(iut, kTVMFFITensor), slot = object;
  TVMFFIAny values[2] = {view_of_object(iut, object), view_of_rvalue(&slot)};
  TVMFFIObjectHandle function = new_function(iut, iut, raise_text, NULL);
  expect_int("what the call returned",
             iut->FunctionCall(function, fenced_args(values, 2), 2, fenced_result()), -1);
  TVMFFIObjectHandle error = take_error(iut);
  require(expect_not_null("the raised error", error));
  expect_text("kind", error_cell(iut, error)->kind, "ValueError");
  expect_text("message", error_cell(iut, error)->message, "expected a tensor");
  expect_counts(iut, error, .strong = 1, .weak = 1);
  expect_counts(iut, object, .strong = 1, .weak = 1);
  expect_pointer("the handle in the slot of the rvalue", slot, object);
  release_object(iut, error);
  release_object(iut, function);
}

// tvm-ffi#425: code compiled against early headers returns -2 when its frontend keeps the error.
static const struct {
  const char *name;
  bool closure;
} kept_failures[] = {{"minus_two", false}, {"minus_two_closure", true}};

CASE_ROWS(failure_without_error_raises_none, kept_failures, .clauses = {FUN_15},
          .title = "when a callback returns -2 and raises nothing, nothing is raised")
{
  enum { KEPT_BY_FRONTEND = -2 };
  raiser = (Raiser){iut, NULL, KEPT_BY_FRONTEND};
  TVMFFIObjectHandle function =
      new_function(iut, row->closure ? &raiser : NULL, raise_callee, NULL);
  expect_int("what the call returned", iut->FunctionCall(function, NULL, 0, fenced_result()),
             KEPT_BY_FRONTEND);
  expect_no_error(iut);
  note("the same callback, raising an error");
  raiser.error = new_error(iut, "KeyError", "no such key", "");
  expect_int("what the second call returned", iut->FunctionCall(function, NULL, 0, fenced_result()),
             KEPT_BY_FRONTEND);
  require(expect_pointer("the raised error", take_error(iut), raiser.error));
  release_object(iut, raiser.error);
  release_object(iut, raiser.error);
  release_object(iut, function);
}

//--------------------------------------------------------------------------------------------------
// Calls within calls
//--------------------------------------------------------------------------------------------------

// A tower of calls: each level calls the function below it, the lowest one raises and returns a
// code.
typedef struct Tower {
  Iut *iut;
  TVMFFIObjectHandle functions[2];  // the levels use them in turn
  int depth;
  int code;  // of the lowest level
  TVMFFIObjectHandle error;
  int entered;
} Tower;

static int tower_callee(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  Tower *tower = handle;
  ++tower->entered;
  int64_t level = args[0].v_int64;
  if (level == 0) {
    if (tower->error) tower->iut->ErrorSetRaised(tower->error);
    if (tower->code == 0) *result = view_of_int(0);
    return tower->code;
  }
  TVMFFIAny below = view_of_int(level - 1);
  int code = tower->iut->FunctionCall(tower->functions[level % 2], &below, num_args, result);
  if (code == 0) ++result->v_int64;
  return code;
}

// Makes the functions of a tower, one or two. They are released by `tower_end`.
static void tower_build(Tower *tower, unsigned functions)
{
  for (unsigned i = 0; i < 2; ++i)
    tower->functions[i] =
        i < functions ? new_function(tower->iut, tower, tower_callee, NULL) : tower->functions[0];
}

static void tower_end(Tower *tower)
{
  if (tower->functions[1] != tower->functions[0]) release_object(tower->iut, tower->functions[1]);
  release_object(tower->iut, tower->functions[0]);
}

static int tower_climb(Tower *tower, TVMFFIAny *result)
{
  TVMFFIAny level = view_of_int(tower->depth);
  return tower->iut->FunctionCall(tower->functions[0], &level, 1, result);
}

static const struct {
  const char *name;
  int depth;
  unsigned functions;
  int code;
} towers[] = {
    {"one_level", 1, 2, -1},
    {"ten_levels", 10, 1, -1},
    {"ten_levels_of_two_functions", 10, 2, -2},
    {"thousand_levels", 1000, 1, -1},
    {"thousand_levels_of_two_functions", 1000, 2, 5},
};

CASE_ROWS(failure_at_depth_reaches_the_outermost_caller, towers, .clauses = {FUN_16, FUN_14},
          .title = "code and error of the innermost of nested calls reach the outermost caller")
{
  Tower tower = {.iut = iut, .depth = row->depth, .code = row->code};
  tower_build(&tower, row->functions);
  tower.error = new_error(iut, "IndexError", "too deep", "");
  expect_code("what the outermost call returned", tower_climb(&tower, fenced_result()), row->code);
  expect_int("levels entered", tower.entered, row->depth + 1);
  require(expect_pointer("the raised error", take_error(iut), tower.error));
  expect_counts(iut, tower.error, .strong = 2, .weak = 1);
  release_object(iut, tower.error);
  release_object(iut, tower.error);
  tower_end(&tower);
}

CASE_ROWS(results_come_up_through_nested_calls, towers, .clauses = {FUN_16, FUN_10},
          .title =
              "a callback may call functions, its own included, and each level gets the result "
              "of the level below")
{
  Tower tower = {.iut = iut, .depth = row->depth};
  tower_build(&tower, row->functions);
  TVMFFIAny *result = fenced_result(), expected = view_of_int(row->depth);
  ExpectedCounts before = counts_of(iut, tower.functions[0]);
  require(expect_ok(iut, tower_climb(&tower, result)));
  expect_int("levels entered", tower.entered, row->depth + 1);
  expect_same_bytes(result, &expected);
  expect_counts_added(iut, tower.functions[0], before, 0);
  tower_end(&tower);
}

// Calls a function that fails, takes the error away, and succeeds.
static int recovering_callee(void *handle, const TVMFFIAny *args, int32_t num_args,
                             TVMFFIAny *result)
{
  Tower *tower = handle;
  int code = tower->iut->FunctionCall(args[0].v_obj, NULL, 0, result);
  TVMFFIObjectHandle error = take_error(tower->iut);
  tower->entered = code == -1 && error == raiser.error;
  if (error) tower->iut->ObjectDecRef(error);
  *result = view_of_int(num_args);
  return 0;
}

CASE(level_that_recovers_hides_the_failure_below, .clauses = {FUN_16, FUN_13, FUN_14},
     .title =
         "when a callback takes the error of the call it made and returns 0, its caller sees a "
         "success and no error")
{
  raiser = (Raiser){iut, new_error(iut, "KeyError", "no such key", ""), -1};
  Tower tower = {.iut = iut};
  TVMFFIObjectHandle failing = new_function(iut, NULL, raise_callee, NULL);
  TVMFFIObjectHandle function = new_function(iut, &tower, recovering_callee, NULL);
  TVMFFIAny argument = view_of_object(iut, failing), *result = fenced_result();
  TVMFFIAny expected = view_of_int(1);
  expect_int("what the call returned",
             iut->FunctionCall(function, fenced_args(&argument, 1), 1, result), 0);
  expect_int("the callback found -1 and the error", tower.entered, 1);
  expect_no_error(iut);
  expect_same_bytes(result, &expected);
  expect_counts(iut, raiser.error, .strong = 1, .weak = 1);
  release_object(iut, raiser.error);
  release_object(iut, failing);
  release_object(iut, function);
}

// Calls a function that fails and raises an error of its own in place of the one that it finds.
static int translating_callee(void *handle, const TVMFFIAny *args,
                              __attribute__((unused)) int32_t num_args, TVMFFIAny *result)
{
  Iut *iut = handle;
  int code = iut->FunctionCall(args[0].v_obj, NULL, 0, result);
  iut->ErrorSetRaisedFromCStr("RuntimeError", "translated");
  return code - 1;
}

CASE(level_that_raises_anew_replaces_the_error_below, .clauses = {FUN_16, FUN_13, FUN_14},
     .title =
         "when a callback raises over the error of the call it made, its caller finds the new "
         "error and the new code, and the old error is released")
{
  raiser = (Raiser){iut, new_error(iut, "KeyError", "no such key", ""), -1};
  TVMFFIObjectHandle failing = new_function(iut, NULL, raise_callee, NULL);
  TVMFFIObjectHandle function = new_function(iut, iut, translating_callee, NULL);
  TVMFFIAny argument = view_of_object(iut, failing);
  expect_int("what the call returned",
             iut->FunctionCall(function, fenced_args(&argument, 1), 1, fenced_result()), -2);
  TVMFFIObjectHandle error = take_error(iut);
  require(expect_not_null("the raised error", error));
  expect_text("message", error_cell(iut, error)->message, "translated");
  expect_counts(iut, raiser.error, .strong = 1, .weak = 1);
  release_object(iut, error);
  release_object(iut, raiser.error);
  release_object(iut, failing);
  release_object(iut, function);
}

// Makes a function, calls it and releases it, all within a call.
static int making_callee(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  Tower *tower = handle;
  TVMFFIObjectHandle function = NULL;
  int code = tower->iut->FunctionCreate(NULL, raise_callee, NULL, &function);
  if (code == 0)
    code = tower->iut->FunctionCall(function, (TVMFFIAny *)(uintptr_t)args, num_args, result);
  if (function) code = tower->iut->ObjectDecRef(function) ? -9 : code;
  return code;
}

CASE(callback_may_make_call_and_release_functions, .clauses = {FUN_16, FUN_14},
     .title =
         "a callback may make a function, call it and release it; what that one raises reaches "
         "the outermost caller")
{
  raiser = (Raiser){iut, new_error(iut, "KeyError", "no such key", ""), -2};
  Tower tower = {.iut = iut};
  TVMFFIObjectHandle function = new_function(iut, &tower, making_callee, NULL);
  TVMFFIAny argument = view_of_int(1);
  expect_int("what the call returned",
             iut->FunctionCall(function, fenced_args(&argument, 1), 1, fenced_result()), -2);
  require(expect_pointer("the raised error", take_error(iut), raiser.error));
  expect_counts(iut, raiser.error, .strong = 2, .weak = 1);
  release_object(iut, raiser.error);
  release_object(iut, raiser.error);
  release_object(iut, function);
}

//--------------------------------------------------------------------------------------------------
// The heap
//--------------------------------------------------------------------------------------------------

static void fail_and_take(Iut *iut, void *context)
{
  TVMFFIAny result = any_none();
  iut->FunctionCall(context, NULL, 0, &result);
  TVMFFIObjectHandle error = take_error(iut);
  if (error) iut->ObjectDecRef(error);
}

CASE(failing_over_and_over_does_not_grow, .clauses = {OBJ_19, FUN_14},
     .title = "calls whose callback raises do not leak")
{
  TVMFFIObjectHandle function = new_function(iut, iut, raise_text, NULL);
  expect_no_heap_growth(iut, 500, fail_and_take, function);
  expect_error(iut, iut->FunctionCall(function, NULL, 0, fenced_result()), "ValueError");
  release_object(iut, function);
}
