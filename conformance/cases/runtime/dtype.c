// SPDX-License-Identifier: Apache-2.0
// Reading data types: each table holds texts and what they mean.
#include "cases/runtime/dtype_text.h"

CHAPTER(dtype);

CASE(exports_its_functions, .clauses = {DTYPE_1},
     .title = "the runtime exports the functions that read and print data types")
{
  expect_that(iut_has(iut, FN_DataTypeFromString), "TVMFFIDataTypeFromString", "no such symbol");
  expect_that(iut_has(iut, FN_DataTypeToString), "TVMFFIDataTypeToString", "no such symbol");
}

//--------------------------------------------------------------------------------------------------
// Names, bits and lanes
//--------------------------------------------------------------------------------------------------

static const struct {
  const char *name;
  uint8_t code, usual_bits;
} names[] = {
    {"int", 0, 32}, {"uint", 1, 32}, {"float", 2, 32}, {"bfloat", 4, 16}, {"handle", 3, 64}};

CASE_ROWS(name_may_have_any_number_of_bits, names, .clauses = {DTYPE_2},
          .title = "a name with a number from 1 to 255 reads as its code, these bits and one lane")
{
  char text[64];
  for (unsigned bits = 1; bits <= 255; ++bits) {
    snprintf(text, sizeof text, "%s%u", row->name, bits);
    if (!expect_reads(iut, text, (DLDataType){row->code, (uint8_t)bits, 1})) return;
  }
  snprintf(text, sizeof text, "%s007", row->name);
  expect_reads(iut, text, (DLDataType){row->code, 7, 1});
  snprintf(text, sizeof text, "%s00000000000000000000000000000064", row->name);
  expect_reads(iut, text, (DLDataType){row->code, 64, 1});
}

CASE(name_alone_has_the_usual_bits, .clauses = {DTYPE_3},
     .title = "int, uint and float alone have 32 bits, bfloat has 16 and handle 64")
{
  for (int i = 0; i < 5; ++i)
    expect_reads(iut, names[i].name, (DLDataType){names[i].code, names[i].usual_bits, 1});
}

// Edges of 8 and of 15 bits, and numbers that a decimal reader may get wrong.
static const unsigned lanes_tried[] = {1,    2,    3,    4,    7,     8,     9,     10,    11,
                                       16,   63,   64,   100,  127,   128,   255,   256,   257,
                                       1000, 4095, 4096, 9999, 10000, 16383, 16384, 32766, 32767};
enum { LANES_TRIED = sizeof lanes_tried / sizeof lanes_tried[0] };

CASE_ROWS(lanes_follow_an_x, names, .clauses = {DTYPE_4},
          .title = "a name, with or without bits, followed by x and a number has that many lanes")
{
  char text[32];
  for (int i = 0; i < LANES_TRIED; ++i) {
    unsigned lanes = lanes_tried[i];
    snprintf(text, sizeof text, "%sx%u", row->name, lanes);
    expect_reads(iut, text, (DLDataType){row->code, row->usual_bits, (uint16_t)lanes});
    snprintf(text, sizeof text, "%s%ux%u", row->name, 8 + lanes % 200, lanes);
    expect_reads(iut, text, (DLDataType){row->code, (uint8_t)(8 + lanes % 200), (uint16_t)lanes});
  }
  snprintf(text, sizeof text, "%s16x0004", row->name);
  expect_reads(iut, text, (DLDataType){row->code, 16, 4});
}

CASE_ROWS(scalable_lanes_are_negative, names, .clauses = {DTYPE_5},
          .title = "a name followed by xvscalex and a number N has 65536 - N as lanes")
{
  char text[40];
  for (int i = 0; i < LANES_TRIED; ++i) {
    unsigned lanes = lanes_tried[i];
    snprintf(text, sizeof text, "%sxvscalex%u", row->name, lanes);
    expect_reads(iut, text, (DLDataType){row->code, row->usual_bits, SCALABLE(lanes)});
    snprintf(text, sizeof text, "%s8xvscalex%u", row->name, lanes);
    expect_reads(iut, text, (DLDataType){row->code, 8, SCALABLE(lanes)});
  }
}

