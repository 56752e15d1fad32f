// SPDX-License-Identifier: Apache-2.0
// What a wheel's name and its descriptions tell, and which releases of the runtime it accepts.
#include <stdio.h>
#include <string.h>

#include "inspect/inspect_wheel.h"
#include "unit/unit.h"

static InspectWheel wheel;

// --- Names ---------------------------------------------------------------------------------------

static const struct {
  const char *path, *name;
  InspectWheelPlatform platform;
  uint32_t glibc;
  const char *machine;
} names[] = {
    {"a/foo_Bar.baz-1-py3-none-any.whl", "foo-bar-baz", INSPECT_WHEEL_ANY, 0, ""},
    {"foo-1-1-py3-none-linux_x86_64.whl", "foo", INSPECT_WHEEL_LINUX, 0, "x86_64"},
    {"foo-1-py3-none-manylinux1_i686.whl", "foo", INSPECT_WHEEL_MANYLINUX, ABI_VERSION(2, 5, 0),
     "i686"},
    {"foo-1-py3-none-manylinux2010_x86_64.whl", "foo", INSPECT_WHEEL_MANYLINUX,
     ABI_VERSION(2, 12, 0), "x86_64"},
    {"foo-1-py3-none-manylinux_2_28_x86_64.manylinux2014_x86_64.whl", "foo",
     INSPECT_WHEEL_MANYLINUX, ABI_VERSION(2, 17, 0), "x86_64"},
    {"foo-1-py3-none-manylinux2014_x86_64.manylinux_2_28_x86_64.whl", "foo",
     INSPECT_WHEEL_MANYLINUX, ABI_VERSION(2, 17, 0), "x86_64"},
    {"z.zip!in/foo-1-py3-none-musllinux_1_2_aarch64.whl", "foo", INSPECT_WHEEL_MUSLLINUX, 0,
     "aarch64"},
    {"foo-1-py3-none-musllinux_1_2_x86_64.linux_x86_64.any.whl", "foo", INSPECT_WHEEL_MUSLLINUX, 0,
     "x86_64"},
    {"foo-1-py3-none-manylinux_2_x86_64.whl", "foo", INSPECT_WHEEL_UNKNOWN, 0, ""},
    {"foo-1-py3-none-musllinux_1_x86_64.whl", "foo", INSPECT_WHEEL_UNKNOWN, 0, ""},
    {"foo-1-cp312-cp312-win_amd64.whl", "foo", INSPECT_WHEEL_UNKNOWN, 0, "x86_64"},
    {"foo-1-cp312-cp312-win_amd65.whl", "foo", INSPECT_WHEEL_UNKNOWN, 0, ""},
    {"foo-1-cp312-cp312-macosx_11_0_arm64.whl", "foo", INSPECT_WHEEL_UNKNOWN, 0, "arm64"},
    {"foo-1-cp312-cp312-macosx_11_arm64.whl", "foo", INSPECT_WHEEL_UNKNOWN, 0, ""},
    {"b\xff-1-py3-none-any.whl", "b?", INSPECT_WHEEL_ANY, 0, ""},
    {"foo-1-py3-any.whl", "", INSPECT_WHEEL_UNKNOWN, 0, ""},
    {"foo.so", "", INSPECT_WHEEL_UNKNOWN, 0, ""},
    {"whl", "", INSPECT_WHEEL_UNKNOWN, 0, ""},
};

TEST(names_of_files, .rows = ROWS(names))
{
  inspect_wheel_begin(&wheel, names[_i].path);
  ck_assert_str_eq(wheel.name, names[_i].name);
  ck_assert_int_eq(wheel.platform, names[_i].platform);
  ck_assert_uint_eq(wheel.glibc, names[_i].glibc);
  ck_assert_uint_eq(wheel.machine_count, names[_i].machine[0] != '\0');
  ck_assert_str_eq(wheel.machines[0], names[_i].machine);
}

