// SPDX-License-Identifier: Apache-2.0
// How much memory the objects take that programs make most of.
#include <string.h>

#include "core/thread.h"
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

// A thread keeps the memory of some functions that ended; these take it, and keep it from others.
static void take_spares(TVMFFIObjectHandle *taken)
{
  for (int i = 0; i < THREAD_SPARES; ++i) {
    ck_assert_int_eq(TVMFFIFunctionCreate(NULL, do_nothing, NULL, &taken[i]), 0);
  }
}

static void create_measured(void *self, TVMFFIObjectHandle *function, size_t requests)
{
  FaultsMeter meter;
  faults_meter(&meter);
  int status = TVMFFIFunctionCreate(self, do_nothing, self ? delete_nothing : NULL, function);
  faults_meter(&meter);
  ck_assert_int_eq(status, 0);
  ck_assert_uint_eq(meter.requests, requests);
}

TEST(a_function_is_one_allocation)
{
  TVMFFIObjectHandle taken[THREAD_SPARES + 2];
  take_spares(taken);
  create_measured(NULL, &taken[THREAD_SPARES], 1);
  create_measured(&own, &taken[THREAD_SPARES + 1], 1);
  for (int i = 0; i < THREAD_SPARES + 2; ++i) TVMFFIObjectDecRef(taken[i]);
}

TEST(the_memory_of_functions_that_ended_serves_the_next)
{
#ifdef THREAD_KEEPS_SPARES
  const size_t requests = 0;
#else
  const size_t requests = 1;
#endif
  TVMFFIObjectHandle taken[THREAD_SPARES], next;
  take_spares(taken);
  for (int i = 0; i < THREAD_SPARES; ++i) TVMFFIObjectDecRef(taken[i]);
  for (int i = 0; i < THREAD_SPARES; ++i) {
    create_measured(i % 2 == 0 ? &own : NULL, &taken[i], requests);
  }
  create_measured(&own, &next, 1);
  TVMFFIObjectDecRef(next);
  for (int i = 0; i < THREAD_SPARES; ++i) TVMFFIObjectDecRef(taken[i]);
}
