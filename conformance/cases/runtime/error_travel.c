// SPDX-License-Identifier: Apache-2.0
// Errors on their way: through calls within calls, past functions that succeed, and up with a
// backtrace that grows.
#include <stdio.h>

#include "error_making.h"

CHAPTER(error);

// --- Past functions that succeed -----------------------------------------------------------------

static void use_inc_ref(Iut *iut)
{
  TVMFFIObjectHandle object = new_probe_object(iut);
  expect_int("returned by ObjectIncRef", iut->ObjectIncRef(object), 0);
  expect_counts(iut, object, .strong = 2, .weak = 1);
}

static void use_dec_ref(Iut *iut)
{
  TVMFFIObjectHandle object = new_probe_object(iut);
  expect_int("returned by ObjectDecRef", iut->ObjectDecRef(object), 0);
  expect_deleter_calls(object, "3");
}

static void delete_nothing(void *handle)
{
  (void)handle;
}

static void use_create_opaque(Iut *iut)
{
  TVMFFIObjectHandle object = NULL;
  expect_int("returned by ObjectCreateOpaque",
             iut->ObjectCreateOpaque(NULL, kTVMFFIOpaquePyObject, delete_nothing, &object), 0);
  require(expect_not_null("the object", object));
  release_object(iut, object);
}

static void use_own_any(Iut *iut)
{
  TVMFFIAny view = view_of_raw_string("longer than seven"), owned = garbage_but_none();
  expect_int("returned by AnyViewToOwnedAny", iut->AnyViewToOwnedAny(&view, &owned), 0);
  expect_type_index(&owned, kTVMFFIStr);
  release_any(iut, &owned);
}

static void use_string(Iut *iut)
{
  TVMFFIByteArray text = bytes_of("longer than seven");
  TVMFFIAny owned = garbage_but_none();
  expect_int("returned by StringFromByteArray", iut->StringFromByteArray(&text, &owned), 0);
  expect_type_index(&owned, kTVMFFIStr);
  release_any(iut, &owned);
}

static void use_bytes(Iut *iut)
{
  TVMFFIByteArray text = bytes_of("longer than seven");
  TVMFFIAny owned = garbage_but_none();
  expect_int("returned by BytesFromByteArray", iut->BytesFromByteArray(&text, &owned), 0);
  expect_type_index(&owned, kTVMFFIBytes);
  release_any(iut, &owned);
}

static void use_function(Iut *iut)
{
  static CallLog log;
  TVMFFIObjectHandle function = NULL;
  expect_int("returned by FunctionCreate",
             iut->FunctionCreate(&log, call_log_callee, call_log_delete, &function), 0);
  TVMFFIAny result = garbage_but_none();
  expect_int("returned by FunctionCall", iut->FunctionCall(function, NULL, 0, &result), 0);
  expect_that(log.calls > 0, "calls of the callee", "none");
  release_object(iut, function);
}

static void use_names(Iut *iut)
{
  TVMFFIByteArray name = bytes_of("conform.error.travel"), unknown = bytes_of("conform.no.such");
  TVMFFIObjectHandle function = NULL, found = NULL;
  require(expect_int("returned by FunctionCreate",
                     iut->FunctionCreate(NULL, call_log_callee_without_self, NULL, &function), 0));
  expect_int("returned by FunctionSetGlobal", iut->FunctionSetGlobal(&name, function, 1), 0);
  expect_int("returned by FunctionGetGlobal", iut->FunctionGetGlobal(&name, &found), 0);
  require(expect_pointer("what the name leads to", found, function));
  release_object(iut, found);
  expect_int("returned for an unknown name", iut->FunctionGetGlobal(&unknown, &found), 0);
  release_object(iut, function);
}

static void use_error_create(Iut *iut)
{
  TVMFFIByteArray text = bytes_of("text");
  TVMFFIObjectHandle error = NULL;
  expect_int("returned by ErrorCreate", iut->ErrorCreate(&text, &text, &text, &error), 0);
  require(expect_not_null("the error", error));
  error_update_backtrace(iut, error, &text, kTVMFFIBacktraceUpdateModeAppend);
  release_object(iut, error);
}

