// SPDX-License-Identifier: Apache-2.0
#include "probe.h"
#include "unit/unit.h"

TEST(tells_the_version_of_its_header)
{
  TVMFFIVersion version = {99, 99, 99};
  TVMFFIGetVersion(&version);
  ck_assert_uint_eq(version.major, TVM_FFI_VERSION_MAJOR);
  ck_assert_uint_eq(version.minor, TVM_FFI_VERSION_MINOR);
  ck_assert_uint_eq(version.patch, TVM_FFI_VERSION_PATCH);
}

TEST(writes_twelve_bytes)
{
  TVMFFIVersion *version = (TVMFFIVersion *)fenced("............", 12);
  TVMFFIGetVersion(version);
  ck_assert_uint_eq(version->patch, TVM_FFI_VERSION_PATCH);
}

TEST(leaves_the_error_slot_alone)
{
  TVMFFIVersion version;
  TVMFFIErrorSetRaisedFromCStr("KeyError", "still here");
  TVMFFIGetVersion(&version);
  expect_raised("KeyError", "still here");
}

TEST(takes_null_in_silence)
{
  TVMFFIGetVersion(NULL);
  expect_nothing_raised();
}
