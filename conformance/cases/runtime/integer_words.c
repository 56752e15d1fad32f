// SPDX-License-Identifier: Apache-2.0
// Integers giving their words back, shared, released, and met by several threads.
#include "cases/runtime/integer_number.h"

CHAPTER(integer);

// The words of a value that is read-only and ends at an unmapped page.
static TVMFFIByteArray words_of(Iut *iut, TVMFFIAny value)
{
  return iut->BigIntGetContentByteArray(fenced_copy("the integer", &value, sizeof value));
}

// --- Plain integers ------------------------------------------------------------------------------

static const struct {
  const char *name;
  int64_t number;
} plain[] = {{"zero", 0},
             {"one", 1},
             {"minus-one", -1},
             {"every-byte-another", INT64_C(0x0123456789abcdef)},
             {"smallest", INT64_MIN},
             {"largest", INT64_MAX}};

CASE_ROWS(word_of_a_plain_integer, plain, .clauses = {INT_10},
          .title = "a plain integer gives one word, which is the number")
{
  TVMFFIByteArray words = words_of(iut, view_of_int(row->number));
  require(expect_not_null("the data", words.data));
  expect_memory("the words", words.data, words.size, &row->number, sizeof row->number);
}

CASE(words_of_several_plain_integers, .clauses = {INT_10},
     .title = "the words of one plain integer stay while others are read")
{
  enum { COUNT = 20 };
  TVMFFIAny values[COUNT];
  TVMFFIByteArray words[COUNT];
  for (int i = 0; i < COUNT; ++i) {
    values[i] = view_of_int(i * 1000003 - 7);
    words[i] = iut->BigIntGetContentByteArray(&values[i]);
  }
  for (int i = 0; i < COUNT; ++i) {
    require(expect_not_null("the data", words[i].data));
    expect_memory("the words", words[i].data, words[i].size, &values[i].v_int64, 8);
  }
}

// --- Big integers --------------------------------------------------------------------------------

static const struct {
  const char *name;
  size_t count;
} counts[] = {{"2-words", 2}, {"3-words", 3}, {"100-words", 100}, {"4096-words", 4096}};

CASE_ROWS(words_of_a_big_integer_are_lent, counts, .clauses = {INT_11},
          .title = "a big integer lends the words that it holds, and is not retained")
{
  uint64_t *words = new_words(row->count);
  TVMFFIAny made = big_integer_of(iut, words, row->count);
  ExpectedCounts before = counts_of(iut, made.v_obj);
  for (int i = 0; i < 2; ++i) {
    TVMFFIByteArray lent = words_of(iut, made);
    expect_pointer("the data", lent.data, big_integer_words(iut, &made));
    expect_int("the size in bytes", (int64_t)lent.size, (int64_t)(row->count * sizeof *words));
    expect_counts_added(iut, made.v_obj, before, 0);
  }
  expect_words(iut, &made, words, row->count);
  release_any(iut, &made);
  free(words);
}

CASE(lent_words_stay, .clauses = {INT_11},
     .title = "lent words stay while the object is shared and others come and go")
{
  const uint64_t words[] = {3, 5, 7};
  TVMFFIAny held = big_integer_of(iut, words, 3), shared = garbage_but_none();
  TVMFFIByteArray lent = words_of(iut, held);
  require(expect_ok(iut, iut->AnyViewToOwnedAny(&held, &shared)));
  release_any(iut, &held);
  for (uint64_t i = 0; i < 50; ++i) {
    TVMFFIAny other = big_integer_of(iut, (const uint64_t[]){i, i + 1, i + 2}, 3);
    words_of(iut, other);
    if (i % 2) release_any(iut, &other);
  }
  expect_memory("the lent words", lent.data, lent.size, words, sizeof words);
  release_any(iut, &shared);
}

static unsigned foreign_deleted;

static void count_deletion(void *self, int flags)
{
  (void)self, (void)flags;
  ++foreign_deleted;
}

