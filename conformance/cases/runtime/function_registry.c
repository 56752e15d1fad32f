// SPDX-License-Identifier: Apache-2.0
// The table of names: entering, finding, refusing, replacing.
#include <stdio.h>

#include "cases/runtime/function_shorthand.h"

CHAPTER(function);

static const char name_text[] = "conform.function";

// The name that most cases here use, fenced and without a NUL behind it.
static const TVMFFIByteArray *the_name(void)
{
  return fenced_bytes(name_text, sizeof name_text - 1);
}

//--------------------------------------------------------------------------------------------------
// Entering and finding
//--------------------------------------------------------------------------------------------------

CASE(entered_function_is_found, .clauses = {FUN_20},
     .title = "a look-up gives the very function that was registered, and it can be called")
{
  CallLog log = {.gives = true, .give = view_of_int(42)};
  TVMFFIObjectHandle function = new_logged_function(iut, &log);
  enter_function(iut, the_name(), function);
  TVMFFIObjectHandle found = look_up(iut, the_name());
  require(expect_pointer("what the name leads to", found, function));
  TVMFFIAny result = call_without_arguments(iut, found);
  expect_same_bytes(&result, &log.give);
  expect_int("calls of the callback", log.calls, 1);
  release_object(iut, found);
  release_object(iut, function);
}

CASE(table_owns_one_reference, .clauses = {FUN_21},
     .title =
         "registering a function adds one strong reference, which keeps it alive when the "
         "caller's is gone")
{
  CallLog log = {0};
  TVMFFIObjectHandle function = new_logged_function(iut, &log);
  enter_function(iut, the_name(), function);
  require(expect_counts(iut, function, .strong = 2, .weak = 1));
  release_object(iut, function);
  expect_int("calls of the deleter after the caller's release", log.deleted, 0);
  expect_counts(iut, function, .strong = 1, .weak = 1);
  TVMFFIObjectHandle found = look_up(iut, the_name());
  require(expect_pointer("what the name leads to", found, function));
  call_without_arguments(iut, found);
  expect_int("calls of the callback", log.calls, 1);
  release_object(iut, found);
  expect_int("calls of the deleter after all", log.deleted, 0);
}

CASE(one_function_may_have_several_names, .clauses = {FUN_21, FUN_20},
     .title =
         "a function registered under three names gains three references and is found under "
         "each")
{
  CallLog log = {0};
  TVMFFIObjectHandle function = new_logged_function(iut, &log);
  const char *texts[] = {"conform.a", "conform.b", "conform.c"};
  for (unsigned i = 0; i < 3; ++i) {
    note("registering %s", texts[i]);
    enter_function(iut, fenced_bytes(texts[i], 9), function);
    expect_counts(iut, function, .strong = 2 + i, .weak = 1);
  }
  for (unsigned i = 0; i < 3; ++i) expect_entered(iut, fenced_bytes(texts[i], 9), function);
  release_object(iut, function);
  expect_int("calls of the deleter", log.deleted, 0);
}

CASE(every_look_up_gives_a_reference, .clauses = {FUN_22},
     .title = "each look-up adds exactly one strong reference, and it is the caller's")
{
  CallLog log = {0};
  TVMFFIObjectHandle function = new_logged_function(iut, &log);
  enter_function(iut, the_name(), function);
  uint64_t entered = object_strong(iut, function);
  for (unsigned i = 1; i <= 10; ++i) {
    note("looking up the %u. time", i);
    require(expect_pointer("what the name leads to", look_up(iut, the_name()), function));
    expect_counts(iut, function, .strong = entered + i, .weak = 1);
  }
  for (unsigned i = 0; i < 10; ++i) release_object(iut, function);
  expect_counts(iut, function, .strong = entered, .weak = 1);
  expect_int("calls of the deleter", log.deleted, 0);
  release_object(iut, function);
}

static char long_text[4096];

static const struct {
  const char *name;
  const char *data;
  size_t size;
} unknown_names[] = {
    {"a_word", "conform.unknown", 15},     {"empty", "", 0},
    {"empty_without_data", NULL, 0},       {"one_nul", "\0", 1},
    {"inner_nul", "conform\0x", 9},        {"ill_formed_utf8", "\xFF\xFE", 2},
    {"long", long_text, sizeof long_text},
};

CASE_ROWS(unknown_name_gives_null_and_no_error, unknown_names, .clauses = {FUN_23},
          .title =
              "looking up a name that nobody registered succeeds, writes NULL and raises "
              "nothing")
{
  const TVMFFIByteArray *name = fenced_name(row->data, row->size);
  expect_pointer("what the unknown name leads to", look_up(iut, name), NULL);
  expect_no_error(iut);
  if (row->size == 0) return;  // whether it can be registered is open
  note("the same name, registered");
  TVMFFIObjectHandle function = new_single_function(iut);
  enter_function(iut, name, function);
  expect_entered(iut, name, function);
  release_object(iut, function);
}

