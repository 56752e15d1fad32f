// SPDX-License-Identifier: Apache-2.0
// Errors as objects: made without being raised, with a cause and an extra context, and given back.
#include <pthread.h>

#include "error_making.h"

CHAPTER(error);

// --- Made, not raised ----------------------------------------------------------------------------

CASE(created_error_has_its_texts, .clauses = {ERR_21},
     .title = "an error that was made holds the three texts, and its maker the only reference")
{
  TVMFFIObjectHandle error =
      new_error(iut, "KeyError", "no such key", "  File \"a\", line 1, in b\n");
  expect_int("type index", object_type_index(iut, error), kTVMFFIError);
  expect_counts(iut, error, .strong = 1, .weak = 1);
  expect_kind_and_message(iut, error, "KeyError", "no such key");
  expect_text("backtrace", error_cell(iut, error)->backtrace, "  File \"a\", line 1, in b\n");
  release_object(iut, error);
}

CASE(creating_raises_nothing, .clauses = {ERR_21},
     .title = "making an error leaves an empty slot empty, and an error in the slot where it is")
{
  TVMFFIObjectHandle error = new_error(iut, "ValueError", "made", "");
  expect_no_error(iut);
  TVMFFIObjectHandle raised = new_probe_object_of(iut, kTVMFFIError);
  iut->ErrorSetRaised(raised);
  TVMFFIObjectHandle another = new_error(iut, "ValueError", "made while another is raised", "");
  expect_pointer("the error in the slot", take_error(iut), raised);
  expect_counts(iut, raised, .strong = 2, .weak = 1);
  release_object(iut, error);
  release_object(iut, another);
}

static const struct {
  const char *name;
  TVMFFIByteArray kind, message, backtrace;
} byte_arrays[] = {
    {"nul-inside", {"Value\0Error", 11}, {"a\0b\0\0c", 6}, {"x\0y", 3}},
    {"nul-first", {"\0", 1}, {"\0message", 8}, {"\0", 1}},
    {"nul-last", {"ValueError\0", 11}, {"message\0\0", 9}, {"frame\0", 6}},
    {"only-nuls", {"\0\0\0", 3}, {"\0\0\0\0\0\0\0\0", 8}, {"\0\0", 2}},
    {"all-null-data", {NULL, 0}, {NULL, 0}, {NULL, 0}},
    {"null-kind-data", {NULL, 0}, {"message", 7}, {"frame", 5}},
    {"null-message-data", {"ValueError", 10}, {NULL, 0}, {"frame", 5}},
    {"null-backtrace-data", {"ValueError", 10}, {"message", 7}, {NULL, 0}},
    {"empty-but-not-null", {"ValueError", 0}, {"message", 0}, {"frame", 0}},
    {"shorter-than-the-strings", {"ValueErrors", 10}, {"messages", 7}, {"frames", 5}},
};

// A byte array that ends at an unmapped page; NULL data stays NULL.
static const TVMFFIByteArray *fenced(const TVMFFIByteArray *array)
{
  if (!array->data) return fenced_copy("the byte array", array, sizeof *array);
  return fenced_bytes(array->data, array->size);
}

CASE_ROWS(
    byte_arrays_are_as_long_as_their_size, byte_arrays, .clauses = {ERR_22},
    .title = "byte arrays go by their size: NUL bytes are kept, and NULL data of size 0 is empty")
{
  TVMFFIObjectHandle error = NULL;
  require(expect_ok(iut, iut->ErrorCreate(fenced(&row->kind), fenced(&row->message),
                                          fenced(&row->backtrace), &error)));
  const TVMFFIErrorCell *cell = error_cell(iut, error);
  expect_memory("kind", cell->kind.data, cell->kind.size, row->kind.data, row->kind.size);
  expect_memory("message", cell->message.data, cell->message.size, row->message.data,
                row->message.size);
  expect_memory("backtrace", cell->backtrace.data, cell->backtrace.size, row->backtrace.data,
                row->backtrace.size);
  release_object(iut, error);
}

// --- Cause and extra context ---------------------------------------------------------------------

// Own: an error with this cause and extra context.
static TVMFFIObjectHandle new_error_with(Iut *iut, TVMFFIObjectHandle cause,
                                         TVMFFIObjectHandle context)
{
  TVMFFIByteArray kind = bytes_of("ValueError"), message = bytes_of("with a cause");
  TVMFFIByteArray backtrace = bytes_of("");
  TVMFFIObjectHandle error = NULL;
  require(expect_ok(iut, iut->ErrorCreateWithCauseAndExtraContext(&kind, &message, &backtrace,
                                                                  cause, context, &error)));
  require(expect_not_null("the error that was made", error));
  return error;
}