CASE(words_of_an_integer_of_others, .clauses = {INT_11},
     .title = "a big integer that the runtime did not make lends its words, too")
{
  enum { COUNT = 3 };
  static struct {
    char header[24];
    size_t count;
    uint64_t words[COUNT];
  } foreign = {.count = COUNT, .words = {11, 22, 33}};
  _Static_assert(sizeof foreign == 24 + sizeof(size_t) + COUNT * 8,
                 "nothing lies between header, number and words");
  require(expect_int("bytes of a header", (int64_t)iut->layout->header_size, 24));
  TVMFFIObjectHandle object = object_place(iut, &foreign, kTVMFFIBigInt, count_deletion);
  TVMFFIByteArray lent = words_of(iut, view_of_object(iut, object));
  expect_pointer("the data", lent.data, foreign.words);
  expect_int("the size in bytes", (int64_t)lent.size, sizeof foreign.words);
  expect_counts(iut, object, .strong = 1, .weak = 1);
  release_object(iut, object);
  expect_int("calls of the deleter", foreign_deleted, 1);
}

// --- There and back ------------------------------------------------------------------------------

static const struct {
  const char *name;
  size_t count;
  uint64_t words[NUMBER_WORDS];
} numbers[] = {
    {"zero", 1, {0}},
    {"minus-one", 1, {WORD_ONES}},
    {"smallest-plain", 1, {WORD_MIN}},
    {"largest-plain", 1, {WORD_MAX}},
    {"2-to-the-63", 2, {WORD_MIN, 0}},
    {"minus-2-to-the-63-minus-1", 2, {WORD_MAX, WORD_ONES}},
    {"minus-2-to-the-127", 2, {0, WORD_MIN}},
    {"2-to-the-127", 3, {0, WORD_MIN, 0}},
    {"zeros-below-minus-two", 4, {0, 0, 0, WORD_ONES - 1}},
    {"every-word-another", 6, {1, 2, 3, 4, 5, 6}},
};

CASE_ROWS(read_words_make_the_same_number, numbers, .clauses = {INT_12},
          .title = "the words that a number gives make the same number again")
{
  TVMFFIAny first = integer_of(iut, row->words, row->count);
  TVMFFIByteArray lent = iut->BigIntGetContentByteArray(&first);
  require(expect_memory("the words", lent.data, lent.size, row->words, row->count * 8));
  TVMFFIAny *second = fenced_result();
  require(expect_ok(iut, iut->BigIntFromByteArray(&lent, second)));
  require(expect_type_index(second, first.type_index));
  if (first.type_index == kTVMFFIInt)
    expect_same_bytes(second, &first);
  else
    expect_words(iut, second, row->words, row->count);
  release_any(iut, second);
  release_any(iut, &first);
}

CASE_ROWS(read_words_of_long_numbers_make_the_same_number, counts, .clauses = {INT_12},
          .title = "the words that a long number gives, of either sign, make the same number again")
{
  uint64_t *words = new_words(row->count);
  for (int sign = 0; sign < 2; ++sign) {
    if (sign) words[row->count - 1] ^= WORD_ONES;
    TVMFFIAny first = big_integer_of(iut, words, row->count);
    TVMFFIByteArray lent = iut->BigIntGetContentByteArray(&first);
    TVMFFIAny *second = fenced_result();
    require(expect_ok(iut, iut->BigIntFromByteArray(&lent, second)));
    require(expect_type_index(second, kTVMFFIBigInt));
    expect_words(iut, second, words, row->count);
    release_any(iut, &first);
    expect_words(iut, second, words, row->count);
    release_any(iut, second);
  }
  free(words);
}

// --- Sharing -------------------------------------------------------------------------------------

CASE(big_integer_is_shared, .clauses = {INT_13},
     .title = "converting a big integer gives the same value and adds one strong reference")
{
  const uint64_t words[] = {0, 1};
  TVMFFIAny made = big_integer_of(iut, words, 2), *owned[3];
  ExpectedCounts before = counts_of(iut, made.v_obj);
  for (uint64_t i = 0; i < 3; ++i) {
    owned[i] = fenced_result();
    const TVMFFIAny *view = fenced_copy("the view", &made, sizeof made);
    require(expect_ok(iut, iut->AnyViewToOwnedAny(view, owned[i])));
    expect_same_bytes(owned[i], &made);
    expect_counts_added(iut, made.v_obj, before, i + 1);
  }
  for (uint64_t i = 0; i < 3; ++i) {
    release_any(iut, owned[i]);
    expect_counts_added(iut, made.v_obj, before, 2 - i);
  }
  expect_words(iut, &made, words, 2);
  release_any(iut, &made);
}

