// SPDX-License-Identifier: Apache-2.0
// Texts that are no data types.
#include "cases/runtime/dtype_text.h"

CHAPTER(dtype);

// Each list ends with NULL.
typedef struct Refused {
  const char *name;
  const char *texts[24];
} Refused;

static const Refused refused[] = {
    {"unknown_words",
     {"abc", "double", "long", "half", "char", "size_t", "none", "None", "object", "string",
      "tensor", "boolean", "voidp", "integer", "x", "?"}},
    {"shortened_words", {"in", "uin", "floa", "bfloa", "handl", "boo", "voi", "b", "h", "cust"}},
    {"short_names_without_a_number", {"i", "u", "f", "bf", "ix4", "ux4", "fx4", "bfx4"}},
    {"other_case",
     {"Int32", "INT32", "inT8", "Float32", "Bool", "Void", "int32X4", "int32xVscalex4",
      "float8_E4M3", "Custom[a]"}},
    {"blanks_and_line_feeds",
     {" int32", "int32 ", "\tint8", "int32\n", "\nint32", "int32x4 ", "int32 x4", "bool ", " void",
      "void ", " ", "\n", "int32\r", "float8_e4m3 "}},
    {"more_behind",
     {"int32abc", "int32x4x4", "int32x4y", "int32xvscalex4x2", "float32.0", "float16_", "int32,",
      "int32\xC3\xA9", "intint", "float8_e4m3fnx4x4", "boolfloat", "int8_x2", "handle64*",
      "int1e2"}},
    {"beginning_missing", {"x4", "4", "32", "xvscalex4", "_e4m3", "8_e4m3", "[a]"}},
    {"lanes_behind_void", {"voidx4", "void8", "voidxvscalex4", "void0"}},
    {"unknown_float_formats",
     {"float8_", "float8_xx", "float8_e8m0", "float8_e4m3b11", "float8_e4m38", "float6_e2m3",
      "float6_", "float4_e2m1", "float4_", "float6_e4m3fn", "float4_e4m3", "float8_e2m1fn",
      "float8_e4m3fn_x2", "float6_e2m3fn_x2", "float16_e4m3", "float8_e5m2fn"}},
    {"unclosed_brackets",
     {"custom", "custom[", "custom[foo", "custom]", "custom(a)", "customint8"}},
};

CASE_ROWS(text_that_is_no_data_type_is_refused, refused, .clauses = {DTYPE_14}, .wrong_call = true,
          .title = "texts that the grammar does not have are refused with a ValueError")
{
  for (const char *const *text = row->texts; *text; ++text) expect_refused(iut, *text);
  expect_reads(iut, "int32", (DLDataType){0, 32, 1});
}

// tvm-ffi#387 and others: numbers that wrapped around, so that a vector of 65536 lanes became one
// of none.
static const Refused numbers[] = {
    {"bits_above_255",
     {"int256", "uint300", "float1000", "bfloat65536", "handle256", "bool256", "int256x4", "int288",
      "int0000256"}},
    {"lanes_above_65535", {"int32x65536", "int32x65540", "boolx100000", "float8_e4m3x65537"}},
    {"no_lanes",
     {"int32x", "int32x0", "intx", "intx0", "int32xvscalex", "int32xvscalex0", "float8_e4m3x",
      "float8_e4m3x0", "boolx", "int32x000"}},
    {"more_than_32_bits",
     {"int99999999999", "int4294967296", "int4294967297", "int32x99999999999", "uint8x4294967297",
      "int32xvscalex4294967298"}},
    {"signs_and_blanks",
     {"int-32", "int+32", "int 32", "int32x-4", "int32x+4", "int32x 4", "int\t8", "int32xvscalex-4",
      "int32xvscalex+4", "int32xvscalex 4", "float8_e4m3x-1", "int-224"}},
};

CASE_ROWS(numbers_are_digits_and_in_range, numbers, .clauses = {DTYPE_15}, .wrong_call = true,
          .title = "numbers out of range, without digits or with a sign are refused")
{
  for (const char *const *text = row->texts; *text; ++text) expect_refused(iut, *text);
  expect_reads(iut, "int255x32767", (DLDataType){0, 255, 32767});
}