CASE(looking_up_does_not_register, .clauses = {FUN_23, FUN_26},
     .title = "a name that was looked up in vain is still free")
{
  CallLog log = {0};
  TVMFFIObjectHandle function = new_logged_function(iut, &log);
  for (int i = 0; i < 3; ++i)
    expect_pointer("what the unknown name leads to", look_up(iut, the_name()), NULL);
  require(expect_ok(iut, iut->FunctionSetGlobal(the_name(), function, 0)));
  expect_error(iut, iut->FunctionSetGlobal(the_name(), function, 0), NULL);
  expect_entered(iut, the_name(), function);
  release_object(iut, function);
}

//--------------------------------------------------------------------------------------------------
// Refusing
//--------------------------------------------------------------------------------------------------

// tilelang#2367 and others: two copies of one library in a process register the same names.
static const struct {
  const char *name;
  bool same;
} rivals[] = {{"by_another_function", false}, {"by_the_same_function", true}};

CASE_ROWS(taken_name_is_refused, rivals, .clauses = {FUN_26},
          .title =
              "registering a taken name without permission to override returns -1 and raises an "
              "error, every time")
{
  CallLog log = {0}, other_log = {0};
  TVMFFIObjectHandle first = new_logged_function(iut, &log);
  TVMFFIObjectHandle second = row->same ? first : new_logged_function(iut, &other_log);
  require(expect_ok(iut, iut->FunctionSetGlobal(the_name(), first, 0)));
  for (int i = 0; i < 3; ++i)
    expect_error(iut, iut->FunctionSetGlobal(the_name(), second, 0), NULL);
  note("another name");
  expect_ok(iut, iut->FunctionSetGlobal(fenced_bytes("conform.other", 13), second, 0));
}

CASE_ROWS(taken_name_is_a_runtime_error, rivals, .clauses = {FUN_45}, .wrong_call = true,
          .title = "registering a taken name without permission to override raises a RuntimeError")
{
  TVMFFIObjectHandle first = new_single_function(iut);
  TVMFFIObjectHandle second = row->same ? first : new_single_function(iut);
  require(expect_ok(iut, iut->FunctionSetGlobal(the_name(), first, 0)));
  expect_error(iut, iut->FunctionSetGlobal(the_name(), second, 0), "RuntimeError");
}

CASE_ROWS(refusal_changes_nothing, rivals, .clauses = {FUN_27, FUN_26},
          .title =
              "after a refused registration the name leads where it led, and no count has "
              "changed")
{
  CallLog log = {0}, other_log = {0};
  TVMFFIObjectHandle first = new_logged_function(iut, &log);
  TVMFFIObjectHandle second = row->same ? first : new_logged_function(iut, &other_log);
  require(expect_ok(iut, iut->FunctionSetGlobal(the_name(), first, 0)));
  uint64_t strong = object_strong(iut, second);
  expect_error(iut, iut->FunctionSetGlobal(the_name(), second, 0), NULL);
  expect_counts(iut, second, .strong = strong, .weak = 1);
  expect_counts(iut, first, .strong = 2, .weak = 1);
  expect_entered(iut, the_name(), first);
  if (!row->same) release_object(iut, second);
  expect_int("calls of the refused function's deleter after its release", other_log.deleted,
             row->same ? 0 : 1);
  release_object(iut, first);
  expect_int("calls of the registered function's deleter", log.deleted, 0);
}

//--------------------------------------------------------------------------------------------------
// Replacing
//--------------------------------------------------------------------------------------------------

static const struct {
  const char *name;
  int permission;
} permissions[] = {
    {"one", 1},
    {"minus_one", -1},
    {"two", 2},
    {"two_to_the_8", 256},
    {"two_to_the_16", 65536},
    {"largest", INT32_MAX},
    {"smallest", INT32_MIN},
};

CASE_ROWS(permission_replaces_the_function, permissions, .clauses = {FUN_28},
          .title =
              "with any permission but 0 the name leads to the new function, and the table lets "
              "go of the old one")
{
  CallLog log = {0}, new_log = {0};
  TVMFFIObjectHandle old = new_logged_function(iut, &log);
  TVMFFIObjectHandle new = new_logged_function(iut, &new_log);
  note("a free name");
  require(expect_ok(iut, iut->FunctionSetGlobal(the_name(), old, row->permission)));
  require(expect_counts(iut, old, .strong = 2, .weak = 1));
  note("the same name, now taken");
  require(expect_ok(iut, iut->FunctionSetGlobal(the_name(), new, row->permission)));
  expect_counts(iut, old, .strong = 1, .weak = 1);
  expect_counts(iut, new, .strong = 2, .weak = 1);
  expect_entered(iut, the_name(), new);
  release_object(iut, old);
  expect_int("calls of the old function's deleter", log.deleted, 1);
  release_object(iut, new);
  expect_int("calls of the new function's deleter", new_log.deleted, 0);
}

