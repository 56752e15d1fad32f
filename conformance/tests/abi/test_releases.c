// SPDX-License-Identifier: Apache-2.0
// The table of releases: what C code sees of it. Whether it is true, version_table.py asks the
// wheels.
#include "abi/releases.h"

#include <stdlib.h>
#include <string.h>

#include "unit/unit.h"

static const AbiRelease *find(const char *version)
{
  for (size_t i = 0; i < abi_release_count(); ++i)
    if (strcmp(abi_release(i)->version, version) == 0) return abi_release(i);
  ck_abort_msg("%s is not in the table", version);
}

TEST(a_post_release_reports_another_number)
{
  ck_assert_uint_eq(find("0.1.13.post2")->reports, ABI_VERSION(0, 1, 14));
  ck_assert_uint_eq(find("0.1.8.post2")->reports, ABI_VERSION(0, 1, 8));
  ck_assert_uint_eq(find("0.1.15.post2")->reports, ABI_VERSION(0, 1, 16));
}

// Three releases report 0.1.14 or the like and differ: only one has the big integers.
TEST(exceptions_outrank_what_is_reported)
{
  AbiFunctionId integers = FN_BigIntFromByteArray;
  ck_assert_uint_eq(find("0.1.14")->reports, find("0.1.14.post0")->reports);
  ck_assert(!abi_release_has(find("0.1.14"), integers));
  ck_assert(abi_release_has(find("0.1.14.post0"), integers));
  ck_assert(abi_release_has(find("0.1.14.post1"), integers));

  const uint32_t since = ABI_VERSION(0, 1, 9);
  ck_assert(!abi_release_has_item(find("0.1.8"), "TVMFFISeqCell", since));
  ck_assert(!abi_release_has_item(find("0.1.8.post1"), "TVMFFISeqCell", since));
  ck_assert(abi_release_has_item(find("0.1.9rc0"), "TVMFFISeqCell", since));
}

TEST(functions_are_counted)
{
  static const struct {
    const char *version;
    unsigned functions;
  } expected[] = {{"0.1.0", 42},  {"0.1.4", 42},  {"0.1.5", 44},  {"0.1.6", 45}, {"0.1.8", 46},
                  {"0.1.12", 46}, {"0.1.13", 48}, {"0.1.14", 48}, {"0.1.15", 50}};
  for (size_t i = 0; i < sizeof expected / sizeof expected[0]; ++i)
    ck_assert_uint_eq(abi_release_functions(find(expected[i].version)), expected[i].functions);
}

TEST(bad_releases_say_why)
{
  ck_assert_ptr_null(find("0.1.9")->known_bad);
  ck_assert(find("0.1.13")->yanked);
  ck_assert_ptr_nonnull(strstr(find("0.1.13")->known_bad, "apache/tvm-ffi#697"));
  ck_assert(!find("0.1.8.post0")->yanked);
  ck_assert_ptr_nonnull(strstr(find("0.1.8.post0")->known_bad, "apache/tvm-ffi#409"));
  for (size_t i = 0; i < abi_release_count(); ++i) {
    if (abi_release(i)->yanked) ck_assert_ptr_nonnull(abi_release(i)->known_bad);
  }
}

typedef struct Name {
  const char *name;
  int32_t index;
  const char *first, *gone;
} Name;

static const Name names[] = {
#define ABI_REGISTERED_FUNCTION(name, first, gone) {name, -1, first, gone},
#define ABI_REGISTERED_TYPE(name, index, first, gone) {name, index, first, gone},
#include "abi/names.def"
};

// A type that the ABI gives an index to has it in every release.
static void expect_type(const char *key, int32_t index)
{
  bool found = false;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    if (strcmp(names[i].name, key) != 0 || names[i].index < 0) continue;
    ck_assert_int_eq(names[i].index, index);
    ck_assert_ptr_null(names[i].gone);
    found = true;
  }
  ck_assert_msg(found, "no release has the type %s", key);
}

TEST(registered_names_come_and_go_with_releases)
{
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    const AbiRelease *first = find(names[i].first);
    ck_assert(!names[i].gone || find(names[i].gone) > first);
  }
  expect_type("ffi.String", kTVMFFIStr);
  expect_type("ffi.Module", kTVMFFIModule);
  expect_type("ffi.Dict", kTVMFFIDict);
}