static const DtypeText bools[] = {
    {"bool", {6, 8, 1}},
    {"bool8", {6, 8, 1}},
    {"bool1", {6, 1, 1}},
    {"bool32", {6, 32, 1}},
    {"bool255", {6, 255, 1}},
    {"boolx4", {6, 8, 4}},
    {"bool8x4", {6, 8, 4}},
    {"bool1x4", {6, 1, 4}},
    {"boolx32767", {6, 8, 32767}},
    {"boolxvscalex4", {6, 8, SCALABLE(4)}},
    {"bool1xvscalex2", {6, 1, SCALABLE(2)}},
    {NULL, {0, 0, 0}},
};

CASE(bool_has_a_code_of_its_own, .clauses = {DTYPE_6},
     .title = "bool is code 6 with 8 bits, and bits and lanes may follow")
{
  expect_all_read(iut, bools);
}

//--------------------------------------------------------------------------------------------------
// Float formats, and nothing
//--------------------------------------------------------------------------------------------------

static const DtypeText eight_bits[] = {
    {"float8_e3m4", {7, 8, 1}},
    {"float8_e4m3", {8, 8, 1}},
    {"float8_e4m3b11fnuz", {9, 8, 1}},
    {"float8_e4m3fn", {10, 8, 1}},
    {"float8_e4m3fnuz", {11, 8, 1}},
    {"float8_e5m2", {12, 8, 1}},
    {"float8_e5m2fnuz", {13, 8, 1}},
    {"float8_e8m0fnu", {14, 8, 1}},
    {NULL, {0, 0, 0}},
};
static const DtypeText fewer_bits[] = {
    {"float6_e2m3fn", {15, 6, 1}},
    {"float6_e3m2fn", {16, 6, 1}},
    {"float4_e2m1fn", {17, 4, 1}},
    {NULL, {0, 0, 0}},
};

CASE(float_formats_of_eight_bits_are_known, .clauses = {DTYPE_7},
     .title = "the eight float formats of eight bits read as the codes 7 to 14")
{
  expect_all_read(iut, eight_bits);
}

CASE(float_formats_of_fewer_bits_are_known, .clauses = {DTYPE_8},
     .title = "the float formats of six and four bits read as the codes 15 to 17")
{
  expect_all_read(iut, fewer_bits);
}

static void expect_lanes_behind(Iut *iut, const DtypeText *formats)
{
  char text[64];
  for (const DtypeText *format = formats; format->text; ++format)
    for (int i = 0; i < LANES_TRIED; i += 3) {
      DLDataType expected = format->dtype;
      expected.lanes = (uint16_t)lanes_tried[i];
      snprintf(text, sizeof text, "%sx%u", format->text, lanes_tried[i]);
      expect_reads(iut, text, expected);
    }
}

CASE(float_formats_may_have_lanes, .clauses = {DTYPE_9},
     .title = "x and a number after the name of a float format are its lanes")
{
  expect_lanes_behind(iut, eight_bits);
  expect_lanes_behind(iut, fewer_bits);
}

CASE(nothing_and_void_are_the_type_of_no_value, .clauses = {DTYPE_10}, .wrong_call = true,
     .title = "the empty text, with and without data, and void read as code 3, 0 bits, 0 lanes")
{
  const DLDataType nothing = {3, 0, 0};
  expect_reads(iut, "", nothing);
  expect_reads(iut, "void", nothing);
  note("without data");
  expect_text_reads(iut, &(TVMFFIByteArray){NULL, 0}, nothing);
  expect_reads(iut, "handle", (DLDataType){3, 64, 1});
}

//--------------------------------------------------------------------------------------------------
// Short names
//--------------------------------------------------------------------------------------------------

static const DtypeText short_names[] = {
    {"i32", {0, 32, 1}},   {"i8", {0, 8, 1}},      {"i1", {0, 1, 1}},
    {"i255", {0, 255, 1}}, {"u8", {1, 8, 1}},      {"u1", {1, 1, 1}},
    {"u64", {1, 64, 1}},   {"f32", {2, 32, 1}},    {"f16", {2, 16, 1}},
    {"f64", {2, 64, 1}},   {"f8", {2, 8, 1}},      {"bf16", {4, 16, 1}},
    {"bf32", {4, 32, 1}},  {"i32x4", {0, 32, 4}},  {"u8x16", {1, 8, 16}},
    {"f32x4", {2, 32, 4}}, {"bf16x4", {4, 16, 4}}, {"i8x32767", {0, 8, 32767}},
    {"i064", {0, 64, 1}},  {NULL, {0, 0, 0}},
};

