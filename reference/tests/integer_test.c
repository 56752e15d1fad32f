// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "elsewhere.h"
#include "probe.h"
#include "unit/unit.h"

#define MIN UINT64_C(0x8000000000000000)
#define MAX UINT64_C(0x7fffffffffffffff)
#define ONES UINT64_MAX

static int make(const uint64_t *words, size_t count, TVMFFIAny *out)
{
  char *data = fenced((const char *)words, count * 8);
  return TVMFFIBigIntFromByteArray(&(TVMFFIByteArray){data, count * 8}, out);
}

// Own: a big integer of these words.
static TVMFFIAny big(const uint64_t *words, size_t count)
{
  TVMFFIAny value = rubbish();
  ck_assert_int_eq(make(words, count, &value), 0);
  ck_assert_int_eq(value.type_index, kTVMFFIBigInt);
  return value;
}

static void expect_words(const TVMFFIAny *value, const uint64_t *words, size_t count)
{
  const size_t *cell = (const size_t *)(value->v_obj + 1);
  ck_assert_uint_eq(cell[0], count);
  ck_assert_mem_eq(cell + 1, words, count * 8);
}

//--------------------------------------------------------------------------------------------------
// From words, and back
//--------------------------------------------------------------------------------------------------

static const struct {
  size_t given, kept;  // kept 1: a plain integer
  uint64_t words[5];
} numbers[] = {
    {1, 1, {0}},
    {1, 1, {MIN}},
    {2, 1, {MAX, 0}},
    {5, 1, {MIN, ONES, ONES, ONES, ONES}},
    {5, 1, {ONES, ONES, ONES, ONES, ONES}},
    {2, 2, {MIN, 0}},
    {2, 2, {MAX, ONES}},
    {3, 2, {MIN, 0, 0}},
    {4, 2, {0, ONES, ONES, ONES}},
    {3, 3, {0, MIN, 0}},
    {3, 2, {0, MIN, ONES}},
    {4, 3, {7, 0, ONES, ONES}},
    {5, 4, {1, 0, 0, 1, 0}},
};

TEST(words_become_what_the_sign_needs, .rows = ROWS(numbers))
{
  TVMFFIAny seen = rubbish(), plain = {.type_index = kTVMFFIInt, .v_uint64 = numbers[_i].words[0]};
  ck_assert_int_eq(make(numbers[_i].words, numbers[_i].given, &seen), 0);
  if (numbers[_i].kept == 1) {
    expect_same_value(&seen, &plain);
    return;
  }
  ck_assert_int_eq(seen.type_index, kTVMFFIBigInt);
  ck_assert_uint_eq(seen.zero_padding, 0);
  ck_assert_int_eq(seen.v_obj->type_index, kTVMFFIBigInt);
  expect_counts(seen.v_obj, 1, 1);
  expect_words(&seen, numbers[_i].words, numbers[_i].kept);
  TVMFFIObjectDecRef(seen.v_obj);
}

TEST(words_come_back, .rows = ROWS(numbers))
{
  TVMFFIAny value = rubbish();
  ck_assert_int_eq(make(numbers[_i].words, numbers[_i].given, &value), 0);
  TVMFFIByteArray lent = TVMFFIBigIntGetContentByteArray(&value);
  ck_assert_uint_eq(lent.size, numbers[_i].kept * 8);
  ck_assert_mem_eq(lent.data, numbers[_i].words, lent.size);
  if (value.type_index == kTVMFFIInt) {
    ck_assert_ptr_eq(lent.data, &value.v_int64);
    return;
  }
  ck_assert_ptr_eq(lent.data, (char *)(value.v_obj + 1) + sizeof(size_t));
  expect_counts(value.v_obj, 1, 1);
  TVMFFIObjectDecRef(value.v_obj);
}

TEST(words_may_lie_at_any_address)
{
  static const uint64_t words[] = {MIN, 5, 6};
  char place[32];
  for (size_t shift = 0; shift < 8; ++shift) {
    memcpy(place + shift, words, sizeof words);
    TVMFFIAny seen = rubbish();
    TVMFFIByteArray input = {place + shift, sizeof words};
    ck_assert_int_eq(TVMFFIBigIntFromByteArray(&input, &seen), 0);
    memset(place, 'x', sizeof place);
    expect_words(&seen, words, 3);
    TVMFFIObjectDecRef(seen.v_obj);
  }
}

TEST(no_words_are_zero)
{
  TVMFFIAny zero = {.type_index = kTVMFFIInt}, seen = rubbish();
  ck_assert_int_eq(TVMFFIBigIntFromByteArray(&(TVMFFIByteArray){NULL, 0}, &seen), 0);
  expect_same_value(&seen, &zero);
  seen = rubbish();
  ck_assert_int_eq(TVMFFIBigIntFromByteArray(&(TVMFFIByteArray){"x", 0}, &seen), 0);
  expect_same_value(&seen, &zero);
}

