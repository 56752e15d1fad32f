// SPDX-License-Identifier: Apache-2.0
#include "probe.h"
#include "unit/unit.h"

static int deletions;
static void *deleted;

static void note_deletion(void *handle)
{
  ++deletions;
  deleted = handle;
}

static void forget_deletions(void)
{
  deletions = 0;
  deleted = &deletions;
}

static void *handle_of(TVMFFIObjectHandle opaque)
{
  return ((TVMFFIOpaqueObjectCell *)((TVMFFIObject *)opaque + 1))->handle;
}

TEST_GROUP(all, .setup = forget_deletions);

TEST(keeps_the_pointer_and_deletes_it_once)
{
  int thing;
  TVMFFIObjectHandle opaque = NULL;
  ck_assert_int_eq(TVMFFIObjectCreateOpaque(&thing, kTVMFFIOpaquePyObject, note_deletion, &opaque),
                   0);
  ck_assert_ptr_eq(handle_of(opaque), &thing);
  TVMFFIObjectIncRef(opaque);
  TVMFFIObjectDecRef(opaque);
  ck_assert_int_eq(deletions, 0);
  TVMFFIObjectDecRef(opaque);
  ck_assert_int_eq(deletions, 1);
  ck_assert_ptr_eq(deleted, &thing);
}

TEST(deletes_a_null_pointer_too)
{
  TVMFFIObjectHandle opaque = NULL;
  ck_assert_int_eq(TVMFFIObjectCreateOpaque(NULL, kTVMFFIOpaquePyObject, note_deletion, &opaque),
                   0);
  TVMFFIObjectDecRef(opaque);
  ck_assert_int_eq(deletions, 1);
  ck_assert_ptr_null(deleted);
}

TEST(deletes_when_the_strong_references_are_gone)
{
  TVMFFIObjectHandle opaque = NULL;
  ck_assert_int_eq(TVMFFIObjectCreateOpaque(NULL, kTVMFFIOpaquePyObject, note_deletion, &opaque),
                   0);
  TVMFFIObject *object = opaque;
  object->combined_ref_count += COUNTS(0, 1);
  TVMFFIObjectDecRef(opaque);
  ck_assert_int_eq(deletions, 1);
  object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskWeak);
  ck_assert_int_eq(deletions, 1);
}

static const int32_t refused[] = {-1, 0, 4, 13, 63, 64, 65, 68, 73, 75, 78, 128, INT32_MAX};

TEST(refuses_other_types, .rows = ROWS(refused))
{
  TVMFFIObjectHandle out = &deletions;
  ck_assert_int_eq(TVMFFIObjectCreateOpaque(&out, refused[_i], note_deletion, &out), -1);
  expect_raised("RuntimeError", "type_index");
  ck_assert_int_eq(deletions, 0);
  ck_assert_ptr_eq(out, &deletions);
}

TEST(refuses_a_missing_output)
{
  ck_assert_int_eq(TVMFFIObjectCreateOpaque(NULL, kTVMFFIOpaquePyObject, note_deletion, NULL), -1);
  expect_raised("ValueError", "out");
  ck_assert_int_eq(deletions, 0);
}

TEST(reports_want_of_memory)
{
  TVMFFIObjectHandle out = &deletions;
  faults_arm(1);
  int code = TVMFFIObjectCreateOpaque(&out, kTVMFFIOpaquePyObject, note_deletion, &out);
  ck_assert(faults_disarm());
  ck_assert_int_eq(code, -1);
  expect_raised("InternalError", "memory");
  ck_assert_int_eq(deletions, 0);
  ck_assert_ptr_eq(out, &deletions);
}
