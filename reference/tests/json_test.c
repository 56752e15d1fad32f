// SPDX-License-Identifier: Apache-2.0
// JSON: texts that are read and written again, texts that are wrong, and values that have no text.
#include <stdio.h>
#include <string.h>

#include "call.h"
#include "probe.h"
#include "unit/unit.h"

// Parses a text and writes what was read.
static TVMFFIAny rewrite(const char *text, TVMFFIAny indent)
{
  TVMFFIAny value = call("ffi.json.Parse", ARGS(view_str(text)));
  TVMFFIAny written = call("ffi.json.Stringify", ARGS(value, indent));
  drop(value);
  return written;
}

static const struct {
  const char *text, *written;
} texts[] = {
    {"null", "null"},
    {" true ", "true"},
    {"\tfalse\r\n", "false"},
    {"[]", "[]"},
    {"[ ]", "[]"},
    {"{ }", "{}"},
    {"[1, 2.5 ,-3]", "[1,2.5,-3]"},
    {"[[[]],{\"a\":[{}]}]", "[[[]],{\"a\":[{}]}]"},
    {"{\"a\" : 1 , \"b\":{\"c\":null}}", "{\"a\":1,\"b\":{\"c\":null}}"},
    {"{\"a\":1,\"a\":2}", "{\"a\":2}"},
    {"\"longer than seven\"", "\"longer than seven\""},
    {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\""},
    {"\"x\\u0041\\u00e9\\u20AC\\ud83d\\uDE00\"", "\"xA\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\""},
    {"\"\\u0000\\u001f\\u007f\"", "\"\\u0000\\u001f\\u007f\""},
    {"9223372036854775807", "9223372036854775807"},
    {"-9223372036854775808", "-9223372036854775808"},
    {"9223372036854775808", "9.2233720368547758e+18"},
    {"10000000000000000000000", "1e+22"},
    {"0.1", "0.10000000000000001"},
    {"-0.0", "-0.0"},
    {"-0", "0"},
    {"1e2", "100.0"},
    {"1E+2", "100.0"},
    {"5e-1", "0.5"},
    {"1e-400", "0.0"},
    {"1e-99999999999999999999", "0.0"},
    {"0e99999999999", "0.0"},
    {"9007199254740993.0", "9007199254740992.0"},
    {"9007199254740994.0", "9007199254740994.0"},
    {"123456789012345678901234567890e-29", "1.2345678901234567"},
    {"NaN", "NaN"},
    {"Infinity", "Infinity"},
    {"-Infinity", "-Infinity"},
};

TEST_GROUP(all, .timeout = 30);

TEST(what_is_read_is_written_again, .rows = ROWS(texts))
{
  TVMFFIAny written = rewrite(texts[_i].text, view_none()), again;
  expect_string_of(&written, texts[_i].written, strlen(texts[_i].written));
  again = call("ffi.json.Parse", ARGS(written));
  TVMFFIAny second = call("ffi.json.Stringify", ARGS(again, view_int(0)));
  expect_string_of(&second, texts[_i].written, strlen(texts[_i].written));
  drop(written);
  drop(again);
  drop(second);
}

static const struct {
  const char *text, *what;
} wrong[] = {
    {"", "Expecting value: line 1 column 1 (char 0)"},
    {"  ", "Expecting value: line 1 column 3 (char 2)"},
    {"[", "Expecting value: line 1 column 2 (char 1)"},
    {"[1,]", "Expecting value: line 1 column 4 (char 3)"},
    {"[\n\n x]", "Expecting value: line 3 column 2 (char 4)"},
    {"nul", "Expecting value"},
    {"trub", "Expecting value"},
    {"Inf", "Expecting value"},
    {"-", "Expecting value"},
    {"-Inf", "Expecting value"},
    {".", "Expecting value"},
    {"1e", "Expecting value"},
    {"1e+", "Expecting value"},
    {"1.2.3", "Expecting value"},
    {"1e400", "Expecting value"},
    {"1e99999999999999999999", "Expecting value"},
    {"{", "Expecting property name enclosed in double quotes"},
    {"{1:2}", "Expecting property name enclosed in double quotes"},
    {"{\"a\":1,}", "Expecting property name enclosed in double quotes"},
    {"{\"a\" 1}", "Expecting ':' delimiter"},
    {"{\"a\"", "Expecting ':' delimiter"},
    {"{\"a:1}", "Unterminated string"},
    {"[1 2]", "Expecting ',' delimiter"},
    {"{\"a\":1]", "Expecting ',' delimiter"},
    {"[1}", "Expecting ',' delimiter"},
    {"1 2", "Extra data: line 1 column 3 (char 2)"},
    {"[]]", "Extra data"},
    {"\"abc", "Unterminated string starting at: line 1 column 1 (char 0)"},
    {"\"a\\n", "Unterminated string"},
    {"\"a\nb\"", "Invalid control character at"},
    {"\"\\n\x01\"", "Invalid control character at"},
    {"\"\\x\"", "Invalid \\escape"},
    {"\"\\", "Invalid \\escape"},
    {"\"\\u12\"", "Invalid \\uXXXX escape"},
    {"\"\\u12g4\"", "Invalid \\uXXXX escape"},
    {"\"\\u12@4\"", "Invalid \\uXXXX escape"},
    {"\"\\ud800\"", "Invalid surrogate pair"},
    {"\"\\udc00\"", "Invalid surrogate pair"},
    {"\"\\ud800\\n\"", "Invalid surrogate pair"},
    {"\"\\ud800x0000\"", "Invalid surrogate pair"},
    {"\"\\ud800\\u0041\"", "Invalid surrogate pair"},
    {"\"\\ud800\\ue000\"", "Invalid surrogate pair"},
    {"\"\\ud800\\u12", "Invalid \\uXXXX escape"},
};

