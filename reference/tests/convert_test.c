// SPDX-License-Identifier: Apache-2.0
// Conversions of the built-in types, which frontends call for fields and parameters.
#include <string.h>

#include "call.h"
#include "probe.h"
#include "unit/unit.h"

static TVMFFIObjectHandle conversion_of(int32_t type_index)
{
  const TVMFFITypeAttrColumn *column = TVMFFIGetTypeAttrColumn(BYTES("__ffi_convert__"));
  ck_assert_ptr_nonnull(column);
  int32_t place = type_index - column->begin_index;
  ck_assert_int_ge(place, 0);
  ck_assert_int_lt(place, column->size);
  ck_assert_int_eq(column->data[place].type_index, kTVMFFIFunction);
  return column->data[place].v_obj;
}

static TVMFFIAny convert(int32_t type_index, TVMFFIAny value)
{
  return call_function(conversion_of(type_index), ARGS(value));
}

static void expect_no_conversion(int32_t type_index, TVMFFIAny value, const char *word)
{
  TVMFFIAny result = view_none();
  ck_assert_int_eq(TVMFFIFunctionCall(conversion_of(type_index), &value, 1, &result), -1);
  expect_raised("TypeError", word);
  ck_assert_int_eq(result.type_index, kTVMFFINone);
}

static int32_t type_of(const char *key)
{
  TVMFFIByteArray text = {key, strlen(key)};
  int32_t type_index = -1;
  ck_assert_int_eq(TVMFFITypeKeyToIndex(&text, &type_index), 0);
  return type_index;
}

TEST_GROUP(all);

static const struct {
  const char *key, *due;
} refusing[] = {
    {"ffi.Object", "to `ffi.Object`"},     {"ffi.String", "to `str`"},
    {"ffi.Bytes", "to `bytes`"},           {"ffi.Error", "to `ffi.Error`"},
    {"ffi.Function", "to `ffi.Function`"}, {"ffi.Tensor", "to `ffi.Tensor`"},
    {"ffi.Shape", "to `ffi.Shape`"},       {"ffi.Array", "to `Array<Any>`"},
    {"ffi.List", "to `List<Any>`"},        {"ffi.Map", "to `Map<Any, Any>`"},
    {"ffi.Dict", "to `Dict<Any, Any>`"},   {"ffi.IntEnum", "to `ffi.IntEnum`"},
    {"ffi.StrEnum", "to `ffi.StrEnum`"},
};

TEST(ints_are_refused, .rows = ROWS(refusing))
{
  expect_no_conversion(type_of(refusing[_i].key), view_int(5), refusing[_i].due);
  expect_no_conversion(type_of(refusing[_i].key), view_int(5), "from `int`");
}

// Of a value that the type takes as it is.
static void expect_kept(int32_t type_index, TVMFFIAny value)
{
  TVMFFIAny kept = convert(type_index, value);
  ck_assert_int_eq(kept.type_index, value.type_index);
  ck_assert_ptr_eq(kept.v_obj, value.v_obj);
  drop(kept);
  drop(value);
}

TEST(values_of_the_type_are_kept)
{
  static const char text[] = "longer than seven";
  expect_kept(kTVMFFIStr, call("ffi.String", ARGS(view_str(text))));
  expect_kept(kTVMFFIBytes, call("ffi.Bytes", ARGS(view_bytes(BYTES("longer than seven")))));
  expect_kept(kTVMFFIArray, call("ffi.Array", ARGS(view_int(1))));
  expect_kept(kTVMFFIList, call("ffi.List", ARGS(view_int(1))));
  expect_kept(kTVMFFIMap, call("ffi.Map", ARGS(view_int(1), view_int(2))));
  expect_kept(kTVMFFIDict, call("ffi.Dict", ARGS(view_int(1), view_int(2))));
  expect_kept(kTVMFFIShape, call("ffi.Shape", ARGS(view_int(1), view_int(2))));
  expect_kept(kTVMFFIObject, call("ffi.Array", ARGS(view_int(1))));
  TVMFFIAny small = convert(kTVMFFIStr, view_str("short"));
  expect_string(&small, "short");
  drop(small);
}

TEST(none_stands_for_no_object)
{
  static const int32_t types[] = {kTVMFFIObject, kTVMFFIFunction, kTVMFFITensor};
  for (int i = 0; i < 3; ++i) {
    ck_assert_int_eq(convert(types[i], view_none()).type_index, kTVMFFINone);
  }
  expect_no_conversion(kTVMFFIError, view_none(), "from `None`");
  expect_no_conversion(kTVMFFIArray, view_none(), "from `None`");
  expect_no_conversion(kTVMFFIShape, view_none(), "from `None`");
}

TEST(objects_of_other_types_are_refused)
{
  TVMFFIAny array = call("ffi.Array", NO_ARGS), map = call("ffi.Map", NO_ARGS);
  expect_no_conversion(kTVMFFIMap, array, "from `ffi.Array`");
  expect_no_conversion(kTVMFFIDict, array, "from `ffi.Array`");
  expect_no_conversion(kTVMFFIArray, map, "from `ffi.Map`");
  expect_no_conversion(kTVMFFIShape, map, "from `ffi.Map`");
  expect_no_conversion(kTVMFFIFunction, array, "from `ffi.Array`");
  expect_no_conversion(kTVMFFITensor, array, "from `ffi.Array`");
  drop(array);
  drop(map);
}

static const int32_t sequences[] = {kTVMFFIArray, kTVMFFIList};

