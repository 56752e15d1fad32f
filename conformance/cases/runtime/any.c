// SPDX-License-Identifier: Apache-2.0
// Views that own nothing, and what TVMFFIAnyViewToOwnedAny does with the output. Text is in
// any_text.c, objects are in any_object.c.
#include "cases/runtime/any_conversion.h"

CHAPTER(any);

CASE(exports_the_conversion, .clauses = {ANY_3},
     .title = "the runtime exports TVMFFIAnyViewToOwnedAny")
{
  expect_that(iut_has(iut, FN_AnyViewToOwnedAny), "the symbol TVMFFIAnyViewToOwnedAny is exported",
              "no such symbol");
}

// --- Plain values --------------------------------------------------------------------------------

// Payloads are written as the 64 bits they are, so that no unused byte is left to the compiler.
static const struct {
  const char *name;
  TVMFFIAny view;
} plain[] = {
    {"none", {.type_index = kTVMFFINone}},
    {"int-zero", {.type_index = kTVMFFIInt}},
    {"int-one", {.type_index = kTVMFFIInt, .v_int64 = 1}},
    {"int-minus-one", {.type_index = kTVMFFIInt, .v_int64 = -1}},
    {"int-min", {.type_index = kTVMFFIInt, .v_int64 = INT64_MIN}},
    {"int-max", {.type_index = kTVMFFIInt, .v_int64 = INT64_MAX}},
    {"int-above-32-bits", {.type_index = kTVMFFIInt, .v_int64 = INT64_C(0x0123456789abcdef)}},
    {"bool-false", {.type_index = kTVMFFIBool}},
    {"bool-true", {.type_index = kTVMFFIBool, .v_int64 = 1}},
    {"float-zero", {.type_index = kTVMFFIFloat}},
    {"float-minus-zero", {.type_index = kTVMFFIFloat, .v_uint64 = UINT64_C(0x8000000000000000)}},
    {"float-one-and-a-half",
     {.type_index = kTVMFFIFloat, .v_uint64 = UINT64_C(0x3ff8000000000000)}},
    {"float-infinity", {.type_index = kTVMFFIFloat, .v_uint64 = UINT64_C(0x7ff0000000000000)}},
    {"float-minus-infinity",
     {.type_index = kTVMFFIFloat, .v_uint64 = UINT64_C(0xfff0000000000000)}},
    {"float-smallest-subnormal", {.type_index = kTVMFFIFloat, .v_uint64 = 1}},
    {"float-nan-with-payload",
     {.type_index = kTVMFFIFloat, .v_uint64 = UINT64_C(0x7ff8000000abcdef)}},
    {"float-signalling-nan",
     {.type_index = kTVMFFIFloat, .v_uint64 = UINT64_C(0x7ff0000000000001)}},
    {"float-negative-nan", {.type_index = kTVMFFIFloat, .v_uint64 = UINT64_C(0xfff8000000000000)}},
    {"pointer-low", {.type_index = kTVMFFIOpaquePtr, .v_uint64 = 1}},
    {"pointer-all-bits", {.type_index = kTVMFFIOpaquePtr, .v_uint64 = UINT64_MAX}},
    // code 2 (float), 32 bits, 4 lanes
    {"dtype-float32x4", {.type_index = kTVMFFIDataType, .v_uint64 = DTYPE_BITS(0x00042002)}},
    {"dtype-all-zero", {.type_index = kTVMFFIDataType}},
    {"dtype-all-bits", {.type_index = kTVMFFIDataType, .v_uint64 = DTYPE_BITS(UINT32_MAX)}},
    // device type in the low half, number in the high one
    {"device-cpu-0", {.type_index = kTVMFFIDevice, .v_uint64 = DEVICE_BITS(kDLCPU)}},
    {"device-cuda-3",
     {.type_index = kTVMFFIDevice, .v_uint64 = DEVICE_BITS(UINT64_C(3) << 32 | kDLCUDA)}},
    {"device-negative-number",
     {.type_index = kTVMFFIDevice,
      .v_uint64 = DEVICE_BITS(UINT64_C(0xffffffff00000000) | kDLExtDev)}},
};

CASE_ROWS(own_plain_value_keeps_all_bytes, plain, .clauses = {ANY_4},
          .title = "converting a value that owns nothing yields the same 16 bytes")
{
  const TVMFFIAny *owned = own(iut, row->view);
  expect_same_bytes(owned, &row->view);
}

