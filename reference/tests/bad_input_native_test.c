// SPDX-License-Identifier: Apache-2.0
// Bad arguments for every registered function of the runtime, found by its name and by what its
// metadata say that it takes.
#include <stdio.h>
#include <string.h>

#include "bad_input.h"
#include "call.h"
#include "probe.h"
#include "unit/unit.h"

enum { MAX_PARAMS = 6, TYPE_ROOM = 48 };

// What a function takes: the names of types, with a `+` behind those that have arguments.
typedef struct {
  char name[64];
  bool variadic;
  int count;
  char types[MAX_PARAMS + 1][TYPE_ROOM];  // the result first
} Taker;

//--------------------------------------------------------------------------------------------------
// Functions and what they take
//--------------------------------------------------------------------------------------------------

static TVMFFIByteArray text_of(const TVMFFIAny *value)
{
  if (value->type_index == kTVMFFISmallStr) {
    return (TVMFFIByteArray){value->v_bytes, value->small_str_len};
  }
  return *(const TVMFFIByteArray *)(value->v_obj + 1);
}

// Reads the types from the metadata, in which quotes stand behind backslashes. What stands in inner
// brackets are the arguments of a type.
static void read_types(const char *metadata, Taker *taker)
{
  static const char begin[] = "{\\\"type\\\":\\\"", args[] = "\\\"args\\\":[";
  const char *at = strstr(metadata, args);
  taker->variadic = at == NULL;
  taker->count = -1;  // the result is no parameter
  if (at == NULL) return;
  int depth = 0;
  for (at += sizeof args - 1; *at != '\0'; ++at) {
    if (depth == 0 && strncmp(at, begin, sizeof begin - 1) == 0) {
      size_t size = strcspn(at + sizeof begin - 1, "\\");
      ck_assert(size < TYPE_ROOM - 1 && taker->count < MAX_PARAMS);
      char *type = taker->types[++taker->count];
      memcpy(type, at + sizeof begin - 1, size);
      strcpy(type + size,
             strncmp(at + sizeof begin - 1 + size, "\\\",\\\"args", 9) == 0 ? "+" : "");
    }
    depth += *at == '{' ? 1 : *at == '}' ? -1 : 0;
    if (depth < 0) return;
  }
}

// Fills a row for every name that begins with "ffi.". Returns their number.
static int list_takers(Taker *takers, int room)
{
  TVMFFIObject *list = call_object("ffi.FunctionListGlobalNamesFunctor", NO_ARGS);
  int64_t names = call_function(list, ARGS(view_int(-1))).v_int64;
  int count = 0;
  for (int64_t i = 0; i < names; ++i) {
    TVMFFIAny name = call_function(list, ARGS(view_int(i)));
    TVMFFIByteArray text = text_of(&name);
    if (text.size > 4 && memcmp(text.data, "ffi.", 4) == 0) {
      Taker *taker = &takers[count++];
      ck_assert(count < room && text.size < sizeof taker->name);
      snprintf(taker->name, sizeof taker->name, "%.*s", (int)text.size, text.data);
      TVMFFIAny metadata = call("ffi.GetGlobalFuncMetadata", &name, 1);
      char copy[1024];
      text = text_of(&metadata);
      snprintf(copy, sizeof copy, "%.*s", (int)text.size, text.data);
      read_types(copy, taker);
      drop(metadata);
    }
    drop(name);
  }
  TVMFFIObjectDecRef(list);
  return count;
}

static TVMFFIObjectHandle function_of(const char *name)
{
  TVMFFIByteArray bytes = {name, strlen(name)};
  TVMFFIObjectHandle function = NULL;
  ck_assert_int_eq(TVMFFIFunctionGetGlobal(&bytes, &function), 0);
  return function;
}

// A result as the contract wants it: rubbish that holds no object.
static int call_bad(TVMFFIObjectHandle function, const TVMFFIAny *args, int32_t num_args)
{
  TVMFFIAny result = rubbish(), before;
  result.type_index = kTVMFFINone;
  before = result;
  int code = TVMFFIFunctionCall(function, (TVMFFIAny *)args, num_args, &result);
  if (memcmp(&result, &before, sizeof result) != 0) ck_abort_msg("the result was written");
  return code;
}

