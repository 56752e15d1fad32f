// SPDX-License-Identifier: Apache-2.0
#include "probe.h"
#include "suites.h"

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

START_TEST(keeps_the_pointer_and_deletes_it_once)
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
END_TEST

START_TEST(deletes_a_null_pointer_too)
{
  TVMFFIObjectHandle opaque = NULL;
  ck_assert_int_eq(TVMFFIObjectCreateOpaque(NULL, kTVMFFIOpaquePyObject, note_deletion, &opaque),
                   0);
  TVMFFIObjectDecRef(opaque);
  ck_assert_int_eq(deletions, 1);
  ck_assert_ptr_null(deleted);
}
END_TEST

START_TEST(deletes_when_the_strong_references_are_gone)
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
END_TEST

static const int32_t refused[] = {-1, 0, 4, 13, 63, 64, 65, 68, 73, 75, 78, 128, INT32_MAX};

START_TEST(refuses_other_types)
{
  TVMFFIObjectHandle out = &deletions;
  ck_assert_int_eq(TVMFFIObjectCreateOpaque(&out, refused[_i], note_deletion, &out), -1);
  expect_raised("RuntimeError", "type_index");
  ck_assert_int_eq(deletions, 0);
  ck_assert_ptr_eq(out, &deletions);
}
END_TEST

START_TEST(refuses_a_missing_output)
{
  ck_assert_int_eq(TVMFFIObjectCreateOpaque(NULL, kTVMFFIOpaquePyObject, note_deletion, NULL), -1);
  expect_raised("ValueError", "out");
  ck_assert_int_eq(deletions, 0);
}
END_TEST

START_TEST(reports_want_of_memory)
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
END_TEST

Suite *opaque_suite(void)
{
  Suite *suite = suite_create("opaque");
  TCase *all = tcase_create("all");
  tcase_add_checked_fixture(all, forget_deletions, NULL);
  tcase_add_test(all, keeps_the_pointer_and_deletes_it_once);
  tcase_add_test(all, deletes_a_null_pointer_too);
  tcase_add_test(all, deletes_when_the_strong_references_are_gone);
  tcase_add_loop_test(all, refuses_other_types, 0, sizeof refused / sizeof *refused);
  tcase_add_test(all, refuses_a_missing_output);
  tcase_add_test(all, reports_want_of_memory);
  suite_add_tcase(suite, all);
  return suite;
}
