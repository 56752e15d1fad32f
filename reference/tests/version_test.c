// SPDX-License-Identifier: Apache-2.0
#include "probe.h"
#include "suites.h"

START_TEST(tells_the_version_of_its_header)
{
  TVMFFIVersion version = {99, 99, 99};
  TVMFFIGetVersion(&version);
  ck_assert_uint_eq(version.major, TVM_FFI_VERSION_MAJOR);
  ck_assert_uint_eq(version.minor, TVM_FFI_VERSION_MINOR);
  ck_assert_uint_eq(version.patch, TVM_FFI_VERSION_PATCH);
}
END_TEST

START_TEST(writes_twelve_bytes)
{
  TVMFFIVersion *version = (TVMFFIVersion *)fenced("............", 12);
  TVMFFIGetVersion(version);
  ck_assert_uint_eq(version->patch, TVM_FFI_VERSION_PATCH);
}
END_TEST

START_TEST(leaves_the_error_slot_alone)
{
  TVMFFIVersion version;
  TVMFFIErrorSetRaisedFromCStr("KeyError", "still here");
  TVMFFIGetVersion(&version);
  expect_raised("KeyError", "still here");
}
END_TEST

START_TEST(takes_null_in_silence)
{
  TVMFFIGetVersion(NULL);
  expect_nothing_raised();
}
END_TEST

Suite *version_suite(void)
{
  Suite *suite = suite_create("version");
  TCase *all = tcase_create("all");
  tcase_add_test(all, tells_the_version_of_its_header);
  tcase_add_test(all, writes_twelve_bytes);
  tcase_add_test(all, leaves_the_error_slot_alone);
  tcase_add_test(all, takes_null_in_silence);
  suite_add_tcase(suite, all);
  return suite;
}
