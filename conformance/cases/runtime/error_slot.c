// SPDX-License-Identifier: Apache-2.0
// The slot of a thread: what raising puts there, what moving takes out, and who holds which
// reference meanwhile.
#include <stdio.h>

#include "error_making.h"
#include "object_header.h"

CHAPTER(error);

static const struct {
  const char *name;
  AbiFunctionId function;
} functions[] = {
    {"move-from-raised", FN_ErrorMoveFromRaised},
    {"set-raised", FN_ErrorSetRaised},
    {"set-raised-from-c-string", FN_ErrorSetRaisedFromCStr},
    {"set-raised-from-parts", FN_ErrorSetRaisedFromCStrParts},
    {"create", FN_ErrorCreate},
    {"backtrace", FN_Backtrace},
};

CASE_ROWS(exports, functions, .clauses = {ERR_1},
          .title = "the runtime exports the functions of the chapter on errors")
{
  expect_that(iut_has(iut, row->function), "an exported function", "no symbol %s",
              abi_functions[row->function].symbol);
}

CASE(exports_creation_with_cause, .clauses = {ERR_2},
     .title = "the runtime exports the creation of errors with cause and extra context")
{
  expect_that(iut_has(iut, FN_ErrorCreateWithCauseAndExtraContext), "an exported function",
              "no symbol TVMFFIErrorCreateWithCauseAndExtraContext");
}

// Most of what follows holds for errors of the library and for those that it did not make.
static const struct {
  const char *name;
  bool foreign;
} origins[] = {{"of-the-runtime", false}, {"foreign", true}};

static TVMFFIObjectHandle error_from(Iut *iut, bool foreign)
{
  if (foreign) return new_probe_object_of(iut, kTVMFFIError);
  return new_error(iut, "ValueError", "an error to be raised", "");
}

// --- Ways to raise -------------------------------------------------------------------------------

static void raise_created(Iut *iut)
{
  TVMFFIObjectHandle error = new_error(iut, "ValueError", "created", "");
  iut->ErrorSetRaised(error);
  release_object(iut, error);
}

static void raise_foreign(Iut *iut)
{
  TVMFFIObjectHandle error = new_probe_object_of(iut, kTVMFFIError);
  iut->ErrorSetRaised(error);
  release_object(iut, error);
}

static void raise_c_string(Iut *iut)
{
  iut->ErrorSetRaisedFromCStr("TypeError", "from a C string");
}

static void raise_parts(Iut *iut)
{
  const char *parts[] = {"from ", "parts"};
  iut->ErrorSetRaisedFromCStrParts("KeyError", parts, 2);
}

static const struct {
  const char *name;
  void (*raise)(Iut *iut);
} ways[] = {
    {"created", raise_created}, {"foreign", raise_foreign},         {"c-string", raise_c_string},
    {"parts", raise_parts},     {"failing-call", raise_by_failing},
};

// --- Moving --------------------------------------------------------------------------------------

static void move_in_new_thread(Iut *iut, unsigned index, void *context)
{
  (void)index;
  iut->ErrorMoveFromRaised(context);
}

CASE(new_thread_has_nothing_raised, .clauses = {ERR_3},
     .title = "moving in a thread where nothing was raised gives NULL, whatever the output held")
{
  TVMFFIObjectHandle *out = fenced_buffer("the output", sizeof *out);
  run_in_threads(iut, 1, move_in_new_thread, out);
  expect_pointer("moved in a new thread", *out, NULL);
}

CASE(cleared_slot_moves_null, .clauses = {ERR_9}, .wrong_call = true,
     .title = "moving after the slot was cleared gives NULL, whatever the output held")
{
  TVMFFIObjectHandle *out = fenced_buffer("the output", sizeof *out);
  iut->ErrorSetRaisedFromCStr("ValueError", "cleared away");
  iut->ErrorSetRaised(NULL);
  iut->ErrorMoveFromRaised(out);
  expect_pointer("moved", *out, NULL);
  note("after the empty slot was cleared");
  *out = out;
  iut->ErrorSetRaised(NULL);
  iut->ErrorMoveFromRaised(out);
  expect_pointer("moved", *out, NULL);
}

CASE_ROWS(
    moving_hands_over_the_reference, origins, .clauses = {ERR_4},
    .title = "moving gives the very object that was raised, and leaves its counts as they are")
{
  TVMFFIObjectHandle error = error_from(iut, row->foreign);
  iut->ErrorSetRaised(error);
  uint64_t strong = object_strong(iut, error), weak = object_weak(iut, error);
  TVMFFIObjectHandle *moved = fenced_buffer("the output", sizeof *moved);
  iut->ErrorMoveFromRaised(moved);
  require(expect_pointer("moved", *moved, error));
  expect_counts(iut, error, .strong = strong, .weak = weak);
  release_object(iut, *moved);
  expect_counts(iut, error, .strong = 1, .weak = 1);
  if (row->foreign) expect_deleter_calls(error, "");
  release_object(iut, error);
  if (row->foreign) expect_deleter_calls(error, "3");
}