// Source: tvm-ffi#235, where a null pointer came through as None.
CASE(own_null_pointer_is_not_none, .clauses = {ANY_5},
     .title = "a NULL opaque pointer stays an opaque pointer")
{
  TVMFFIAny view = {.type_index = kTVMFFIOpaquePtr};
  const TVMFFIAny *owned = own(iut, view);
  expect_same_bytes(owned, &view);
}

// --- Small strings and small bytes ---------------------------------------------------------------

static const struct {
  const char *name;
  uint32_t length;
  char bytes[8];
} small[] = {
    {"length-0", 0, ""},         {"length-1", 1, "a"},
    {"length-2", 2, "ab"},       {"length-3", 3, "abc"},
    {"length-4", 4, "abcd"},     {"length-5", 5, "abcde"},
    {"length-6", 6, "abcdef"},   {"length-7", 7, "abcdefg"},
    {"nul-only", 1, ""},         {"seven-nuls", 7, ""},
    {"nul-first", 4, "\0abc"},   {"nul-inside", 5, "ab\0cd"},
    {"nul-last", 7, "abcdef\0"}, {"no-text", 7, "\x80\xff\xfe\xc0\xed\xa0\xf8"},
};

static TVMFFIAny small_view(int32_t type_index, const char bytes[8], uint32_t length)
{
  TVMFFIAny view = any_none();
  view.type_index = type_index;
  view.small_str_len = length;
  memcpy(view.v_bytes, bytes, 8);
  return view;
}

CASE_ROWS(own_small_string_keeps_all_bytes, small, .clauses = {ANY_6},
          .title = "converting a small string yields the same 16 bytes")
{
  const TVMFFIAny *owned = own(iut, small_view(kTVMFFISmallStr, row->bytes, row->length));
  expect_small_string(owned, row->bytes, row->length);
}

CASE_ROWS(own_small_bytes_keep_all_bytes, small, .clauses = {ANY_6},
          .title = "converting small bytes yields the same 16 bytes")
{
  const TVMFFIAny *owned = own(iut, small_view(kTVMFFISmallBytes, row->bytes, row->length));
  expect_small_bytes(owned, row->bytes, row->length);
}

// --- Unused bytes of what is produced ------------------------------------------------------------

static const char *const long_text = "a text that is longer than seven";

// Views of every sort, each clean, each with something that a conversion could damage.
static TVMFFIAny view_of_sort(Iut *iut, int32_t type_index)
{
  static TVMFFIByteArray bytes;
  static TVMFFIObjectHandle slot;
  TVMFFIAny view = any_none();
  switch (type_index) {
    case kTVMFFIRawStr:
      return view_of_raw_string(long_text);
    case kTVMFFIByteArrayPtr:
      bytes = bytes_of(long_text);
      return view_of_byte_array(&bytes);
    case kTVMFFIObjectRValueRef:
      slot = new_probe_object(iut);
      return view_of_rvalue(&slot);
    case kTVMFFIStaticObjectBegin:
      return view_of_object(iut, new_probe_object(iut));
    case kTVMFFINone:
      return view;
    default:
      view.type_index = type_index;
      view.v_uint64 = type_index == kTVMFFIDataType ? DTYPE_BITS(1) : 1;
      return view;
  }
}

static const struct {
  const char *name;
  int32_t type_index;
} sorts[] = {
    {"none", kTVMFFINone},
    {"int", kTVMFFIInt},
    {"bool", kTVMFFIBool},
    {"float", kTVMFFIFloat},
    {"pointer", kTVMFFIOpaquePtr},
    {"dtype", kTVMFFIDataType},
    {"device", kTVMFFIDevice},
    {"long-raw-string", kTVMFFIRawStr},
    {"long-byte-array", kTVMFFIByteArrayPtr},
    {"rvalue-reference", kTVMFFIObjectRValueRef},
    {"object", kTVMFFIStaticObjectBegin},
};

// Source: apache/tvm#18185 and #18237: values compare by their bytes, so one stray bit makes
// another value.
CASE_ROWS(own_value_has_zero_padding, sorts, .clauses = {ANY_1},
          .title = "the padding of an owned value is zero, whatever was in the output before")
{
  TVMFFIAny *owned = own(iut, view_of_sort(iut, row->type_index));
  expect_hex("bytes 4 to 7 of the owned value", owned->zero_padding, 0);
}

