// SPDX-License-Identifier: Apache-2.0
// How functions of the runtime take their arguments, and what they say of themselves.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "probe.h"
#include "unit/unit.h"

static TVMFFIObjectHandle function_of(const char *name)
{
  TVMFFIByteArray bytes = {name, strlen(name)};
  TVMFFIObjectHandle function = NULL;
  ck_assert_int_eq(TVMFFIFunctionGetGlobal(&bytes, &function), 0);
  ck_assert_msg(function != NULL, "%s is not registered", name);
  return function;
}

static const struct {
  const char *name;
  int arity;
  const char *args;  // of its schema, the result first
} natives[] = {
    {"ffi.GetRegisteredTypeKeys", 0, "ffi.Array<ffi.String>"},
    {"ffi.MakeObjectFromPackedArgs", -1, NULL},
    {"ffi.GetInvalidObject", 0, "ffi.Object"},
    {"ffi.GetKwargsObject", 0, "ffi.Object"},
    {"ffi.FunctionRemoveGlobal", 1, "bool ffi.String"},
    {"ffi.FunctionListGlobalNamesFunctor", 0, "ffi.Function"},
    {"ffi.GetGlobalFuncMetadata", 1, "ffi.String ffi.String"},
    {"ffi.FunctionFromExternC", 3, "ffi.Function void* void* void*"},
    {"ffi.String", 1, "ffi.String ffi.String"},
    {"ffi.Bytes", 1, "ffi.Bytes ffi.Bytes"},
    {"ffi.Shape", -1, NULL},
    {"ffi.Array", -1, NULL},
    {"ffi.ArrayGetItem", 2, "Any ffi.Array int"},
    {"ffi.ArraySize", 1, "int ffi.Array"},
    {"ffi.ArrayContains", 2, "bool ffi.Array Any"},
    {"ffi.List", -1, NULL},
    {"ffi.ListGetItem", 2, "Any ffi.List int"},
    {"ffi.ListSetItem", 3, "None ffi.List<Any> int Any"},
    {"ffi.ListSize", 1, "int ffi.List"},
    {"ffi.ListContains", 2, "bool ffi.List Any"},
    {"ffi.ListAppend", 2, "None ffi.List<Any> Any"},
    {"ffi.ListInsert", 3, "None ffi.List<Any> int Any"},
    {"ffi.ListPop", 2, "Any ffi.List<Any> int"},
    {"ffi.ListErase", 2, "None ffi.List<Any> int"},
    {"ffi.ListEraseRange", 3, "None ffi.List<Any> int int"},
    {"ffi.ListReplaceSlice", 4, "None ffi.List<Any> int int ffi.List<Any>"},
    {"ffi.ListReverse", 1, "None ffi.List<Any>"},
    {"ffi.ListClear", 1, "None ffi.List<Any>"},
    {"ffi.ListReserve", 2, "None ffi.List<Any> int"},
    {"ffi.Map", -1, NULL},
    {"ffi.MapSize", 1, "int ffi.Map"},
    {"ffi.MapGetItem", 2, "Any ffi.Map Any"},
    {"ffi.MapGetItemOrMissing", 2, "Any ffi.Map Any"},
    {"ffi.MapCount", 2, "int ffi.Map Any"},
    {"ffi.MapForwardIterFunctor", 1, "ffi.Function ffi.Map"},
    {"ffi.Dict", -1, NULL},
    {"ffi.DictSize", 1, "int ffi.Dict"},
    {"ffi.DictGetItem", 2, "Any ffi.Dict Any"},
    {"ffi.DictGetItemOrMissing", 2, "Any ffi.Dict Any"},
    {"ffi.DictCount", 2, "int ffi.Dict Any"},
    {"ffi.DictSetItem", 3, "None ffi.Dict<Any,Any> Any Any"},
    {"ffi.DictErase", 2, "None ffi.Dict<Any,Any> Any"},
    {"ffi.DictClear", 1, "None ffi.Dict<Any,Any>"},
    {"ffi.DictForwardIterFunctor", 1, "ffi.Function ffi.Dict"},
    {"ffi.DeepCopy", 1, "Any Any"},
    {"ffi.RecursiveEq", 2, "bool Any Any"},
    {"ffi.RecursiveHash", 1, "int Any"},
};

//--------------------------------------------------------------------------------------------------
// Metadata
//--------------------------------------------------------------------------------------------------

// Writes a type as it stands inside the text that stands inside the metadata; returns its rest.
static char *write_type(char *out, const char **type)
{
  size_t size = strcspn(*type, " <>,");
  out += sprintf(out, "{\\\"type\\\":\\\"%.*s\\\"", (int)size, *type);
  *type += size;
  if (**type == '<') {
    out += sprintf(out, ",\\\"args\\\":[");
    do {
      ++*type;
      out = write_type(out, type);
      if (**type == ',') *out++ = ',';
    } while (**type == ',');
    ++*type;
    *out++ = ']';
  }
  return out + sprintf(out, "}");
}

