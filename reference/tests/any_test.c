// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "probe.h"
#include "unit/unit.h"

static char somewhere;

// What owns nothing and uses its payload as shown.
static const TVMFFIAny plain[] = {
    {.type_index = kTVMFFINone},
    {.type_index = kTVMFFIInt, .v_int64 = INT64_MIN},
    {.type_index = kTVMFFIInt, .v_int64 = -1},
    {.type_index = kTVMFFIBool, .v_int64 = 0},
    {.type_index = kTVMFFIBool, .v_int64 = 1},
    {.type_index = kTVMFFIFloat, .v_float64 = -0.0},
    {.type_index = kTVMFFIFloat, .v_uint64 = 0x7ff8000000000001},
    {.type_index = kTVMFFIOpaquePtr, .v_ptr = NULL},
    {.type_index = kTVMFFIOpaquePtr, .v_ptr = &somewhere},
    {.type_index = kTVMFFIDataType, .v_dtype = {kDLFloat, 32, 4}},
    {.type_index = kTVMFFIDevice, .v_device = {kDLCUDA, 3}},
    {.type_index = kTVMFFIDLTensorPtr, .v_ptr = &somewhere},
    {.type_index = kTVMFFISmallStr, .small_str_len = 0},
    {.type_index = kTVMFFISmallStr, .small_str_len = 7, .v_bytes = "exactly"},
    {.type_index = kTVMFFISmallBytes, .small_str_len = 3, .v_bytes = "\0\1\2"},
    {.type_index = kTVMFFIUnchanged, .v_uint64 = UINT64_MAX},
    {.type_index = 63, .v_uint64 = UINT64_MAX},
    {.type_index = -1, .v_uint64 = UINT64_MAX},
};

TEST(plain_values_come_through, .rows = ROWS(plain))
{
  TVMFFIAny seen = rubbish();
  ck_assert_int_eq(TVMFFIAnyViewToOwnedAny(&plain[_i], &seen), 0);
  expect_same_value(&seen, &plain[_i]);
  ck_assert_int_eq(TVMFFIAnyViewToOwnedAny(&seen, &seen), 0);
  expect_same_value(&seen, &plain[_i]);
}

TEST(rubbish_is_cleaned_away, .rows = ROWS(plain))
{
  TVMFFIAny view = plain[_i], seen = rubbish();
  bool small = view.type_index == kTVMFFISmallStr || view.type_index == kTVMFFISmallBytes;
  if (!small) view.zero_padding = 0xdeadbeef;
  size_t used = small                                ? view.small_str_len
                : view.type_index == kTVMFFINone     ? 0
                : view.type_index == kTVMFFIDataType ? 4
                                                     : 8;
  memset(view.v_bytes + used, 0xa5, 8 - used);
  ck_assert_int_eq(TVMFFIAnyViewToOwnedAny(&view, &seen), 0);
  expect_same_value(&seen, &plain[_i]);
}

// Texts of every length around the border, at the end of the mapped memory.
static const char text[] = "sixteen letters.";

static void expect_own_text(const TVMFFIAny *seen, int32_t small, int32_t object, size_t size)
{
  if (size <= 7) {
    TVMFFIAny due = {.type_index = small, .small_str_len = (uint32_t)size};
    memcpy(due.v_bytes, text, size);
    expect_same_value(seen, &due);
    return;
  }
  ck_assert_int_eq(seen->type_index, object);
  ck_assert_uint_eq(seen->zero_padding, 0);
  expect_counts(seen->v_obj, 1, 1);
  expect_bytes((TVMFFIByteArray *)(seen->v_obj + 1), text, size);
  TVMFFIObjectDecRef(seen->v_obj);
}

TEST(raw_strings_become_strings, .rows = sizeof text)
{
  size_t size = (size_t)_i;
  char *source = fenced(text, size + 1);
  source[size] = '\0';
  TVMFFIAny view = {.type_index = kTVMFFIRawStr, .zero_padding = 9, .v_c_str = source};
  TVMFFIAny seen = rubbish();
  ck_assert_int_eq(TVMFFIAnyViewToOwnedAny(&view, &seen), 0);
  ck_assert_int_eq(TVMFFIAnyViewToOwnedAny(&view, &view), 0);  // in place
  memset(source, 'x', size);
  expect_own_text(&seen, kTVMFFISmallStr, kTVMFFIStr, size);
  expect_own_text(&view, kTVMFFISmallStr, kTVMFFIStr, size);
}