TEST(machines_have_two_names)
{
  inspect_wheel_begin(&wheel, "foo-1-py3-none-linux_x86_64.linux_armv7l.linux_riscv64.whl");
  ck_assert(inspect_wheel_has_machine(&wheel, "x86-64"));
  ck_assert(inspect_wheel_has_machine(&wheel, "arm"));
  ck_assert(inspect_wheel_has_machine(&wheel, "riscv64"));
  ck_assert(!inspect_wheel_has_machine(&wheel, "aarch64"));
  inspect_wheel_begin(&wheel, "foo-1-py3-none-any.whl");
  ck_assert(inspect_wheel_has_machine(&wheel, "aarch64"));
}

static const struct {
  const char *tag;
  unsigned systems;
  const char *machines[2], *other;  // as in facts; that is not among them
} systems[] = {
    {"linux_x86_64", INSPECT_WHEEL_ON_LINUX, {"x86-64", "x86-64"}, "i386"},
    {"macosx_10_9_universal2", INSPECT_WHEEL_ON_MACOS, {"arm64", "x86-64"}, "i386"},
    {"macosx_10_6_intel", INSPECT_WHEEL_ON_MACOS, {"i386", "x86-64"}, "arm64"},
    {"macosx_10_9_x86_64", INSPECT_WHEEL_ON_MACOS, {"x86-64", "x86-64"}, "arm64"},
    {"win_arm64", INSPECT_WHEEL_ON_WINDOWS, {"aarch64", "arm64"}, "x86-64"},
    {"win32", INSPECT_WHEEL_ON_WINDOWS, {"i386", "i386"}, "x86-64"},
    {"win_amd64.musllinux_1_2_aarch64",
     INSPECT_WHEEL_ON_WINDOWS | INSPECT_WHEEL_ON_LINUX,
     {"x86-64", "aarch64"},
     "i386"},
    {"android_21_arm64", 0, {"arm64", "x86-64"}, NULL},
};

TEST(tags_name_systems_and_their_machines, .rows = ROWS(systems))
{
  char path[100];
  snprintf(path, sizeof path, "foo-1-py3-none-%s.whl", systems[_i].tag);
  inspect_wheel_begin(&wheel, path);
  ck_assert_uint_eq(wheel.systems, systems[_i].systems);
  ck_assert(inspect_wheel_has_machine(&wheel, systems[_i].machines[0]));
  ck_assert(inspect_wheel_has_machine(&wheel, systems[_i].machines[1]));
  if (systems[_i].other) ck_assert(!inspect_wheel_has_machine(&wheel, systems[_i].other));
}

TEST(many_machines_and_long_tags_are_cut)
{
  char path[1024] = "foo-1-py3-none-linux_a";
  for (char c = 'b'; c <= 'z'; ++c) {
    char tag[] = ".linux_b_of_a_name_that_is_too_long";
    tag[7] = c;
    strncat(path, tag, sizeof path - strlen(path) - 5);
  }
  strcat(path, ".whl");
  inspect_wheel_begin(&wheel, path);
  ck_assert_uint_eq(wheel.machine_count, INSPECT_WHEEL_MACHINES);
  ck_assert_uint_eq(strlen(wheel.machines[1]), sizeof wheel.machines[1] - 1);
  ck_assert_str_eq(wheel.tags, "");
}

TEST(newer_libraries_have_newer_symbols)
{
  ck_assert_uint_eq(inspect_wheel_glibcxx(ABI_VERSION(2, 39, 0)), ABI_VERSION(3, 4, 33));
  ck_assert_uint_eq(inspect_wheel_glibcxx(ABI_VERSION(2, 28, 0)), ABI_VERSION(3, 4, 24));
  ck_assert_uint_eq(inspect_wheel_glibcxx(ABI_VERSION(2, 5, 0)), ABI_VERSION(3, 4, 8));
}

// --- Descriptions --------------------------------------------------------------------------------

static void read_member(const char *member, const char *text)
{
  inspect_wheel_read(&wheel, member, (const unsigned char *)text, strlen(text));
}