//--------------------------------------------------------------------------------------------------
// Values
//--------------------------------------------------------------------------------------------------

typedef struct {
  TVMFFIObject *array, *list, *map, *dict;
  Probe probe;
} Things;

static Things make_things(void)
{
  return (Things){
      .array = call_object("ffi.Array", ARGS(view_int(1), view_int(2))),
      .list = call_object("ffi.List", ARGS(view_int(1), view_int(2))),
      .map = call_object("ffi.Map", ARGS(view_int(1), view_int(2))),
      .dict = call_object("ffi.Dict", ARGS(view_int(1), view_int(2))),
      .probe = probe_make(kTVMFFIOpaquePyObject),
  };
}

static void release_things(Things *things)
{
  expect_counts(things->array, 1, 1);
  expect_counts(things->list, 1, 1);
  expect_counts(things->map, 1, 1);
  expect_counts(things->dict, 1, 1);
  expect_counts(&things->probe, 1, 1);
  TVMFFIObjectDecRef(things->array);
  TVMFFIObjectDecRef(things->list);
  TVMFFIObjectDecRef(things->map);
  TVMFFIObjectDecRef(things->dict);
}

enum { WHOLE_VALUES = 11 };

// Values that are whole, and the types of parameters that take them.
static const char *const taken_by[WHOLE_VALUES] = {
    " Any void* ",
    " Any int bool ",
    " Any int bool ",
    " Any ",
    " Any ffi.String ",
    " Any void* ",
    " Any ffi.Bytes ",
    " Any ffi.Array ffi.List+ ",
    " Any ffi.List ffi.List+ ",
    " Any ffi.Map ffi.Dict+ ",
    " Any ffi.Dict ffi.Dict+ ",
};

static TVMFFIAny whole_value(Things *things, int row)
{
  static const TVMFFIByteArray data = {"data", 4};
  TVMFFIAny values[WHOLE_VALUES] = {
      view_none(),
      view_int(0),
      view_bool(1),
      view_float(0),
      view_str("nothing.like.that"),
      view_pointer(NULL),
      view_bytes(&data),
      view_object(things->array),
      view_object(things->list),
      view_object(things->map),
      view_object(things->dict),
  };
  return values[row];
}

static bool takes(const char *type, int row)
{
  char padded[TYPE_ROOM + 2];
  snprintf(padded, sizeof padded, " %s ", type);
  return strstr(taken_by[row], padded) != NULL;
}

// Finds a value that a parameter takes. False for a type that nothing here is of.
static bool good_value(Things *things, const char *type, TVMFFIAny *out)
{
  for (int row = WHOLE_VALUES; row-- > 0;) {  // backwards: lists come before arrays
    if (!takes(type, row)) continue;
    *out = whole_value(things, row);
    return true;
  }
  return false;
}

//--------------------------------------------------------------------------------------------------
// Tests
//--------------------------------------------------------------------------------------------------

// Whatever precedes the argument is good, so that it is this one that is refused.
static void refuse_at(const Taker *taker, int place, TVMFFIAny *args, int32_t num_args,
                      const char *due)
{
  TVMFFIObjectHandle function = function_of(taker->name);
  char argument[32];
  snprintf(argument, sizeof argument, "argument #%d", place);
  REFUSED("TypeError", argument, taker->name, call_bad(function, args, num_args));
  REFUSED("TypeError", argument, due, call_bad(function, args, num_args));
  TVMFFIObjectDecRef(function);
}

static void refuse_all_at(const Taker *taker, int place, Things *things)
{
  const char *type = taker->types[place + 1];
  TVMFFIAny args[MAX_PARAMS], scratch;
  for (int i = 0; i < taker->count; ++i) {
    if (!good_value(things, taker->types[i + 1], &args[i]) && i < place) return;
  }
  for (int row = 0; row < WHOLE_VALUES && good_value(things, type, &scratch); ++row) {
    if (takes(type, row)) continue;
    args[place] = whole_value(things, row);
    refuse_at(taker, place, args, taker->count, "Expected `");
  }
  for (int row = 0; row < BAD_VIEWS - 1; ++row) {
    args[place] = *bad_view(row);
    refuse_at(taker, place, args, taker->count, "without content");
  }
  args[place] = view_object(&things->probe);
  args[place].type_index = kTVMFFIArray;
  refuse_at(taker, place, args, taker->count, "in a view of another type");
  args[place].type_index = kTVMFFIStr;
  refuse_at(taker, place, args, taker->count, "in a view of another type");
}

