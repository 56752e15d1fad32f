// SPDX-License-Identifier: Apache-2.0
// Words becoming integers: which are plain and which are objects, what is read and what is written.
// What is made of the objects stands in integer_words.c.
#include "cases/runtime/integer_number.h"

CHAPTER(integer);

CASE(functions_are_exported, .clauses = {INT_1},
     .title = "the runtime exports both functions of big integers")
{
  static const AbiFunctionId functions[] = {FN_BigIntFromByteArray, FN_BigIntGetContentByteArray};
  for (size_t i = 0; i < sizeof functions / sizeof functions[0]; ++i)
    expect_that(iut_has(iut, functions[i]), "both functions are exported",
                "function %zu of them is not", i);
}

// --- Numbers that fit ----------------------------------------------------------------------------

static const struct {
  const char *name;
  size_t count;
  uint64_t words[NUMBER_WORDS];
} fitting[] = {
    {"zero", 1, {0}},
    {"one", 1, {1}},
    {"minus-one", 1, {WORD_ONES}},
    {"every-byte-another", 1, {UINT64_C(0x0123456789abcdef)}},
    {"smallest", 1, {WORD_MIN}},
    {"largest", 1, {WORD_MAX}},
    {"zero-in-two-words", 2, {0}},
    {"one-in-two-words", 2, {1}},
    {"minus-one-in-two-words", 2, {WORD_ONES, WORD_ONES}},
    {"smallest-in-two-words", 2, {WORD_MIN, WORD_ONES}},
    {"largest-in-two-words", 2, {WORD_MAX}},
    {"zero-in-six-words", 6, {0}},
    {"minus-two-in-six-words",
     6,
     {WORD_ONES - 1, WORD_ONES, WORD_ONES, WORD_ONES, WORD_ONES, WORD_ONES}},
    {"smallest-in-five-words", 5, {WORD_MIN, WORD_ONES, WORD_ONES, WORD_ONES, WORD_ONES}},
    {"largest-in-six-words", 6, {WORD_MAX}},
};

CASE_ROWS(number_that_fits_is_plain, fitting, .clauses = {INT_2},
          .title = "a number that fits 64 bits becomes a plain integer, however long it is written")
{
  TVMFFIAny expected = view_of_int((int64_t)row->words[0]);
  TVMFFIAny made = integer_of(iut, row->words, row->count);
  expect_same_bytes(&made, &expected);
}

CASE(thousands_of_sign_words_are_plain, .clauses = {INT_2},
     .title = "a number that fits 64 bits is plain if it is followed by thousands of sign words")
{
  enum { COUNT = 5000 };
  static uint64_t words[COUNT];
  for (int sign = 0; sign < 2; ++sign) {
    memset(words, sign ? 0xff : 0, sizeof words);
    words[0] = sign ? WORD_MIN : WORD_MAX;
    TVMFFIAny expected = view_of_int(sign ? INT64_MIN : INT64_MAX);
    TVMFFIAny made = integer_of(iut, words, COUNT);
    expect_same_bytes(&made, &expected);
  }
}

CASE(no_words_are_zero, .clauses = {INT_6}, .title = "no words, with data or without, are zero")
{
  TVMFFIAny zero = view_of_int(0), *made = fenced_result();
  const TVMFFIByteArray nowhere = {NULL, 0};
  note("a byte array of NULL and size 0");
  require(expect_ok(iut, iut->BigIntFromByteArray(&nowhere, made)));
  expect_same_bytes(made, &zero);
  note("a byte array of size 0 with unreadable data");
  TVMFFIAny other = integer_of(iut, (const uint64_t[]){7}, 0);
  expect_same_bytes(&other, &zero);
}

// --- Numbers that do not fit ---------------------------------------------------------------------

typedef struct Number {
  const char *name;
  size_t count;
  uint64_t words[NUMBER_WORDS];
} Number;

