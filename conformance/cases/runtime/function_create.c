// SPDX-License-Identifier: Apache-2.0
// Making functions of C callbacks, and how they end.
#include "cases/runtime/function_shorthand.h"

CHAPTER(function);

static const struct {
  const char *name;
  AbiFunctionId function;
} exported[] = {
    {"create", FN_FunctionCreate},
    {"call", FN_FunctionCall},
    {"get-global", FN_FunctionGetGlobal},
    {"set-global", FN_FunctionSetGlobal},
    {"set-global-from-method-info", FN_FunctionSetGlobalFromMethodInfo},
};

CASE_ROWS(function_is_exported, exported, .clauses = {FUN_1},
          .title = "the runtime exports the functions that make, call and name functions")
{
  expect_that(iut_has(iut, row->function), abi_functions[row->function].symbol, "no such symbol");
}

//--------------------------------------------------------------------------------------------------
// What is made
//--------------------------------------------------------------------------------------------------

static const struct {
  const char *name;
  bool self, deleter;
} closures[] = {
    {"without_anything", false, false},
    {"with_self", true, false},
    {"with_deleter", false, true},
    {"with_self_and_deleter", true, true},
};

static atomic_uint deletions_without_self;

static void note_deletion(void *self)
{
  if (self == NULL)
    atomic_fetch_add(&deletions_without_self, 1);
  else
    call_log_delete(self);
}

CASE_ROWS(
    new_function_has_counts_of_one_and_was_not_called, closures, .clauses = {FUN_2},
    .title =
        "making a function returns a function object of which the caller owns a reference, the "
        "only one if it has a deleter, and calls nothing")
{
  CallLog log = {0};
  TVMFFISafeCallType callback = row->self ? call_log_callee : call_log_callee_without_self;
  TVMFFIObjectHandle function =
      new_function(iut, row->self ? &log : NULL, callback, row->deleter ? note_deletion : NULL);
  expect_int("type index in the header", object_type_index(iut, function), kTVMFFIFunction);
  if (row->deleter)
    expect_counts(iut, function, .strong = 1, .weak = 1);
  else
    expect_that(object_strong(iut, function) >= 1 && object_weak(iut, function) >= 1,
                "at least 1 of each count", "0");
  expect_int("calls of the callback", log.calls + call_log_without_self.calls, 0);
  expect_int("calls of the deleter", log.deleted + deletions_without_self, 0);
  release_object(iut, function);
  expect_int("calls of the callback after the end", log.calls + call_log_without_self.calls, 0);
}

CASE(two_functions_of_one_callback_are_two_objects, .clauses = {FUN_2},
     .title = "two functions of the same callback, closure and deleter are two objects")
{
  CallLog log = {0};
  TVMFFIObjectHandle one = new_logged_function(iut, &log), two = new_logged_function(iut, &log);
  expect_that(one != two, "two different handles", "the same handle twice");
  expect_counts(iut, one, .strong = 1, .weak = 1);
  expect_counts(iut, two, .strong = 1, .weak = 1);
  release_object(iut, one);
  expect_int("calls of the deleter after the first was released", log.deleted, 1);
  release_object(iut, two);
  expect_int("calls of the deleter after both were released", log.deleted, 2);
}

//--------------------------------------------------------------------------------------------------
// What the callback is given as its handle
//--------------------------------------------------------------------------------------------------

CASE(callback_without_closure_gets_the_function_itself, .clauses = {FUN_3},
     .title =
         "a callback that was given neither self nor deleter is called with the handle of its "
         "function object")
{
  TVMFFIObjectHandle one = new_plain_function(iut), two = new_plain_function(iut);
  call_without_arguments(iut, one);
  expect_pointer("handle that the callback got from the first", call_log_without_self.handle, one);
  call_without_arguments(iut, two);
  expect_pointer("handle that the callback got from the second", call_log_without_self.handle, two);
  expect_int("calls of the callback", call_log_without_self.calls, 2);
}

static char somewhere;
static unsigned ends;
static void *ended;

static void note_end(void *self)
{
  ++ends;
  ended = self;
}

