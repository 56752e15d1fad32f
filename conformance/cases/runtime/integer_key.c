// SPDX-License-Identifier: Apache-2.0
// Big integers as keys of a map, and where compiled code learns how to compare them.
#include "cases/runtime/container_calling.h"
#include "cases/runtime/integer_number.h"

CHAPTER(integer);

// --- Keys of a map -------------------------------------------------------------------------------

enum { FEW = 0, MANY = 30 };

// Own: a map in which the key leads to 77, and as many integers as told to themselves.
static TVMFFIAny map_with(Iut *iut, const TVMFFIAny *key, size_t others)
{
  TVMFFIAny args[2 * MANY + 2];
  size_t count = 0;
  for (size_t i = 0; i < others; ++i) {
    args[count++] = view_of_int((int64_t)i);
    args[count++] = view_of_int((int64_t)i);
  }
  args[count++] = *key;
  args[count++] = view_of_int(77);
  return value_of(iut, "ffi.Map", args, count);
}

static const struct {
  const char *name;
  size_t count;
  uint64_t words[NUMBER_WORDS];
} keys[] = {
    {"2-to-the-63", 2, {WORD_MIN, 0}},
    {"minus-2-to-the-63-minus-1", 2, {WORD_MAX, WORD_ONES}},
    {"minus-2-to-the-64", 2, {0, WORD_ONES}},
    {"2-to-the-127", 3, {0, WORD_MIN, 0}},
    {"every-word-another", 6, {1, 2, 3, 4, 5, 6}},
};

CASE_ROWS(same_words_are_the_same_key, keys, .clauses = {INT_14},
          .title = "a big integer finds the value of another with the same words, in any map")
{
  static const size_t others[] = {FEW, MANY};
  for (int i = 0; i < 2; ++i) {
    TVMFFIAny key = big_integer_of(iut, row->words, row->count);
    TVMFFIAny same = big_integer_of(iut, row->words, row->count);
    TVMFFIAny map = map_with(iut, &key, others[i]);
    note("looking for another object with the same words among %u keys", (unsigned)others[i] + 1);
    expect_gives(iut, view_of_int(1), "ffi.MapCount", VALUES(map, same));
    expect_gives(iut, view_of_int(77), "ffi.MapGetItem", VALUES(map, same));
    expect_gives(iut, view_of_int(77), "ffi.MapGetItem", VALUES(map, key));
    release_any(iut, &map);
    release_any(iut, &key);
    release_any(iut, &same);
  }
}

static const struct {
  const char *name;
  size_t counts[2];
  uint64_t words[2][NUMBER_WORDS];
} others[] = {
    {"lowest-word", {3, 3}, {{1, 2, 3}, {9, 2, 3}}},
    {"middle-word", {3, 3}, {{1, 2, 3}, {1, 9, 3}}},
    {"highest-word", {3, 3}, {{1, 2, 3}, {1, 2, 9}}},
    {"one-bit", {2, 2}, {{0, 1}, {WORD_MIN, 1}}},
    {"longer-by-a-word", {2, 3}, {{1, 2}, {1, 2, 3}}},
    {"shorter-by-a-word", {4, 3}, {{1, 2, 3, 4}, {1, 2, 3}}},
    {"sign", {2, 2}, {{WORD_MIN, 0}, {WORD_MIN, WORD_ONES - 1}}},
    {"longer-by-a-guard", {3, 2}, {{0, WORD_MIN, 0}, {0, WORD_MIN}}},
    {"words-turned-round", {2, 2}, {{1, 2}, {2, 1}}},
};

CASE_ROWS(other_words_are_another_key, others, .clauses = {INT_14},
          .title = "big integers with different words are different keys, in any map")
{
  static const size_t company[] = {FEW, MANY};
  for (int i = 0; i < 2; ++i) {
    TVMFFIAny key = big_integer_of(iut, row->words[0], row->counts[0]);
    TVMFFIAny other = big_integer_of(iut, row->words[1], row->counts[1]);
    TVMFFIAny map = map_with(iut, &key, company[i]);
    note("looking for other words among %u keys", (unsigned)company[i] + 1);
    expect_gives(iut, view_of_int(0), "ffi.MapCount", VALUES(map, other));
    expect_gives(iut, view_of_int(1), "ffi.MapCount", VALUES(map, key));
    release_any(iut, &map);
    release_any(iut, &other);
    release_any(iut, &key);
  }
}