static void use_error_with_cause(Iut *iut)
{
  TVMFFIByteArray text = bytes_of("text");
  TVMFFIObjectHandle error = NULL;
  expect_int("returned by ErrorCreateWithCauseAndExtraContext",
             iut->ErrorCreateWithCauseAndExtraContext(&text, &text, &text, NULL, NULL, &error), 0);
  require(expect_not_null("the error", error));
  release_object(iut, error);
}

static void use_backtrace(Iut *iut)
{
  expect_not_null("returned by Backtrace", iut->Backtrace("file.c", 1, "function", 0));
}

static void use_version(Iut *iut)
{
  TVMFFIVersion version = {99, 99, 99};
  iut->GetVersion(&version);
  expect_that(version.major != 99, "a version", "an unwritten output");
}

static int make_once(void **result)
{
  *result = result;
  return 0;
}

static int unmake_once(void *handle)
{
  (void)handle;
  return 0;
}

static void use_once(Iut *iut)
{
  static void *slot;
  expect_int("returned by HandleInitOnce", iut->HandleInitOnce(&slot, make_once), 0);
  expect_not_null("the slot that was filled", slot);
  expect_int("returned for a filled slot", iut->HandleInitOnce(&slot, make_once), 0);
  expect_int("returned by HandleDeinitOnce", iut->HandleDeinitOnce(&slot, unmake_once), 0);
  expect_pointer("the slot that was emptied", slot, NULL);
  expect_int("returned for an empty slot", iut->HandleDeinitOnce(&slot, unmake_once), 0);
}

static const struct {
  const char *name;
  void (*use)(Iut *iut);
} uses[] = {
    {"inc-ref", use_inc_ref},
    {"dec-ref", use_dec_ref},
    {"create-opaque", use_create_opaque},
    {"own-any", use_own_any},
    {"string", use_string},
    {"bytes", use_bytes},
    {"function", use_function},
    {"names", use_names},
    {"error-create", use_error_create},
    {"error-with-cause", use_error_with_cause},
    {"backtrace", use_backtrace},
    {"version", use_version},
    {"once", use_once},
};

CASE_ROWS(success_raises_nothing, uses, .clauses = {ERR_44},
          .title = "a function that succeeds leaves an empty slot empty")
{
  row->use(iut);
  expect_no_error(iut);
}

CASE_ROWS(success_leaves_the_slot, uses, .clauses = {ERR_12},
          .title = "a function that succeeds leaves an error that is raised")
{
  TVMFFIObjectHandle error = new_probe_object_of(iut, kTVMFFIError);
  iut->ErrorSetRaised(error);
  row->use(iut);
  expect_counts(iut, error, .strong = 2, .weak = 1);
  TVMFFIObjectHandle moved = take_error(iut);
  if (expect_pointer("the error in the slot", moved, error)) release_object(iut, moved);
}

CASE(callee_that_succeeds_leaves_the_slot, .clauses = {ERR_12},
     .title = "an error raised by a callee that then succeeds stays in the slot")
{
  static CallLog log;
  TVMFFIObjectHandle function = new_function(iut, &log, call_log_callee, call_log_delete);
  iut->ErrorSetRaisedFromCStr("ValueError", "from before the call");
  TVMFFIAny result = garbage_but_none();
  expect_int("returned by FunctionCall", iut->FunctionCall(function, NULL, 0, &result), 0);
  expect_int("calls of the callee", log.calls, 1);
  TVMFFIObjectHandle error = take_raised_error(iut);
  expect_text("message", error_cell(iut, error)->message, "from before the call");
  release_object(iut, error);
  release_object(iut, function);
}

// --- Up through calls ----------------------------------------------------------------------------

enum { DEPTH = 60 };

// The functions of a tower: each calls the one above it, the last one fails.
static struct {
  Iut *iut;
  TVMFFIObjectHandle floors[DEPTH];
  unsigned reached;
  TVMFFIObjectHandle raised;  // borrow; NULL: the last one raises from C strings
  bool adds_frames;
} tower;