static const Number large[] = {
    {"2-to-the-63", 2, {WORD_MIN, 0}},
    {"minus-2-to-the-63-minus-1", 2, {WORD_MAX, WORD_ONES}},
    {"2-to-the-64-minus-1", 2, {WORD_ONES, 0}},
    {"2-to-the-64", 2, {0, 1}},
    {"minus-2-to-the-64", 2, {0, WORD_ONES}},
    {"minus-2-to-the-64-plus-1", 2, {1, WORD_ONES}},
    {"every-byte-another", 2, {UINT64_C(0x0123456789abcdef), UINT64_C(0x1032547698badcfe)}},
    {"2-to-the-127-minus-1", 2, {WORD_ONES, WORD_MAX}},
    {"minus-2-to-the-127", 2, {0, WORD_MIN}},
    {"2-to-the-127", 3, {0, WORD_MIN, 0}},
    {"minus-2-to-the-127-minus-1", 3, {WORD_ONES, WORD_MAX, WORD_ONES}},
    {"2-to-the-128", 3, {0, 0, 1}},
    {"ones-below-a-two", 4, {WORD_ONES, WORD_ONES, WORD_ONES, 2}},
    {"zeros-below-minus-two", 4, {0, 0, 0, WORD_ONES - 1}},
    {"2-to-the-320", 6, {0, 0, 0, 0, 0, 1}},
};

// tvm-ffi#370: numbers above the largest int64_t became negative.
CASE_ROWS(number_that_does_not_fit_is_an_object, large, .clauses = {INT_3, INT_4},
          .title = "a number beyond 64 bits becomes an object that holds its words")
{
  TVMFFIAny first = big_integer_of(iut, row->words, row->count);
  expect_hex("padding of the value", first.zero_padding, 0);
  expect_int("type index in the header", object_type_index(iut, first.v_obj), kTVMFFIBigInt);
  expect_words(iut, &first, row->words, row->count);
  TVMFFIAny second = big_integer_of(iut, row->words, row->count);
  release_any(iut, &second);
  expect_words(iut, &first, row->words, row->count);
  release_any(iut, &first);
}

static const struct {
  const char *name;
  size_t count;
} lengths[] = {{"7-words", 7}, {"8-words", 8}, {"511-words", 511}, {"8192-words", 8192}};

CASE_ROWS(object_holds_many_words, lengths, .clauses = {INT_4},
          .title = "an object of many words holds them all")
{
  uint64_t *words = new_words(row->count);
  TVMFFIAny made = big_integer_of(iut, words, row->count);
  expect_words(iut, &made, words, row->count);
  release_any(iut, &made);
  free(words);
}

static const struct {
  const char *name;
  size_t count, needed;
  uint64_t words[NUMBER_WORDS];
} wordy[] = {
    {"guard-word-kept", 3, 2, {WORD_MIN, 0, 0}},
    {"guard-word-of-a-negative-kept", 3, 2, {WORD_MAX, WORD_ONES, WORD_ONES}},
    {"2-to-the-64-in-six-words", 6, 2, {0, 1, 0, 0, 0, 0}},
    {"minus-2-to-the-64-in-six-words",
     6,
     2,
     {0, WORD_ONES, WORD_ONES, WORD_ONES, WORD_ONES, WORD_ONES}},
    {"2-to-the-127-in-five-words", 5, 3, {0, WORD_MIN, 0, 0, 0}},
    {"minus-2-to-the-127-in-three-words", 3, 2, {0, WORD_MIN, WORD_ONES}},
    {"zeros-inside-kept", 5, 4, {5, 0, 0, 9, 0}},
    {"ones-inside-kept", 5, 4, {5, WORD_ONES, WORD_ONES, WORD_ONES - 9, WORD_ONES}},
    {"other-sign-word-is-a-digit", 3, 3, {7, 0, WORD_ONES}},
    {"ones-below-zero-are-digits", 4, 3, {1, WORD_ONES, 0, 0}},
};

CASE_ROWS(sign_words_are_dropped, wordy, .clauses = {INT_5},
          .title = "words at the end that only repeat the sign are dropped, and no others")
{
  TVMFFIAny made = big_integer_of(iut, row->words, row->count);
  expect_words(iut, &made, row->words, row->needed);
  release_any(iut, &made);
}