TEST(byte_arrays_become_bytes, .rows = sizeof text)
{
  size_t size = (size_t)_i;
  TVMFFIByteArray source = {fenced(text, size), size};
  TVMFFIAny view = {.type_index = kTVMFFIByteArrayPtr, .v_ptr = &source}, seen = rubbish();
  ck_assert_int_eq(TVMFFIAnyViewToOwnedAny(&view, &seen), 0);
  expect_own_text(&seen, kTVMFFISmallBytes, kTVMFFIBytes, size);
}

TEST(an_empty_byte_array_may_have_no_data)
{
  TVMFFIByteArray source = {NULL, 0};
  TVMFFIAny view = {.type_index = kTVMFFIByteArrayPtr, .v_ptr = &source}, seen = rubbish();
  ck_assert_int_eq(TVMFFIAnyViewToOwnedAny(&view, &seen), 0);
  expect_own_text(&seen, kTVMFFISmallBytes, kTVMFFIBytes, 0);
}

static const int32_t object_types[] = {64, 65, 67, 68, 78, 127, 128, INT32_MAX};

TEST(objects_are_shared, .rows = ROWS(object_types))
{
  Probe probe = probe_make(object_types[_i]), before = probe;
  TVMFFIAny view = {.type_index = object_types[_i], .zero_padding = 9, .v_obj = &probe.header};
  TVMFFIAny seen = rubbish(), due = view;
  due.zero_padding = 0;
  ck_assert_int_eq(TVMFFIAnyViewToOwnedAny(&view, &seen), 0);
  expect_same_value(&seen, &due);
  before.header.combined_ref_count = COUNTS(2, 1);
  ck_assert_mem_eq(&probe, &before, sizeof probe);
}

TEST(rvalue_references_are_moved, .rows = ROWS(object_types))
{
  Probe probe = probe_make(object_types[_i]), before = probe;
  TVMFFIObjectHandle slot = &probe;
  TVMFFIAny view = {.type_index = kTVMFFIObjectRValueRef, .v_ptr = &slot};
  TVMFFIAny seen = rubbish(), due = {.type_index = object_types[_i], .v_obj = &probe.header};
  ck_assert_int_eq(TVMFFIAnyViewToOwnedAny(&view, &seen), 0);
  expect_same_value(&seen, &due);
  ck_assert_ptr_null(slot);
  ck_assert_mem_eq(&probe, &before, sizeof probe);
}

TEST(a_reference_moves_once)
{
  TVMFFIObjectHandle slot = NULL;
  TVMFFIAny view = {.type_index = kTVMFFIObjectRValueRef, .v_ptr = &slot};
  TVMFFIAny seen = rubbish(), before = seen;
  ck_assert_int_eq(TVMFFIAnyViewToOwnedAny(&view, &seen), -1);
  expect_raised("InternalError", "moved");
  expect_same_value(&seen, &before);
}

static TVMFFIByteArray without_data = {NULL, 12};
static const TVMFFIAny bad[] = {
    {.type_index = kTVMFFIRawStr},
    {.type_index = kTVMFFIByteArrayPtr},
    {.type_index = kTVMFFIByteArrayPtr, .v_ptr = &without_data},
    {.type_index = kTVMFFIObjectRValueRef},
    {.type_index = kTVMFFISmallStr, .small_str_len = 8},
    {.type_index = kTVMFFISmallBytes, .small_str_len = UINT32_MAX},
    {.type_index = kTVMFFIObject},
    {.type_index = 4711},
};

TEST(refuses_views_of_nothing, .rows = ROWS(bad))
{
  TVMFFIAny seen = rubbish(), before = seen;
  ck_assert_int_eq(TVMFFIAnyViewToOwnedAny(&bad[_i], &seen), -1);
  expect_raised("ValueError", "any_view");
  expect_same_value(&seen, &before);
}

TEST(refuses_missing_arguments)
{
  TVMFFIAny seen = rubbish(), before = seen;
  ck_assert_int_eq(TVMFFIAnyViewToOwnedAny(NULL, &seen), -1);
  expect_raised("ValueError", "any_view");
  ck_assert_int_eq(TVMFFIAnyViewToOwnedAny(&plain[0], NULL), -1);
  expect_raised("ValueError", "out");
  expect_same_value(&seen, &before);
}

TEST(reports_want_of_memory)
{
  TVMFFIAny view = {.type_index = kTVMFFIRawStr, .v_c_str = text}, seen = rubbish(), before = seen;
  faults_arm(1);
  int code = TVMFFIAnyViewToOwnedAny(&view, &seen);
  ck_assert(faults_disarm());
  ck_assert_int_eq(code, -1);
  expect_raised("InternalError", "memory");
  expect_same_value(&seen, &before);
}
