// SPDX-License-Identifier: Apache-2.0
// Attribute columns. What is registered stays, so every test has columns and types of its own.
#include <string.h>

#include "elsewhere.h"
#include "probe.h"
#include "unit/unit.h"

static int32_t new_type(const char *key)
{
  TVMFFIByteArray text = {key, strlen(key)};
  int32_t index = TVMFFITypeGetOrAllocIndex(&text, -1, 1, 0, 1, kTVMFFIObject);
  ck_assert_int_ge(index, kTVMFFIDynObjectBegin);
  return index;
}

static const TVMFFITypeAttrColumn *column_of(const char *name)
{
  return TVMFFIGetTypeAttrColumn(&(TVMFFIByteArray){name, strlen(name)});
}

static int set(int32_t index, const char *name, TVMFFIAny value)
{
  return TVMFFITypeRegisterAttr(index, &(TVMFFIByteArray){name, strlen(name)}, &value);
}

static TVMFFIAny none(void)
{
  return (TVMFFIAny){.type_index = kTVMFFINone};
}

static TVMFFIAny number(int64_t value)
{
  return (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = value};
}

static void expect_value(const char *name, int32_t index, TVMFFIAny due)
{
  const TVMFFITypeAttrColumn *column = column_of(name);
  ck_assert_ptr_nonnull(column);
  ck_assert(index >= column->begin_index && index - column->begin_index < column->size);
  expect_same_value(&column->data[index - column->begin_index], &due);
}

static const char *const from_the_start[] = {
    "__any_equal__",        "__any_hash__",       "__data_from_json__",
    "__data_to_json__",     "__ffi_compare__",    "__ffi_convert__",
    "__ffi_enum__",         "__ffi_eq__",         "__ffi_hash__",
    "__ffi_init__",         "__ffi_new__",        "__ffi_repr__",
    "__ffi_shallow_copy__", "__ffi_type_final__", "__s_equal__",
    "__s_hash__",           "__s_mutate__",       "__s_maybe_inplace_mutate__",
    "__s_visit__",
};

TEST_GROUP(all, .timeout = 60);

TEST(some_columns_exist_from_the_start, .rows = ROWS(from_the_start))
{
  const TVMFFITypeAttrColumn *column = column_of(from_the_start[_i]);
  ck_assert_ptr_nonnull(column);
  ck_assert_int_eq(column->begin_index, 0);
  ck_assert(column->size == 0 || column->data != NULL);
  ck_assert_ptr_eq(column_of(from_the_start[_i]), column);
}

static bool registration_finds_columns(void)
{
  int32_t index = new_type("attr.first");
  const char *name = "__ffi_init__";
  return set(index, name, number(1)) == 0 && column_of(name)->data[index].v_int64 == 1;
}

TEST(a_first_registration_finds_them)
{
  ck_assert(child_says(registration_finds_columns));
}

TEST(an_unknown_column_is_null)
{
  ck_assert_int_eq(set(kTVMFFINone, "attr.known", none()), 0);
  ck_assert_ptr_nonnull(column_of("attr.known"));
  ck_assert_ptr_null(column_of("attr.know"));
  ck_assert_ptr_null(column_of("attr.known!"));
  ck_assert_ptr_null(TVMFFIGetTypeAttrColumn(&(TVMFFIByteArray){"attr.known\0", 11}));
  ck_assert_ptr_null(TVMFFIGetTypeAttrColumn(&(TVMFFIByteArray){NULL, 3}));
  ck_assert_ptr_null(TVMFFIGetTypeAttrColumn(NULL));
  expect_nothing_raised();
}

TEST(a_column_can_be_made_before_it_has_values)
{
  ck_assert_int_eq(set(kTVMFFINone, "attr.empty", none()), 0);
  const TVMFFITypeAttrColumn *column = column_of("attr.empty");
  ck_assert_int_eq(column->size, 0);
  ck_assert_int_eq(set(kTVMFFINone, "attr.empty", none()), 0);
  ck_assert_int_eq(set(kTVMFFINone, "attr.empty", number(1)), -1);
  expect_raised("ValueError", "`attr_value` must be None");
  ck_assert_int_eq(column->size, 0);
  ck_assert_int_eq(set(kTVMFFIInt, "attr.empty", number(2)), 0);
  ck_assert_ptr_eq(column_of("attr.empty"), column);
  expect_value("attr.empty", kTVMFFINone, none());
  expect_value("attr.empty", kTVMFFIInt, number(2));
}

TEST(an_attribute_is_found_in_its_column)
{
  int32_t low = new_type("attr.low"), high = new_type("attr.high");
  Probe probe = probe_make(200);
  char text[] = "longer than seven", name[] = "attr.found";
  ck_assert_int_eq(set(high, name, (TVMFFIAny){.type_index = 8, .v_c_str = text}), 0);
  memset(text, 'x', strlen(text));
  memset(name, 'x', strlen(name));
  const TVMFFITypeAttrColumn *column = column_of("attr.found");
  ck_assert_int_eq(set(low, "attr.found",
                       (TVMFFIAny){.type_index = 200, .zero_padding = 9, .v_obj = &probe.header}),
                   0);
  expect_counts(&probe, 2, 1);
  expect_value("attr.found", low, (TVMFFIAny){.type_index = 200, .v_obj = &probe.header});
  const TVMFFIAny *seen = &column->data[high];
  ck_assert_int_eq(seen->type_index, kTVMFFIStr);
  expect_text((TVMFFIByteArray *)(seen->v_obj + 1), "longer than seven");
  for (int32_t i = 0; i < low; ++i) expect_value("attr.found", i, none());
}