TEST(what_is_wrong_is_said_with_its_place, .rows = ROWS(wrong))
{
  expect_refused("ffi.json.Parse", ARGS(view_str(wrong[_i].text)), "ValueError", wrong[_i].what);
}

// Every part of a text from its beginning is refused, whatever was read of it.
TEST(texts_cut_anywhere_are_refused)
{
  static const char text[] =
      "{\"longer than seven\":[1,{\"\\ud83d\\ude00\":[true,null,\"x\"]},2.5e1]}";
  char cut[sizeof text];
  for (size_t size = 0; size + 1 < sizeof text; ++size) {
    memcpy(cut, text, size);
    cut[size] = '\0';
    expect_refused("ffi.json.Parse", ARGS(view_str(cut)), "ValueError", "(char ");
  }
  drop(call("ffi.json.Parse", ARGS(view_str(text))));
}

TEST(lines_are_indented)
{
  static const char due[] = "{\n  \"a\": [\n    1,\n    []\n  ],\n  \"b\": {}\n}";
  TVMFFIAny written = rewrite("{\"a\":[1,[]],\"b\":{}}", view_int(2));
  ck_assert_int_eq(written.type_index, kTVMFFIStr);
  TVMFFIAny again = call("ffi.json.Parse", ARGS(written));
  TVMFFIAny plain = call("ffi.json.Stringify", ARGS(again, view_none()));
  expect_string(&plain, "{\"a\":[1,[]],\"b\":{}}");
  ck_assert_ptr_nonnull(
      strstr(((TVMFFIByteArray *)(written.v_obj + 1))->data, "{\n  \"a\": [\n    1,"));
  ck_assert_uint_le(((TVMFFIByteArray *)(written.v_obj + 1))->size, sizeof due + 8);
  drop(written);
  drop(again);
  drop(plain);
  written = rewrite("[1,2]", view_int(-1));
  expect_string(&written, "[\n1,\n2\n]");
  drop(written);
}

TEST(texts_without_end_are_refused)
{
  TVMFFIAny value = call("ffi.json.Parse", ARGS(view_str("[[1]]")));
  expect_refused("ffi.json.Stringify", ARGS(value, view_int(INT32_MAX)), "ValueError",
                 "longer than");
  drop(value);
}

// Longer than the pieces in which strings are written, with letters of which each needs six.
TEST(long_strings_come_back)
{
  enum { LETTERS = 10000 };
  char text[LETTERS + 1], *letter = text;
  for (; letter < text + LETTERS; ++letter) *letter = (char)(letter - text) % 7 == 0 ? '\x1f' : 'x';
  *letter = '\0';
  TVMFFIAny written = call("ffi.json.Stringify", ARGS(view_str(text), view_none()));
  TVMFFIAny again = call("ffi.json.Parse", ARGS(written));
  expect_string(&again, text);
  drop(written);
  drop(again);
}

TEST(texts_have_a_longest_length)
{
  TVMFFIAny list = call("ffi.List", ARGS(view_int(1)));
  expect_refused("ffi.json.Stringify", ARGS(list, view_int(INT32_MAX)), "ValueError",
                 "the text is longer than 1073741824 bytes");
  drop(list);
}

