// SPDX-License-Identifier: Apache-2.0
// Bad input for functions that register and look up types, and for those on data types. What is
// refused leaves types as they are.
#include <string.h>

#include "bad_input.h"
#include "call.h"
#include "probe.h"
#include "unit/unit.h"

static const int32_t no_types[] = {INT32_MIN, -1, 14, 63, 127, 5000000, INT32_MAX};

//--------------------------------------------------------------------------------------------------
// Types
//--------------------------------------------------------------------------------------------------

static void TypeKeyToIndex(void)
{
  REFUSED_BYTES("`type_key`", TVMFFITypeKeyToIndex(bad, &bad_out.index));
  REFUSED("ValueError", "`out_tindex`", "must not be NULL",
          TVMFFITypeKeyToIndex(BYTES("ffi.Array"), NULL));
  REFUSED("InternalError", "`type_key` is `bad.none`", "no type",
          TVMFFITypeKeyToIndex(BYTES("bad.none"), &bad_out.index));
  REFUSED("InternalError", "`type_key`", "no type",
          TVMFFITypeKeyToIndex(&bad_huge, &bad_out.index));
  ACCEPTED(TVMFFITypeKeyToIndex(BYTES("ffi.Array"), &bad_out.index));
}

static const struct {
  int32_t index, depth, slots, parent;
  const char *argument, *why;
} requests[] = {
    {-2, 1, 0, kTVMFFIObject, "`static_type_index` is -2", "must be -1"},
    {INT32_MIN, 1, 0, kTVMFFIObject, "`static_type_index` is -2147483648", "must be -1"},
    {128, 1, 0, kTVMFFIObject, "`static_type_index` is 128", "below 128"},
    {INT32_MAX, 1, 0, kTVMFFIObject, "`static_type_index` is 2147483647", "below 128"},
    {kTVMFFIArray, 1, 0, kTVMFFIObject, "`static_type_index` is 71", "taken"},
    {63, 1, 0, kTVMFFIObject, "`static_type_index` is 63", "above that of the parent"},
    {-1, 0, 0, kTVMFFIObject, "`type_depth` is 0", "ancestors"},
    {-1, -1, 0, kTVMFFIObject, "`type_depth` is -1", "ancestors"},
    {-1, INT32_MAX, 0, kTVMFFIObject, "`type_depth` is 2147483647", "ancestors"},
    {-1, 1, -1, kTVMFFIObject, "`num_child_slots` is -1", "negative"},
    {-1, 1, INT32_MIN, kTVMFFIObject, "`num_child_slots` is -2147483648", "negative"},
    {-1, 1, INT32_MAX, kTVMFFIObject, "`num_child_slots` is 2147483647", "not as many"},
    {100, 1, INT32_MAX, kTVMFFIObject, "`num_child_slots` is 2147483647", "not as many"},
    {-1, 1, 0, -1, "`parent_type_index` is -1", "no type"},
    {-1, 1, 0, INT32_MIN, "`parent_type_index` is -2147483648", "no type"},
    {-1, 1, 0, 14, "`parent_type_index` is 14", "no type"},
    {-1, 1, 0, INT32_MAX, "`parent_type_index` is 2147483647", "no type"},
    {-1, 2, 0, kTVMFFIStr, "`parent_type_index` is 65", "no further child"},
};

#define ALLOC TVMFFITypeGetOrAllocIndex

static void TypeGetOrAllocIndex(void)
{
  const TVMFFIByteArray *key = BYTES("bad.type");
  REFUSED_BYTES("`type_key`", ALLOC(bad, -1, 1, 0, 1, kTVMFFIObject));
  REFUSED("InternalError", "memory", "", ALLOC(&bad_huge, -1, 1, 0, 1, kTVMFFIObject));
  for (int i = 0; i < ROWS(requests); ++i) {
    REFUSED(
        "InternalError", requests[i].argument, requests[i].why,
        ALLOC(key, requests[i].index, requests[i].depth, requests[i].slots, 1, requests[i].parent));
  }
  IGNORED(-2, ALLOC(key, -1, 1, 0, 1, -2));  // none of them has made it a type
  ACCEPTED(ALLOC(BYTES("ffi.Array"), -1, 0, 0, 0, -1) != kTVMFFIArray);
}

static void GetTypeInfo(void)
{
  for (int i = 0; i < ROWS(no_types); ++i) IGNORED(NULL, TVMFFIGetTypeInfo(no_types[i]));
}

//--------------------------------------------------------------------------------------------------
// Members
//--------------------------------------------------------------------------------------------------

static void expect_members(int32_t type_index, int32_t fields, int32_t methods)
{
  ck_assert_int_eq(TVMFFIGetTypeInfo(type_index)->num_fields, fields);
  ck_assert_int_eq(TVMFFIGetTypeInfo(type_index)->num_methods, methods);
}