TEST(an_attribute_is_given_once)
{
  int32_t index = new_type("attr.twice");
  Probe probe = probe_make(200);
  TVMFFIAny object = {.type_index = 200, .v_obj = &probe.header};
  ck_assert_int_eq(set(index, "attr.once", none()), 0);
  expect_value("attr.once", index, none());
  ck_assert_int_eq(set(index, "attr.once", number(1)), 0);
  ck_assert_int_eq(set(index, "attr.once", object), -1);
  expect_raised("RuntimeError",
                "`attr_name` is `attr.once`, an attribute that the type `attr.twice` has");
  ck_assert_int_eq(set(index, "attr.once", none()), -1);
  expect_raised("RuntimeError", "already");
  expect_value("attr.once", index, number(1));
  expect_counts(&probe, 1, 1);
}

TEST(a_column_stays_while_it_grows)
{
  int32_t first = new_type("attr.grow");
  ck_assert_int_eq(set(first, "attr.grows", number(first)), 0);
  const TVMFFITypeAttrColumn *column = column_of("attr.grows");
  char key[] = "attr.grow.00";
  for (int i = 0; i < 100; ++i) {
    key[10] = (char)('0' + i / 10);
    key[11] = (char)('0' + i % 10);
    int32_t index = new_type(key);
    ck_assert_int_eq(set(index, "attr.grows", number(index)), 0);
    ck_assert_ptr_eq(column_of("attr.grows"), column);
    expect_value("attr.grows", first, number(first));
    expect_value("attr.grows", index, number(index));
  }
}

static const int32_t nobodys[] = {-1, INT32_MIN, 14, 63, INT32_MAX};

TEST(a_type_that_does_not_exist_gets_none, .rows = ROWS(nobodys))
{
  Probe probe = probe_make(200);
  TVMFFIAny object = {.type_index = 200, .v_obj = &probe.header};
  ck_assert_int_eq(set(nobodys[_i], "attr.nobody", object), -1);
  expect_raised("InternalError", "which is the index of no type");
  expect_counts(&probe, 1, 1);
  ck_assert_ptr_null(column_of("attr.nobody"));
}

TEST(refuses_missing_arguments)
{
  TVMFFIAny value = number(1);
  ck_assert_int_eq(TVMFFITypeRegisterAttr(kTVMFFIInt, NULL, &value), -1);
  expect_raised("ValueError", "`attr_name`");
  ck_assert_int_eq(TVMFFITypeRegisterAttr(kTVMFFIInt, &(TVMFFIByteArray){NULL, 3}, &value), -1);
  expect_raised("ValueError", "3 bytes");
  ck_assert_int_eq(TVMFFITypeRegisterAttr(kTVMFFIInt, BYTES("attr.missing"), NULL), -1);
  expect_raised("ValueError", "`attr_value`");
  ck_assert_int_eq(set(kTVMFFIInt, "attr.missing", (TVMFFIAny){.type_index = kTVMFFIRawStr}), -1);
  expect_raised("ValueError", "NULL");
  ck_assert_ptr_null(column_of("attr.missing"));
}

TEST(reports_want_of_memory)
{
  int32_t index = new_type("attr.scarce");
  TVMFFIAny text = {.type_index = kTVMFFIRawStr, .v_c_str = "longer than seven"};
  char name[] = "attr.scarce.00";
  for (int i = 0; i < 99; ++i) {
    name[12] = (char)('0' + i / 10);
    name[13] = (char)('0' + i % 10);
    int code, n = 1;
    for (;; ++n) {
      faults_arm(n);
      code = set(index, name, text);
      if (!faults_disarm()) break;
      ck_assert_int_eq(code, -1);
      expect_raised("InternalError", "memory");
      ck_assert_ptr_null(column_of(name));
    }
    ck_assert_int_eq(code, 0);
    ck_assert_int_eq(n, 4);  // the string, the column or the table of names, the values
  }
}

static int32_t raced[100];

static long set_in_race(int number_of_thread)
{
  long refused = 0;
  for (int i = 0; i < ROWS(raced); ++i) {
    if (set(raced[i], "attr.raced", number(number_of_thread)) != 0) ++refused;
    TVMFFIErrorSetRaised(NULL);
  }
  return refused;
}

TEST(of_threads_that_set_an_attribute_one_succeeds)
{
  char key[] = "attr.race.00";
  for (int i = 0; i < ROWS(raced); ++i) {
    key[10] = (char)('0' + i / 10);
    key[11] = (char)('0' + i % 10);
    raced[i] = new_type(key);
  }
  ck_assert_int_eq(run_threads(4, set_in_race), 3 * ROWS(raced));
  const TVMFFITypeAttrColumn *column = column_of("attr.raced");
  for (int i = 0; i < ROWS(raced); ++i) {
    ck_assert_int_eq(column->data[raced[i]].type_index, kTVMFFIInt);
  }
}