CASE(number_of_any_length_is_out_of_range, .clauses = {DTYPE_44}, .wrong_call = true,
     .title = "numbers of more than 64 bits are refused, even if their lower bits are valid")
{
  expect_refused(iut, "int18446744073709551617");
  expect_refused(iut, "int8x18446744073709551617");
  expect_refused(iut, "int340282366920938463463374607431768211457");
  expect_reads(iut, "int1x1", (DLDataType){0, 1, 1});
}

// Whatever becomes of the text: only reading past its end ends the case.
static void read_to_the_end(Iut *iut, const char *text)
{
  DLDataType dtype;
  note("reading \"%s\"", text);
  if (iut->DataTypeFromString(dtype_text_at_end(text, strlen(text), false), &dtype) == 0) return;
  TVMFFIObjectHandle error = take_error(iut);
  if (error) iut->ObjectDecRef(error);
}

CASE(refused_text_may_end_at_an_unmapped_page, .clauses = {DTYPE_16},
     .title = "nothing is read after texts that are not data types")
{
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; ++i)
    for (const char *const *text = refused[i].texts; *text; ++text)
      if (strncmp(*text, "custom", 6) != 0) read_to_the_end(iut, *text);
  static const char *const others[] = {"int256", "int32x", "int32x0", "int32xvscalex",
                                       "int99999999999"};
  for (int i = 0; i < 5; ++i) read_to_the_end(iut, others[i]);
  expect_text_reads(iut, dtype_text_at_end("int8", 4, false), (DLDataType){0, 8, 1});
}

static const char *const unclosed[] = {"custom", "custom[", "custom[foo"};

CASE(missing_bracket_is_not_looked_for_behind_the_end, .clauses = {DTYPE_17}, .wrong_call = true,
     .title = "custom without brackets is refused, and nothing after the text is read")
{
  for (int i = 0; i < 3; ++i)
    expect_text_refused(iut, dtype_text_at_end(unclosed[i], strlen(unclosed[i]), false));
  note("with what is missing behind the end");
  expect_text_refused(iut, &(TVMFFIByteArray){"custom[foo]8", 6});
  expect_text_refused(iut, &(TVMFFIByteArray){"custom[foo]8", 10});
  expect_reads(iut, "int8", (DLDataType){0, 8, 1});
}

static const struct {
  const char *text;
  size_t size;
} with_nul[] = {
    {"int32\0", 6},        {"int32\0x4", 8}, {"\0", 1},          {"\0int32", 6}, {"void\0", 5},
    {"int\0", 4},          {"int8x\0", 6},   {"int8x4\0", 7},    {"bool\0", 5},  {"in\0t", 4},
    {"float8_e4m3\0", 12}, {"handle\0", 7},  {"bfloat16\0x", 10}};

CASE(nul_is_a_character_that_no_data_type_has, .clauses = {DTYPE_18}, .wrong_call = true,
     .title = "texts that hold a NUL within their size are refused")
{
  for (size_t i = 0; i < sizeof with_nul / sizeof with_nul[0]; ++i) {
    expect_text_refused(iut, dtype_text_at_end(with_nul[i].text, with_nul[i].size, true));
    note("that was text %zu, with a NUL in it", i);
  }
  expect_reads(iut, "int32", (DLDataType){0, 32, 1});
}

CASE(refused_text_leaves_the_output_alone, .clauses = {DTYPE_19}, .wrong_call = true,
     .title = "when a text is refused nothing is written to the output")
{
  DLDataType *dtype = fenced_buffer("the output", sizeof *dtype);
  const DLDataType before = {0x5A, 0x96, 0x3C69};
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; ++i)
    for (const char *const *text = refused[i].texts; *text; ++text) {
      *dtype = before;
      note("reading \"%s\"", *text);
      char room[DTYPE_TEXT_MAX] = "";
      memcpy(room, *text, strlen(*text));
      TVMFFIByteArray array = {room, strlen(*text)};
      expect_error(iut, iut->DataTypeFromString(&array, dtype), NULL);
      expect_dtype(*dtype, before);
    }
  note("a text that is a data type");
  require(expect_ok(iut, iut->DataTypeFromString(dtype_text_at_end("int8", 4, true), dtype)));
  expect_dtype(*dtype, (DLDataType){0, 8, 1});
}