static void TypeRegisterField(void)
{
  Probe probe = probe_make(kTVMFFIOpaquePyObject);
  TVMFFIFieldInfo info = {.name = *BYTES("bad"), .size = 8, .alignment = 8, .offset = 24};
#define REGISTER TVMFFITypeRegisterField(kTVMFFIStr, &info)
  REFUSED("ValueError", "`info`", "must not be NULL", TVMFFITypeRegisterField(kTVMFFIStr, NULL));
  REFUSED_TEXT("`info->name`", info.name, REGISTER);
  REFUSED_TEXT("`info->doc`", info.doc, REGISTER);
  REFUSED_TEXT("`info->metadata`", info.metadata, REGISTER);
  for (int i = 0; i < ROWS(no_types); ++i) {
    REFUSED("InternalError", "`type_index` is", "no type",
            TVMFFITypeRegisterField(no_types[i], &info));
  }
  info.size = -1;
  REFUSED("ValueError", "`info->size` is -1", "negative", REGISTER);
  info.size = 8, info.alignment = INT64_MIN;
  REFUSED("ValueError", "`info->alignment` is -9223372036854775808", "negative", REGISTER);
  info.alignment = 8, info.flags = kTVMFFIFieldFlagBitSetterIsFunctionObj;
  REFUSED("ValueError", "`info->setter`", "must not be NULL", REGISTER);
  info.setter = &probe;
  REFUSED("TypeError", "`info->setter`", "a Function", REGISTER);
  info.flags = kTVMFFIFieldFlagBitMaskHasDefault, info.setter = NULL;
  for (int i = 0; i < BAD_VIEWS; ++i) {
    info.default_value_or_factory = *bad_view(i);
    REFUSED(i == BAD_VIEWS - 1 ? "InternalError" : "ValueError", "`info->default_value_or_factory`",
            "holds", REGISTER);
  }
  info.default_value_or_factory = view_none(), info.doc = bad_huge;
  REFUSED("InternalError", "memory", "", REGISTER);
#undef REGISTER
  REFUSED(
      "InternalError", "`info->name` is `value`", "has already",
      TVMFFITypeRegisterField(kTVMFFIVisitInterrupt, &(TVMFFIFieldInfo){.name = *BYTES("value")}));
  expect_members(kTVMFFIStr, 0, 0);
  expect_members(kTVMFFIVisitInterrupt, 1, 0);
}

static void TypeRegisterMethod(void)
{
  Probe probe = probe_make(kTVMFFIOpaquePyObject);
  TVMFFIMethodInfo info = {.name = *BYTES("bad"), .method = view_none()};
#define REGISTER TVMFFITypeRegisterMethod(kTVMFFIStr, &info)
  REFUSED("ValueError", "`info`", "must not be NULL", TVMFFITypeRegisterMethod(kTVMFFIStr, NULL));
  REFUSED_TEXT("`info->name`", info.name, REGISTER);
  REFUSED_TEXT("`info->doc`", info.doc, REGISTER);
  REFUSED_TEXT("`info->metadata`", info.metadata, REGISTER);
  for (int i = 0; i < ROWS(no_types); ++i) {
    REFUSED("InternalError", "`type_index` is", "no type",
            TVMFFITypeRegisterMethod(no_types[i], &info));
  }
  info.method = view_int(1);
  REFUSED("TypeError", "`info->method`", "a Function", REGISTER);
  info.method = view_object(&probe);
  info.method.type_index = kTVMFFIFunction;
  REFUSED("TypeError", "`info->method`", "type index is 74", REGISTER);
  info.method.v_obj = NULL;
  REFUSED("ValueError", "`info->method`", "must not be NULL", REGISTER);
  info.method = view_none(), info.doc = bad_huge;
  REFUSED("InternalError", "memory", "", REGISTER);
#undef REGISTER
  expect_members(kTVMFFIStr, 0, 0);
}

static void TypeRegisterMetadata(void)
{
  TVMFFITypeMetadata metadata = {.total_size = 40};
#define REGISTER TVMFFITypeRegisterMetadata(kTVMFFIStr, &metadata)
  REFUSED("ValueError", "`metadata`", "must not be NULL",
          TVMFFITypeRegisterMetadata(kTVMFFIStr, NULL));
  REFUSED_TEXT("`metadata->doc`", metadata.doc, REGISTER);
  metadata.total_size = -40;
  REFUSED("ValueError", "`metadata->total_size` is -40", "negative", REGISTER);
  metadata.total_size = 40;
  for (int i = 0; i < ROWS(no_types); ++i) {
    REFUSED("InternalError", "`type_index` is", "no type",
            TVMFFITypeRegisterMetadata(no_types[i], &metadata));
  }
  REFUSED("RuntimeError", "`type_index` is that of `ffi.BigInt`", "already",
          TVMFFITypeRegisterMetadata(kTVMFFIBigInt, &metadata));
  metadata.doc = bad_huge;
  REFUSED("InternalError", "memory", "", REGISTER);
#undef REGISTER
  ck_assert_ptr_null(TVMFFIGetTypeInfo(kTVMFFIStr)->metadata);
}

//--------------------------------------------------------------------------------------------------
// Attributes
//--------------------------------------------------------------------------------------------------