TEST(the_input_may_lie_in_the_output)
{
  TVMFFIAny value = {.type_index = kTVMFFIInt, .v_int64 = -7}, due = value;
  TVMFFIByteArray lent = TVMFFIBigIntGetContentByteArray(&value);
  ck_assert_int_eq(TVMFFIBigIntFromByteArray(&lent, &value), 0);
  expect_same_value(&value, &due);
}

//--------------------------------------------------------------------------------------------------
// Refused
//--------------------------------------------------------------------------------------------------

TEST(refuses_what_it_cannot_read_or_write)
{
  TVMFFIAny seen = rubbish(), before = seen;
  ck_assert_int_eq(TVMFFIBigIntFromByteArray(NULL, &seen), -1);
  expect_raised("ValueError", "input");
  ck_assert_int_eq(TVMFFIBigIntFromByteArray(&(TVMFFIByteArray){NULL, 16}, &seen), -1);
  expect_raised("ValueError", "16 bytes");
  ck_assert_int_eq(TVMFFIBigIntFromByteArray(BYTES("8 bytes."), NULL), -1);
  expect_raised("ValueError", "out");
  expect_same_value(&seen, &before);
}

TEST(refuses_half_a_word)
{
  TVMFFIAny seen = rubbish(), before = seen;
  for (size_t size = 1; size < 24; ++size) {
    TVMFFIByteArray input = {fenced("three words, at the most", size), size};
    if (size % 8 == 0) continue;
    ck_assert_int_eq(TVMFFIBigIntFromByteArray(&input, &seen), -1);
    expect_raised("ValueError", "multiple of 8");
  }
  expect_same_value(&seen, &before);
}

TEST(refuses_sizes_that_no_memory_holds)
{
  static const size_t sizes[] = {SIZE_MAX - 7,     SIZE_MAX - 31,    SIZE_MAX - 39,
                                 SIZE_MAX / 2 + 1, SIZE_MAX / 2 - 7, SIZE_MAX / 2 - 15};
  TVMFFIAny seen = rubbish(), before = seen;
  for (int i = 0; i < ROWS(sizes); ++i) {
    TVMFFIByteArray input = {fenced("one word", 8), sizes[i]};
    ck_assert_int_eq(TVMFFIBigIntFromByteArray(&input, &seen), -1);
    expect_raised(sizes[i] > PTRDIFF_MAX ? "ValueError" : "InternalError", "memory");
    expect_same_value(&seen, &before);
  }
}

TEST(reports_want_of_memory)
{
  static const uint64_t words[] = {1, 2, 0, 0};
  TVMFFIByteArray input = {(const char *)words, sizeof words};
  TVMFFIAny seen = rubbish(), before = seen;
  faults_arm(1);
  int code = TVMFFIBigIntFromByteArray(&input, &seen);
  ck_assert(faults_disarm());
  ck_assert_int_eq(code, -1);
  expect_raised("InternalError", "memory");
  expect_same_value(&seen, &before);
  faults_arm(2);  // where memory is given back: it is kept instead
  code = TVMFFIBigIntFromByteArray(&input, &seen);
  ck_assert(faults_disarm());
  ck_assert_int_eq(code, 0);
  expect_words(&seen, words, 2);
  TVMFFIObjectDecRef(seen.v_obj);
}

TEST(what_is_no_integer_has_no_words)
{
  Probe probe = probe_make(kTVMFFIStr);
  TVMFFIAny others[] = {{.type_index = kTVMFFINone},
                        {.type_index = kTVMFFIBool, .v_int64 = 1},
                        {.type_index = kTVMFFIFloat, .v_float64 = 1},
                        {.type_index = kTVMFFIBigInt},
                        {.type_index = kTVMFFIBigInt, .v_obj = &probe.header},
                        {.type_index = kTVMFFIStr, .v_obj = &probe.header}};
  for (int i = 0; i < ROWS(others); ++i) {
    TVMFFIByteArray words = TVMFFIBigIntGetContentByteArray(&others[i]);
    ck_assert_ptr_null(words.data);
    ck_assert_uint_eq(words.size, 0);
  }
  ck_assert_ptr_null(TVMFFIBigIntGetContentByteArray(NULL).data);
  expect_counts(&probe.header, 1, 1);
}

//--------------------------------------------------------------------------------------------------
// Equality and hash
//--------------------------------------------------------------------------------------------------

// The function that stands in a column. Borrow.
static TVMFFIObject *attribute(const char *name)
{
  const TVMFFITypeAttrColumn *column =
      TVMFFIGetTypeAttrColumn(&(TVMFFIByteArray){name, strlen(name)});
  ck_assert_ptr_nonnull(column);
  ck_assert_int_eq(column->begin_index, 0);
  ck_assert_int_gt(column->size, kTVMFFIBigInt);
  const TVMFFIAny *value = &column->data[kTVMFFIBigInt];
  ck_assert_int_eq(value->type_index, kTVMFFIFunction);
  return value->v_obj;
}

