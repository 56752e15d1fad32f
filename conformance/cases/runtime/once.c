// SPDX-License-Identifier: Apache-2.0
// Handles that are made at most one time, in one thread: filling a slot and taking it down. The
// functions are given no context, so what they saw and what they are to do stands in static memory.
#include "battery/battery.h"

CHAPTER(once);

static Iut *iut_of_callbacks;
static int made;  // handles point here and into the bytes behind

// What `make` does, and what it saw.
static struct {
  unsigned calls;
  void *result_before;
  void *gives;
  int returns;
  const char *raises;  // message of the error that it raises, or NULL
} making;

static int make(void **result)
{
  ++making.calls;
  making.result_before = *result;
  *result = making.gives;
  if (making.raises) iut_of_callbacks->ErrorSetRaisedFromCStr("ValueError", making.raises);
  return making.returns;
}

// What `unmake` does, and what it saw.
static struct {
  unsigned calls;
  void *handle;
  void **slot, *in_slot;
  int returns;
} unmaking;

static int unmake(void *handle)
{
  ++unmaking.calls;
  unmaking.handle = handle;
  if (unmaking.slot) unmaking.in_slot = *unmaking.slot;
  return unmaking.returns;
}

// An empty slot with unmapped memory behind it.
static void **new_slot(void)
{
  void **slot = fenced_buffer("the slot", sizeof *slot);
  *slot = NULL;
  return slot;
}

static const struct {
  const char *name;
  AbiFunctionId function;
} functions[] = {{"init-once", FN_HandleInitOnce}, {"deinit-once", FN_HandleDeinitOnce}};

CASE_ROWS(exports, functions, .clauses = {ONCE_1},
          .title = "the runtime exports the functions of the chapter on handles made once")
{
  expect_that(iut_has(iut, row->function), "an exported function", "no symbol %s",
              abi_functions[row->function].symbol);
}

// --- Filling -------------------------------------------------------------------------------------

static const struct {
  const char *name;
  uintptr_t handle;
} handles[] = {{"a-variable", 0}, {"address-1", 1}, {"all-bits-set", UINTPTR_MAX}};

static void *handle_of(uintptr_t number)
{
  return number ? (void *)number : &made;
}

CASE_ROWS(
    empty_slot_is_filled, handles, .clauses = {ONCE_2},
    .title = "an empty slot is filled with the handle that the function makes in its one call")
{
  void **slot = new_slot();
  making.gives = handle_of(row->handle);
  expect_ok(iut, iut->HandleInitOnce(slot, make));
  expect_int("calls of the function", making.calls, 1);
  expect_pointer("the slot", *slot, making.gives);
}

CASE(result_is_null_before, .clauses = {ONCE_18},
     .title = "the function that makes the handle finds NULL in its result")
{
  void **slot = new_slot();
  making.gives = &made;
  making.result_before = &making;
  expect_ok(iut, iut->HandleInitOnce(slot, make));
  expect_pointer("the result as the function found it", making.result_before, NULL);
}

CASE_ROWS(filled_slot_is_left_alone, handles, .clauses = {ONCE_3},
          .title = "a slot that was filled stays as it is, and its function is not called again")
{
  void **slot = new_slot();
  making.gives = handle_of(row->handle);
  require(expect_ok(iut, iut->HandleInitOnce(slot, make)));
  making.gives = &making;
  for (int again = 0; again < 3; ++again) expect_ok(iut, iut->HandleInitOnce(slot, make));
  expect_int("calls of the function", making.calls, 1);
  expect_pointer("the slot", *slot, handle_of(row->handle));
}

CASE(slot_filled_by_hand_is_left_alone, .clauses = {ONCE_3},
     .title = "a slot that holds a handle is left alone, whoever put it there")
{
  void **slot = new_slot();
  *slot = &made;
  making.gives = &making;
  expect_ok(iut, iut->HandleInitOnce(slot, make));
  expect_int("calls of the function", making.calls, 0);
  expect_pointer("the slot", *slot, &made);
}