CASE_ROWS(moved_error_is_the_callers_alone, ways, .clauses = {ERR_4},
          .title = "moving out an error that has no other holder transfers its only reference")
{
  row->raise(iut);
  TVMFFIObjectHandle error = take_raised_error(iut);
  expect_counts(iut, error, .strong = 1, .weak = 1);
  expect_int("type index", object_type_index(iut, error), kTVMFFIError);
  release_object(iut, error);
}

CASE_ROWS(moving_empties_the_slot, ways, .clauses = {ERR_5, ERR_3},
          .title = "moving twice gives the error once, and then NULL")
{
  row->raise(iut);
  TVMFFIObjectHandle error = take_raised_error(iut);
  TVMFFIObjectHandle again = error;
  for (int i = 0; i < 2; ++i) {
    iut->ErrorMoveFromRaised(&again);
    if (!expect_pointer("moved again", again, NULL)) return;
  }
  release_object(iut, error);
}

// --- Raising -------------------------------------------------------------------------------------

CASE_ROWS(raising_takes_a_reference, origins, .clauses = {ERR_6},
          .title = "raising an error raises its strong count by one and changes nothing else")
{
  TVMFFIObjectHandle error = error_from(iut, row->foreign);
  unsigned char header[OBJECT_HEADER_MAX];
  size_t size = iut->layout->header_size;
  memcpy(header, error, size);
  iut->ErrorSetRaised(error);
  expect_counts(iut, error, .strong = 2, .weak = 1);
  TVMFFIObjectHandle moved = take_raised_error(iut);
  release_object(iut, moved);
  expect_memory("the header when the reference is back", error, size, header, size);
  if (!row->foreign)
    expect_kind_and_message(iut, error, "ValueError", "an error to be raised");
  else
    expect_deleter_calls(error, "");
  release_object(iut, error);
}

CASE_ROWS(later_error_replaces_the_earlier, ways, .clauses = {ERR_7},
          .title = "raising an error releases the one that was in the slot")
{
  TVMFFIObjectHandle earlier = new_probe_object_of(iut, kTVMFFIError);
  iut->ErrorSetRaised(earlier);
  require(expect_counts(iut, earlier, .strong = 2, .weak = 1));
  row->raise(iut);
  expect_counts(iut, earlier, .strong = 1, .weak = 1);
  TVMFFIObjectHandle later = take_raised_error(iut);
  expect_that(later != earlier, "the later error is moved out", "the earlier one");
  release_object(iut, later);
}

CASE_ROWS(replaced_error_dies, ways, .clauses = {ERR_7},
          .title = "an error that only the slot holds is released for good when another is raised")
{
  TVMFFIObjectHandle earlier = new_probe_object_of(iut, kTVMFFIError);
  iut->ErrorSetRaised(earlier);
  release_object(iut, earlier);
  expect_deleter_calls(earlier, "");
  row->raise(iut);
  expect_deleter_calls(earlier, "3");
  release_object(iut, take_raised_error(iut));
}

CASE(later_of_many_is_moved_out, .clauses = {ERR_7, ERR_5},
     .title = "when many errors are raised in sequence, only the last is moved out")
{
  char message[32];
  for (int i = 0; i < 100; ++i) {
    snprintf(message, sizeof message, "error %d", i);
    iut->ErrorSetRaisedFromCStr("ValueError", message);
  }
  TVMFFIObjectHandle error = take_raised_error(iut);
  expect_text("message", error_cell(iut, error)->message, "error 99");
  release_object(iut, error);
  expect_no_error(iut);
}

CASE_ROWS(held_error_is_raised_again, origins, .clauses = {ERR_8}, .wrong_call = true,
          .title = "raising the error that is in the slot leaves its counts as they are")
{
  TVMFFIObjectHandle error = error_from(iut, row->foreign);
  iut->ErrorSetRaised(error);
  require(expect_counts(iut, error, .strong = 2, .weak = 1));
  for (int i = 0; i < 3; ++i) iut->ErrorSetRaised(error);
  expect_counts(iut, error, .strong = 2, .weak = 1);
  TVMFFIObjectHandle moved = take_raised_error(iut);
  expect_pointer("moved", moved, error);
  release_object(iut, moved);
  release_object(iut, error);
}