enum { THREADS = 4, ROUNDS = 60 };

typedef struct Crowd {
  TVMFFIAny shared;
  unsigned wrong[THREADS];
} Crowd;

static bool makes_its_words(Iut *iut, uint64_t number)
{
  const uint64_t words[] = {number, number ^ WORD_ONES, number + 1, 1};
  TVMFFIByteArray input = bytes_of_words(words, 4);
  TVMFFIAny made = any_none();
  if (iut->BigIntFromByteArray(&input, &made) != 0) return false;
  TVMFFIByteArray lent = iut->BigIntGetContentByteArray(&made);
  bool right = lent.size == sizeof words && memcmp(lent.data, words, sizeof words) == 0;
  release_any(iut, &made);
  return right;
}

static void make_and_share(Iut *iut, unsigned index, void *context)
{
  Crowd *crowd = context;
  for (uint64_t round = 0; round < ROUNDS; ++round) {
    TVMFFIAny owned = any_none();
    if (iut->AnyViewToOwnedAny(&crowd->shared, &owned) != 0) ++crowd->wrong[index];
    if (!makes_its_words(iut, index * 1000 + round)) ++crowd->wrong[index];
    if (round % 2) release_any(iut, &owned);
  }
}

CASE(threads_share_big_integers, .clauses = {INT_13}, .patience = 4,
     .title = "references that several threads take to one big integer are all counted")
{
  Crowd crowd = {.shared = big_integer_of(iut, (const uint64_t[]){0, 1}, 2)};
  ExpectedCounts before = counts_of(iut, crowd.shared.v_obj);
  run_in_threads(iut, THREADS, make_and_share, &crowd);
  for (unsigned i = 0; i < THREADS; ++i) expect_int("wrong results", crowd.wrong[i], 0);
  expect_counts_added(iut, crowd.shared.v_obj, before, THREADS * ROUNDS / 2);
}

// --- Memory --------------------------------------------------------------------------------------

static void make_read_and_release(Iut *iut, void *context)
{
  TVMFFIAny made = any_none(), shared = any_none();
  require(expect_ok(iut, iut->BigIntFromByteArray(context, &made)));
  require(expect_that(made.type_index != kTVMFFINone, "an integer", "None"));
  require(expect_that(iut->BigIntGetContentByteArray(&made).size > 0, "words", "none"));
  require(expect_ok(iut, iut->AnyViewToOwnedAny(&made, &shared)));
  require(expect_pointer("the integer that is shared", shared.v_obj, made.v_obj));
  release_any(iut, &made);
  release_any(iut, &shared);
}

static const struct {
  const char *name;
  size_t count, padding;  // words of the number, and sign words behind
} repeated[] = {{"plain", 1, 3}, {"2-words", 2, 0}, {"wordy", 2, 60}, {"1000-words", 1000, 0}};

CASE_ROWS(making_and_releasing_does_not_leak, repeated, .clauses = {INT_15},
          .title = "making, reading, sharing and releasing integers does not leak")
{
  size_t count = row->count + row->padding;
  uint64_t *words = new_words(count);
  memset(words + row->count, 0, row->padding * sizeof *words);
  TVMFFIByteArray input = bytes_of_words(words, count);
  expect_no_heap_growth(iut, 200, make_read_and_release, &input);
  free(words);
}

static void be_refused(Iut *iut, void *context)
{
  TVMFFIAny out = any_none();
  require(expect_error(iut, iut->BigIntFromByteArray(context, &out), NULL));
}

CASE(being_refused_does_not_leak, .clauses = {INT_7}, .wrong_call = true,
     .title = "refused numbers do not leak")
{
  TVMFFIByteArray input = {"seventeen bytes..", 17};
  expect_no_heap_growth(iut, 200, be_refused, &input);
}