CASE(slots_do_not_share_handles, .clauses = {ONCE_9},
     .title = "slots that are filled with the same function are filled by a call each")
{
  enum { SLOTS = 20 };
  static char things[SLOTS];
  void *slots[SLOTS] = {NULL};
  for (unsigned i = 0; i < SLOTS; ++i) {
    making.gives = &things[i];
    require(expect_ok(iut, iut->HandleInitOnce(&slots[i], make)));
    expect_int("calls of the function", making.calls, i + 1);
  }
  for (unsigned i = 0; i < SLOTS; ++i) expect_pointer("the slot", slots[i], &things[i]);
}

static void *outer_slot, *inner_slot;

static int make_with_filled_inner(void **result)
{
  expect_int("returned by the inner call", iut_of_callbacks->HandleInitOnce(&inner_slot, make), 0);
  *result = inner_slot;
  return 0;
}

CASE(function_may_ask_for_a_filled_slot, .clauses = {ONCE_8}, .wrong_call = true,
     .title = "a function that is called to fill a slot may ask for another, filled slot")
{
  iut_of_callbacks = iut;
  making.gives = &made;
  require(expect_ok(iut, iut->HandleInitOnce(&inner_slot, make)));
  note("asking for the filled slot from within the function of another slot");
  expect_ok(iut, iut->HandleInitOnce(&outer_slot, make_with_filled_inner));
  expect_int("calls of the inner function", making.calls, 1);
  expect_pointer("the outer slot", outer_slot, &made);
}

// --- Failing -------------------------------------------------------------------------------------

static const struct {
  const char *name;
  int code;
  bool writes;
} failures[] = {
    {"minus-1", -1, false},
    {"minus-2", -2, false},
    {"one", 1, false},
    {"smallest", INT32_MIN, false},
    {"largest", INT32_MAX, false},
    {"minus-1-with-a-handle", -1, true},
    {"five-with-a-handle", 5, true},
};

CASE_ROWS(
    failure_is_returned, failures, .clauses = {ONCE_5},
    .title = "the code of a function that fails is returned, its error raised, and the slot empty")
{
  iut_of_callbacks = iut;
  void **slot = new_slot();
  making.returns = row->code;
  making.gives = row->writes ? &made : NULL;
  making.raises = "could not be made";
  expect_int("returned", iut->HandleInitOnce(slot, make), row->code);
  expect_pointer("the slot", *slot, NULL);
  TVMFFIObjectHandle error = take_error(iut);
  if (!expect_not_null("the error that the function raised", error)) return;
  expect_text("its message", error_cell(iut, error)->message, "could not be made");
  release_object(iut, error);
}

static const struct {
  const char *name;
  int code;
} codes[] = {{"minus-1", -1}, {"minus-2", -2}, {"one", 1}, {"smallest", INT32_MIN}};

CASE_ROWS(failure_is_tried_again, codes, .clauses = {ONCE_6},
          .title = "after a failure the next call calls the function again")
{
  void **slot = new_slot();
  making.returns = row->code;
  for (unsigned i = 1; i <= 3; ++i) {
    expect_int("returned", iut->HandleInitOnce(slot, make), row->code);
    expect_int("calls of the function", making.calls, i);
  }
  making.returns = 0;
  making.gives = &made;
  expect_ok(iut, iut->HandleInitOnce(slot, make));
  expect_int("calls of the function", making.calls, 4);
  expect_pointer("the slot", *slot, &made);
}

CASE(success_without_handle_is_a_failure, .clauses = {ONCE_7}, .wrong_call = true,
     .title =
         "a function that succeeds but leaves NULL raises a RuntimeError, and the slot stays "
         "empty")
{
  void **slot = new_slot();
  expect_error(iut, iut->HandleInitOnce(slot, make), "RuntimeError");
  expect_int("calls of the function", making.calls, 1);
  expect_pointer("the slot", *slot, NULL);

  note("the same function, with a handle");
  making.gives = &made;
  expect_ok(iut, iut->HandleInitOnce(slot, make));
  expect_pointer("the slot", *slot, &made);
}

// --- Taking down ---------------------------------------------------------------------------------