static const struct {
  const char *name;
  void *self;
  void (*deleter)(void *self);
} selves[] = {
    {"self_and_deleter", &somewhere, note_end}, {"self_alone", &somewhere, NULL},
    {"null_with_deleter", NULL, note_end},      {"one", (void *)1, NULL},
    {"odd_address", (void *)UINTPTR_MAX, NULL},
};

CASE_ROWS(callback_with_closure_gets_self, selves, .clauses = {FUN_4},
          .title = "a callback that was given a self or a deleter is called with exactly that self")
{
  TVMFFIObjectHandle function =
      new_function(iut, row->self, call_log_callee_without_self, row->deleter);
  call_without_arguments(iut, function);
  expect_int("calls of the callback", call_log_without_self.calls, 1);
  expect_pointer("handle that the callback got", call_log_without_self.handle, row->self);
  release_object(iut, function);
}

//--------------------------------------------------------------------------------------------------
// The end of a function
//--------------------------------------------------------------------------------------------------

static const struct {
  const char *name;
  void *self;
} owners[] = {
    {"of_a_closure", &somewhere}, {"of_null", NULL}, {"of_an_odd_address", (void *)UINTPTR_MAX}};

CASE_ROWS(deleter_runs_once_with_the_last_strong_reference, owners, .clauses = {FUN_18},
          .title =
              "the deleter of a closure runs once, with self, when the last of three strong "
              "references goes, and not before")
{
  TVMFFIObjectHandle function =
      new_function(iut, row->self, call_log_callee_without_self, note_end);
  iut->ObjectIncRef(function);
  iut->ObjectIncRef(function);
  ended = &ended;
  for (int references = 3; references > 0; --references) {
    call_without_arguments(iut, function);
    expect_int("calls of the deleter while references are left", ends, 0);
    release_object(iut, function);
  }
  expect_int("calls of the deleter after the last release", ends, 1);
  expect_pointer("what the deleter was given", ended, row->self);
}

static const struct {
  const char *name;
  bool weak_outlives;
} weak_orders[] = {{"weak_goes_first", false}, {"weak_goes_last", true}};

CASE_ROWS(deleter_of_a_weakly_held_closure_runs_once, weak_orders, .clauses = {FUN_18},
          .title =
              "the deleter of a closure runs with the last strong reference, once, whether or "
              "not a weak reference is left")
{
  CallLog log = {0};
  TVMFFIObjectHandle function = new_logged_function(iut, &log);
  object_take_weak(iut, function);
  if (!row->weak_outlives) object_release_weak(iut, function);
  expect_int("calls of the deleter before the last strong release", log.deleted, 0);
  release_object(iut, function);
  expect_int("calls of the deleter after the last strong release", log.deleted, 1);
  if (row->weak_outlives) object_release_weak(iut, function);
  expect_int("calls of the deleter when all is over", log.deleted, 1);
}

static const struct {
  const char *name;
  int code;
} outcomes[] = {{"that_succeed", 0}, {"that_fail", -1}, {"that_fail_oddly", -2}};

CASE_ROWS(deleter_does_not_run_for_calls, outcomes, .clauses = {FUN_18},
          .title = "a hundred calls of a closure do not run its deleter, whatever they return")
{
  CallLog log = {.returns = row->code};
  TVMFFIObjectHandle function = new_logged_function(iut, &log);
  TVMFFIAny *result = fenced_result();
  for (int i = 0; i < 100; ++i) iut->FunctionCall(function, NULL, 0, result);
  expect_int("calls of the callback", log.calls, 100);
  expect_int("calls of the deleter before the release", log.deleted, 0);
  release_object(iut, function);
  expect_int("calls of the deleter after the release", log.deleted, 1);
}

CASE(closure_without_deleter_is_left_alone, .clauses = {FUN_19},
     .title = "releasing a function that has a self and no deleter does nothing with self")
{
  const void *self = fenced_copy("the closure", NULL, 0);
  TVMFFIObjectHandle function =
      new_function(iut, (void *)(uintptr_t)self, call_log_callee_without_self, NULL);
  call_without_arguments(iut, function);
  expect_pointer("handle that the callback got", call_log_without_self.handle, self);
  expect_ok(iut, iut->ObjectDecRef(function));
}

