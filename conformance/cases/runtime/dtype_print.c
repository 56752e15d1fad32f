// SPDX-License-Identifier: Apache-2.0
// Printing data types.
#include "cases/runtime/dtype_text.h"

CHAPTER(dtype);

static const struct {
  const char *name;
  DLDataType dtype;
} strings[] = {
    {"int8", {0, 8, 1}},       // would fit a small string
    {"float32", {2, 32, 1}},   // just so
    {"bfloat16", {4, 16, 1}},  // does not
    {"int32xvscalex32768", {0, 32, 32768}},
};

CASE_ROWS(text_is_a_string_object, strings, .clauses = {DTYPE_20},
          .title = "a printed data type is a string object, also a short one")
{
  TVMFFIAny *printed = fenced_result();
  memset(printed, 0xA5, sizeof *printed);
  printed->type_index = kTVMFFIInt;
  const DLDataType *dtype = fenced_copy("the data type", &row->dtype, sizeof row->dtype);
  require(expect_ok(iut, iut->DataTypeToString(dtype, printed)));
  require(expect_type_index(printed, kTVMFFIStr));
  expect_hex("padding", printed->zero_padding, 0);
  require(expect_not_null("the string object", printed->v_obj));
  expect_int("type index in the header", object_type_index(iut, printed->v_obj), kTVMFFIStr);
  release_object(iut, printed->v_obj);
}

CASE(empty_text_is_a_string_object, .clauses = {DTYPE_27},
     .title = "the void type prints as an empty string object")
{
  TVMFFIAny *printed = fenced_result();
  const DLDataType nothing = {3, 0, 0};
  require(expect_ok(iut, iut->DataTypeToString(&nothing, printed)));
  require(expect_heap_string(iut, printed, "", 0));
  release_object(iut, printed->v_obj);
}

static const DtypeText python_names[] = {
    {"bool", {6, 8, 1}},
    {"int8", {0, 8, 1}},
    {"int16", {0, 16, 1}},
    {"int32", {0, 32, 1}},
    {"int64", {0, 64, 1}},
    {"uint8", {1, 8, 1}},
    {"uint16", {1, 16, 1}},
    {"uint32", {1, 32, 1}},
    {"uint64", {1, 64, 1}},
    {"float16", {2, 16, 1}},
    {"float32", {2, 32, 1}},
    {"float64", {2, 64, 1}},
    {"bfloat16", {4, 16, 1}},
    {"float8_e3m4", {7, 8, 1}},
    {"float8_e4m3", {8, 8, 1}},
    {"float8_e4m3b11fnuz", {9, 8, 1}},
    {"float8_e4m3fn", {10, 8, 1}},
    {"float8_e4m3fnuz", {11, 8, 1}},
    {"float8_e5m2", {12, 8, 1}},
    {"float8_e5m2fnuz", {13, 8, 1}},
    {"float8_e8m0fnu", {14, 8, 1}},
    {"float6_e2m3fn", {15, 6, 1}},
    {"float6_e3m2fn", {16, 6, 1}},
    {"float4_e2m1fn", {17, 4, 1}},
    {"float4_e2m1fnx2", {17, 4, 2}},
    {NULL, {0, 0, 0}},
};

CASE(names_of_the_python_package_are_read, .clauses = {DTYPE_45},
     .title = "the data types that the Python package names are read")
{
  expect_all_read(iut, python_names);
}

CASE(names_of_the_python_package_are_printed, .clauses = {DTYPE_46},
     .title = "the data types that the Python package names are printed by these names")
{
  expect_all_printed(iut, python_names);
  expect_prints(iut, (DLDataType){2, 32, 4}, "float32x4");
}

static const struct {
  const char *name;
  uint8_t code;
} numbers[] = {{"int", 0}, {"uint", 1}, {"float", 2}, {"bfloat", 4}};

CASE(numbers_print_their_bits, .clauses = {DTYPE_21},
     .title = "int, uint, float and bfloat of 2 to 255 bits print their name and their bits")
{
  char text[16];
  for (int i = 0; i < 4; ++i)
    for (unsigned bits = 2; bits <= 255; ++bits) {
      snprintf(text, sizeof text, "%s%u", numbers[i].name, bits);
      if (!expect_prints(iut, (DLDataType){numbers[i].code, (uint8_t)bits, 1}, text)) break;
    }
  expect_prints(iut, (DLDataType){0, 1, 1}, "int1");
  expect_prints(iut, (DLDataType){2, 1, 1}, "float1");
}