enum { MAX_TAKERS = 128 };
static Taker takers[MAX_TAKERS];

TEST_GROUP(all, .timeout = 60);

TEST(every_argument_of_every_function_is_checked)
{
  Things things = make_things();
  int count = list_takers(takers, MAX_TAKERS), params = 0;
  for (int i = 0; i < count; ++i) {
    for (int place = 0; place < takers[i].count; ++place, ++params) {
      refuse_all_at(&takers[i], place, &things);
    }
  }
  ck_assert_int_ge(count, 44);
  ck_assert_int_ge(params, 60);
  release_things(&things);
}

TEST(any_number_of_arguments_is_checked_one_by_one)
{
  Things things = make_things();
  int count = list_takers(takers, MAX_TAKERS), variadic = 0;
  for (int i = 0; i < count; ++i) {
    if (!takers[i].variadic) continue;
    ++variadic;
    for (int row = 0; row < BAD_VIEWS - 1; ++row) {
      TVMFFIAny args[] = {view_int(1), view_int(1), *bad_view(row)};
      refuse_at(&takers[i], 2, args, 3, "without content");
      refuse_at(&takers[i], 0, &args[2], 1, "without content");
    }
    TVMFFIAny liar = view_object(&things.probe);
    liar.type_index = kTVMFFIStr;
    refuse_at(&takers[i], 0, &liar, 1, "in a view of another type");
  }
  ck_assert_int_ge(variadic, 6);
  release_things(&things);
}

TEST(the_call_itself_is_checked)
{
  Probe probe = probe_make(kTVMFFIOpaquePyObject);
  int count = list_takers(takers, MAX_TAKERS);
  for (int i = 0; i < count; ++i) {
    TVMFFIObjectHandle function = function_of(takers[i].name);
    TVMFFIAny result = view_object(&probe), args[] = {view_none()};
    REFUSED("TypeError", takers[i].name, "-1", call_bad(function, args, -1));
    REFUSED("TypeError", takers[i].name, "-2147483648", call_bad(function, args, INT32_MIN));
    REFUSED("ValueError", "`args`", "must not be NULL", call_bad(function, NULL, 3));
    REFUSED("ValueError", "`args`", "must not be NULL", call_bad(function, NULL, INT32_MAX));
    REFUSED("ValueError", "`result`", "must not be NULL",
            TVMFFIFunctionCall(function, args, 0, NULL));
    REFUSED("InternalError", "`result`", "no object",
            TVMFFIFunctionCall(function, args, 0, &result));
    if (!takers[i].variadic) {
      REFUSED("TypeError", takers[i].name, "but got 2147483647 arguments",
              call_bad(function, args, INT32_MAX));
    }
    TVMFFIObjectDecRef(function);
  }
  expect_counts(&probe, 1, 1);
}

static const struct {
  const char *name, *argument;
} movers[] = {{"ffi.ListAppend", "argument #1"},
              {"ffi.ArrayContains", "argument #1"},
              {"ffi.MapGetItem", "argument #1"},
              {"ffi.DictSetItem", "argument #2"}};

TEST(what_was_moved_already_is_refused, .rows = ROWS(movers))
{
  Things things = make_things();
  TVMFFIObjectHandle function = function_of(movers[_i].name);
  TVMFFIObject *first[] = {things.list, things.array, things.map, things.dict};
  TVMFFIAny args[] = {view_object(first[_i]), view_int(1), view_int(1)};
  int32_t num_args = movers[_i].argument[10] - '0' + 1;
  args[num_args - 1] = *bad_view(BAD_VIEWS - 1);
  REFUSED("InternalError", movers[_i].argument, "moved already",
          call_bad(function, args, num_args));
  TVMFFIObjectDecRef(function);
  release_things(&things);
}