CASE(short_names_mean_the_same, .clauses = {DTYPE_11},
     .title = "i, u, f and bf with a number of bits mean int, uint, float and bfloat")
{
  expect_all_read(iut, short_names);
}

// The short names of the formats in a table: fp8_ and f8_ for float8_.
static void expect_short_formats(Iut *iut, const DtypeText *formats)
{
  static const char *const prefixes[] = {"fp", "f"};
  char text[64];
  for (const DtypeText *format = formats; format->text; ++format)
    for (int i = 0; i < 2; ++i) {
      DLDataType expected = format->dtype;
      snprintf(text, sizeof text, "%s%s", prefixes[i], format->text + strlen("float"));
      expect_reads(iut, text, expected);
      expected.lanes = 4;
      strcat(text, "x4");
      expect_reads(iut, text, expected);
    }
}

CASE(short_names_of_float_formats_mean_the_same, .clauses = {DTYPE_12},
     .title = "fp8_, f8_, fp6_, f6_, fp4_ and f4_ begin the names of float formats")
{
  expect_short_formats(iut, eight_bits);
  expect_short_formats(iut, fewer_bits);
}

static const DtypeText packed[] = {
    {"float4_e2m1fn_x2", {17, 4, 2}},
    {"fp4_e2m1fn_x2", {17, 4, 2}},
    {"f4_e2m1fn_x2", {17, 4, 2}},
    {"float4_e2m1fn_x16", {17, 4, 16}},
    {"float4_e2m1fn_x32767", {17, 4, 32767}},
    {NULL, {0, 0, 0}},
};

CASE(packed_format_has_a_second_spelling, .clauses = {DTYPE_13},
     .title = "an underscore before the lanes of the format of four bits means nothing")
{
  expect_all_read(iut, packed);
}

//--------------------------------------------------------------------------------------------------
// Where a text ends
//--------------------------------------------------------------------------------------------------

static const DtypeText ends[] = {
    {"int", {0, 32, 1}},
    {"int3", {0, 3, 1}},
    {"int32", {0, 32, 1}},
    {"uint8", {1, 8, 1}},
    {"int8x1", {0, 8, 1}},
    {"float32x4", {2, 32, 4}},
    {"bfloat", {4, 16, 1}},
    {"handle", {3, 64, 1}},
    {"float", {2, 32, 1}},
    {"bool", {6, 8, 1}},
    {"boolx4", {6, 8, 4}},
    {"void", {3, 0, 0}},
    {"float8_e4m3", {8, 8, 1}},
    {"float8_e5m2x2", {12, 8, 2}},
    {"float6_e2m3fn", {15, 6, 1}},
    {"float4_e2m1fn", {17, 4, 1}},
    {"int32xvscalex4", {0, 32, SCALABLE(4)}},
    {"", {3, 0, 0}},
    {NULL, {0, 0, 0}},
};

// tvm-ffi#387: a text that is a part of a longer one was read past its end.
CASE(text_may_end_at_an_unmapped_page, .clauses = {DTYPE_16},
     .title = "texts without anything readable after them are read")
{
  for (const DtypeText *item = ends; item->text; ++item)
    expect_text_reads(iut, dtype_text_at_end(item->text, strlen(item->text), false), item->dtype);
}

CASE(what_follows_a_text_does_not_belong_to_it, .clauses = {DTYPE_16},
     .title = "texts with digits, lanes and more after their end are read up to their end")
{
  static const char *const followers[] = {"6", "0", "x4", "xvscalex2", "fnuz", "_x2", " ", "\xFF"};
  char text[64];
  for (const DtypeText *item = ends; item->text; ++item)
    for (int i = 0; i < 8; ++i) {
      snprintf(text, sizeof text, "%s%s", item->text, followers[i]);
      expect_text_reads(iut, &(TVMFFIByteArray){text, strlen(item->text)}, item->dtype);
    }
}

CASE(text_is_only_read, .clauses = {DTYPE_19}, .wrong_call = true,
     .title = "texts in read-only memory are read and refused")
{
  // The NUL is for releases that look for one.
  TVMFFIByteArray good = {fenced_copy("the text", "int32x4", 8), 7};
  TVMFFIByteArray bad = {fenced_copy("the text", "int32y4", 8), 7};
  const TVMFFIByteArray *text = fenced_copy("the byte array", &good, sizeof good);
  expect_text_reads(iut, text, (DLDataType){0, 32, 4});
  expect_text_refused(iut, fenced_copy("the byte array", &bad, sizeof bad));
}