static void expect_no_cause(Iut *iut, TVMFFIObjectHandle error)
{
  expect_pointer("cause", error_cell(iut, error)->cause_chain, NULL);
  expect_pointer("extra context", error_cell(iut, error)->extra_context, NULL);
  release_object(iut, error);
}

CASE(
    errors_made_without_cause_have_none, .clauses = {ERR_27},
    .title = "an error that was made or raised without a cause has neither cause nor extra context")
{
  const char *parts[] = {"from ", "parts"};
  expect_no_cause(iut, new_error(iut, "ValueError", "made", ""));
  note("raised from a C string");
  iut->ErrorSetRaisedFromCStr("ValueError", "raised");
  expect_no_cause(iut, take_raised_error(iut));
  note("raised from parts");
  iut->ErrorSetRaisedFromCStrParts("ValueError", parts, 2);
  expect_no_cause(iut, take_raised_error(iut));
}

CASE(raised_error_is_no_cause, .clauses = {ERR_27},
     .title = "an error that lies in the slot does not become the cause of the next one")
{
  const char *parts[] = {"from ", "parts"};
  TVMFFIObjectHandle earlier = new_error(iut, "ValueError", "earlier", "");
  iut->ErrorSetRaised(earlier);
  expect_counts(iut, earlier, .strong = 2, .weak = 1);
  expect_no_cause(iut, new_error(iut, "ValueError", "made", ""));
  note("raised from a C string");
  iut->ErrorSetRaisedFromCStr("ValueError", "raised");
  TVMFFIObjectHandle later = take_raised_error(iut);
  expect_text("message", error_cell(iut, later)->message, "raised");
  expect_no_cause(iut, later);
  note("raised from parts");
  iut->ErrorSetRaised(earlier);
  iut->ErrorSetRaisedFromCStrParts("ValueError", parts, 2);
  later = take_raised_error(iut);
  expect_text("message", error_cell(iut, later)->message, "from parts");
  expect_no_cause(iut, later);
  release_object(iut, earlier);
}

static const struct {
  const char *name;
  bool has_cause, has_context;
  int32_t context_type;
} companions[] = {
    {"neither", false, false, 0},
    {"cause", true, false, 0},
    {"context", false, true, PROBE_TYPE_INDEX},
    {"both", true, true, PROBE_TYPE_INDEX},
    {"string-as-context", true, true, kTVMFFIStr},
    {"error-as-context", true, true, kTVMFFIError},
};

CASE_ROWS(cause_and_context_are_shared, companions, .clauses = {ERR_28, ERR_29},
          .title =
              "an error holds its cause and its extra context with one strong reference each, and "
              "gives them back when it dies")
{
  TVMFFIObjectHandle cause = row->has_cause ? new_probe_object_of(iut, kTVMFFIError) : NULL;
  TVMFFIObjectHandle context =
      row->has_context ? new_probe_object_of(iut, row->context_type) : NULL;
  TVMFFIObjectHandle error = new_error_with(iut, cause, context);
  expect_no_error(iut);
  expect_counts(iut, error, .strong = 1, .weak = 1);
  expect_kind_and_message(iut, error, "ValueError", "with a cause");
  expect_pointer("cause", error_cell(iut, error)->cause_chain, cause);
  expect_pointer("extra context", error_cell(iut, error)->extra_context, context);
  if (cause) expect_counts(iut, cause, .strong = 2, .weak = 1);
  if (context) expect_counts(iut, context, .strong = 2, .weak = 1);
  release_object(iut, error);
  if (cause) expect_counts(iut, cause, .strong = 1, .weak = 1);
  if (context) expect_counts(iut, context, .strong = 1, .weak = 1);
}

CASE(one_object_is_cause_and_context, .clauses = {ERR_28, ERR_29},
     .title = "an object that is cause and extra context at once is held with a reference for each")
{
  TVMFFIObjectHandle both = new_probe_object_of(iut, kTVMFFIError);
  TVMFFIObjectHandle error = new_error_with(iut, both, both);
  expect_counts(iut, both, .strong = 3, .weak = 1);
  release_object(iut, error);
  expect_counts(iut, both, .strong = 1, .weak = 1);
}