TEST(two_files_describe_a_wheel)
{
  ck_assert(inspect_wheel_wants("foo-1.dist-info/METADATA"));
  ck_assert(inspect_wheel_wants("foo-1.dist-info/WHEEL"));
  ck_assert(!inspect_wheel_wants("METADATA"));
  ck_assert(!inspect_wheel_wants("a/foo-1.dist-info/METADATA"));
  ck_assert(!inspect_wheel_wants("foo-1.dist-info/RECORD"));
}

TEST(tags_come_from_the_name_or_the_file)
{
  inspect_wheel_begin(&wheel, "renamed.whl");
  read_member("foo-1.dist-info/WHEEL", "Tag: py3-none-manylinux_2_28_x86_64\r\nTag: any\n\nTag: x");
  ck_assert_str_eq(wheel.tags, "manylinux_2_28_x86_64.any");
  read_member("foo-1.dist-info/METADATA", "Name:  Foo_bar\nName: other");
  ck_assert_str_eq(wheel.name, "foo-bar");
  ck_assert_uint_eq(wheel.descriptions, 1);
  inspect_wheel_begin(&wheel, "foo-1-py3-none-any.whl");
  read_member("foo-1.dist-info/WHEEL", "Tag: py3-none-linux_x86_64\n");
  ck_assert_str_eq(wheel.tags, "any");
}

static const struct {
  const char *line, *version;
  bool accepts;
  bool candidate, yanked;
} requirements[] = {
    {"Requires-Dist: numpy>=2", "0.1.5", false, false, false},
    {"Requires-Dist: apache_tvm.ffi", "0.1.5", true, false, false},
    {"Requires-Dist: apache-tvm-ffi", "0.1.5rc1", false, true, false},
    {"Requires-Dist: apache-tvm-ffi", "0.1.5", false, false, true},
    {"Requires-Dist: apache-tvm-ffi==0.1.5", "0.1.5", true, false, true},
    {"Requires-Dist: apache-tvm-ffi==0.1.*", "0.1.5", false, false, true},
    {"Requires-Dist: apache-tvm-ffi==0.1.*", "0.1.5", true, false, false},
    {"Requires-Dist: apache-tvm-ffi==0.2.*", "0.1.5", false, false, false},
    {"Requires-Dist: apache-tvm-ffi===0.1.5", "0.1.5", true, false, false},
    {"Requires-Dist: apache-tvm-ffi (>= 0.1.5 , < 0.2)", "0.1.5", true, false, false},
    {"Requires-Dist: apache-tvm-ffi (>=0.1.5,<0.2)", "0.2.0", false, false, false},
    {"Requires-Dist: apache-tvm-ffi[cpp]>=0.1.6", "0.1.5", false, false, false},
    {"Requires-Dist: apache-tvm-ffi>=0.1.6; extra == 'gpu'", "0.1.5", false, false, false},
    {"Requires-Dist: apache-tvm-ffi>=0.1.5; python_version>'3'", "0.1.5", true, false, false},
    {"Requires-Dist: apache-tvm-ffi!=0.1.5", "0.1.5", false, false, false},
    {"Requires-Dist: apache-tvm-ffi<=0.1.5", "0.1.5.post1", false, false, false},
    {"Requires-Dist: apache-tvm-ffi<=0.1.5", "0.1.4", true, false, false},
    {"Requires-Dist: apache-tvm-ffi>0.1.5", "0.1.5.post1", false, false, false},
    {"Requires-Dist: apache-tvm-ffi>0.1.5", "0.1.6", true, false, false},
    {"Requires-Dist: apache-tvm-ffi>0.1.5.post0", "0.1.5.post1", true, false, false},
    {"Requires-Dist: apache-tvm-ffi<0.1.5", "0.1.5b1", false, false, false},
    {"Requires-Dist: apache-tvm-ffi<0.1.5rc1", "0.1.5b1", true, false, false},
    {"Requires-Dist: apache-tvm-ffi<0.1.5", "0.1.4", true, false, false},
    {"Requires-Dist: apache-tvm-ffi~=0.1.5", "0.1.9", true, false, false},
    {"Requires-Dist: apache-tvm-ffi~=0.1.5", "0.2.0", false, false, false},
    {"Requires-Dist: apache-tvm-ffi~=0", "0.1.0", false, false, false},
    {"Requires-Dist: apache-tvm-ffi<>0.1.5", "0.1.5", true, false, false},
    {"Requires-Dist: apache-tvm-ffi>=x", "0.1.5", true, false, false},
    {"Requires-Dist: apache-tvm-ffi>=0.1.5!", "0.1.4", true, false, false},
    {"Requires-Dist: apache-tvm-ffi @ file", "0.1.5", true, false, false},
    {"Requires-Dist: apache-tvm-ffi>=", "0.1.5", true, false, false},
    {"Requires-Dist: apache-tvm-ffi>=0.1.5+local", "0.1.5", true, false, false},
    {"Requires-Dist: apache-tvm-ffi>=0.1.5.post2", "0.1.5.post1", false, false, false},
    {"Requires-Dist: apache-tvm-ffi<=0.1.5.post0", "0.1.5.post1", false, false, false},
    {"Requires-Dist: apache-tvm-ffi[cpp", "0.1.5", true, false, false},
    {"Requires-Dist: apache-tvm-ffi==0.1.5.*", "0.1.5", true, false, false},
    {"Requires-Dist:     apache-tvm-ffi>=0.1.6 ", "0.1.5", false, false, false},
    {"Requires-Dist: apache-tvm-ffi>=0.0.0.1,>=0,>=0,>=0,>=0,>=0,>=0,>=0,>=0,>=0,>=0,>=0,>=0,>=0,>=0,"
     ">=0,>=9",
     "0.1.5", true, false, false},
    {"Requires-Dist: apache-tvm-ffi", "", false, false, false},
};

