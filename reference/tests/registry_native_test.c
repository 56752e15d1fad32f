// SPDX-License-Identifier: Apache-2.0
// Functions about functions. The tests share the table of names: each uses names of its own, and
// puts back what it takes away.
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "call.h"
#include "probe.h"
#include "unit/unit.h"

static int answer(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)handle, (void)args, (void)num_args;
  *result = view_int(42);
  return 0;
}

static TVMFFIObjectHandle make(void)
{
  TVMFFIObjectHandle out = NULL;
  ck_assert_int_eq(TVMFFIFunctionCreate(NULL, answer, NULL, &out), 0);
  return out;
}

static TVMFFIByteArray name_of(const char *name)
{
  return (TVMFFIByteArray){name, strlen(name)};
}

static TVMFFIObjectHandle look_up(const char *name)
{
  TVMFFIByteArray bytes = name_of(name);
  TVMFFIObjectHandle out = NULL;
  ck_assert_int_eq(TVMFFIFunctionGetGlobal(&bytes, &out), 0);
  return out;
}

static void enter(const char *name)
{
  TVMFFIByteArray bytes = name_of(name);
  TVMFFIObjectHandle function = make();
  ck_assert_int_eq(TVMFFIFunctionSetGlobal(&bytes, function, 0), 0);
  TVMFFIObjectDecRef(function);
}

static bool leave(const char *name)
{
  return call_bool("ffi.FunctionRemoveGlobal", ARGS(view_str(name)));
}

//--------------------------------------------------------------------------------------------------
// The list of names
//--------------------------------------------------------------------------------------------------

static int64_t count_of(TVMFFIObject *list)
{
  return call_function(list, ARGS(view_int(-1))).v_int64;
}

// Returns the position of a name that may stand there once; -1 if it doesn't.
static int64_t position_of(TVMFFIObject *list, const char *name)
{
  int64_t found = -1;
  for (int64_t i = 0; i < count_of(list); ++i) {
    TVMFFIAny value = call_function(list, ARGS(view_int(i)));
    bool is_small = value.type_index == kTVMFFISmallStr;
    const TVMFFIByteArray *object = (const TVMFFIByteArray *)(value.v_obj + 1);
    const char *text = is_small ? value.v_bytes : object->data;
    size_t size = is_small ? value.small_str_len : object->size;
    if (size == strlen(name) && memcmp(text, name, size) == 0) {
      ck_assert_int_eq(found, -1);
      found = i;
    }
    drop(value);
  }
  return found;
}

TEST_GROUP(all, .timeout = 60);

TEST(names_are_listed_in_order)
{
  static const char *const names[] = {"list.z", "list.a", "list.with a longer name", "l"};
  for (int i = 0; i < ROWS(names); ++i) enter(names[i]);
  TVMFFIObject *list = call_object("ffi.FunctionListGlobalNamesFunctor", NO_ARGS);
  int64_t count = count_of(list);
  for (int i = 0; i < ROWS(names); ++i) {
    ck_assert_int_eq(position_of(list, names[i]), count - ROWS(names) + i);
  }
  ck_assert_int_eq(position_of(list, "ffi.GetRegisteredTypeKeys"), 0);
  ck_assert_int_lt(position_of(list, "ffi.MapGetItem"), position_of(list, "ffi.DictGetItem"));
  ck_assert_int_eq(position_of(list, "list.unknown"), -1);
  for (int i = 0; i < ROWS(names); ++i) ck_assert(leave(names[i]));
  ck_assert_int_eq(count_of(list), count);
  ck_assert_int_ge(position_of(list, "list.a"), 0);
  TVMFFIObjectDecRef(list);
  list = call_object("ffi.FunctionListGlobalNamesFunctor", NO_ARGS);
  ck_assert_int_eq(count_of(list), count - ROWS(names));
  ck_assert_int_eq(position_of(list, "list.a"), -1);
  TVMFFIObjectDecRef(list);
}

TEST(a_position_outside_is_refused)
{
  TVMFFIObject *list = call_object("ffi.FunctionListGlobalNamesFunctor", NO_ARGS);
  TVMFFIAny result = rubbish(), index = view_int(count_of(list));
  result.type_index = kTVMFFIInt;
  ck_assert_int_eq(TVMFFIFunctionCall(list, &index, 1, &result), -1);
  expect_raised("IndexError", "out of bounds");
  index = view_str("0");
  ck_assert_int_eq(TVMFFIFunctionCall(list, &index, 1, &result), -1);
  expect_raised("TypeError", "int");
  ck_assert_int_eq(TVMFFIFunctionCall(list, &index, 0, &result), -1);
  expect_raised("TypeError", "Expected 1 but got 0");
  TVMFFIObjectDecRef(list);
}