CASE(thousands_of_sign_words_are_dropped, .clauses = {INT_5},
     .title = "thousands of words that only repeat the sign are dropped")
{
  enum { COUNT = 4000 };
  static uint64_t words[COUNT];
  for (int sign = 0; sign < 2; ++sign) {
    memset(words, sign ? 0xff : 0, sizeof words);
    words[2] = 42;
    TVMFFIAny made = big_integer_of(iut, words, COUNT);
    expect_words(iut, &made, words, sign ? 4 : 3);
    release_any(iut, &made);
  }
}

// --- What is refused -----------------------------------------------------------------------------

static const struct {
  const char *name;
  size_t size;
} broken[] = {{"1-byte", 1},  {"4-bytes", 4},   {"7-bytes", 7},
              {"9-bytes", 9}, {"12-bytes", 12}, {"1023-bytes", 1023}};

CASE_ROWS(half_a_word_is_refused, broken, .clauses = {INT_7}, .wrong_call = true,
          .title = "a size that is not a multiple of eight is a ValueError")
{
  static const char bytes[1024] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  const TVMFFIByteArray *input = fenced_bytes(bytes, row->size);
  TVMFFIAny *out = fenced_result();
  note("making it of %zu bytes", row->size);
  expect_error(iut, iut->BigIntFromByteArray(input, out), "ValueError");
  size_t whole = (row->size + 7) / 8 * 8;
  note("making it of %zu bytes", whole);
  out = fenced_result();
  require(expect_ok(iut, iut->BigIntFromByteArray(fenced_bytes(bytes, whole), out)));
  release_any(iut, out);
}

// 2 to the 62; where that is no size, nearly what an object may have at most.
#define MUCH (sizeof(void *) == 8 ? SIZE_MAX / 4 + 1 : SIZE_MAX / 2 - 7)

static const struct {
  const char *name;
  size_t size;
} endless[] = {
    {"2-to-the-62", MUCH}, {"2-to-the-63", SIZE_MAX / 2 + 1}, {"all-there-are", SIZE_MAX - 7}};

CASE_ROWS(number_beyond_memory_is_an_error, endless, .clauses = {INT_16},
          .title = "a size that cannot be allocated raises an error, and later calls succeed")
{
  const uint64_t words[] = {1, 2};
  TVMFFIByteArray input = {(const char *)words, row->size};
  TVMFFIAny out = garbage_but_none();
  note("asking for more memory than there is");
  int returned = iut->BigIntFromByteArray(&input, &out);
  expect_that(returned != 0, "a code other than 0", "0");
  TVMFFIObjectHandle error = take_error(iut);
  if (expect_not_null("the raised error", error)) release_object(iut, error);
  note("asking for two words afterwards");
  TVMFFIAny made = big_integer_of(iut, words, 2);
  expect_words(iut, &made, words, 2);
  release_any(iut, &made);
}

// --- What is read --------------------------------------------------------------------------------

static const struct {
  const char *name;
  size_t count;
} read_counts[] = {{"1-word", 1}, {"2-words", 2}, {"3-words", 3}, {"512-words", 512}};

// The value holds this positive number, which has `count` words of data.
static void expect_number(Iut *iut, const TVMFFIAny *made, const uint64_t *words, size_t count)
{
  if (count > 1) {
    expect_words(iut, made, words, count);
    return;
  }
  TVMFFIAny expected = view_of_int((int64_t)words[0]);
  expect_same_bytes(made, &expected);
}

// Source: tvm-ffi#387, where a text was read past its size.
CASE_ROWS(input_may_lie_where_memory_ends, read_counts, .clauses = {INT_8},
          .title = "nothing after the words or before them is read, and they may be read-only")
{
  uint64_t *words = new_words(row->count);
  size_t size = row->count * sizeof *words;
  note("words that end at an unmapped page");
  TVMFFIAny made = integer_of(iut, words, row->count);
  expect_number(iut, &made, words, row->count);
  release_any(iut, &made);
  note("words that begin behind an unmapped page");
  TVMFFIByteArray front = {fenced_front_copy("the words", words, size), size};
  TVMFFIAny *other = fenced_result();
  require(expect_ok(iut, iut->BigIntFromByteArray(&front, other)));
  expect_number(iut, other, words, row->count);
  release_any(iut, other);
  free(words);
}

