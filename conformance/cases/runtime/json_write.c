// SPDX-License-Identifier: Apache-2.0
// Values, written as texts in JSON.
#include "cases/runtime/json_text.h"

CHAPTER(json);

// Reads and writes a text, and reads what was written.
static void expect_read_again(Iut *iut, const char *text, TVMFFIAny indent)
{
  TVMFFIAny first = json_value(iut, text), written = json_written(iut, first, indent);
  TVMFFIAny second = value_of(iut, parse, VALUES(written));
  JsonShown before = {.size = 0}, after = {.size = 0};
  json_show(iut, first, &before);
  json_show(iut, second, &after);
  before.text[before.size] = '\0';
  expect_text("value that was written and read", (TVMFFIByteArray){after.text, after.size},
              before.text);
  release_any(iut, &second);
  release_any(iut, &written);
  release_any(iut, &first);
}

static const struct {
  const char *name, *text;
} values[] = {
    {"none", "null"},
    {"bools", "[true,false]"},
    {"integers", "[0,-1,9223372036854775807,-9223372036854775808]"},
    {"small-string", "\"abc\""},
    {"string", "\"a string that lies elsewhere\""},
    {"escapes", "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\\u007f\""},
    {"arrays", "[[],[1,[2]],[[[]]]]"},
    {"objects", "{\"c\":{\"z\":1,\"y\":[]},\"a\":{},\"b\":null}"},
    {"many-names", "{\"9\":0,\"8\":1,\"7\":2,\"6\":3,\"5\":4,\"4\":5,\"3\":6}"},
};

CASE_ROWS(what_is_written_is_read, values, .clauses = {JSON_13},
          .title = "a value that is written and read is equal to what it was")
{
  expect_read_again(iut, row->text, any_none());
  expect_read_again(iut, row->text, view_of_int(3));
}

CASE(characters_are_written_and_read, .clauses = {JSON_13, JSON_7},
     .title = "a string with characters outside ASCII is equal to what it was")
{
  expect_read_again(iut, "\"\\u00ff\\u4e2d\\ud83d\\ude04\"", any_none());
}

static const double floats[] = {0.0,
                                -0.0,
                                1.0,
                                -5.0,
                                2.5,
                                0.1,
                                1.0 / 3,
                                123.456,
                                4503599627370497.5,
                                9007199254740991.0,
                                -9007199254740991.0,
                                1e-7,
                                5e-10,
                                -7.89e-15,
                                1.0000000000000002,
                                2.2250738585072014e-308,
                                3.3e-308};

CASE(floats_stay_what_they_are, .clauses = {JSON_14},
     .title = "a float that is written and read is the same float")
{
  for (size_t i = 0; i < sizeof floats / sizeof *floats; ++i) {
    note("%.17g", floats[i]);
    TVMFFIAny number = view_of_float(floats[i]), text = json_written(iut, number, any_none());
    TVMFFIAny read = value_of(iut, parse, VALUES(text));
    expect_same_bytes(&read, &number);
    release_any(iut, &read);
    release_any(iut, &text);
  }
}

CASE(no_numbers_stay_what_they_are, .clauses = {JSON_14},
     .title = "NaN and the infinities are written so that they are read")
{
  expect_read_again(iut, "[NaN,Infinity,-Infinity]", any_none());
}

static const char nested[] = "{\"a b\" : [1, 2 ,{\"c\":[]}], \"d\": {\"e\":null,\"f\":{}}}";

CASE(text_is_compact, .clauses = {JSON_15},
     .title = "without an indent no whitespace is written outside of strings")
{
  TVMFFIAny value = json_value(iut, nested), indents[] = {any_none(), view_of_int(0)};
  for (size_t i = 0; i < 2; ++i) {
    TVMFFIAny text = json_written(iut, value, indents[i]);
    expect_text("text", content_of(iut, &text),
                "{\"a b\":[1,2,{\"c\":[]}],\"d\":{\"e\":null,\"f\":{}}}");
    release_any(iut, &text);
  }
  release_any(iut, &value);
}