CASE(
    closure_on_the_heap_is_not_freed_without_deleter, .clauses = {FUN_19},
    .title = "memory that serves as self without a deleter is still the caller's after the release")
{
  char *self = malloc(64);
  if (!self) case_inconclusive("no memory for a closure");
  memset(self, 0x5A, 64);
  for (int i = 0; i < 3; ++i) {
    TVMFFIObjectHandle function = new_function(iut, self, call_log_callee_without_self, NULL);
    call_without_arguments(iut, function);
    expect_ok(iut, iut->ObjectDecRef(function));
  }
  char expected[64];
  memset(expected, 0x5A, sizeof expected);
  expect_memory("the closure", self, 64, expected, sizeof expected);
  free(self);
}

// A link owns the function behind it and lets go of it in its deleter.
typedef struct Link {
  Iut *iut;
  TVMFFIObjectHandle next;
} Link;

static int call_nothing(__attribute__((unused)) void *handle,
                        __attribute__((unused)) const TVMFFIAny *args,
                        __attribute__((unused)) int32_t num_args,
                        __attribute__((unused)) TVMFFIAny *result)
{
  return 0;
}

static void delete_link(void *self)
{
  Link *link = self;
  ++ends;
  if (link->next) link->iut->ObjectDecRef(link->next);
}

CASE(closures_that_own_closures_end_one_after_the_other, .clauses = {FUN_18, OBJ_16},
     .title = "a chain of 100 closures, each owning the next, ends with the release of the first")
{
  enum { LINKS = 100 };
  static Link links[LINKS];
  TVMFFIObjectHandle first = NULL;
  for (int i = 0; i < LINKS; ++i) {
    links[i] = (Link){iut, first};
    first = new_function(iut, &links[i], call_nothing, delete_link);
  }
  expect_int("calls of deleters before the release", ends, 0);
  release_object(iut, first);
  expect_int("calls of deleters after the release", ends, LINKS);
}

typedef struct Release {
  TVMFFIObjectHandle function;
} Release;

static void release_one(Iut *iut, __attribute__((unused)) unsigned index, void *context)
{
  iut->ObjectDecRef(((Release *)context)->function);
}

static const struct {
  const char *name;
  unsigned count;
} crowds[] = {{"two", 2}, {"eight", 8}};

CASE_ROWS(deleter_runs_once_when_threads_release_together, crowds, .clauses = {FUN_18},
          .title = "threads that release the last references to a closure run its deleter once")
{
  for (int round = 0; round < 4; ++round) {
    CallLog log = {0};
    Release release = {new_logged_function(iut, &log)};
    for (unsigned i = 1; i < row->count; ++i) iut->ObjectIncRef(release.function);
    run_in_threads(iut, row->count, release_one, &release);
    if (!expect_int("calls of the deleter", log.deleted, 1)) return;
  }
}

//--------------------------------------------------------------------------------------------------
// The heap
//--------------------------------------------------------------------------------------------------

static void make_call_release(Iut *iut, void *context)
{
  CallLog *log = context;
  TVMFFISafeCallType callback = log ? call_log_callee : call_log_callee_without_self;
  TVMFFIObjectHandle function = NULL;
  TVMFFIAny result = any_none();
  if (iut->FunctionCreate(log, callback, log ? call_log_delete : NULL, &function) != 0) return;
  iut->FunctionCall(function, NULL, 0, &result);
  iut->ObjectDecRef(function);
}

static CallLog growth_log;

static const struct {
  const char *name;
  CallLog *log;
} growing[] = {{"plain", NULL}, {"closure", &growth_log}};

CASE_ROWS(making_calling_and_releasing_does_not_grow, growing, .clauses = {OBJ_19, FUN_2},
          .title = "making, calling and releasing functions does not leak")
{
  expect_no_heap_growth(iut, 500, make_call_release, row->log);
  const CallLog *log = row->log ? row->log : &call_log_without_self;
  expect_int("calls of the callback", log->calls, 564);
  if (row->log) expect_int("calls of the deleter", log->deleted, 564);
}