CASE(cause_dies_with_the_error, .clauses = {ERR_29},
     .title = "cause and extra context that only the error holds die with it, not before")
{
  TVMFFIObjectHandle cause = new_probe_object_of(iut, kTVMFFIError);
  TVMFFIObjectHandle context = new_probe_object(iut);
  TVMFFIObjectHandle error = new_error_with(iut, cause, context);
  release_object(iut, cause);
  release_object(iut, context);
  iut->ErrorSetRaised(error);
  release_object(iut, error);
  expect_deleter_calls(cause, "");
  expect_deleter_calls(context, "");
  release_object(iut, take_raised_error(iut));
  expect_deleter_calls(cause, "3");
  expect_deleter_calls(context, "3");
}

CASE(cause_dies_before_the_memory, .clauses = {ERR_29},
     .title =
         "cause and extra context are released with the last strong reference, though a weak one "
         "is left")
{
  TVMFFIObjectHandle cause = new_probe_object_of(iut, kTVMFFIError);
  TVMFFIObjectHandle context = new_probe_object(iut);
  TVMFFIObjectHandle error = new_error_with(iut, cause, context);
  object_take_weak(iut, error);
  release_object(iut, error);
  expect_counts(iut, cause, .strong = 1, .weak = 1);
  expect_counts(iut, context, .strong = 1, .weak = 1);
  object_release_weak(iut, error);
  expect_counts(iut, cause, .strong = 1, .weak = 1);
  expect_counts(iut, context, .strong = 1, .weak = 1);
}

// Own: an error with `length` causes behind it, each the cause of the one before, and `root` last.
static TVMFFIObjectHandle new_chain(Iut *iut, unsigned length, TVMFFIObjectHandle root)
{
  TVMFFIObjectHandle error = root;
  for (unsigned i = 0; i < length; ++i) {
    TVMFFIObjectHandle effect = new_error_with(iut, error, NULL);
    if (error != root) release_object(iut, error);
    error = effect;
  }
  return error;
}

static const struct {
  const char *name;
  unsigned length;
} chains[] = {{"2", 2}, {"100", 100}, {"5000", 5000}};

CASE_ROWS(chain_of_causes_is_released, chains, .clauses = {ERR_29}, .patience = 2,
          .title = "releasing an error releases the whole chain of its causes")
{
  TVMFFIObjectHandle root = new_probe_object_of(iut, kTVMFFIError);
  TVMFFIObjectHandle error = new_chain(iut, row->length, root);
  expect_counts(iut, root, .strong = 2, .weak = 1);
  release_object(iut, error);
  expect_counts(iut, root, .strong = 1, .weak = 1);
}

CASE(held_cause_outlives_the_error, .clauses = {ERR_29, ERR_28},
     .title = "a cause that somebody else holds lives on, with what it holds itself")
{
  TVMFFIObjectHandle root = new_probe_object_of(iut, kTVMFFIError);
  TVMFFIObjectHandle middle = new_error_with(iut, root, NULL);
  TVMFFIObjectHandle outer = new_error_with(iut, middle, NULL);
  release_object(iut, outer);
  expect_counts(iut, middle, .strong = 1, .weak = 1);
  expect_counts(iut, root, .strong = 2, .weak = 1);
  expect_pointer("cause", error_cell(iut, middle)->cause_chain, root);
  release_object(iut, middle);
  expect_counts(iut, root, .strong = 1, .weak = 1);
}

// --- Memory --------------------------------------------------------------------------------------

static void raise_and_take(Iut *iut, void *context)
{
  (void)context;
  iut->ErrorSetRaisedFromCStr("ValueError", "a message that needs some memory of its own");
  iut->ObjectDecRef(take_raised_error(iut));
}

static void raise_parts_and_replace(Iut *iut, void *context)
{
  (void)context;
  const char *parts[] = {"a message ", "of parts ", NULL, "that needs some memory"};
  for (int i = 0; i < 2; ++i) iut->ErrorSetRaisedFromCStrParts("ValueError", parts, 4);
  iut->ObjectDecRef(take_raised_error(iut));
}

static void raise_and_clear(Iut *iut, void *context)
{
  (void)context;
  raise_by_failing(iut);
  iut->ErrorSetRaised(NULL);
  require(expect_no_error(iut));
}

