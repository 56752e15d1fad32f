// SPDX-License-Identifier: Apache-2.0
// Texts in JSON, read.
#include "cases/runtime/json_text.h"

CHAPTER(json);

CASE(functions_are_registered, .clauses = {JSON_1},
     .title = "the functions that read and write JSON are registered from the start")
{
  expect_that(is_registered(iut, parse), "ffi.json.Parse", "no such function");
  expect_that(is_registered(iut, stringify), "ffi.json.Stringify", "no such function");
}

typedef struct {
  const char *name, *text, *shown;
} ReadRow;

static const ReadRow words[] = {
    {"null", "null", "n"},
    {"true", "true", "t"},
    {"false", "false", "f"},
    {"spaces-around", " \t\r\n true \n\r\t ", "t"},
};

CASE_ROWS(word_is_read, words, .clauses = {JSON_2}, .title = "null, true and false are read")
{
  expect_json(iut, row->text, row->shown);
}

static const ReadRow integers[] = {
    {"zero", "0", "0"},
    {"small", "-17", "-17"},
    {"beyond-the-integers-of-floats", "9007199254740993", "9007199254740993"},
    {"least", "-9223372036854775808", "-9223372036854775808"},
    {"greatest", "9223372036854775807", "9223372036854775807"},
};

CASE_ROWS(integer_is_read, integers, .clauses = {JSON_3},
          .title = "an integer of 64 bits becomes an int of the same value")
{
  expect_json(iut, row->text, row->shown);
}

static const struct {
  const char *name, *text;
  double number;
} floats[] = {
    {"fraction", "123.456", 123.456},
    {"whole", "5.0", 5},
    {"exponent", "1e5", 1e5},
    {"signed-exponent", "1E+10", 1e10},
    {"negative-exponent", "-7.89e-15", -7.89e-15},
    {"negative-zero", "-0.0", -0.0},
    {"above-64-bits", "9223372036854775808", 9223372036854775808.0},
    {"below-64-bits", "-9223372036854775809", -9223372036854775808.0},
    {"many-digits", "123456789012345678901234567890", 123456789012345678901234567890.0},
    {"largest", "1.7976931348623157e308", 1.7976931348623157e308},
    {"smallest", "2.2250738585072014e-308", 2.2250738585072014e-308},
    {"tie-goes-to-even", "9007199254740993.0", 9007199254740992},
    {"just-above-a-tie", "9007199254740993.00000000000000000000000000000000000001",
     9007199254740994},
    {"half-and-more", "0.500000000000000166533453693773481063544750213623046875",
     0.5000000000000002},
};

CASE_ROWS(float_is_read, floats, .clauses = {JSON_4},
          .title = "a number with a fraction or exponent, or beyond 64 bits, is the nearest float")
{
  TVMFFIAny value = json_value(iut, row->text), due = view_of_float(row->number);
  expect_same_bytes(&value, &due);
  release_any(iut, &value);
}

static const ReadRow no_numbers[] = {
    {"infinity", "Infinity", "inf"},
    {"negative-infinity", "-Infinity", "-inf"},
    {"not-a-number", "NaN", "nan"},
    {"in-an-array", "[NaN,-Infinity, Infinity]", "[nan,-inf,inf]"},
};

CASE_ROWS(no_number_is_read, no_numbers, .clauses = {JSON_5},
          .title = "NaN, Infinity and -Infinity are read as floats")
{
  expect_json(iut, row->text, row->shown);
}