static void write_metadata(char *out, const char *types)
{
  out += sprintf(out, "{\"type_schema\":\"{\\\"type\\\":\\\"ffi.Function\\\"");
  if (types != NULL) {
    out += sprintf(out, ",\\\"args\\\":[");
    while (*types != '\0') {
      out = write_type(out, &types);
      if (*types == ' ') *out++ = ',', ++types;
    }
    *out++ = ']';
  }
  strcpy(out, "}\"}");
}

TEST(metadata_tell_what_a_function_takes, .rows = ROWS(natives))
{
  char due[1024];
  write_metadata(due, natives[_i].args);
  TVMFFIAny metadata = call("ffi.GetGlobalFuncMetadata", ARGS(view_str(natives[_i].name)));
  expect_string_of(&metadata, due, strlen(due));
  drop(metadata);
}

//--------------------------------------------------------------------------------------------------
// Arguments
//--------------------------------------------------------------------------------------------------

TEST(another_number_of_arguments_is_refused, .rows = ROWS(natives))
{
  TVMFFIAny args[8] = {{.type_index = kTVMFFINone}};
  for (int count = 0; count < 8 && natives[_i].arity >= 0; ++count) {
    if (count == natives[_i].arity) continue;
    char word[48];
    snprintf(word, sizeof word, "Expected %d but got %d", natives[_i].arity, count);
    expect_refused(natives[_i].name, args, count, "TypeError", word);
  }
  expect_refused(natives[_i].name, args, -1, "TypeError", "-1");
  expect_refused(natives[_i].name, NULL, 1, "ValueError", "args");
}

TEST(the_result_must_hold_no_object, .rows = ROWS(natives))
{
  TVMFFIObjectHandle function = function_of(natives[_i].name);
  Probe probe = probe_make(kTVMFFIOpaquePyObject);
  TVMFFIAny result = view_object(&probe), before = result;
  ck_assert_int_eq(TVMFFIFunctionCall(function, NULL, 0, &result), -1);
  expect_raised("InternalError", "result");
  expect_same_value(&result, &before);
  ck_assert_int_eq(TVMFFIFunctionCall(function, NULL, 0, NULL), -1);
  expect_raised("ValueError", "result");
  TVMFFIObjectDecRef(function);
}

// What each parameter lets through: none, int, bool, float, str, bytes, pointer, array, list, map,
// dict.
static const struct {
  const char *type, *name;
  int arity, place;
  const char *taken;  // one digit a value
} params[] = {
    {"ffi.Array", "ffi.ArraySize", 1, 0, "00000001000"},
    {"ffi.List", "ffi.ListSize", 1, 0, "00000000100"},
    {"ffi.Map", "ffi.MapSize", 1, 0, "00000000010"},
    {"ffi.Dict", "ffi.DictSize", 1, 0, "00000000001"},
    {"List<Any>", "ffi.ListReverse", 1, 0, "00000001100"},
    {"Dict<Any, Any>", "ffi.DictClear", 1, 0, "00000000011"},
    {"str", "ffi.String", 1, 0, "00001000000"},
    {"bytes", "ffi.Bytes", 1, 0, "00000100000"},
    {"void*", "ffi.FunctionFromExternC", 3, 0, "10000010000"},
    {"int", "ffi.ListPop", 2, 1, "01100000000"},
};

TEST(parameters_take_what_they_should, .rows = ROWS(params))
{
  TVMFFIObject *array = call_object("ffi.Array", ARGS(view_int(1), view_int(2)));
  TVMFFIObject *list = call_object("ffi.List", ARGS(view_int(1), view_int(2)));
  TVMFFIObject *map = call_object("ffi.Map", NO_ARGS), *dict = call_object("ffi.Dict", NO_ARGS);
  TVMFFIObjectHandle function = function_of("ffi.ArraySize");
  TVMFFIAny values[] = {view_none(),          view_int(0),        view_bool(0),
                        view_float(0),        view_str("text"),   view_bytes(BYTES("data")),
                        view_pointer(&array), view_object(array), view_object(list),
                        view_object(map),     view_object(dict)};
  TVMFFIAny callback = view_pointer(NULL);
  TVMFFISafeCallType safe_call = ((TVMFFIFunctionCell *)((TVMFFIObject *)function + 1))->safe_call;
  memcpy(&callback.v_ptr, &safe_call, sizeof safe_call);
  for (int i = 0; i < ROWS(values); ++i) {
    TVMFFIAny args[3] = {view_none(), callback, view_none()};
    if (params[_i].place == 1) args[0] = view_object(list);
    args[params[_i].place] = values[i];
    if (params[_i].taken[i] == '0') {
      char word[64];
      snprintf(word, sizeof word, "argument #%d: Expected `%s`", params[_i].place, params[_i].type);
      expect_refused(params[_i].name, args, params[_i].arity, "TypeError", word);
      continue;
    }
    TVMFFIAny result = view_none();
    TVMFFIObjectHandle taker = function_of(params[_i].name);
    ck_assert_int_eq(TVMFFIFunctionCall(taker, args, params[_i].arity, &result), 0);
    drop(result);
    TVMFFIObjectDecRef(taker);
  }
  TVMFFIObjectDecRef(function);
  TVMFFIObjectDecRef(array);
  TVMFFIObjectDecRef(list);
  TVMFFIObjectDecRef(map);
  TVMFFIObjectDecRef(dict);
}