// Each is made of the other, with the same elements.
TEST(sequences_are_made_of_each_other, .rows = 2)
{
  static const char *const makers[] = {"ffi.List", "ffi.Array"};
  Probe probe = probe_make(kTVMFFIOpaquePyObject);
  TVMFFIAny from = call(makers[_i], ARGS(view_int(1), view_object(&probe)));
  TVMFFIAny made = convert(sequences[_i], from);
  ck_assert_int_eq(made.type_index, sequences[_i]);
  const TVMFFISeqCell *cell = (const TVMFFISeqCell *)(made.v_obj + 1);
  ck_assert_int_eq(cell->size, 2);
  ck_assert_ptr_eq(((const TVMFFIAny *)cell->data)[1].v_obj, &probe);
  expect_counts(&probe, 3, 1);
  drop(made);
  drop(from);
  expect_counts(&probe, 1, 1);
}

TEST(maps_are_made_of_each_other, .rows = 2)
{
  static const char *const makers[] = {"ffi.Dict", "ffi.Map"};
  static const char *const sizes[] = {"ffi.MapSize", "ffi.DictSize"};
  static const char *const getters[] = {"ffi.MapGetItem", "ffi.DictGetItem"};
  Probe probe = probe_make(kTVMFFIOpaquePyObject);
  TVMFFIAny from =
      call(makers[_i], ARGS(view_str("a"), view_int(1), view_str("b"), view_object(&probe)));
  TVMFFIAny made = convert(_i == 0 ? kTVMFFIMap : kTVMFFIDict, from);
  ck_assert_int_eq(call_int(sizes[_i], ARGS(made)), 2);
  TVMFFIAny got = call(getters[_i], ARGS(made, view_str("b")));
  ck_assert_ptr_eq(got.v_obj, &probe);
  drop(got);
  expect_counts(&probe, 3, 1);
  drop(made);
  drop(from);
  expect_counts(&probe, 1, 1);
}

TEST(shapes_are_made_of_ints, .rows = 2)
{
  static const char *const makers[] = {"ffi.Array", "ffi.List"};
  TVMFFIAny from = call(makers[_i], ARGS(view_int(4), view_bool(1)));
  TVMFFIAny made = convert(kTVMFFIShape, from);
  ck_assert_int_eq(made.type_index, kTVMFFIShape);
  const TVMFFIShapeCell *cell = (const TVMFFIShapeCell *)(made.v_obj + 1);
  ck_assert_uint_eq(cell->size, 2);
  ck_assert_int_eq(cell->data[0], 4);
  ck_assert_int_eq(cell->data[1], 1);
  drop(made);
  drop(from);
  from = call(makers[_i], ARGS(view_int(4), view_float(1)));
  expect_no_conversion(kTVMFFIShape, from, "to `ffi.Shape`");
  drop(from);
}

TEST(enumerations_have_a_state_of_their_own)
{
  const TVMFFITypeInfo *info = TVMFFIGetTypeInfo(type_of("ffi.EnumState"));
  TVMFFIObjectHandle state = NULL;
  ck_assert_int_eq(info->metadata->creator(&state), 0);
  static const int32_t held[] = {kTVMFFIList, kTVMFFIDict, kTVMFFIDict};
  for (int i = 0; i < 3; ++i) {
    TVMFFIAny value = view_none(), number = view_int(1);
    const TVMFFIFieldInfo *field = &info->fields[i];
    TVMFFIFieldSetter setter = NULL;
    char *place = (char *)state + field->offset;
    memcpy(&setter, &field->setter, sizeof setter);
    ck_assert_int_eq(field->getter(place, &value), 0);
    ck_assert_int_eq(value.type_index, held[i]);
    ck_assert_int_eq(setter(place, &value), 0);
    expect_counts(value.v_obj, 2, 1);
    ck_assert_int_ne(setter(place, &number), 0);
    expect_raised("TypeError", held[i] == kTVMFFIList ? "must be a List" : "must be a Dict");
    drop(value);
  }
  TVMFFIObjectDecRef(state);
}

static const char *const enums[] = {"ffi.Enum", "ffi.IntEnum", "ffi.StrEnum"};

TEST(values_of_enumerations_have_a_name, .rows = ROWS(enums))
{
  int32_t type_index = type_of(enums[_i]);
  const TVMFFITypeInfo *info = TVMFFIGetTypeInfo(type_index);
  const TVMFFIFieldInfo *name = &TVMFFIGetTypeInfo(type_of("ffi.Enum"))->fields[1];
  TVMFFIObjectHandle made = NULL;
  ck_assert_int_eq(info->metadata->creator(&made), 0);
  ck_assert_int_eq(((TVMFFIObject *)made)->type_index, type_index);
  TVMFFIFieldSetter setter = NULL;
  TVMFFIAny text = view_str("a name of an enumeration"), got = view_none(), number = view_int(1);
  char *place = (char *)made + name->offset;
  memcpy(&setter, &name->setter, sizeof setter);
  ck_assert_int_eq(setter(place, &text), 0);
  ck_assert_int_eq(name->getter(place, &got), 0);
  expect_string(&got, "a name of an enumeration");
  drop(got);
  ck_assert_int_ne(setter(place, &number), 0);
  expect_raised("TypeError", "a str");
  ck_assert_int_ne(setter(NULL, &text), 0);
  expect_raised("ValueError", "field");
  ck_assert_int_ne(setter(place, NULL), 0);
  expect_raised("ValueError", "value");
  TVMFFIAny shown = call("ffi.ReprPrint", ARGS(view_object(made)));
  const TVMFFIByteArray *content = (TVMFFIByteArray *)(shown.v_obj + 1);
  ck_assert_ptr_nonnull(strstr(content->data, ".a name of an enumeration"));
  drop(shown);
  TVMFFIObjectDecRef(made);
}