CASE_ROWS(input_may_lie_anywhere, read_counts, .clauses = {INT_8},
          .title = "the words may lie at any address")
{
  uint64_t *words = new_words(row->count);
  size_t size = row->count * sizeof *words;
  for (size_t shift = 1; shift < 8; ++shift) {
    char *place = fenced_buffer("the words", size + shift);
    memcpy(place, words, size);
    fence_lock(place);
    TVMFFIByteArray input = {place, size};
    TVMFFIAny *made = fenced_result();
    note("words at an address that is %u more than a multiple of 8",
         (unsigned)((uintptr_t)place % 8));
    require(expect_ok(iut, iut->BigIntFromByteArray(&input, made)));
    expect_number(iut, made, words, row->count);
    release_any(iut, made);
  }
  free(words);
}

CASE_ROWS(input_is_copied, read_counts, .clauses = {INT_8},
          .title = "overwriting and freeing the words does not change the number")
{
  uint64_t *words = new_words(row->count), *source = new_words(row->count);
  TVMFFIByteArray input = bytes_of_words(source, row->count);
  TVMFFIAny *made = fenced_result();
  require(expect_ok(iut, iut->BigIntFromByteArray(&input, made)));
  memset(source, 0x77, row->count * sizeof *source);
  input = (TVMFFIByteArray){NULL, SIZE_MAX};
  expect_number(iut, made, words, row->count);
  free(source);
  expect_number(iut, made, words, row->count);
  release_any(iut, made);
  free(words);
}

// --- What is written -----------------------------------------------------------------------------

// What an output that holds no object may hold; the payload is no address that anybody could
// follow.
static const struct {
  const char *name;
  int32_t type_index;
} outputs[] = {
    {"none", kTVMFFINone},
    {"int", kTVMFFIInt},
    {"pointer", kTVMFFIOpaquePtr},
    {"raw-string", kTVMFFIRawStr},
    {"small-string", kTVMFFISmallStr},
    {"negative", -1},
};

// Makes an integer into an output that is full of a byte and has this type index.
static TVMFFIAny make_into(Iut *iut, const uint64_t *words, size_t count, int fill,
                           int32_t type_index)
{
  const TVMFFIByteArray input = bytes_of_words(words, count);
  TVMFFIAny *out = fenced_result();
  memset(out, fill, sizeof *out);
  out->type_index = type_index;
  require(expect_ok(iut, iut->BigIntFromByteArray(&input, out)));
  return *out;
}

CASE_ROWS(output_is_overwritten, outputs, .clauses = {INT_9},
          .title = "all 16 bytes of the output are defined, whatever it held")
{
  const uint64_t words[] = {WORD_ONES - 4, 9};
  static const int fills[] = {0xa5, 0x3c, 0xff};
  for (size_t i = 0; i < sizeof fills / sizeof fills[0]; ++i) {
    note("an output full of the byte 0x%02x", (unsigned)fills[i]);
    TVMFFIAny minus_five = view_of_int(-5);
    TVMFFIAny small = make_into(iut, words, 1, fills[i], row->type_index);
    expect_same_bytes(&small, &minus_five);
    TVMFFIAny zero = view_of_int(0), nothing = make_into(iut, words, 0, fills[i], row->type_index);
    expect_same_bytes(&nothing, &zero);
    TVMFFIAny big = make_into(iut, words, 2, fills[i], row->type_index);
    require(expect_type_index(&big, kTVMFFIBigInt));
    expect_hex("padding of the value", big.zero_padding, 0);
    expect_words(iut, &big, words, 2);
    release_any(iut, &big);
  }
}
