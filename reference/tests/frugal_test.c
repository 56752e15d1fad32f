// SPDX-License-Identifier: Apache-2.0
// How much memory the objects take that programs make most of.
#include <string.h>

#include "probe.h"
#include "unit/unit.h"

static int do_nothing(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self, (void)args, (void)num_args, (void)result;
  return 0;
}

static char own;  // something for a closure to hold

static void delete_nothing(void *self)
{
  (void)self;
}

typedef int MakeText(const TVMFFIByteArray *bytes, TVMFFIAny *out);

static void expect_one_allocation(MakeText *make, size_t size)
{
  static char text[4096];
  FaultsMeter meter;
  TVMFFIByteArray bytes = {memset(text, 'x', sizeof text), size};
  TVMFFIAny value = {.type_index = kTVMFFINone};
  faults_meter(&meter);
  int status = make(&bytes, &value);
  faults_meter(&meter);  // before the assertions, which ask for memory themselves
  ck_assert_int_eq(status, 0);
  ck_assert_int_ge(value.type_index, kTVMFFIStaticObjectBegin);
  ck_assert_uint_eq(meter.requests, 1);
  ck_assert_uint_le(meter.bytes, 48 + size);
  TVMFFIObjectDecRef(value.v_obj);
}

static const size_t sizes[] = {8, 9, 15, 16, 17, 64, 100, 4096};

TEST(a_string_is_one_allocation_of_its_size_and_48_bytes, .rows = ROWS(sizes))
{
  expect_one_allocation(TVMFFIStringFromByteArray, sizes[_i]);
}

TEST(bytes_are_one_allocation_of_their_size_and_48_bytes, .rows = ROWS(sizes))
{
  expect_one_allocation(TVMFFIBytesFromByteArray, sizes[_i]);
}

TEST(a_small_text_is_none)
{
  FaultsMeter meter;
  TVMFFIByteArray bytes = {"seven b", 7};
  TVMFFIAny value = {.type_index = kTVMFFINone};
  faults_meter(&meter);
  int status = TVMFFIStringFromByteArray(&bytes, &value);
  faults_meter(&meter);
  ck_assert_int_eq(status, 0);
  ck_assert_uint_eq(meter.requests, 0);
}

TEST(a_function_is_one_allocation)
{
  void *const selves[] = {NULL, &own};
  for (size_t i = 0; i < 2; ++i) {
    FaultsMeter meter;
    TVMFFIObjectHandle function = NULL;
    faults_meter(&meter);
    int status =
        TVMFFIFunctionCreate(selves[i], do_nothing, selves[i] ? delete_nothing : NULL, &function);
    faults_meter(&meter);
    ck_assert_int_eq(status, 0);
    ck_assert_uint_eq(meter.requests, 1);
    TVMFFIObjectDecRef(function);
  }
}