static const struct {
  const char *name;
  int32_t type_index;  // of the view
  const char *text;
  unsigned used;  // bytes of the payload
} partly_used[] = {
    {"none", kTVMFFINone, NULL, 0},
    {"dtype", kTVMFFIDataType, NULL, 4},
    {"empty-raw-string", kTVMFFIRawStr, "", 0},
    {"raw-string-of-3", kTVMFFIRawStr, "abc", 3},
    {"raw-string-of-7", kTVMFFIRawStr, "abcdefg", 7},
    {"empty-byte-array", kTVMFFIByteArrayPtr, "", 0},
    {"byte-array-of-3", kTVMFFIByteArrayPtr, "abc", 3},
    {"byte-array-of-7", kTVMFFIByteArrayPtr, "abcdefg", 7},
};

// Source: tvm-ffi#77, where the four spare bytes of a data type held garbage.
CASE_ROWS(own_value_has_zero_unused_payload, partly_used, .clauses = {ANY_2},
          .title = "payload bytes that the owned value does not use are zero")
{
  TVMFFIByteArray bytes = {row->text, row->used};
  TVMFFIAny view = any_none();
  view.type_index = row->type_index;
  if (row->type_index == kTVMFFIDataType) view.v_uint64 = DTYPE_BITS(0x00042002);
  if (row->type_index == kTVMFFIRawStr) view = view_of_raw_string(row->text);
  if (row->type_index == kTVMFFIByteArrayPtr) view = view_of_byte_array(&bytes);
  TVMFFIAny *owned = own(iut, view);
  static const char zeros[8];
  expect_memory("payload bytes that are not used", owned->v_bytes + row->used, 8 - row->used, zeros,
                8 - row->used);
}

// Views that break ANY-1; what happens to them is advice, as the culprit is the caller.
static const struct {
  const char *name;
  int32_t type_index;
} dirty_sorts[] = {
    {"none", kTVMFFINone},         {"int", kTVMFFIInt},
    {"bool", kTVMFFIBool},         {"float", kTVMFFIFloat},
    {"pointer", kTVMFFIOpaquePtr}, {"dtype", kTVMFFIDataType},
    {"device", kTVMFFIDevice},     {"object", kTVMFFIStaticObjectBegin},
};

CASE_ROWS(own_dirty_view_gives_clean_padding, dirty_sorts, .clauses = {ANY_20},
          .title = "garbage in the padding of a view is not copied to the owned value")
{
  TVMFFIAny clean = view_of_sort(iut, row->type_index), dirty = clean;
  dirty.zero_padding = 0x5aa55aa5;
  const TVMFFIAny *of_clean = own(iut, clean), *of_dirty = own(iut, dirty);
  expect_same_bytes(of_clean, &clean);
  expect_same_bytes(of_dirty, &clean);
}

// --- The output ----------------------------------------------------------------------------------

// What an output that holds no object may hold; the payload is no address that anybody could
// follow.
static const struct {
  const char *name;
  int32_t type_index;
} outputs[] = {
    {"none", kTVMFFINone},
    {"int", kTVMFFIInt},
    {"pointer", kTVMFFIOpaquePtr},
    {"dltensor", kTVMFFIDLTensorPtr},
    {"raw-string", kTVMFFIRawStr},
    {"byte-array", kTVMFFIByteArrayPtr},
    {"rvalue-reference", kTVMFFIObjectRValueRef},
    {"small-string", kTVMFFISmallStr},
    {"no-such-type", 63},
    {"negative", -1},
};

static TVMFFIAny own_into(Iut *iut, TVMFFIAny view, int32_t output_type)
{
  TVMFFIAny *owned = fenced_result();
  owned->type_index = output_type;
  require(expect_ok(iut, iut->AnyViewToOwnedAny(&view, owned)));
  return *owned;
}

CASE_ROWS(output_is_overwritten, outputs, .clauses = {ANY_18},
          .title = "all 16 bytes of the output are defined, whatever it held")
{
  TVMFFIAny none = any_none(), number = view_of_int(-2);
  TVMFFIAny owned = own_into(iut, none, row->type_index);
  expect_same_bytes(&owned, &none);
  owned = own_into(iut, number, row->type_index);
  expect_same_bytes(&owned, &number);
  owned = own_into(iut, view_of_raw_string("abc"), row->type_index);
  expect_small_string(&owned, "abc", 3);
  owned = own_into(iut, view_of_raw_string(long_text), row->type_index);
  require(expect_heap_string(iut, &owned, long_text, strlen(long_text)));
  release_any(iut, &owned);
  TVMFFIAny object = view_of_object(iut, new_probe_object(iut));
  owned = own_into(iut, object, row->type_index);
  expect_same_bytes(&owned, &object);
}

