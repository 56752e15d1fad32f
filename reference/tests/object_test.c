// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "probe.h"
#include "unit/unit.h"

TEST(retaining_adds_one_and_nothing_else)
{
  Probe probe = probe_make(200), before = probe;
  ck_assert_int_eq(TVMFFIObjectIncRef(&probe), 0);
  before.header.combined_ref_count = COUNTS(2, 1);
  ck_assert_mem_eq(&probe, &before, sizeof probe);
}

TEST(releasing_one_of_two_takes_one_and_nothing_else)
{
  Probe probe = probe_make(200), before = probe;
  probe.header.combined_ref_count = COUNTS(2, 1);
  ck_assert_int_eq(TVMFFIObjectDecRef(&probe), 0);
  ck_assert_mem_eq(&probe, &before, sizeof probe);
}

TEST(the_last_reference_of_all_deletes_both)
{
  Probe probe = probe_make(kTVMFFIStr);
  ck_assert_int_eq(TVMFFIObjectDecRef(&probe), 0);
  ck_assert_int_eq(probe.calls, 1);
  ck_assert_int_eq(probe.flags[0], 3);
  ck_assert_uint_eq(probe.counter[0], COUNTS(0, 1));
  ck_assert_str_eq(probe.behind, "behind!");
}

TEST(a_weak_reference_keeps_the_memory)
{
  Probe probe = probe_make(200);
  probe.header.combined_ref_count = COUNTS(1, 3);
  ck_assert_int_eq(TVMFFIObjectDecRef(&probe), 0);
  ck_assert_int_eq(probe.calls, 1);
  ck_assert_int_eq(probe.flags[0], 1);
  ck_assert_uint_eq(probe.counter[0], COUNTS(0, 3));
  expect_counts(&probe, 0, 2);
}

static void drop_weak_in_deleter(void *self, int flags)
{
  Probe *probe = self;
  probe->flags[probe->calls++] = flags;
  if (flags == 1) probe->header.combined_ref_count -= COUNTS(0, 1);
}

TEST(weak_references_that_go_meanwhile_free_the_memory)
{
  Probe probe = probe_make(200);
  probe.header.combined_ref_count = COUNTS(1, 2);
  probe.header.deleter = drop_weak_in_deleter;
  ck_assert_int_eq(TVMFFIObjectDecRef(&probe), 0);
  ck_assert_int_eq(probe.calls, 2);
  ck_assert_int_eq(probe.flags[0], 1);
  ck_assert_int_eq(probe.flags[1], 2);
}

TEST(without_a_deleter_there_is_only_counting)
{
  Probe probe = probe_make(200);
  probe.header.deleter = NULL;
  ck_assert_int_eq(TVMFFIObjectDecRef(&probe), 0);
  expect_counts(&probe, 0, 1);
  probe.header.combined_ref_count = COUNTS(1, 2);
  ck_assert_int_eq(TVMFFIObjectDecRef(&probe), 0);
  expect_counts(&probe, 0, 1);
  probe.header.combined_ref_count = COUNTS(1, 1);
  ck_assert_int_eq(TVMFFIObjectDecRef(&probe), 0);
  expect_counts(&probe, 0, 1);
}

TEST(null_is_neither_retained_nor_released)
{
  ck_assert_int_eq(TVMFFIObjectIncRef(NULL), 0);
  ck_assert_int_eq(TVMFFIObjectDecRef(NULL), 0);
  expect_nothing_raised();
}

static Probe *inner;

static void release_inner(void *self, int flags)
{
  (void)self, (void)flags;
  TVMFFIObjectDecRef(inner);
  TVMFFIErrorSetRaisedFromCStr("ValueError", "raised in a deleter");
}

TEST(a_deleter_may_use_the_runtime)
{
  Probe outer = probe_make(200), held = probe_make(201);
  inner = &held;
  outer.header.deleter = release_inner;
  ck_assert_int_eq(TVMFFIObjectDecRef(&outer), 0);
  ck_assert_int_eq(held.calls, 1);
  expect_raised("ValueError", "raised in a deleter");
}

// Every kind of object that the runtime makes, to be given up by hand as bindings do it.
static TVMFFIObject *make_string(void)
{
  TVMFFIAny value;
  ck_assert_int_eq(TVMFFIStringFromByteArray(BYTES("eight or more"), &value), 0);
  return value.v_obj;
}

static TVMFFIObject *make_opaque(void)
{
  TVMFFIObjectHandle out = NULL;
  ck_assert_int_eq(TVMFFIObjectCreateOpaque(NULL, kTVMFFIOpaquePyObject, NULL, &out), 0);
  return out;
}

static int call_nothing(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)handle, (void)args, (void)num_args, (void)result;
  return 0;
}

static TVMFFIObject *make_function(void)
{
  TVMFFIObjectHandle out = NULL;
  ck_assert_int_eq(TVMFFIFunctionCreate(NULL, call_nothing, NULL, &out), 0);
  return out;
}

static TVMFFIObject *make_closure(void)
{
  TVMFFIObjectHandle out = NULL;
  ck_assert_int_eq(TVMFFIFunctionCreate(&inner, call_nothing, NULL, &out), 0);
  return out;
}

static TVMFFIObject *make_error(void)
{
  TVMFFIObjectHandle out = NULL;
  ck_assert_int_eq(TVMFFIErrorCreate(BYTES("E"), BYTES("m"), BYTES(""), &out), 0);
  return out;
}

static TVMFFIObject *(*const makers[])(void) = {make_string, make_opaque, make_function,
                                                make_closure, make_error};
static const int32_t made_types[] = {kTVMFFIStr, kTVMFFIOpaquePyObject, kTVMFFIFunction,
                                     kTVMFFIFunction, kTVMFFIError};
enum { MAKERS = sizeof makers / sizeof *makers };

TEST(new_objects_have_a_whole_header, .rows = MAKERS)
{
  TVMFFIObject *object = makers[_i]();
  expect_counts(object, 1, 1);
  ck_assert_int_eq(object->type_index, made_types[_i]);
  ck_assert_uint_eq(object->__padding, 0);
  ck_assert(object->deleter != NULL);
  ck_assert_uint_eq((uintptr_t)object % 8, 0);
  TVMFFIObjectDecRef(object);
}

// The sanitizers' runs of this test see whether the memory is given back, and not before its time.
TEST(own_objects_are_deleted_by_hand, .rows = MAKERS)
{
  TVMFFIObject *object = makers[_i]();
  object->combined_ref_count = COUNTS(0, 1);
  object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskStrong);
  expect_counts(object, 0, 1);
  ck_assert(object->deleter != NULL);
  object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskWeak);
  object = makers[_i]();
  object->combined_ref_count = COUNTS(0, 1);
  object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskBoth);
}

TEST(own_objects_outlive_their_strong_references_weakly, .rows = MAKERS)
{
  TVMFFIObject *object = makers[_i]();
  object->combined_ref_count += COUNTS(0, 1);
  TVMFFIObjectDecRef(object);
  expect_counts(object, 0, 1);
  ck_assert_int_eq(object->type_index, made_types[_i]);
  object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskWeak);
}