TEST(releases_that_a_wheel_accepts, .rows = ROWS(requirements))
{
  inspect_wheel_begin(&wheel, "foo-1-py3-none-any.whl");
  read_member("foo-1.dist-info/METADATA", requirements[_i].line);
  const AbiRelease release = {.version = requirements[_i].version,
                              .candidate = requirements[_i].candidate,
                              .yanked = requirements[_i].yanked};
  ck_assert_msg(inspect_wheel_accepts(&wheel, &release) == requirements[_i].accepts, "%s: %s",
                requirements[_i].line, requirements[_i].version);
}

TEST(names_are_cut_and_need_no_space)
{
  char line[256] = "Name:";
  inspect_wheel_begin(&wheel, "renamed.whl");
  memset(line + 5, 'a', sizeof line - 6);
  read_member("foo-1.dist-info/METADATA", line);
  ck_assert_uint_eq(strlen(wheel.name), sizeof wheel.name - 1);
  inspect_wheel_begin(&wheel, "renamed.whl");
  read_member("foo-1.dist-info/METADATA", "Name:   ");
  ck_assert_str_eq(wheel.name, "");
  read_member("foo-1.dist-info/WHEEL", "Tag: \nTag:any\nTag: py3-none-any");
  ck_assert_int_eq(wheel.platform, INSPECT_WHEEL_ANY);
}

TEST(lines_on_the_runtime_count_together)
{
  inspect_wheel_begin(&wheel, "foo-1-py3-none-any.whl");
  read_member("foo-1.dist-info/METADATA",
              "Requires-Dist: apache-tvm-ffi>=0.1.5\nRequires-Dist: apache-tvm-ffi<0.1.9");
  ck_assert_str_eq(wheel.requirement, ">=0.1.5,<0.1.9");
  ck_assert(!inspect_wheel_accepts(&wheel, &(AbiRelease){.version = "0.1.9"}));
  ck_assert(inspect_wheel_accepts(&wheel, &(AbiRelease){.version = "0.1.8"}));
}