TEST(an_override_keeps_its_place_and_a_removed_name_loses_it)
{
  enter("place.1");
  enter("place.2");
  TVMFFIObjectHandle other = make();
  ck_assert_int_eq(TVMFFIFunctionSetGlobal(BYTES("place.1"), other, 1), 0);
  TVMFFIObjectDecRef(other);
  TVMFFIObject *list = call_object("ffi.FunctionListGlobalNamesFunctor", NO_ARGS);
  ck_assert_int_lt(position_of(list, "place.1"), position_of(list, "place.2"));
  TVMFFIObjectDecRef(list);
  ck_assert(leave("place.1"));
  enter("place.1");
  list = call_object("ffi.FunctionListGlobalNamesFunctor", NO_ARGS);
  ck_assert_int_gt(position_of(list, "place.1"), position_of(list, "place.2"));
  TVMFFIObjectDecRef(list);
  ck_assert(leave("place.1"));
  ck_assert(leave("place.2"));
}

//--------------------------------------------------------------------------------------------------
// Removing, metadata
//--------------------------------------------------------------------------------------------------

TEST(a_removed_name_is_free)
{
  TVMFFIObjectHandle function = make(), other = make();
  TVMFFIByteArray *name = BYTES("remove.free");
  ck_assert_int_eq(TVMFFIFunctionSetGlobal(name, function, 0), 0);
  expect_counts(function, 2, 1);
  ck_assert(leave("remove.free"));
  expect_counts(function, 1, 1);
  ck_assert_ptr_null(look_up("remove.free"));
  ck_assert(!leave("remove.free"));
  ck_assert(!leave("remove.never"));
  ck_assert_int_eq(TVMFFIFunctionSetGlobal(name, other, 0), 0);
  ck_assert_int_eq(TVMFFIFunctionSetGlobal(name, function, 0), -1);
  expect_raised("RuntimeError", "remove.free");
  ck_assert_ptr_eq(look_up("remove.free"), other);
  TVMFFIObjectDecRef(other);
  ck_assert(leave("remove.free"));
  expect_counts(other, 1, 1);
  // A name may stand for nothing.
  ck_assert_int_eq(TVMFFIFunctionSetGlobal(name, NULL, 0), 0);
  ck_assert(leave("remove.free"));
  TVMFFIObjectDecRef(function);
  TVMFFIObjectDecRef(other);
}

TEST(functions_of_the_runtime_can_be_replaced_and_removed)
{
  TVMFFIByteArray *name = BYTES("ffi.Shape");
  TVMFFIObjectHandle mine = make(), shape = look_up("ffi.Shape");
  ck_assert_int_eq(TVMFFIFunctionSetGlobal(name, mine, 0), -1);
  expect_raised("RuntimeError", "ffi.Shape");
  ck_assert_int_eq(TVMFFIFunctionSetGlobal(name, mine, 1), 0);
  ck_assert_int_eq(call_int("ffi.Shape", NO_ARGS), 42);
  TVMFFIAny metadata = call("ffi.GetGlobalFuncMetadata", ARGS(view_str("ffi.Shape")));
  expect_string(&metadata, "");
  ck_assert(leave("ffi.Shape"));
  ck_assert_ptr_null(look_up("ffi.Shape"));
  drop(call_function(shape, ARGS(view_int(1))));  // who holds it can call it
  ck_assert_int_eq(TVMFFIFunctionSetGlobal(name, shape, 0), 0);
  drop(call("ffi.Shape", ARGS(view_int(1))));
  expect_counts(mine, 1, 1);
  TVMFFIObjectDecRef(mine);
  TVMFFIObjectDecRef(shape);
}

static TVMFFIObject *ended;

static void remove_when_deleted(void *self)
{
  ended = self;
  leave("remove.other");
}