static const struct {
  const char *name, *text, *bytes;
  size_t size;
} strings[] = {
    {"empty", "\"\"", "", 0},
    {"small", "\"hello\"", "hello", 5},
    {"long", "\"hello, hello, hello\"", "hello, hello, hello", 19},
    {"letters-escaped", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t", 8},
    {"ascii-escaped", "\"\\u0041\"", "A", 1},
    {"nul-escaped", "\"a\\u0000b\"", "a\0b", 3},
    {"two-bytes", "\"\\u00fF\"", "\xc3\xbf", 2},
    {"three-bytes", "\"\\u4E2D\\u6587\"", "\xe4\xb8\xad\xe6\x96\x87", 6},
    {"four-bytes", "\"\\uD83D\\uDE04 hello\"", "\xf0\x9f\x98\x84 hello", 10},
    {"escape-behind-many-others", "\"long enough to lie elsewhere\\n\"",
     "long enough to lie elsewhere\n", 29},
    {"backslash-before-the-end", "\"\\\\\"", "\\", 1},
};

CASE_ROWS(string_is_read, strings, .clauses = {JSON_6}, .title = "strings are read, and escapes")
{
  TVMFFIAny value = json_value(iut, row->text);
  TVMFFIByteArray content = content_of(iut, &value);
  if (expect_int("size", (int64_t)content.size, (int64_t)row->size)) {
    expect_memory("string", content.data, content.size, row->bytes, row->size);
  }
  release_any(iut, &value);
}

static const ReadRow unescaped[] = {
    {"two-bytes", "\"\xc3\xbf\"", "'\xc3\xbf'"},
    {"three-bytes", "\"\xe4\xb8\xad\xe6\x96\x87, and more\"",
     "'\xe4\xb8\xad\xe6\x96\x87, and more'"},
    {"four-bytes-and-an-escape", "\"\\n\xf0\x9f\x98\x84\"", "'\n\xf0\x9f\x98\x84'"},
    {"name", "{\"\xc3\xa4\":1}", "{'\xc3\xa4':1}"},
};

CASE_ROWS(utf_8_is_read, unescaped, .clauses = {JSON_7},
          .title = "characters outside ASCII need no escape")
{
  expect_json(iut, row->text, row->shown);
}

static const ReadRow arrays[] = {
    {"empty", "[]", "[]"},
    {"empty-with-a-space", "[ ]", "[]"},
    {"values", "[1, true ,\n\t\"a\",null]", "[1,t,'a',n]"},
    {"nested", "[[],[1,[2]],3]", "[[],[1,[2]],3]"},
};

CASE_ROWS(array_is_read, arrays, .clauses = {JSON_8}, .title = "arrays become Arrays")
{
  expect_json(iut, row->text, row->shown);
}

static const ReadRow objects[] = {
    {"empty", "{}", "{}"},
    {"empty-with-a-space", "{ }", "{}"},
    {"in-order", "{\"c\": 1, \"a\" :2,\n\"b\":3}", "{'c':1,'a':2,'b':3}"},
    {"many", "{\"9\":0,\"8\":1,\"7\":2,\"6\":3,\"5\":4,\"4\":5,\"3\":6}",
     "{'9':0,'8':1,'7':2,'6':3,'5':4,'4':5,'3':6}"},
    {"nested", "{\"a\":{\"b\":[{}]},\"c\":{}}", "{'a':{'b':[{}]},'c':{}}"},
};

CASE_ROWS(object_is_read, objects, .clauses = {JSON_9},
          .title = "objects become Maps in the order of the text")
{
  expect_json(iut, row->text, row->shown);
}

static const struct {
  const char *name, *wrong, *right;
} refused[] = {
    {"nothing", "", "0"},
    {"blank", " \n ", " 1\n "},
    {"word-cut", "nul", "null"},
    {"word-in-capitals", "True", "true"},
    {"other-word", "undefined", "null"},
    {"word-longer", "truee", "true"},
    {"two-values", "1 2", "[1, 2]"},
    {"minus-alone", "-", "-1"},
    {"two-minuses", "--1", "-1"},
    {"two-points", "1.2.3", "1.23"},
    {"exponent-without-digits", "1e", "1e0"},
    {"exponent-with-sign-alone", "1e+", "1e+0"},
    {"hexadecimal", "0x10", "0"},
    {"string-cut", "\"abc", "\"abc\""},
    {"string-cut-behind-backslash", "\"abc\\", "\"abc\\\\\""},
    {"string-in-single-quotes", "'abc'", "\"abc\""},
    {"control-character", "\"a\x01\"", "\"a\\u0001\""},
    {"tab-in-string", "\"a\tb\"", "\"a\\tb\""},
    {"newline-behind-escape", "\"\\t\n\"", "\"\\t\\n\""},
    {"unknown-escape", "\"\\x41\"", "\"\\u0041\""},
    {"escape-of-three-digits", "\"\\u041\"", "\"\\u0041\""},
    {"escape-with-a-letter", "\"\\u004g\"", "\"\\u004f\""},
    {"array-cut", "[1", "[1]"},
    {"array-cut-behind-comma", "[1,", "[1,2]"},
    {"array-with-comma-at-end", "[1,]", "[1]"},
    {"array-without-comma", "[1 2]", "[1,2]"},
    {"array-ended-twice", "[1]]", "[[1]]"},
    {"array-ended-as-object", "[1}", "[1]"},
    {"object-cut", "{\"a\":1", "{\"a\":1}"},
    {"object-cut-behind-colon", "{\"a\":", "{\"a\":1}"},
    {"object-without-value", "{\"a\"}", "{\"a\":1}"},
    {"object-with-comma-at-end", "{\"a\":1,}", "{\"a\":1}"},
    {"name-without-quotes", "{a:1}", "{\"a\":1}"},
    {"name-of-a-number", "{1:1}", "{\"1\":1}"},
    {"comment", "1 // one", "1"},
};

CASE_ROWS(no_json_is_refused, refused, .clauses = {JSON_10},
          .title = "a text that is not JSON raises an error, and leaves nothing behind")
{
  TVMFFIAny value;
  expect_error(iut, json_read(iut, row->wrong, strlen(row->wrong), &value), NULL);
  value = json_value(iut, row->right);
  release_any(iut, &value);
}

CASE(nul_behind_a_text_is_refused, .clauses = {JSON_10},
     .title = "a NUL behind a value raises an error")
{
  TVMFFIAny value;
  expect_error(iut, json_read(iut, "[1]\0", 4, &value), NULL);
  expect_json(iut, "[1]", "[1]");
}

// --- Nested deeply -------------------------------------------------------------------------------

enum { DEEP = 100000 };

static const struct {
  const char *name, *open, *close;
} nests[] = {{"arrays", "[", "]"}, {"objects", "{\"\":", "}"}};

// A text of so many containers, one in the other, and a value. To be freed.
static char *new_nest(const char *open, const char *close, size_t depth)
{
  size_t opens = strlen(open), closes = strlen(close);
  char *text = malloc(depth * (opens + closes) + 2);
  if (text == NULL) case_inconclusive("no memory for a text");
  for (size_t i = 0; i < depth; ++i) memcpy(text + i * opens, open, opens);
  text[depth * opens] = '1';
  for (size_t i = 0; i < depth; ++i) {
    memcpy(text + depth * opens + 1 + i * closes, close, closes);
  }
  text[depth * (opens + closes) + 1] = '\0';
  return text;
}

CASE_ROWS(deep_text_is_no_danger, nests, .clauses = {JSON_12},
          .title = "a text nested 100,000 levels deep is read or refused")
{
  for (size_t depth = 10; depth <= DEEP; depth *= 10000) {
    note("%zu levels", depth);
    char *text = new_nest(row->open, row->close, depth);
    TVMFFIAny value, string = any_none();
    TVMFFIByteArray bytes = {text, strlen(text)};
    require(expect_ok(iut, iut->StringFromByteArray(&bytes, &string)));
    value = any_none();
    int code = call_registered(iut, &value, parse, VALUES(string));
    if (code == 0) {
      expect_that(value.type_index == kTVMFFIArray || value.type_index == kTVMFFIMap, "a container",
                  "type index %d", value.type_index);
      note("%zu levels released", depth);
      release_any(iut, &value);
    } else {
      expect_error(iut, code, NULL);
    }
    release_any(iut, &string);
    free(text);
  }
}