CASE(replacing_ends_a_function_that_only_the_table_holds, .clauses = {FUN_28, FUN_18},
     .title = "overriding a name whose old function nobody else holds runs its deleter, once")
{
  CallLog logs[4] = {{.deleted = 0}};
  for (unsigned i = 0; i < 4; ++i) {
    note("registering function %u of 4", i + 1);
    TVMFFIObjectHandle function = new_logged_function(iut, &logs[i]);
    require(expect_ok(iut, iut->FunctionSetGlobal(the_name(), function, 1)));
    release_object(iut, function);
    for (unsigned j = 0; j < 4; ++j)
      expect_int("calls of a function's deleter", logs[j].deleted, j < i ? 1 : 0);
  }
  TVMFFIObjectHandle found = look_up(iut, the_name());
  call_without_arguments(iut, found);
  expect_int("calls of the last function", logs[3].calls, 1);
  release_object(iut, found);
}

CASE(handle_found_before_a_replacement_stays_good, .clauses = {FUN_22, FUN_28},
     .title = "a function found under a name can be called after the name was given to another one")
{
  CallLog log = {0};
  TVMFFIObjectHandle old = new_logged_function(iut, &log), new = new_single_function(iut);
  enter_function(iut, the_name(), old);
  release_object(iut, old);
  TVMFFIObjectHandle found = look_up(iut, the_name());
  require(expect_pointer("what the name leads to", found, old));
  require(expect_ok(iut, iut->FunctionSetGlobal(the_name(), new, 1)));
  expect_int("calls of the old function's deleter", log.deleted, 0);
  call_without_arguments(iut, found);
  expect_int("calls of the old function", log.calls, 1);
  release_object(iut, found);
  expect_int("calls of the old function's deleter after the last release", log.deleted, 1);
  release_object(iut, new);
}

CASE(name_may_be_replaced_by_the_same_function, .clauses = {FUN_29},
     .title =
         "overriding a name with the function it leads to leaves it registered and its counts "
         "as they were")
{
  CallLog log = {0};
  TVMFFIObjectHandle function = new_logged_function(iut, &log);
  enter_function(iut, the_name(), function);
  require(expect_counts(iut, function, .strong = 2, .weak = 1));
  for (int i = 0; i < 10; ++i) {
    require(expect_ok(iut, iut->FunctionSetGlobal(the_name(), function, 1)));
    require(expect_counts(iut, function, .strong = 2, .weak = 1));
  }
  expect_entered(iut, the_name(), function);
  release_object(iut, function);
  expect_int("calls of the deleter", log.deleted, 0);
}

//--------------------------------------------------------------------------------------------------
// Many names
//--------------------------------------------------------------------------------------------------

enum { MANY = 3000 };

static const struct {
  const char *name;
  const char *format;
} families[] = {
    {"numbered", "conform.%u"},
    {"number_first", "%u.conform"},
    {"same_length", "f%08u"},
    {"long_common_beginning",
     "conform.a.name.whose.first.hundred.bytes.are.the.same.as.those.of.all.the.others.and.which."
     "differs.late.%u"},
};

static TVMFFIObjectHandle many[MANY];

CASE_ROWS(thousands_of_names_lead_to_their_own_function, families, .clauses = {FUN_30},
          .title = "after 3000 registrations every name leads to its own function")
{
  char text[160];
  for (unsigned i = 0; i < MANY; ++i) {
    int size = snprintf(text, sizeof text, row->format, i);
    TVMFFIByteArray name = {text, (size_t)size};
    many[i] = new_single_function(iut);
    enter_function(iut, &name, many[i]);
  }
  note("looking up all of %d names", MANY);
  for (unsigned i = 0; i < MANY; ++i) {
    int size = snprintf(text, sizeof text, row->format, i);
    TVMFFIByteArray name = {text, (size_t)size};
    require(expect_entered(iut, &name, many[i]));
  }
  int size = snprintf(text, sizeof text, row->format, MANY);
  expect_entered(iut, &(TVMFFIByteArray){text, (size_t)size}, NULL);
}

//--------------------------------------------------------------------------------------------------
// The heap
//--------------------------------------------------------------------------------------------------

static CallLog replaced_log;

static void replace(Iut *iut, void *name)
{
  TVMFFIObjectHandle function = NULL;
  if (iut->FunctionCreate(&replaced_log, call_log_callee, call_log_delete, &function) != 0) return;
  iut->FunctionSetGlobal(name, function, 1);
  iut->ObjectDecRef(function);
}

static void refuse(Iut *iut, void *name)
{
  TVMFFIObjectHandle function = NULL;
  if (iut->FunctionCreate(&replaced_log, call_log_callee, call_log_delete, &function) != 0) return;
  require(expect_error(iut, iut->FunctionSetGlobal(name, function, 0), NULL));
  iut->ObjectDecRef(function);
}

static const struct {
  const char *name;
  void (*operation)(Iut *iut, void *name);
} changes[] = {{"replacing", replace}, {"being_refused", refuse}};

CASE_ROWS(registering_over_and_over_does_not_grow, changes, .clauses = {OBJ_19, FUN_28},
          .title =
              "functions that are made, registered under a taken name and released, over and "
              "over, do not make the process grow")
{
  TVMFFIByteArray name = bytes_of(name_text);
  TVMFFIObjectHandle first = new_single_function(iut);
  enter_function(iut, &name, first);
  expect_no_heap_growth(iut, 300, row->operation, &name);
  expect_int("functions that ended", replaced_log.deleted, row->operation == replace ? 363 : 364);
  release_object(iut, first);
}