// Takes the raised error, adds a line to its backtrace, and raises it again.
static void add_frame(unsigned floor)
{
  Iut *iut = tower.iut;
  TVMFFIObjectHandle error = take_error(iut);
  if (!expect_not_null("the error on its way", error)) return;
  char line[32];
  snprintf(line, sizeof line, "  floor %u\n", floor);
  TVMFFIByteArray bytes = bytes_of(line);
  error_update_backtrace(iut, error, &bytes, kTVMFFIBacktraceUpdateModeAppend);
  iut->ErrorSetRaised(error);
  iut->ObjectDecRef(error);
}

static int climb(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)args, (void)num_args, (void)result;
  Iut *iut = tower.iut;
  unsigned floor = (unsigned)((TVMFFIObjectHandle *)self - tower.floors);
  ++tower.reached;
  if (floor + 1 == DEPTH) {
    if (tower.raised)
      iut->ErrorSetRaised(tower.raised);
    else
      iut->ErrorSetRaisedFromCStr("IndexError", "no further floor");
    return -1;
  }
  TVMFFIAny nested = garbage_but_none();
  int code = iut->FunctionCall(tower.floors[floor + 1], NULL, 0, &nested);
  if (code != 0 && tower.adds_frames) add_frame(floor);
  return code;
}

// Calls the whole tower, and returns the error (own) that arrives at its foot.
static TVMFFIObjectHandle fall_from_the_top(Iut *iut)
{
  tower.iut = iut;
  for (unsigned i = 0; i < DEPTH; ++i)
    require(expect_ok(iut, iut->FunctionCreate(&tower.floors[i], climb, NULL, &tower.floors[i])));
  TVMFFIAny result = garbage_but_none();
  expect_int("returned by the outermost call", iut->FunctionCall(tower.floors[0], NULL, 0, &result),
             -1);
  expect_int("functions reached", tower.reached, DEPTH);
  for (unsigned i = 0; i < DEPTH; ++i) release_object(iut, tower.floors[i]);
  return take_raised_error(iut);
}

CASE(error_travels_through_nested_calls, .clauses = {ERR_4, ERR_6},
     .title = "the very error that was raised deep within calls arrives at the outermost caller")
{
  tower.raised = new_probe_object_of(iut, kTVMFFIError);
  TVMFFIObjectHandle error = fall_from_the_top(iut);
  expect_pointer("the error that arrived", error, tower.raised);
  expect_counts(iut, error, .strong = 2, .weak = 1);
  expect_no_error(iut);
}

CASE(error_from_c_strings_travels_through_nested_calls, .clauses = {ERR_14, ERR_4},
     .title = "an error raised from C strings deep within calls arrives with its texts, held once")
{
  TVMFFIObjectHandle error = fall_from_the_top(iut);
  expect_kind_and_message(iut, error, "IndexError", "no further floor");
  expect_counts(iut, error, .strong = 1, .weak = 1);
  release_object(iut, error);
  expect_no_error(iut);
}

// The runtime may put lines of its own between those of the callers.
CASE(error_collects_frames_on_its_way, .clauses = {ERR_45},
     .title = "a backtrace arrives with the line it was raised with and those appended on the way")
{
  tower.raised = new_error(iut, "ValueError", "collects", "  deepest\n");
  tower.adds_frames = true;
  TVMFFIObjectHandle error = fall_from_the_top(iut);
  expect_pointer("the error that arrived", error, tower.raised);
  TVMFFIByteArray rest = error_cell(iut, error)->backtrace;
  char line[32] = "  deepest\n";
  for (unsigned floor = DEPTH; floor-- > 0;) {
    size_t size = strlen(line);
    const char *found = rest.data ? memmem(rest.data, rest.size, line, size) : NULL;
    require(expect_that(found != NULL, "the lines of all callers, the deepest first",
                        "no line \"%.*s\" behind those before", (int)size - 1, line));
    rest.size -= (size_t)(found - rest.data) + size;
    rest.data = found + size;
    snprintf(line, sizeof line, "  floor %u\n", floor - 1);
  }
  expect_counts(iut, error, .strong = 2, .weak = 1);
  release_object(iut, error);
  release_object(iut, error);
}
