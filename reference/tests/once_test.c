// SPDX-License-Identifier: Apache-2.0
#include "probe.h"
#include "unit/unit.h"

static int calls;
static int code;
static void *handle;
static char thing, other_thing;
static void *slot, *other_slot;

static void forget(void)
{
  calls = code = 0;
  handle = &thing;
  slot = other_slot = NULL;
}

static int init(void **result)
{
  ++calls;
  ck_assert_ptr_null(*result);
  *result = handle;
  if (code != 0) TVMFFIErrorSetRaisedFromCStr("OSError", "not today");
  return code;
}

static void *deinit_saw, *deinit_slot;

static int deinit(void *old)
{
  ++calls;
  deinit_saw = old;
  deinit_slot = slot;
  return code;
}

TEST_GROUP(all, .setup = forget);

TEST(an_empty_slot_is_filled_once)
{
  ck_assert_int_eq(TVMFFIHandleInitOnce(&slot, init), 0);
  ck_assert_ptr_eq(slot, &thing);
  ck_assert_int_eq(TVMFFIHandleInitOnce(&slot, init), 0);
  ck_assert_int_eq(TVMFFIHandleInitOnce(&slot, NULL), 0);
  ck_assert_int_eq(calls, 1);
  ck_assert_int_eq(TVMFFIHandleInitOnce(&other_slot, init), 0);
  ck_assert_int_eq(calls, 2);
}

static const int codes[] = {-1, -2, 1, 77};

TEST(a_failure_is_returned_and_tried_again, .rows = ROWS(codes))
{
  code = codes[_i];
  ck_assert_int_eq(TVMFFIHandleInitOnce(&slot, init), codes[_i]);
  ck_assert_ptr_null(slot);
  expect_raised("OSError", "not today");
  code = 0;
  ck_assert_int_eq(TVMFFIHandleInitOnce(&slot, init), 0);
  ck_assert_ptr_eq(slot, &thing);
  ck_assert_int_eq(calls, 2);
}

TEST(success_needs_a_handle)
{
  handle = NULL;
  ck_assert_int_eq(TVMFFIHandleInitOnce(&slot, init), -1);
  expect_raised("RuntimeError", "handle");
  ck_assert_ptr_null(slot);
}

static int init_needs_another(void **result)
{
  *result = &other_thing;
  return TVMFFIHandleInitOnce(&other_slot, init);
}

TEST(one_handle_may_need_another)
{
  ck_assert_int_eq(TVMFFIHandleInitOnce(&slot, init_needs_another), 0);
  ck_assert_ptr_eq(slot, &other_thing);
  ck_assert_ptr_eq(other_slot, &thing);
}

static int init_needs_itself(void **result)
{
  ++calls;
  *result = &thing;
  return TVMFFIHandleInitOnce(&slot, init_needs_itself);
}

static int init_goes_round(void **result)
{
  *result = &thing;
  return TVMFFIHandleInitOnce(&slot, init_needs_itself);
}

static int init_starts_round(void **result)
{
  *result = &thing;
  return TVMFFIHandleInitOnce(&other_slot, init_goes_round);
}

TEST(a_handle_cannot_need_itself)
{
  ck_assert_int_eq(TVMFFIHandleInitOnce(&slot, init_needs_itself), -1);
  expect_raised("RuntimeError", "its own initialisation");
  ck_assert_int_eq(calls, 1);
  ck_assert_int_eq(TVMFFIHandleInitOnce(&slot, init_starts_round), -1);
  expect_raised("RuntimeError", "its own initialisation");
  ck_assert_ptr_null(slot);
  ck_assert_ptr_null(other_slot);
  ck_assert_int_eq(TVMFFIHandleInitOnce(&slot, init), 0);
}

TEST(taking_down_empties_then_calls)
{
  slot = &thing;
  ck_assert_int_eq(TVMFFIHandleDeinitOnce(&slot, deinit), 0);
  ck_assert_ptr_eq(deinit_saw, &thing);
  ck_assert_ptr_null(deinit_slot);
  ck_assert_ptr_null(slot);
  ck_assert_int_eq(TVMFFIHandleDeinitOnce(&slot, deinit), 0);
  ck_assert_int_eq(TVMFFIHandleDeinitOnce(&slot, NULL), 0);
  ck_assert_int_eq(calls, 1);
  ck_assert_int_eq(TVMFFIHandleInitOnce(&slot, init), 0);
  ck_assert_ptr_eq(slot, &thing);
}

TEST(taking_down_returns_the_code, .rows = ROWS(codes))
{
  slot = &thing;
  code = codes[_i];
  ck_assert_int_eq(TVMFFIHandleDeinitOnce(&slot, deinit), codes[_i]);
  ck_assert_ptr_null(slot);
}

TEST(refuses_missing_arguments)
{
  ck_assert_int_eq(TVMFFIHandleInitOnce(NULL, init), -1);
  expect_raised("ValueError", "handle_addr");
  ck_assert_int_eq(TVMFFIHandleInitOnce(&slot, NULL), -1);
  expect_raised("ValueError", "init_func");
  ck_assert_int_eq(TVMFFIHandleDeinitOnce(NULL, deinit), -1);
  expect_raised("ValueError", "handle_addr");
  slot = &thing;
  ck_assert_int_eq(TVMFFIHandleDeinitOnce(&slot, NULL), -1);
  expect_raised("ValueError", "deinit_func");
  ck_assert_ptr_eq(slot, &thing);
  ck_assert_int_eq(calls, 0);
}