static const struct {
  const char *name;
  int32_t num_args;
  int64_t numbers[3];  // from the second argument on; the first is a list of two
  const char *kind, *why;
} counts[] = {
    {"ffi.ListGetItem", 2, {-1}, "IndexError", "Index -1 out of bounds 2"},
    {"ffi.ListGetItem", 2, {2}, "IndexError", "Index 2 out of bounds 2"},
    {"ffi.ListGetItem", 2, {INT64_MIN}, "IndexError", "Index -9223372036854775808"},
    {"ffi.ListSetItem", 3, {2, 0}, "IndexError", "Index 2 out of bounds 2"},
    {"ffi.ListInsert", 3, {3, 0}, "IndexError", "Index 3 out of bounds 2"},
    {"ffi.ListInsert", 3, {-1, 0}, "IndexError", "Index -1 out of bounds 2"},
    {"ffi.ListPop", 2, {INT64_MAX}, "IndexError", "Index 9223372036854775807"},
    {"ffi.ListErase", 2, {-1}, "IndexError", "Index -1 out of bounds 2"},
    {"ffi.ListEraseRange", 3, {0, 3}, "IndexError", "Index 3 out of bounds 2"},
    {"ffi.ListEraseRange", 3, {2, 1}, "IndexError", "Index 1 out of bounds 2"},
    {"ffi.ListEraseRange", 3, {INT64_MIN, INT64_MAX}, "IndexError", "Index -9223372036854775808"},
    {"ffi.ListReserve", 2, {-1}, "ValueError", "`argument #1` is -1"},
    {"ffi.ListReserve", 2, {INT64_MIN}, "ValueError", "`argument #1` is -9223372036854775808"},
    {"ffi.ListReserve", 2, {INT64_MAX}, "InternalError", "memory"},
    {"ffi.ListReserve", 2, {(int64_t)1 << 50}, "InternalError", "memory"},
};

TEST(counts_and_indices_are_checked, .rows = ROWS(counts))
{
  Things things = make_things();
  TVMFFIObjectHandle function = function_of(counts[_i].name);
  TVMFFIAny args[4] = {view_object(things.list)};
  for (int i = 0; i < 3; ++i) args[i + 1] = view_int(counts[_i].numbers[i]);
  REFUSED(counts[_i].kind, counts[_i].why, "", call_bad(function, args, counts[_i].num_args));
  ck_assert_int_eq(call_int("ffi.ListSize", args, 1), 2);
  TVMFFIObjectDecRef(function);
  release_things(&things);
}

// What a body finds wrong itself.
TEST(content_is_checked)
{
  TVMFFIAny odd[] = {view_int(1), view_str("x"), view_int(3)};
  static const struct {
    const char *name;
    int32_t num_args;
    const char *kind, *argument, *why;
  } calls[] = {
      {"ffi.Map", 3, "InternalError", "ffi.Map: the last key", "no value"},
      {"ffi.Dict", 1, "InternalError", "ffi.Dict: the last key", "no value"},
      {"ffi.Shape", 3, "ValueError", "ffi.Shape", "#1 is none"},
      {"ffi.MakeObjectFromPackedArgs", 0, "InternalError", "Expected a type", "names"},
      {"ffi.MakeObjectFromPackedArgs", 2, "InternalError", "Expected a type", "names"},
      {"ffi.MakeObjectFromPackedArgs", 1, "RuntimeError", "`int`", "can't be made"},
  };
  for (int i = 0; i < ROWS(calls); ++i) {
    TVMFFIObjectHandle function = function_of(calls[i].name);
    REFUSED(calls[i].kind, calls[i].argument, calls[i].why,
            call_bad(function, odd, calls[i].num_args));
    TVMFFIObjectDecRef(function);
  }
}

TEST(a_good_call_leaves_a_pending_error_alone)
{
  Things things = make_things();
  static const char *const names[] = {"ffi.ArraySize", "ffi.ListSize", "ffi.MapSize",
                                      "ffi.DictSize"};
  TVMFFIObject *first[] = {things.array, things.list, things.map, things.dict};
  for (int i = 0; i < ROWS(names); ++i) {
    TVMFFIObjectHandle function = function_of(names[i]);
    TVMFFIAny arg = view_object(first[i]);
    ACCEPTED(TVMFFIFunctionCall(function, &arg, 1, &bad_out.any));
    TVMFFIObjectDecRef(function);
  }
  release_things(&things);
}