CASE(slots_only_reference_is_raised_again, .clauses = {ERR_8}, .wrong_call = true,
     .title = "raising the error in the slot keeps it alive when nobody else holds it")
{
  TVMFFIObjectHandle error = new_probe_object_of(iut, kTVMFFIError);
  iut->ErrorSetRaised(error);
  release_object(iut, error);
  require(expect_counts(iut, error, .strong = 1, .weak = 1));
  iut->ErrorSetRaised(error);
  expect_deleter_calls(error, "");
  expect_counts(iut, error, .strong = 1, .weak = 1);
  TVMFFIObjectHandle moved = take_raised_error(iut);
  expect_pointer("moved", moved, error);
  release_object(iut, moved);
  expect_deleter_calls(error, "3");
}

CASE_ROWS(raising_null_clears, ways, .clauses = {ERR_9}, .wrong_call = true,
          .title = "raising NULL leaves nothing to be moved out")
{
  row->raise(iut);
  iut->ErrorSetRaised(NULL);
  expect_no_error(iut);
  row->raise(iut);
  release_object(iut, take_raised_error(iut));
}

CASE(raising_null_releases, .clauses = {ERR_9}, .wrong_call = true,
     .title = "raising NULL releases the error in the slot")
{
  TVMFFIObjectHandle error = new_probe_object_of(iut, kTVMFFIError);
  iut->ErrorSetRaised(error);
  release_object(iut, error);
  expect_deleter_calls(error, "");
  iut->ErrorSetRaised(NULL);
  expect_deleter_calls(error, "3");
  iut->ErrorSetRaised(NULL);
  expect_deleter_calls(error, "3");
}

// --- Errors of others ----------------------------------------------------------------------------

// tvm-ffi#592: the cell grew from 56 to 72 bytes, and a runtime of 0.1.8 released two fields that
// errors of older code do not have. The cell here can't be read beyond its end.
enum { FOREIGN_CELL = offsetof(TVMFFIErrorCell, cause_chain) };

static TVMFFIObjectHandle new_fenced_error(const Iut *iut, ObjectDeleter *deleter)
{
  void *memory = fenced_buffer("the error object", iut->layout->header_size + FOREIGN_CELL);
  TVMFFIObjectHandle error = object_place(iut, memory, kTVMFFIError, deleter);
  fill_error_cell((char *)memory + iut->layout->header_size);
  return error;
}

static void expect_cell_untouched(Iut *iut, TVMFFIObjectHandle error)
{
  unsigned char untouched[FOREIGN_CELL];
  fill_error_cell(untouched);
  expect_memory("the cell of the error", object_body(iut, error), sizeof untouched, untouched,
                sizeof untouched);
}

static unsigned foreign_ends;

static void end_foreign_error(void *self, int flags)
{
  (void)self, (void)flags;
  ++foreign_ends;
}

CASE(foreign_error_is_only_counted, .clauses = {ERR_11},
     .title =
         "an error made elsewhere is raised, replaced, moved and released, nothing behind its "
         "cell read and nothing behind its header written")
{
  TVMFFIObjectHandle error = new_fenced_error(iut, end_foreign_error);
  note("raising, moving and releasing it");
  iut->ErrorSetRaised(error);
  require(expect_pointer("moved", take_error(iut), error));
  expect_counts(iut, error, .strong = 2, .weak = 1);
  release_object(iut, error);
  note("raising it twice and emptying the slot");
  iut->ErrorSetRaised(error);
  iut->ErrorSetRaised(error);
  release_object(iut, take_raised_error(iut));
  expect_counts(iut, error, .strong = 1, .weak = 1);
  note("replacing it when the slot has its only reference");
  iut->ErrorSetRaised(error);
  release_object(iut, error);
  expect_int("calls of its deleter", foreign_ends, 0);
  iut->ErrorSetRaisedFromCStr("ValueError", "later");
  expect_int("calls of its deleter", foreign_ends, 1);
  expect_cell_untouched(iut, error);
  release_object(iut, take_raised_error(iut));
}

CASE(foreign_error_without_deleter, .clauses = {OBJ_11}, .wrong_call = true,
     .title = "an error made elsewhere need not have a deleter")
{
  TVMFFIObjectHandle error = new_fenced_error(iut, NULL);
  iut->ErrorSetRaised(error);
  release_object(iut, error);
  require(expect_counts(iut, error, .strong = 1, .weak = 1));
  release_object(iut, take_raised_error(iut));
  expect_int("strong count when its last reference is dropped", (int64_t)object_strong(iut, error),
             0);
}