// Each line of a text begins with a multiple of the indent: one step more behind a bracket that
// opens, one less before one that closes.
static void expect_indents(TVMFFIByteArray text, int64_t indent)
{
  int64_t level = 0, lines = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size; ++i) {
    char c = text.data[i];
    if (c == '"') in_string = !in_string;
    if (in_string) continue;
    level += (c == '[' || c == '{') - (c == ']' || c == '}');
    if (c != '\n') continue;
    size_t spaces = 0;
    while (i + 1 + spaces < text.size && text.data[i + 1 + spaces] == ' ') ++spaces;
    char next = i + 1 + spaces < text.size ? text.data[i + 1 + spaces] : '\0';
    int64_t due = (level - (next == ']' || next == '}')) * indent;
    note("line %d", (int)++lines);
    expect_int("spaces at the beginning of the line", (int64_t)spaces, due);
  }
  expect_that(lines >= 6, "a line for each element", "%d lines", (int)lines);
}

CASE(text_is_indented, .clauses = {JSON_16},
     .title = "with an indent each element begins a line, behind spaces for each level")
{
  TVMFFIAny value = json_value(iut, nested);
  for (int indent = 1; indent <= 16; indent += 5) {
    note("an indent of %d", indent);
    TVMFFIAny text = json_written(iut, value, view_of_int(indent));
    expect_indents(content_of(iut, &text), indent);
    release_any(iut, &text);
  }
  release_any(iut, &value);
  expect_read_again(iut, nested, view_of_int(4));
}

// --- Refused -------------------------------------------------------------------------------------

CASE(what_is_no_json_is_refused, .clauses = {JSON_17}, .wrong_call = true,
     .title = "bytes, functions and keys that are not strings raise an error")
{
  TVMFFIAny none = any_none(), bytes = view_of_small(kTVMFFISmallBytes, "ab", 2);
  TVMFFIAny function = view_of_object(iut, registered(iut, parse));
  TVMFFIAny map = value_of(iut, "ffi.Map", VALUES(view_of_int(1), view_of_int(2)));
  TVMFFIAny within = value_of(iut, "ffi.Array", VALUES(view_of_int(1), map));
  TVMFFIAny wrong[] = {bytes, function, map, within};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    note("value %zu", i);
    expect_refused(iut, NULL, stringify, VALUES(wrong[i], none));
  }
  TVMFFIAny right = json_written(iut, view_of_int(1), none);
  release_any(iut, &right);
  release_any(iut, &within);
  release_any(iut, &map);
  release_any(iut, &function);
}

CASE(value_that_holds_itself_is_refused, .clauses = {JSON_18}, .wrong_call = true,
     .title = "a list that holds itself raises an error, also across an array and a map")
{
  TVMFFIAny none = any_none(), list = value_of(iut, "ffi.List", VALUES(view_of_int(1)));
  TVMFFIAny written = json_written(iut, list, none);
  release_any(iut, &written);
  value_of(iut, "ffi.ListAppend", VALUES(list, list));
  note("a list in itself");
  expect_refused(iut, NULL, stringify, VALUES(list, none));
  value_of(iut, "ffi.ListErase", VALUES(list, view_of_int(1)));
  TVMFFIAny map = value_of(iut, "ffi.Map", VALUES(view_of_small_string("k"), list));
  TVMFFIAny array = value_of(iut, "ffi.Array", VALUES(list, map));
  value_of(iut, "ffi.ListAppend", VALUES(list, array));
  note("a list in a map in an array in the list");
  expect_refused(iut, NULL, stringify, VALUES(array, none));
  expect_refused(iut, NULL, stringify, VALUES(list, none));
  value_of(iut, "ffi.ListClear", VALUES(list));
  release_any(iut, &array);
  release_any(iut, &map);
  release_any(iut, &list);
}

CASE(deep_value_is_no_danger, .clauses = {JSON_19}, .wrong_call = true,
     .title = "arrays nested 100,000 levels deep are written or refused")
{
  TVMFFIAny value = value_of(iut, "ffi.Array", VALUES()), none = any_none();
  for (int depth = 1; depth < 100000; ++depth) {
    TVMFFIAny outer = value_of(iut, "ffi.Array", VALUES(value));
    release_any(iut, &value);
    value = outer;
  }
  TVMFFIAny text = none;
  note("writing");
  int code = call_registered(iut, &text, stringify, VALUES(value, none));
  if (code == 0) {
    expect_int("size", (int64_t)content_of(iut, &text).size, 200000);
  } else {
    expect_error(iut, code, NULL);
  }
  release_any(iut, &text);
  note("releasing");
  release_any(iut, &value);
}