TEST(releasing_may_run_code_that_uses_the_table)
{
  TVMFFIObjectHandle function = NULL;
  enter("remove.other");
  ck_assert_int_eq(TVMFFIFunctionCreate(&ended, answer, remove_when_deleted, &function), 0);
  ck_assert_int_eq(TVMFFIFunctionSetGlobal(BYTES("remove.self"), function, 0), 0);
  TVMFFIObjectDecRef(function);
  ck_assert(leave("remove.self"));
  ck_assert_ptr_eq(ended, &ended);
  ck_assert(!leave("remove.other"));
}

static void describe(const char *name, TVMFFIByteArray metadata, int allow_override)
{
  TVMFFIObjectHandle function = make();
  TVMFFIMethodInfo info = {.name = name_of(name),
                           .metadata = metadata,
                           .method = {.type_index = kTVMFFIFunction, .v_ptr = function}};
  ck_assert_int_eq(TVMFFIFunctionSetGlobalFromMethodInfo(&info, allow_override), 0);
  TVMFFIObjectDecRef(function);
}

static void expect_metadata(const char *name, const TVMFFIByteArray *due)
{
  TVMFFIAny metadata = call("ffi.GetGlobalFuncMetadata", ARGS(view_str(name)));
  expect_string_of(&metadata, due->data, due->size);
  drop(metadata);
}

TEST(metadata_are_kept)
{
  char text[] = "{\"a\":\"longer than seven\0and with a NUL\"}";
  TVMFFIByteArray metadata = {text, sizeof text - 1};
  describe("metadata.one", metadata, 0);
  describe("metadata.none", (TVMFFIByteArray){NULL, 0}, 0);
  text[2] = 'b';
  expect_metadata("metadata.one", BYTES("{\"a\":\"longer than seven\0and with a NUL\"}"));
  expect_metadata("metadata.none", BYTES(""));
  describe("metadata.one", *BYTES("short"), 1);
  expect_metadata("metadata.one", BYTES("short"));
  TVMFFIObjectHandle function = make();
  ck_assert_int_eq(TVMFFIFunctionSetGlobal(BYTES("metadata.one"), function, 1), 0);
  TVMFFIObjectDecRef(function);
  expect_metadata("metadata.one", BYTES(""));
  describe("metadata.one", metadata, 1);
  ck_assert(leave("metadata.one"));
  expect_refused("ffi.GetGlobalFuncMetadata", ARGS(view_str("metadata.one")), "RuntimeError",
                 "metadata.one");
  expect_refused("ffi.GetGlobalFuncMetadata", ARGS(view_str("metadata.no")), "RuntimeError",
                 "metadata.no");
  ck_assert(leave("metadata.none"));
}

TEST(names_are_taken_in_every_form)
{
  enter("form");
  enter("a longer form");
  TVMFFIAny small = {.type_index = kTVMFFISmallStr, .small_str_len = 4}, heap;
  memcpy(small.v_bytes, "form", 4);
  ck_assert_int_eq(TVMFFIStringFromByteArray(BYTES("a longer form"), &heap), 0);
  drop(call("ffi.GetGlobalFuncMetadata", ARGS(small)));
  drop(call("ffi.GetGlobalFuncMetadata", ARGS(heap)));
  ck_assert(call_bool("ffi.FunctionRemoveGlobal", ARGS(small)));
  ck_assert(call_bool("ffi.FunctionRemoveGlobal", ARGS(heap)));
  expect_refused("ffi.FunctionRemoveGlobal", ARGS(view_bytes(BYTES("form"))), "TypeError", "str");
  drop(heap);
}

TEST(want_of_memory_is_reported)
{
  describe("scarce.metadata", *BYTES("longer than seven"), 1);
  TVMFFIAny list = call_with_some_faults("ffi.FunctionListGlobalNamesFunctor", NO_ARGS);
  ck_assert_int_ge(position_of(list.v_obj, "scarce.metadata"), 0);
  drop(list);
  drop(call_with_faults("ffi.GetGlobalFuncMetadata", ARGS(view_str("scarce.metadata"))));
  drop(call_with_faults("ffi.GetGlobalFuncMetadata", ARGS(view_str("ffi.Map"))));
  ck_assert(leave("scarce.metadata"));
  for (int n = 1;; ++n) {
    TVMFFIObjectHandle function = make();
    TVMFFIMethodInfo info = {.name = *BYTES("scarce.new"),
                             .metadata = *BYTES("longer than seven"),
                             .method = {.type_index = kTVMFFIFunction, .v_ptr = function}};
    faults_arm(n);
    int code = TVMFFIFunctionSetGlobalFromMethodInfo(&info, 0);
    bool came = faults_disarm();
    ck_assert_int_eq(code, came ? -1 : 0);
    if (came) expect_raised("InternalError", "memory");
    expect_counts(function, came ? 1 : 2, 1);
    TVMFFIObjectDecRef(function);
    if (!came) break;
    ck_assert(!leave("scarce.new"));
  }
  ck_assert(leave("scarce.new"));
}