static void create_and_raise(Iut *iut, void *context)
{
  (void)context;
  TVMFFIObjectHandle error = new_error(iut, "ValueError", "a message", "a backtrace");
  iut->ErrorSetRaised(error);
  iut->ErrorSetRaised(error);
  iut->ObjectDecRef(take_raised_error(iut));
  iut->ObjectDecRef(error);
}

static void update(Iut *iut, TVMFFIObjectHandle error, const char *text, int32_t mode)
{
  TVMFFIByteArray bytes = bytes_of(text);
  error_update_backtrace(iut, error, &bytes, mode);
}

static void create_and_update(Iut *iut, void *context)
{
  (void)context;
  TVMFFIObjectHandle error = new_error(iut, "ValueError", "a message", "a backtrace");
  update(iut, error, "a longer backtrace than the one that was there before",
         kTVMFFIBacktraceUpdateModeReplace);
  for (int i = 0; i < 4; ++i)
    update(iut, error, "and another line of it", kTVMFFIBacktraceUpdateModeAppend);
  iut->ObjectDecRef(error);
}

static void replace_backtrace(Iut *iut, void *error)
{
  update(iut, error, "a long text that takes the place of a short one, and makes way for it again",
         kTVMFFIBacktraceUpdateModeReplace);
  update(iut, error, "short", kTVMFFIBacktraceUpdateModeReplace);
}

static void create_with_causes(Iut *iut, void *context)
{
  (void)context;
  TVMFFIObjectHandle root = new_error(iut, "ValueError", "root", "");
  TVMFFIObjectHandle error = new_chain(iut, 3, root);
  iut->ObjectDecRef(root);
  iut->ObjectDecRef(error);
}

static const struct {
  const char *name;
  void (*operation)(Iut *iut, void *context);
} operations[] = {
    {"raise-and-take", raise_and_take},
    {"raise-and-replace", raise_parts_and_replace},
    {"create-and-raise", create_and_raise},
};

CASE_ROWS(errors_leave_no_memory_behind, operations, .clauses = {ERR_30},
          .title = "raising, replacing, moving and releasing errors does not leak")
{
  expect_no_heap_growth(iut, 200, row->operation, NULL);
}

CASE(clearing_leaves_no_memory_behind, .clauses = {ERR_9}, .wrong_call = true,
     .title = "raising and clearing errors does not leak")
{
  expect_no_heap_growth(iut, 200, raise_and_clear, NULL);
}

CASE(backtraces_leave_no_memory_behind, .clauses = {ERR_30, ERR_23},
     .title = "updating backtraces does not leak")
{
  note("replaced and appended to in new errors");
  expect_no_heap_growth(iut, 200, create_and_update, NULL);
  note("replaced in one error, by longer and shorter ones");
  TVMFFIObjectHandle error = new_error(iut, "ValueError", "a message", "a backtrace");
  expect_no_heap_growth(iut, 200, replace_backtrace, error);
  release_object(iut, error);
}

CASE(causes_leave_no_memory_behind, .clauses = {ERR_29, ERR_30},
     .title = "making and releasing errors with causes does not leak")
{
  expect_no_heap_growth(iut, 100, create_with_causes, NULL);
}

// --- A long chain -------------------------------------------------------------------------------

typedef struct Chain {
  Iut *iut;
  TVMFFIObjectHandle last;
} Chain;

static void *release_chain(void *argument)
{
  Chain *chain = argument;
  release_object(chain->iut, chain->last);
  return NULL;
}

CASE(long_chain_is_released_on_a_small_stack, .clauses = {ERR_39},
     .title =
         "an error with 20,000 causes, one below the other, is released on a thread with a "
         "stack of 256 KiB")
{
  enum { CAUSES = 20000, STACK = 256 * 1024 };
  TVMFFIObjectHandle root = new_probe_object_of(iut, kTVMFFIError);
  Chain chain = {iut, new_chain(iut, CAUSES, root)};
  expect_counts(iut, root, .strong = 2, .weak = 1);
  note("releasing an error with %d causes on a thread with a stack of 256 KiB", CAUSES);
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  if (pthread_attr_setstacksize(&attributes, STACK) != 0 ||
      pthread_create(&thread, &attributes, release_chain, &chain) != 0)
    case_inconclusive("no thread with a stack of %d bytes can be started", STACK);
  pthread_join(thread, NULL);
  expect_counts(iut, root, .strong = 1, .weak = 1);
}