static void **filled_slot(Iut *iut)
{
  void **slot = new_slot();
  making.gives = &made;
  require(expect_ok(iut, iut->HandleInitOnce(slot, make)));
  return slot;
}

CASE(taking_down_gives_the_handle, .clauses = {ONCE_10},
     .title = "taking down calls the function once with the handle, and leaves the slot empty")
{
  void **slot = filled_slot(iut);
  expect_ok(iut, iut->HandleDeinitOnce(slot, unmake));
  expect_int("calls of the function", unmaking.calls, 1);
  expect_pointer("the handle that it was given", unmaking.handle, &made);
  expect_pointer("the slot", *slot, NULL);
}

CASE(taking_down_empties_the_slot_first, .clauses = {ONCE_17},
     .title = "while the function that takes a handle down runs the slot is empty")
{
  void **slot = filled_slot(iut);
  unmaking.slot = slot;
  unmaking.in_slot = &made;
  expect_ok(iut, iut->HandleDeinitOnce(slot, unmake));
  expect_pointer("the slot while it ran", unmaking.in_slot, NULL);
}

CASE_ROWS(taking_down_that_fails_empties_the_slot, failures, .clauses = {ONCE_11},
          .title = "when the function fails, taking down fails and leaves the slot empty")
{
  void **slot = filled_slot(iut);
  unmaking.returns = row->code;
  expect_that(iut->HandleDeinitOnce(slot, unmake) != 0, "a code other than 0", "0");
  expect_int("calls of the function", unmaking.calls, 1);
  expect_pointer("the slot", *slot, NULL);
}

CASE_ROWS(taking_down_returns_the_code, failures, .clauses = {ONCE_16},
          .title = "taking down returns what its function returns")
{
  void **slot = filled_slot(iut);
  unmaking.returns = row->code;
  expect_int("returned", iut->HandleDeinitOnce(slot, unmake), row->code);
}

CASE(empty_slot_needs_no_taking_down, .clauses = {ONCE_12},
     .title = "taking down an empty slot returns 0 and calls nothing")
{
  void **slot = new_slot();
  unmaking.returns = 7;
  expect_ok(iut, iut->HandleDeinitOnce(slot, unmake));
  expect_int("calls of the function", unmaking.calls, 0);
  expect_pointer("the slot", *slot, NULL);

  note("taking down twice");
  unmaking.returns = 0;
  slot = filled_slot(iut);
  expect_ok(iut, iut->HandleDeinitOnce(slot, unmake));
  expect_ok(iut, iut->HandleDeinitOnce(slot, unmake));
  expect_int("calls of the function", unmaking.calls, 1);
}

CASE(slot_can_be_filled_again, .clauses = {ONCE_14},
     .title = "a slot that was taken down is filled again by the next call")
{
  static char things[10];
  void **slot = new_slot();
  for (unsigned i = 0; i < sizeof things; ++i) {
    making.gives = &things[i];
    require(expect_ok(iut, iut->HandleInitOnce(slot, make)));
    expect_int("calls of the function that makes", making.calls, i + 1);
    expect_pointer("the slot", *slot, &things[i]);
    require(expect_ok(iut, iut->HandleDeinitOnce(slot, unmake)));
    expect_int("calls of the function that takes down", unmaking.calls, i + 1);
  }
}

static void **slot_to_refill;

static int refill(void *handle)
{
  ++unmaking.calls;
  making.gives = (char *)handle + 1;
  return iut_of_callbacks->HandleInitOnce(slot_to_refill, make);
}

CASE(slot_is_filled_again_while_it_is_taken_down, .clauses = {ONCE_17}, .wrong_call = true,
     .title = "the function that takes a handle down may fill the slot again")
{
  iut_of_callbacks = iut;
  slot_to_refill = filled_slot(iut);
  expect_ok(iut, iut->HandleDeinitOnce(slot_to_refill, refill));
  expect_int("calls of the function that takes down", unmaking.calls, 1);
  expect_int("calls of the function that makes", making.calls, 2);
  expect_pointer("the slot", *slot_to_refill, (char *)&made + 1);
}
