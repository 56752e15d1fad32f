// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "core/thread.h"
#include "probe.h"
#include "unit/unit.h"

// What the callback was given, and what it is to do.
static struct {
  int calls;
  void *handle;
  const TVMFFIAny *args;
  int32_t num_args;
  TVMFFIAny *result;
  int code;
  TVMFFIAny value;
} last;

static int note_call(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  ++last.calls;
  last.handle = handle;
  last.args = args;
  last.num_args = num_args;
  last.result = result;
  if (last.code == 0 && result != NULL) *result = last.value;
  return last.code;
}

static int deletions;
static void *deleted;

static void note_deletion(void *self)
{
  ++deletions;
  deleted = self;
}

static void forget(void)
{
  memset(&last, 0, sizeof last);
  deletions = 0;
  deleted = &deletions;
}

static TVMFFIFunctionCell *cell_of(TVMFFIObjectHandle function)
{
  return (TVMFFIFunctionCell *)((TVMFFIObject *)function + 1);
}

static TVMFFIObjectHandle make(void *self, void (*deleter)(void *))
{
  TVMFFIObjectHandle out = NULL;
  ck_assert_int_eq(TVMFFIFunctionCreate(self, note_call, deleter, &out), 0);
  ck_assert_int_eq(last.calls, 0);
  return out;
}

static int call(TVMFFIObjectHandle function)
{
  TVMFFIAny result = {.type_index = kTVMFFINone};
  return TVMFFIFunctionCall(function, NULL, 0, &result);
}

TEST_GROUP(all, .setup = forget);

TEST(a_plain_callback_gets_the_function)
{
  TVMFFIObjectHandle function = make(NULL, NULL);
  ck_assert(cell_of(function)->safe_call == note_call);
  ck_assert_ptr_null(cell_of(function)->cpp_call);
  ck_assert_int_eq(call(function), 0);
  ck_assert_ptr_eq(last.handle, function);
  TVMFFIObjectDecRef(function);
}

// A self, a deleter, or both make a closure.
TEST(a_closure_gets_its_self, .first = 1, .rows = 4)
{
  void *self = _i & 1 ? &last : NULL;
  TVMFFIObjectHandle function = make(self, _i & 2 ? note_deletion : NULL);
  ck_assert(cell_of(function)->safe_call != NULL);
  ck_assert_ptr_null(cell_of(function)->cpp_call);
  ck_assert_int_eq(call(function), 0);
  ck_assert_ptr_eq(last.handle, self);
  last.handle = &deletions;
  ck_assert_int_eq(cell_of(function)->safe_call(function, NULL, 0, &last.value), 0);
  ck_assert_ptr_eq(last.handle, self);
  TVMFFIObjectIncRef(function);
  TVMFFIObjectDecRef(function);
  ck_assert_int_eq(deletions, 0);
  TVMFFIObjectDecRef(function);
  ck_assert_int_eq(deletions, _i & 2 ? 1 : 0);
  if (_i & 2) ck_assert_ptr_eq(deleted, self);
}

TEST(a_closure_is_deleted_with_the_strong_references)
{
  TVMFFIObject *function = make(&last, note_deletion);
  function->combined_ref_count += COUNTS(0, 1);
  TVMFFIObjectDecRef(function);
  ck_assert_int_eq(deletions, 1);
  function->deleter(function, kTVMFFIObjectDeleterFlagBitMaskWeak);
  ck_assert_int_eq(deletions, 1);
}

static const int32_t numbers[] = {0, 1, 8, 1000, -1, INT32_MAX, INT32_MIN};