static TVMFFIAny ask(const char *name, TVMFFIAny *args, int32_t num_args)
{
  TVMFFIAny result = {.type_index = kTVMFFINone};
  ck_assert_int_eq(TVMFFIFunctionCall(attribute(name), args, num_args, &result), 0);
  return result;
}

TEST(equality_is_that_of_the_words)
{
  TVMFFIAny args[2] = {big((const uint64_t[]){1, 2, 3}, 3)};
  TVMFFIAny others[] = {big((const uint64_t[]){1, 2, 3}, 3), big((const uint64_t[]){1, 2}, 2),
                        big((const uint64_t[]){1, 2, 4}, 3), big((const uint64_t[]){4, 2, 3}, 3)};
  TVMFFIAny hash = ask("__any_hash__", args, 1);
  ck_assert_int_eq(hash.type_index, kTVMFFIInt);
  for (int i = 0; i < ROWS(others); ++i) {
    TVMFFIAny due = {.type_index = kTVMFFIBool, .v_int64 = i == 0};
    args[1] = others[i];
    TVMFFIAny equal = ask("__any_equal__", args, 2);
    expect_same_value(&equal, &due);
    TVMFFIAny other_hash = ask("__any_hash__", &others[i], 1);
    ck_assert_int_eq(other_hash.v_int64 == hash.v_int64, i == 0);
    TVMFFIObjectDecRef(others[i].v_obj);
  }
  TVMFFIObjectDecRef(args[0].v_obj);
}

static void expect_no_call(const char *name, TVMFFIAny *args, int32_t num_args)
{
  TVMFFIAny result = {.type_index = kTVMFFINone}, before = result;
  ck_assert_int_eq(TVMFFIFunctionCall(attribute(name), args, num_args, &result), -1);
  expect_raised("TypeError", "ffi.BigInt");
  expect_same_value(&result, &before);
}

TEST(equality_refuses_other_values)
{
  TVMFFIAny number = big((const uint64_t[]){1, 2}, 2);
  TVMFFIAny args[3] = {number, {.type_index = kTVMFFIInt}, number};
  expect_no_call("__any_equal__", args, 2);
  expect_no_call("__any_equal__", args, 1);
  expect_no_call("__any_equal__", NULL, 2);
  expect_no_call("__any_hash__", &args[1], 1);
  expect_no_call("__any_hash__", args, 0);
  args[1] = number;
  expect_no_call("__any_equal__", args, 3);
  ck_assert_int_eq(TVMFFIFunctionCall(attribute("__any_hash__"), args, 1, NULL), -1);
  expect_raised("ValueError", "result");
  TVMFFIObjectDecRef(number.v_obj);
}

// A type that is registered afterwards moves the columns elsewhere.
TEST(attributes_stay_when_others_come)
{
  TVMFFIObject *before[2] = {attribute("__any_equal__"), attribute("__any_hash__")};
  int32_t index = TVMFFITypeGetOrAllocIndex(BYTES("integer_test.Node"), -1, 1, 0, 0, kTVMFFIObject);
  ck_assert_int_ge(index, kTVMFFIDynObjectBegin);
  TVMFFIAny number = {.type_index = kTVMFFIInt, .v_int64 = 5};
  ck_assert_int_eq(TVMFFITypeRegisterAttr(index, BYTES("__any_equal__"), &number), 0);
  ck_assert_int_eq(TVMFFITypeRegisterAttr(index, BYTES("__any_hash__"), &number), 0);
  ck_assert_ptr_eq(attribute("__any_equal__"), before[0]);
  ck_assert_ptr_eq(attribute("__any_hash__"), before[1]);
  ck_assert_int_eq(TVMFFITypeRegisterAttr(kTVMFFIBigInt, BYTES("__any_hash__"), &number), -1);
  expect_raised("RuntimeError", "ffi.BigInt");
}

//--------------------------------------------------------------------------------------------------
// Threads
//--------------------------------------------------------------------------------------------------

static TVMFFIAny shared;

static long share_and_make(int number)
{
  long wrong = 0;
  for (uint64_t i = 0; i < 500; ++i) {
    const uint64_t words[] = {i, (uint64_t)number, 1};
    TVMFFIByteArray input = {(const char *)words, sizeof words};
    TVMFFIAny made, again;
    wrong += TVMFFIBigIntFromByteArray(&input, &made) != 0;
    wrong += memcmp(TVMFFIBigIntGetContentByteArray(&made).data, words, sizeof words) != 0;
    wrong += TVMFFIAnyViewToOwnedAny(&shared, &again) != 0;
    TVMFFIObjectDecRef(made.v_obj);
    TVMFFIObjectDecRef(again.v_obj);
  }
  return wrong;
}

TEST(threads_share_integers)
{
  shared = big((const uint64_t[]){0, 1}, 2);
  ck_assert_int_eq(run_threads(4, share_and_make), 0);
  expect_counts(shared.v_obj, 1, 1);
  TVMFFIObjectDecRef(shared.v_obj);
}