//--------------------------------------------------------------------------------------------------
// Callbacks
//--------------------------------------------------------------------------------------------------

static void *last_handle, *last_deleted;

static int note_handle(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  last_handle = handle;
  return answer(handle, args, num_args, result);
}

static void note_deletion(void *self)
{
  last_deleted = self;
}

static TVMFFIAny view_code(const void *function, size_t size)
{
  TVMFFIAny view = view_pointer(NULL);
  memcpy(&view.v_ptr, function, size);
  return view;
}

TEST(callbacks_are_wrapped)
{
  TVMFFISafeCallType safe_call = note_handle;
  void (*deleter)(void *) = note_deletion;
  TVMFFIAny code = view_code(&safe_call, sizeof safe_call),
            end = view_code(&deleter, sizeof deleter);
  TVMFFIObject *plain =
      call_object("ffi.FunctionFromExternC", ARGS(view_none(), code, view_none()));
  TVMFFIObject *closure =
      call_object("ffi.FunctionFromExternC", ARGS(view_pointer(&last_handle), code, end));
  ck_assert_int_eq(plain->type_index, kTVMFFIFunction);
  ck_assert_int_eq(call_function(plain, NO_ARGS).v_int64, 42);
  ck_assert_ptr_eq(last_handle, plain);
  ck_assert_int_eq(call_function(closure, NO_ARGS).v_int64, 42);
  ck_assert_ptr_eq(last_handle, &last_handle);
  last_deleted = NULL;
  TVMFFIObjectDecRef(plain);
  ck_assert_ptr_null(last_deleted);
  TVMFFIObjectDecRef(closure);
  ck_assert_ptr_eq(last_deleted, &last_handle);
  expect_refused("ffi.FunctionFromExternC", ARGS(view_none(), view_none(), view_none()),
                 "ValueError", "safe_call");
  drop(call_with_faults("ffi.FunctionFromExternC", ARGS(view_none(), code, end)));
}

//--------------------------------------------------------------------------------------------------
// Threads
//--------------------------------------------------------------------------------------------------

enum { THREADS = 4, ROUNDS = 300 };

// Each thread enters and removes names that the others look up, list and remove.
static void *change_names(void *seed)
{
  char name[32];
  for (int i = 0; i < ROUNDS; ++i) {
    TVMFFIByteArray bytes = {
        name, (size_t)snprintf(name, sizeof name, "threads.%d", (i * 7 + *(int *)seed) % 10)};
    TVMFFIObjectHandle function = make(), found = NULL;
    ck_assert_int_eq(TVMFFIFunctionSetGlobal(&bytes, function, 1), 0);
    ck_assert_int_eq(TVMFFIFunctionGetGlobal(&bytes, &found), 0);
    if (found != NULL) drop(call_function(found, NO_ARGS));
    TVMFFIObjectDecRef(found);
    if (i % 3 == 0) leave(name);
    if (i % 20 == 0) drop(call("ffi.FunctionListGlobalNamesFunctor", NO_ARGS));
    TVMFFIObjectDecRef(function);
  }
  return NULL;
}

TEST(threads_change_names_at_the_same_time)
{
  pthread_t threads[THREADS];
  int seeds[THREADS];
  for (int i = 0; i < THREADS; ++i) {
    seeds[i] = i;
    ck_assert_int_eq(pthread_create(&threads[i], NULL, change_names, &seeds[i]), 0);
  }
  for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
  TVMFFIObject *list = call_object("ffi.FunctionListGlobalNamesFunctor", NO_ARGS);
  for (int i = 0; i < 10; ++i) {
    char name[32];
    snprintf(name, sizeof name, "threads.%d", i);
    ck_assert_int_eq(position_of(list, name) >= 0, leave(name));
  }
  TVMFFIObjectDecRef(list);
}