// Both patterns have no byte in common, so a byte that was not written shows in one of them.
CASE_ROWS(every_byte_of_the_output_is_written, sorts, .clauses = {ANY_18},
          .title = "converting one value into outputs with different garbage gives the same bytes")
{
  TVMFFIAny view = view_of_sort(iut, row->type_index);
  TVMFFIAny *first = fenced_result(), *second = fenced_result();
  memset(second, 0x3c, sizeof *second);
  second->type_index = kTVMFFIOpaquePtr;
  require(expect_ok(iut, iut->AnyViewToOwnedAny(&view, first)));
  if (row->type_index == kTVMFFIObjectRValueRef) *(TVMFFIObjectHandle *)view.v_ptr = first->v_obj;
  require(expect_ok(iut, iut->AnyViewToOwnedAny(&view, second)));
  if (row->type_index == kTVMFFIRawStr || row->type_index == kTVMFFIByteArrayPtr)
    second->v_obj = first->v_obj;  // two objects, equal otherwise
  expect_same_bytes(second, first);
}

// --- View and output at the same address ---------------------------------------------------------

CASE(own_plain_value_in_place, .clauses = {ANY_21}, .wrong_call = true,
     .title = "a plain value converted in place is unchanged")
{
  TVMFFIAny *slot = fenced_result();
  for (size_t i = 0; i < sizeof plain / sizeof plain[0]; ++i) {
    *slot = plain[i].view;
    note("converting %s in its own place", plain[i].name);
    require(expect_ok(iut, iut->AnyViewToOwnedAny(slot, slot)));
    expect_same_bytes(slot, &plain[i].view);
  }
}

static const struct {
  const char *name;
  const char *text;
} in_place_texts[] = {
    {"empty", ""}, {"short", "abc"}, {"seven", "abcdefg"}, {"long", "longer than seven"}};

CASE_ROWS(own_raw_string_in_place, in_place_texts, .clauses = {ANY_21}, .wrong_call = true,
          .title = "a raw string converted in place becomes an owned string")
{
  TVMFFIAny *slot = fenced_result();
  *slot = view_of_raw_string(fenced_string(row->text));
  require(expect_ok(iut, iut->AnyViewToOwnedAny(slot, slot)));
  size_t length = strlen(row->text);
  if (length > 7)
    expect_heap_string(iut, slot, row->text, length);
  else
    expect_small_string(slot, row->text, length);
}

CASE_ROWS(own_byte_array_in_place, in_place_texts, .clauses = {ANY_21}, .wrong_call = true,
          .title = "a byte array converted in place becomes owned bytes")
{
  TVMFFIAny *slot = fenced_result();
  size_t length = strlen(row->text);
  *slot = view_of_byte_array(fenced_bytes(row->text, length));
  require(expect_ok(iut, iut->AnyViewToOwnedAny(slot, slot)));
  if (length > 7)
    expect_heap_bytes(iut, slot, row->text, length);
  else
    expect_small_bytes(slot, row->text, length);
}

CASE(own_object_in_place, .clauses = {ANY_21}, .wrong_call = true,
     .title = "an object converted in place is retained once")
{
  TVMFFIObjectHandle probe = new_probe_object(iut);
  TVMFFIAny view = view_of_object(iut, probe), slot = view;
  require(expect_ok(iut, iut->AnyViewToOwnedAny(&slot, &slot)));
  expect_same_bytes(&slot, &view);
  expect_counts(iut, probe, .strong = 2, .weak = 1);
}

CASE(own_rvalue_in_place, .clauses = {ANY_21}, .wrong_call = true,
     .title = "an rvalue reference converted in place is moved")
{
  TVMFFIObjectHandle probe = new_probe_object(iut), handle = probe;
  TVMFFIAny slot = view_of_rvalue(&handle), expected = view_of_object(iut, probe);
  require(expect_ok(iut, iut->AnyViewToOwnedAny(&slot, &slot)));
  expect_same_bytes(&slot, &expected);
  expect_pointer("the slot that was moved out of", handle, NULL);
  expect_counts(iut, probe, .strong = 1, .weak = 1);
}
