// SPDX-License-Identifier: Apache-2.0
// Control groups, in directories with the files that the kernel has in them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sandbox/cgroup.h"
#include "unit/unit.h"

enum { PATH_SIZE = 700, MEMORY = 1 << 30 };

static char own[] = CGROUP_TEST_FOLDER "/XXXXXX", why[CGROUP_WHY_MAX];
static Cgroup group;

static void write_file(const char *name, const char *text)
{
  char path[PATH_SIZE];
  snprintf(path, sizeof path, "%s/%s", own, name);
  FILE *file = fopen(path, "we");
  ck_assert_ptr_nonnull(file);
  ck_assert(fputs(text, file) >= 0 && fclose(file) == 0);
}

static void expect_file(const char *name, const char *text)
{
  char path[PATH_SIZE], line[256] = "";
  snprintf(path, sizeof path, "%s/%s", own, name);
  FILE *file = fopen(path, "re");
  ck_assert_msg(file != NULL, "%s is missing", path);
  size_t size = fread(line, 1, sizeof line - 1, file);
  fclose(file);
  ck_assert_str_eq(line, text);
  ck_assert_uint_eq(size, strlen(text));
}

// The kernel makes these files with the directory.
static void make_group(const char *what, char name[64])
{
  static const char *const files[] = {"cgroup.procs", "cgroup.kill", "memory.max", "pids.max"};
  char path[PATH_SIZE];
  snprintf(name, 64, "tvmffi-conform-%s-%d", what, (int)getpid());
  snprintf(path, sizeof path, "%s/%s", own, name);
  ck_assert_int_eq(mkdir(path, 0700), 0);
  for (size_t i = 0; i < sizeof files / sizeof files[0]; ++i) {
    snprintf(path, sizeof path, "%s/%s", name, files[i]);
    write_file(path, "");
  }
}

static void make_own(const char *controllers, const char *handed_down, pid_t process)
{
  char number[24];
  ck_assert_ptr_nonnull(mkdtemp(own));
  snprintf(number, sizeof number, "%d\n", (int)process);
  write_file("cgroup.controllers", controllers);
  write_file("cgroup.subtree_control", handed_down);
  write_file("cgroup.procs", number);
}

static const char *in(const char *name, const char *file)
{
  static char path[PATH_SIZE];
  snprintf(path, sizeof path, "%s/%s", name, file);
  return path;
}

TEST(workers_get_a_group_with_limits)
{
  char workers[64];
  make_own("cpu memory pids\n", "memory pids\n", getpid());
  make_group("workers", workers);
  ck_assert_msg(cgroup_open(&group, own, MEMORY, why), "%s", why);
  expect_file(in(workers, "memory.max"), "1073741824");
  expect_file(in(workers, "pids.max"), "16384");
  ck_assert_int_eq(cgroup_join(&group), 0);
  expect_file(in(workers, "cgroup.procs"), "0");
  ck_assert_str_eq(group.self, "");
  cgroup_close(&group);
  expect_file(in(workers, "cgroup.kill"), "1");
  expect_file("cgroup.subtree_control", "memory pids\n");
}

TEST(who_is_alone_makes_room_for_controllers_and_comes_back)
{
  char workers[64], runner[64], number[24];
  make_own("memory pids\n", "", getpid());
  make_group("workers", workers);
  make_group("runner", runner);
  snprintf(number, sizeof number, "%d", (int)getpid());
  ck_assert_msg(cgroup_open(&group, own, MEMORY, why), "%s", why);
  expect_file(in(runner, "cgroup.procs"), number);
  expect_file("cgroup.subtree_control", "+memory +pids");
  cgroup_close(&group);
  expect_file("cgroup.subtree_control", "-memory -pids");
  ck_assert_str_eq(group.workers, "");
}

TEST(others_in_the_group_are_left_where_they_are)
{
  char workers[64];
  make_own("memory pids\n", "", getppid());
  make_group("workers", workers);
  ck_assert(!cgroup_open(&group, own, MEMORY, why));
  ck_assert_str_eq(why, "not delegated: other processes are in this group");
  expect_file("cgroup.subtree_control", "");
  expect_file(in(workers, "memory.max"), "");
}

TEST(without_controllers_nothing_is_made)
{
  make_own("cpu io\n", "", getpid());
  ck_assert(!cgroup_open(&group, own, MEMORY, why));
  ck_assert_str_eq(why, "memory and pids are not controllers of this group");
  expect_file("cgroup.subtree_control", "");
}

TEST(a_group_that_takes_no_limits_is_none)
{
  char path[PATH_SIZE];
  make_own("memory pids\n", "memory pids\n", getpid());
  ck_assert(!cgroup_open(&group, own, MEMORY, why));
  ck_assert_str_eq(why, "not delegated: No such file or directory");
  snprintf(path, sizeof path, "%s/tvmffi-conform-workers-%d", own, (int)getpid());
  ck_assert_int_ne(access(path, F_OK), 0);
}

TEST(the_group_of_this_process_is_found_or_it_is_said_why_not)
{
  char found[CGROUP_PATH_MAX] = "";
  if (cgroup_find(found, why))
    ck_assert_int_eq(found[0], '/');
  else
    ck_assert_str_eq(why, "version 2 is not mounted");
}