//--------------------------------------------------------------------------------------------------
// Float formats, handles and bools
//--------------------------------------------------------------------------------------------------

static const DtypeText formats[] = {
    {"float8_e3m4", {7, 8, 1}},        {"float8_e4m3", {8, 8, 1}},
    {"float8_e4m3b11fnuz", {9, 8, 1}}, {"float8_e4m3fn", {10, 8, 1}},
    {"float8_e4m3fnuz", {11, 8, 1}},   {"float8_e5m2", {12, 8, 1}},
    {"float8_e5m2fnuz", {13, 8, 1}},   {"float8_e8m0fnu", {14, 8, 1}},
    {"float6_e2m3fn", {15, 6, 1}},     {"float6_e3m2fn", {16, 6, 1}},
    {"float4_e2m1fn", {17, 4, 1}},     {NULL, {0, 0, 0}},
};

CASE(float_formats_print_their_name, .clauses = {DTYPE_26},
     .title = "the codes 7 to 17 print as the names of their formats")
{
  expect_all_printed(iut, formats);
}

static const DtypeText handles[] = {
    {"handle", {3, 64, 1}},
    {"", {3, 0, 0}},
    {NULL, {0, 0, 0}},
};

CASE(handles_and_nothing, .clauses = {DTYPE_27},
     .title = "a handle of 64 bits prints as handle, and the void type as the empty text")
{
  expect_all_printed(iut, handles);
}

static const DtypeText bools[] = {
    {"bool", {6, 8, 1}},
    {"bool1", {6, 1, 1}},
    {"bool16", {6, 16, 1}},
    {"bool255", {6, 255, 1}},
    {"boolx4", {6, 8, 4}},
    {"bool1x4", {6, 1, 4}},
    {"boolx32767", {6, 8, 32767}},
    {"boolxvscalex4", {6, 8, SCALABLE(4)}},
    {"bool7xvscalex32768", {6, 7, SCALABLE(32768)}},
    {NULL, {0, 0, 0}},
};

CASE(bools_print_without_their_eight_bits, .clauses = {DTYPE_24},
     .title = "code 6 prints as bool, with bits unless they are 8, and with lanes")
{
  expect_all_printed(iut, bools);
}

static const DtypeText single_bits[] = {
    {"uint1", {1, 1, 1}},
    {"uint1x4", {1, 1, 4}},
    {"uint1xvscalex4", {1, 1, SCALABLE(4)}},
    {NULL, {0, 0, 0}},
};

// tvm-ffi#680 and others: a mask of single bits was taken for bytes.
CASE(unsigned_integer_of_one_bit_is_no_bool, .clauses = {DTYPE_25},
     .title = "code 1 with 1 bit prints as uint1")
{
  expect_all_printed(iut, single_bits);
}

//--------------------------------------------------------------------------------------------------
// Lanes
//--------------------------------------------------------------------------------------------------

static const unsigned lanes_tried[] = {2,    3,    4,     8,     9,     10,    16,   64,
                                       99,   100,  127,   128,   255,   256,   999,  1000,
                                       4096, 9999, 10000, 16383, 16384, 32766, 32767};
enum { LANES_TRIED = sizeof lanes_tried / sizeof lanes_tried[0] };

// Every lane number that is tried, behind `text`, which the data type prints as when it has one
// lane.
static void expect_lanes(Iut *iut, DLDataType dtype, const char *text)
{
  char expected[64];
  for (int i = 0; i < LANES_TRIED; ++i) {
    dtype.lanes = (uint16_t)lanes_tried[i];
    snprintf(expected, sizeof expected, "%sx%u", text, lanes_tried[i]);
    if (!expect_prints(iut, dtype, expected)) return;
  }
}

static void expect_scalable_lanes(Iut *iut, DLDataType dtype, const char *text)
{
  char expected[64];
  for (int i = 0; i <= LANES_TRIED; ++i) {
    unsigned lanes = i < LANES_TRIED ? lanes_tried[i] : 32768;
    dtype.lanes = SCALABLE(lanes);
    snprintf(expected, sizeof expected, "%sxvscalex%u", text, lanes);
    if (!expect_prints(iut, dtype, expected)) return;
  }
}