TEST(the_message_names_what_came)
{
  Probe probe = probe_make(kTVMFFIOpaquePyObject);
  TVMFFIAny liar = view_object(&probe);
  liar.type_index = kTVMFFIArray;
  expect_refused("ffi.ArrayGetItem", ARGS(view_object(&probe), view_int(0)), "TypeError",
                 "ffi.ArrayGetItem(ffi.Array, int) -> Any: argument #0: Expected `ffi.Array` but "
                 "got `ffi.OpaquePyObject`");
  expect_refused("ffi.ArraySize", ARGS(liar), "TypeError", "`ffi.OpaquePyObject`");
  liar.v_obj = NULL;
  expect_refused("ffi.ArraySize", ARGS(liar), "TypeError", "without content");
  expect_refused("ffi.ArrayContains", ARGS(liar, liar), "TypeError", "without content");
  expect_refused("ffi.String", ARGS((TVMFFIAny){.type_index = kTVMFFIRawStr}), "TypeError",
                 "without content");
  probe.header.type_index = INT32_MAX;
  expect_refused("ffi.ArraySize", ARGS(view_object(&probe)), "TypeError", "2147483647");
}

// A typed parameter takes no rvalue reference, and leaves its object there.
TEST(rvalue_references_are_moved_by_untyped_parameters_only)
{
  Probe probe = probe_make(kTVMFFIOpaquePyObject);
  TVMFFIObject *list = call_object("ffi.List", NO_ARGS);
  TVMFFIObjectHandle slot = list, object = &probe, nothing = NULL;
  expect_refused("ffi.ListSize", ARGS(view_rvalue(&slot)), "TypeError", "ObjectRValueRef");
  expect_refused("ffi.ListAppend", ARGS(view_rvalue(&slot), view_rvalue(&object)), "TypeError",
                 "#0");
  ck_assert_ptr_eq(slot, list);
  ck_assert_ptr_eq(object, &probe);
  expect_refused("ffi.ListAppend", ARGS(view_object(list), view_rvalue(&nothing)), "InternalError",
                 "moved");
  call_void("ffi.ListAppend", ARGS(view_object(list), view_rvalue(&object)));
  ck_assert_ptr_null(object);
  expect_counts(&probe, 1, 1);
  TVMFFIObjectDecRef(list);
  ck_assert_int_eq(probe.calls, 1);
}

static const char *const texts[] = {"", "a", "seven77", "eight888", "longer than all of these"};

TEST(texts_become_owned, .rows = ROWS(texts))
{
  TVMFFIByteArray bytes = {texts[_i], strlen(texts[_i])};
  TVMFFIAny raw[] = {view_str(texts[_i]), view_bytes(&bytes)};
  for (int kind = 0; kind < 2; ++kind) {
    const char *name = kind == 0 ? "ffi.String" : "ffi.Bytes";
    TVMFFIAny owned = call(name, &raw[kind], 1), again = call(name, &owned, 1);
    ck_assert_int_eq(owned.type_index == kTVMFFISmallStr || owned.type_index == kTVMFFISmallBytes,
                     bytes.size <= 7);
    expect_same_value(&again, &owned);
    if (bytes.size > 7) expect_counts(owned.v_obj, 2, 1);
    expect_refused(kind == 0 ? "ffi.Bytes" : "ffi.String", &owned, 1, "TypeError",
                   kind == 0 ? "`bytes`" : "`str`");
    drop(owned);
    drop(again);
    drop(call_with_faults(name, &raw[kind], 1));
  }
}

TEST(singletons_are_single)
{
  TVMFFIObject *invalid = call_object("ffi.GetInvalidObject", NO_ARGS);
  TVMFFIObject *kwargs = call_object("ffi.GetKwargsObject", NO_ARGS);
  ck_assert_int_eq(invalid->type_index, kTVMFFIObject);
  ck_assert_int_eq(kwargs->type_index, kTVMFFIObject);
  ck_assert_ptr_ne(invalid, kwargs);
  ck_assert_ptr_eq(call_object("ffi.GetInvalidObject", NO_ARGS), invalid);
  for (int i = 0; i < 2; ++i) TVMFFIObjectDecRef(invalid);
  TVMFFIObjectDecRef(kwargs);
  expect_counts(invalid, 1, 1);
  expect_counts(kwargs, 1, 1);
}