CASE(many_numbers_are_found_again, .clauses = {INT_14},
     .title = "among many big integers each leads to its own value, and others to none")
{
  enum { COUNT = 60 };
  static TVMFFIAny args[2 * COUNT];
  for (uint64_t i = 0; i < COUNT; ++i) {
    args[2 * i] = big_integer_of(iut, (const uint64_t[]){i % 7, i, i * i + 1}, 3);
    args[2 * i + 1] = view_of_int((int64_t)i);
  }
  TVMFFIAny map = value_of(iut, "ffi.Map", args, 2 * COUNT);
  expect_gives(iut, view_of_int(COUNT), "ffi.MapSize", VALUES(map));
  for (uint64_t i = 0; i < COUNT; ++i) {
    TVMFFIAny same = big_integer_of(iut, (const uint64_t[]){i % 7, i, i * i + 1}, 3);
    TVMFFIAny other = big_integer_of(iut, (const uint64_t[]){i % 7, i, i * i + 2}, 3);
    expect_gives(iut, view_of_int((int64_t)i), "ffi.MapGetItem", VALUES(map, same));
    expect_gives(iut, view_of_int(0), "ffi.MapCount", VALUES(map, other));
    release_any(iut, &same);
    release_any(iut, &other);
  }
}

CASE(later_value_replaces_that_of_the_same_number, .clauses = {INT_14},
     .title = "a map made with the same number twice has it once")
{
  const uint64_t words[] = {8, 9};
  TVMFFIAny first = big_integer_of(iut, words, 2), second = big_integer_of(iut, words, 2);
  TVMFFIAny map = value_of(iut, "ffi.Map", VALUES(first, view_of_int(1), second, view_of_int(2)));
  expect_gives(iut, view_of_int(1), "ffi.MapSize", VALUES(map));
  expect_gives(iut, view_of_int(2), "ffi.MapGetItem", VALUES(map, first));
}

// --- The columns ---------------------------------------------------------------------------------

// What type index 78 has in a column, None if nothing. Borrowed.
static TVMFFIAny attribute(Iut *iut, const char *name)
{
  TVMFFIByteArray text = bytes_of(name);
  const TVMFFITypeAttrColumn *column = iut->GetTypeAttrColumn(&text);
  TVMFFIAny none = any_none();
  if (!column) return none;
  int32_t place = kTVMFFIBigInt - column->begin_index;
  if (place < 0 || (size_t)place >= (size_t)column->size) return none;
  return ((const TVMFFIAny *)column->data)[place];
}

static const struct {
  const char *name, *column;
} columns[] = {{"hash", "__any_hash__"}, {"equal", "__any_equal__"}};

CASE_ROWS(big_integers_have_the_attribute, columns, .clauses = {INT_20},
          .title = "the type of big integers has a value in the column from the start")
{
  TVMFFIAny found = attribute(iut, row->column);
  expect_that(found.type_index != kTVMFFINone, "a value other than None", "None, in the column %s",
              row->column);
}

// Own: what the attribute gives. Ends the case if it is not a function.
static TVMFFIAny ask_attribute(Iut *iut, const char *column, const TVMFFIAny *args, int32_t count)
{
  TVMFFIAny function = attribute(iut, column), *result = fenced_result();
  if (function.type_index != kTVMFFIFunction)
    case_not_applicable("the value in the column %s is not a function", column);
  TVMFFIAny *fenced = fenced_args(args, (size_t)count);
  require(expect_ok(iut, iut->FunctionCall(function.v_obj, fenced, count, result)));
  return *result;
}

CASE(function_tells_equal_numbers, .clauses = {INT_20},
     .title = "a function in the column __any_equal__ tells equal words from others")
{
  const uint64_t words[] = {1, 2, 3}, others_words[] = {1, 2, 4};
  TVMFFIAny pair[2] = {big_integer_of(iut, words, 3), big_integer_of(iut, words, 3)};
  TVMFFIAny yes = view_of_bool(true), no = view_of_bool(false);
  TVMFFIAny answer = ask_attribute(iut, "__any_equal__", pair, 2);
  expect_same_bytes(&answer, &yes);
  pair[1] = big_integer_of(iut, others_words, 3);
  answer = ask_attribute(iut, "__any_equal__", pair, 2);
  expect_same_bytes(&answer, &no);
}

CASE(function_hashes_equal_numbers_alike, .clauses = {INT_20},
     .title = "a function in the column __any_hash__ gives equal words the same integer")
{
  const uint64_t words[] = {1, 2, 3};
  TVMFFIAny one = big_integer_of(iut, words, 3), same = big_integer_of(iut, words, 3);
  TVMFFIAny hash = ask_attribute(iut, "__any_hash__", &one, 1);
  require(expect_type_index(&hash, kTVMFFIInt));
  TVMFFIAny other = ask_attribute(iut, "__any_hash__", &same, 1);
  expect_same_bytes(&other, &hash);
}
