// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "probe.h"
#include "unit/unit.h"

// The two functions differ in their type indices only, so every test runs on both (_i is 0 or 1).
static const struct {
  int (*make)(const TVMFFIByteArray *input, TVMFFIAny *out);
  int32_t small, object;
} sorts[] = {
    {TVMFFIStringFromByteArray, kTVMFFISmallStr, kTVMFFIStr},
    {TVMFFIBytesFromByteArray, kTVMFFISmallBytes, kTVMFFIBytes},
};

static const char text[] = "\xff\0\x80 any bytes \0 at all, and of some length\0";

TEST(up_to_seven_bytes_are_small, .rows = 2)
{
  for (size_t size = 0; size <= 7; ++size) {
    TVMFFIByteArray input = {fenced(text, size), size};
    TVMFFIAny due = {.type_index = sorts[_i].small, .small_str_len = (uint32_t)size};
    memcpy(due.v_bytes, text, size);
    TVMFFIAny seen = rubbish();
    ck_assert_int_eq(sorts[_i].make(&input, &seen), 0);
    expect_same_value(&seen, &due);
  }
}

TEST(more_bytes_are_an_object, .rows = 2)
{
  for (size_t size = 8; size < sizeof text; ++size) {
    char *data = fenced(text, size);
    TVMFFIByteArray input = {data, size};
    TVMFFIAny seen = rubbish();
    ck_assert_int_eq(sorts[_i].make(&input, &seen), 0);
    memset(data, 'x', size);
    ck_assert_int_eq(seen.type_index, sorts[_i].object);
    ck_assert_uint_eq(seen.zero_padding, 0);
    ck_assert_int_eq(seen.v_obj->type_index, sorts[_i].object);
    expect_bytes((TVMFFIByteArray *)(seen.v_obj + 1), text, size);
    TVMFFIObjectDecRef(seen.v_obj);
  }
}

TEST(a_mebibyte_is_kept, .rows = 2)
{
  size_t size = (size_t)1 << 20;
  char *data = malloc(size);
  for (size_t i = 0; i < size; ++i) data[i] = (char)(i * 31 >> 3);
  TVMFFIAny seen = rubbish();
  ck_assert_int_eq(sorts[_i].make(&(TVMFFIByteArray){data, size}, &seen), 0);
  expect_bytes((TVMFFIByteArray *)(seen.v_obj + 1), data, size);
  TVMFFIObjectDecRef(seen.v_obj);
  free(data);
}

TEST(nothing_may_have_no_data, .rows = 2)
{
  TVMFFIAny seen = rubbish(), due = {.type_index = sorts[_i].small};
  ck_assert_int_eq(sorts[_i].make(&(TVMFFIByteArray){NULL, 0}, &seen), 0);
  expect_same_value(&seen, &due);
}

TEST(the_input_may_lie_in_the_output, .rows = 2)
{
  TVMFFIAny value = {.type_index = sorts[_i].small, .small_str_len = 5, .v_bytes = "abcde"};
  ck_assert_int_eq(sorts[_i].make(&(TVMFFIByteArray){value.v_bytes + 1, 4}, &value), 0);
  TVMFFIAny due = {.type_index = sorts[_i].small, .small_str_len = 4, .v_bytes = "bcde"};
  expect_same_value(&value, &due);
}

TEST(refuses_what_it_cannot_read_or_write, .rows = 2)
{
  TVMFFIAny seen = rubbish(), before = seen;
  ck_assert_int_eq(sorts[_i].make(NULL, &seen), -1);
  expect_raised("ValueError", "input");
  ck_assert_int_eq(sorts[_i].make(&(TVMFFIByteArray){NULL, 3}, &seen), -1);
  expect_raised("ValueError", "3 bytes");
  ck_assert_int_eq(sorts[_i].make(BYTES("abc"), NULL), -1);
  expect_raised("ValueError", "out");
  expect_same_value(&seen, &before);
}

TEST(refuses_sizes_that_no_memory_holds, .rows = 2)
{
  static const size_t sizes[] = {SIZE_MAX,      SIZE_MAX - 1, SIZE_MAX - 40,
                                 SIZE_MAX - 41, SIZE_MAX / 2, SIZE_MAX / 2 - 8};
  TVMFFIAny seen = rubbish(), before = seen;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    ck_assert_int_eq(sorts[_i].make(&(TVMFFIByteArray){"", sizes[i]}, &seen), -1);
    expect_raised(sizes[i] > PTRDIFF_MAX ? "ValueError" : "InternalError", "memory");
    expect_same_value(&seen, &before);
  }
}

TEST(reports_want_of_memory, .rows = 2)
{
  TVMFFIAny seen = rubbish(), before = seen;
  faults_arm(1);
  int code = sorts[_i].make(BYTES("eight or more"), &seen);
  ck_assert(faults_disarm());
  ck_assert_int_eq(code, -1);
  expect_raised("InternalError", "memory");
  expect_same_value(&seen, &before);
}