TEST(a_call_hands_everything_on, .rows = ROWS(numbers))
{
  TVMFFIObjectHandle function = make(_i % 2 == 0 ? NULL : &last, NULL);
  TVMFFIAny arg = rubbish(), result = rubbish();
  last.value = rubbish();
  ck_assert_int_eq(TVMFFIFunctionCall(function, &arg, numbers[_i], &result), 0);
  ck_assert_int_eq(last.calls, 1);
  ck_assert_ptr_eq(last.args, &arg);
  ck_assert_int_eq(last.num_args, numbers[_i]);
  ck_assert_ptr_eq(last.result, &result);
  expect_same_value(&result, &last.value);
  ck_assert_int_eq(TVMFFIFunctionCall(function, NULL, 0, NULL), 0);
  ck_assert_ptr_null(last.args);
  ck_assert_ptr_null(last.result);
  expect_counts(function, 1, 1);
  TVMFFIObjectDecRef(function);
}

static const int codes[] = {0, -1, -2, 1, 5, INT32_MAX, INT32_MIN};

TEST(the_code_comes_back, .rows = ROWS(codes))
{
  TVMFFIObjectHandle function = make(NULL, NULL);
  last.code = codes[_i];
  ck_assert_int_eq(call(function), codes[_i]);
  expect_nothing_raised();
  TVMFFIObjectDecRef(function);
}

static int fail_at_depth(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  if (num_args == 0) {
    TVMFFIErrorSetRaisedFromCStr("IndexError", "too deep");
    return -7;
  }
  return TVMFFIFunctionCall(handle, (TVMFFIAny *)args, num_args - 1, result);
}

TEST(failures_come_through_every_level)
{
  TVMFFIObjectHandle function = NULL;
  TVMFFIAny result = {.type_index = kTVMFFINone};
  ck_assert_int_eq(TVMFFIFunctionCreate(NULL, fail_at_depth, NULL, &function), 0);
  ck_assert_int_eq(TVMFFIFunctionCall(function, NULL, 100, &result), -7);
  expect_raised("IndexError", "too deep");
  TVMFFIObjectDecRef(function);
}

TEST(functions_of_other_makers_are_called)
{
  struct {
    TVMFFIObject header;
    TVMFFIFunctionCell cell;
  } foreign = {.header = {.combined_ref_count = COUNTS(1, 1), .type_index = kTVMFFIFunction},
               .cell = {.safe_call = note_call}};
  ck_assert_int_eq(call(&foreign), 0);
  ck_assert_ptr_eq(last.handle, &foreign);
}

TEST(refuses_to_call_what_is_no_function)
{
  Probe probe = probe_make(kTVMFFIStr);
  ck_assert_int_eq(call(NULL), -1);
  expect_raised("ValueError", "func");
  ck_assert_int_eq(call(&probe), -1);
  expect_raised("TypeError", "65");
}

TEST(refuses_to_make_a_function_of_nothing)
{
  TVMFFIObjectHandle out = &last;
  ck_assert_int_eq(TVMFFIFunctionCreate(&last, NULL, note_deletion, &out), -1);
  expect_raised("ValueError", "safe_call");
  ck_assert_ptr_eq(out, &last);
  ck_assert_int_eq(TVMFFIFunctionCreate(&last, note_call, note_deletion, NULL), -1);
  expect_raised("ValueError", "out");
  ck_assert_int_eq(deletions, 0);
}

TEST(reports_want_of_memory, .rows = 2)
{
  TVMFFIObjectHandle out = &last, taken[THREAD_SPARES];
  for (int i = 0; i < THREAD_SPARES; ++i) {  // so that the thread keeps no memory of others
    ck_assert_int_eq(TVMFFIFunctionCreate(NULL, note_call, NULL, &taken[i]), 0);
  }
  faults_arm(1);
  int code = TVMFFIFunctionCreate(_i == 0 ? NULL : &last, note_call, NULL, &out);
  ck_assert(faults_disarm());
  ck_assert_int_eq(code, -1);
  expect_raised("InternalError", "memory");
  ck_assert_ptr_eq(out, &last);
  for (int i = 0; i < THREAD_SPARES; ++i) TVMFFIObjectDecRef(taken[i]);
}