static const DtypeText with_lanes[] = {
    {"int32", {0, 32, 1}},   {"int8", {0, 8, 1}},       {"uint16", {1, 16, 1}},
    {"float64", {2, 64, 1}}, {"float255", {2, 255, 1}}, {"bfloat16", {4, 16, 1}},
    {NULL, {0, 0, 0}},
};

CASE(lanes_are_printed_when_there_are_several, .clauses = {DTYPE_22},
     .title = "from 2 to 32767 lanes print as x and their number")
{
  for (const DtypeText *item = with_lanes; item->text; ++item)
    expect_lanes(iut, item->dtype, item->text);
  for (const DtypeText *item = formats; item->text; ++item)
    expect_lanes(iut, item->dtype, item->text);
}

CASE(scalable_lanes_are_printed_as_such, .clauses = {DTYPE_23},
     .title = "65536 - N lanes print as xvscalex and N, for N from 2 to 32768")
{
  for (const DtypeText *item = with_lanes; item->text; ++item)
    expect_scalable_lanes(iut, item->dtype, item->text);
  for (const DtypeText *item = formats; item->text; ++item)
    expect_scalable_lanes(iut, item->dtype, item->text);
}

//--------------------------------------------------------------------------------------------------
// Round trips, and codes without a name
//--------------------------------------------------------------------------------------------------

// Prints and reads again. The text is handed over as it is, with the NUL that string objects have.
static bool expect_round_trip(Iut *iut, DLDataType dtype)
{
  TVMFFIAny printed = garbage_but_none();
  note("printing code %u, %u bits, %u lanes", dtype.code, dtype.bits, dtype.lanes);
  if (!expect_ok(iut, iut->DataTypeToString(&dtype, &printed))) return false;
  TVMFFIByteArray text = text_in(iut, &printed);
  bool good = expect_not_null("the string that was printed", text.data) &&
              expect_text_reads(iut, &text, dtype);
  release_any(iut, &printed);
  return good;
}

static const uint16_t round_trip_lanes[] = {
    1, 2, 3, 4, 16, 300, 32767, SCALABLE(2), SCALABLE(4), SCALABLE(300), SCALABLE(32767)};

static void expect_round_trips(Iut *iut, DLDataType dtype, int lanes_count)
{
  for (int i = 0; i < lanes_count; ++i) {
    dtype.lanes = round_trip_lanes[i];
    if (!expect_round_trip(iut, dtype)) return;
  }
}

CASE(printed_numbers_read_as_what_they_were, .clauses = {DTYPE_28},
     .title = "numbers and bools of any bits and lanes are printed as texts that mean the same")
{
  static const uint8_t codes[] = {0, 1, 2, 4, 6};
  for (int i = 0; i < 5; ++i)
    for (unsigned bits = 1; bits <= 255; bits += bits < 10 ? 1 : 7)
      expect_round_trips(iut, (DLDataType){codes[i], (uint8_t)bits, 1}, 11);
}

CASE(printed_formats_and_handles_read_as_what_they_were, .clauses = {DTYPE_28},
     .title =
         "float formats with lanes, handles and nothing are printed as texts that mean the same")
{
  for (const DtypeText *item = formats; item->text; ++item) expect_round_trips(iut, item->dtype, 7);
  expect_round_trip(iut, (DLDataType){3, 64, 1});
  expect_round_trip(iut, (DLDataType){3, 0, 0});
}

CASE(code_without_a_name_is_not_printed, .clauses = {DTYPE_29}, .wrong_call = true,
     .title = "the codes from 100 to 128 are refused with a ValueError, and nothing is written")
{
  TVMFFIAny before = garbage_but_none();
  for (unsigned code = 100; code <= 128; ++code) {
    const DLDataType dtype = {(uint8_t)code, 8, code % 2 ? 1 : 4};
    TVMFFIAny printed = before;
    note("printing code %u", code);
    expect_error(iut, iut->DataTypeToString(&dtype, &printed), "ValueError");
    expect_same_bytes(&printed, &before);
  }
  expect_prints(iut, (DLDataType){0, 8, 1}, "int8");
}