static void TypeRegisterAttr(void)
{
  const TVMFFIByteArray *name = BYTES("bad.attribute");
  TVMFFIAny value = view_int(1);
  REFUSED_BYTES("`attr_name`", TVMFFITypeRegisterAttr(kTVMFFIStr, bad, &value));
  REFUSED("InternalError", "memory", "", TVMFFITypeRegisterAttr(kTVMFFIStr, &bad_huge, &value));
  REFUSED("ValueError", "`attr_value`", "must not be NULL",
          TVMFFITypeRegisterAttr(kTVMFFIStr, name, NULL));
  REFUSED("ValueError", "`attr_value`", "must be None",
          TVMFFITypeRegisterAttr(kTVMFFINone, name, &value));
  for (int i = 0; i < BAD_VIEWS; ++i) {
    REFUSED(i == BAD_VIEWS - 1 ? "InternalError" : "ValueError", "`attr_value`", "holds",
            TVMFFITypeRegisterAttr(kTVMFFIStr, name, bad_view(i)));
  }
  for (int i = 0; i < ROWS(no_types); ++i) {
    REFUSED("InternalError", "`type_index` is", "no type",
            TVMFFITypeRegisterAttr(no_types[i], name, &value));
  }
  REFUSED("RuntimeError", "`attr_name` is `__any_hash__`", "ffi.BigInt",
          TVMFFITypeRegisterAttr(kTVMFFIBigInt, BYTES("__any_hash__"), &value));
  IGNORED(NULL, TVMFFIGetTypeAttrColumn(name));  // none of them has made a column
}

static void GetTypeAttrColumn(void)
{
  for (int i = 0; i < BAD_BYTES; ++i) IGNORED(NULL, TVMFFIGetTypeAttrColumn(bad_bytes(i)));
  IGNORED(NULL, TVMFFIGetTypeAttrColumn(&bad_huge));
}

//--------------------------------------------------------------------------------------------------
// Data types
//--------------------------------------------------------------------------------------------------

static const struct {
  const char *text, *why;
} no_dtypes[] = {
    {"int256", "bits must not be more than 255"},
    {"int8x0", "lanes"},
    {"int8x65536", "lanes"},
    {"int99999999999999999999", "too large"},
    {"custom", "`[`"},
    {"custom[", "`]` is missing"},
    {"float8_e1m1", "no such float format"},
    {"quaternion", "no such name"},
    {"int8 ", "left over"},
};

static void DataTypeFromString(void)
{
  REFUSED_BYTES("`str`", TVMFFIDataTypeFromString(bad, &bad_out.dtype));
  REFUSED("ValueError", "`out`", "must not be NULL", TVMFFIDataTypeFromString(BYTES("int8"), NULL));
  REFUSED("ValueError", "`str` is `some bytes`", "no such name",
          TVMFFIDataTypeFromString(&bad_huge, &bad_out.dtype));
  for (int i = 0; i < ROWS(no_dtypes); ++i) {
    TVMFFIByteArray text = {no_dtypes[i].text, strlen(no_dtypes[i].text)};
    REFUSED("ValueError", "`str` is `", no_dtypes[i].why,
            TVMFFIDataTypeFromString(&text, &bad_out.dtype));
  }
  ACCEPTED(TVMFFIDataTypeFromString(BYTES("int8"), &bad_out.dtype));
}

static void DataTypeToString(void)
{
  DLDataType dtype = {kDLInt, 8, 1};
  REFUSED("ValueError", "`dtype`", "must not be NULL", TVMFFIDataTypeToString(NULL, &bad_out.any));
  REFUSED("ValueError", "`out`", "must not be NULL", TVMFFIDataTypeToString(&dtype, NULL));
  for (dtype.code = kDLFloat4_e2m1fn + 1; dtype.code <= 128; ++dtype.code) {
    REFUSED("ValueError", "`dtype` has the type code", "no name",
            TVMFFIDataTypeToString(&dtype, &bad_out.any));
  }
  dtype.code = 255;
  REFUSED("ValueError", "dtype.get_custom_type_name", "not registered",
          TVMFFIDataTypeToString(&dtype, &bad_out.any));
  dtype.code = kDLInt;
  ACCEPTED(TVMFFIDataTypeToString(&dtype, &bad_out.any));
  drop(bad_out.any);
}

const BadFunction bad_input_type_functions[] = {
    BAD_ROW(TypeKeyToIndex),
    BAD_ROW(TypeGetOrAllocIndex),
    BAD_ROW(GetTypeInfo),
    BAD_ROW(TypeRegisterField),
    BAD_ROW(TypeRegisterMethod),
    BAD_ROW(TypeRegisterMetadata),
    BAD_ROW(TypeRegisterAttr),
    BAD_ROW(GetTypeAttrColumn),
    BAD_ROW(DataTypeFromString),
    BAD_ROW(DataTypeToString),
    {NULL, NULL},
};

TEST(bad_input_is_refused_and_nothing_lost, .rows = ROWS(bad_input_type_functions) - 1)
{
  bad_input_type_functions[_i].test();
}