TEST(values_without_a_text_are_refused)
{
  Probe probe = probe_make(kTVMFFIOpaquePyObject);
  TVMFFIAny list = call("ffi.List", ARGS(view_int(1), view_object(&probe)));
  TVMFFIAny map = call("ffi.Map", ARGS(view_int(1), view_int(2)));
  TVMFFIAny pointer = view_pointer(&probe);
  expect_refused("ffi.json.Stringify", ARGS(list, view_none()), "ValueError", "Unsupported type: ");
  expect_refused("ffi.json.Stringify", ARGS(map, view_none()), "ValueError",
                 "Expect key to be string, got `int`");
  expect_refused("ffi.json.Stringify", ARGS(pointer, view_none()), "ValueError", "Unsupported");
  drop(list);
  drop(map);
}

TEST(lists_that_hold_themselves_are_refused)
{
  TVMFFIAny list = call("ffi.List", ARGS(view_int(1)));
  call_void("ffi.ListAppend", ARGS(list, list));
  expect_refused("ffi.json.Stringify", ARGS(list, view_none()), "ValueError", "Cycle");
  call_void("ffi.ListClear", ARGS(list));
  drop(list);
}

TEST(depth_is_ordinary)
{
  enum { DEEP = 20000 };
  static char text[2 * DEEP + 1];
  memset(text, '[', DEEP);
  memset(text + DEEP, ']', DEEP);
  TVMFFIAny written = rewrite(text, view_none());
  expect_string_of(&written, text, 2 * DEEP);
  drop(written);
  text[2 * DEEP - 1] = '\0';
  expect_refused("ffi.json.Parse", ARGS(view_str(text)), "ValueError", "Expecting ','");
}

TEST(numbers_of_many_digits_are_rounded_once)
{
  char text[1200];
  memset(text, '0', sizeof text);
  memcpy(text, "9007199254740993", 16);  // halfway between two floats, but for the last digit
  text[16] = '.';
  text[sizeof text - 2] = '1';
  text[sizeof text - 1] = '\0';
  TVMFFIAny written = rewrite(text, view_none());
  expect_string(&written, "9007199254740994.0");
  drop(written);
}

TEST(want_of_memory_is_reported)
{
  TVMFFIAny text =
      view_str("{\"longer than seven\":[1,\"an escape \\n in it\",[\"not a short text\"]]}");
  TVMFFIAny value = call_with_faults("ffi.json.Parse", ARGS(text));
  drop(call_with_faults("ffi.json.Stringify", ARGS(value, view_int(2))));
  drop(value);
}

//--------------------------------------------------------------------------------------------------
// Integers of any size in graphs
//--------------------------------------------------------------------------------------------------

#ifndef TVM_FFI_GENERATION_2025_09
static TVMFFIAny graph_of_digits(const char *digits)
{
  char text[400];
  snprintf(text, sizeof text,
           "{\"root_index\":0,\"nodes\":[{\"type\":\"ffi.BigInt\",\"data\":%s}]}", digits);
  return call("ffi.json.Parse", ARGS(view_str(text)));
}

static const struct {
  const char *given, *due;  // NULL: as given
} whole[] = {
    {"\"18446744073709551616\"", NULL},
    {"\"-170141183460469231731687303715884105729\"", NULL},
    {"\"+00100000000000000000000000000000000000000000000000000000000000000000000001\"",
     "\"100000000000000000000000000000000000000000000000000000000000000000000001\""},
    {"\"-000\"", "0"},
    {"\"-9223372036854775808\"", "-9223372036854775808"},
};

TEST(large_integers_come_back, .rows = ROWS(whole))
{
  TVMFFIAny graph = graph_of_digits(whole[_i].given);
  // Where an integer turns out smaller, it can do without what it asks for.
  TVMFFIAny value = whole[_i].due == NULL ? call_with_faults("ffi.FromJSONGraph", ARGS(graph))
                                          : call("ffi.FromJSONGraph", ARGS(graph));
  TVMFFIAny again = call_with_faults("ffi.ToJSONGraphString", ARGS(value, view_none()));
  const char *due = whole[_i].due != NULL ? whole[_i].due : whole[_i].given, *text;
  text = ((const TVMFFIByteArray *)(again.v_obj + 1))->data;
  ck_assert_msg(strstr(text, due) != NULL, "%s in %s", due, text);
  drop(again);
  drop(value);
  drop(graph);
}

static const char *const no_digits[] = {"\"\"",    "\"-\"",           "\"x\"", "\"12x\"", "\" 1\"",
                                        "\"1.0\"", "\"1234567890/\"", "7",     "null",    "[1]"};

TEST(what_has_no_digits_is_refused, .rows = ROWS(no_digits))
{
  TVMFFIAny graph = graph_of_digits(no_digits[_i]);
  expect_refused("ffi.FromJSONGraph", ARGS(graph), "TypeError", "ffi.BigInt");
  drop(graph);
}
#endif
