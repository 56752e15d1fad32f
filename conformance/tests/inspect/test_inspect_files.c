// SPDX-License-Identifier: Apache-2.0
// What inspect_file says about paths that lead to no library.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#include "inspect/inspect_read.h"
#include "inspect_bytes.h"
#include "unit/unit.h"

static char folder[] = "/tmp/inspect-files-XXXXXX";

static void make_folder(void)
{
  ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void remove_folder(void)
{
  ck_assert_int_eq(rmdir(folder), 0);
}

// A path in the folder; the caller removes what it puts there.
static const char *path_of(const char *name)
{
  static char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static void expect(InspectReport *report, InspectStatus status, const char *words)
{
  ck_assert_int_eq(report->status, status);
  ck_assert_msg(strstr(report->message, words) != NULL, "'%s' is not in '%s'", words,
                report->message);
  ck_assert_msg(strstr(report->message, " (") != NULL, "no remedy in '%s'", report->message);
  ck_assert_int_eq(report->profile, INSPECT_PROFILE_NONE);
  inspect_free(report);
}

TEST_GROUP(files, .setup_once = make_folder, .teardown_once = remove_folder);

TEST(missing)
{
  const char *path = path_of("missing.so");
  InspectReport *report = inspect_the_path(path);
  ck_assert_ptr_nonnull(strstr(report->message, path));
  expect(report, INSPECT_UNREADABLE, "No such file or directory");
}

TEST(below_a_file)
{
  expect(inspect_the_path("/dev/null/lib.so"), INSPECT_UNREADABLE, "Not a directory");
}

TEST(empty_path)
{
  expect(inspect_the_path(""), INSPECT_UNREADABLE, "No such file");
}

TEST(directory)
{
  expect(inspect_the_path(folder), INSPECT_UNREADABLE, "a directory");
}

TEST(without_permission)
{
  const char *path = path_of("secret.so");
  int descriptor = open(path, O_WRONLY | O_CREAT, 0);
  ck_assert_int_ge(descriptor, 0);
  close(descriptor);
  ck_assert_int_eq(chmod(folder, 0755), 0);
  uid_t user = geteuid();
  if (user == 0) ck_assert_int_eq(seteuid(65534), 0);  // nothing is forbidden to root
  InspectReport *report = inspect_the_path(path);
  ck_assert_int_eq(seteuid(user), 0);
  unlink(path);
  expect(report, INSPECT_UNREADABLE, "Permission denied");
}

// No one ever writes to it: a reader that waits would be killed by the time limit.
TEST(named_pipe)
{
  const char *path = path_of("pipe.so");
  ck_assert_int_eq(mkfifo(path, 0600), 0);
  InspectReport *report = inspect_the_path(path);
  unlink(path);
  expect(report, INSPECT_UNREADABLE, "a named pipe");
}

TEST(device)
{
  expect(inspect_the_path("/dev/zero"), INSPECT_UNREADABLE, "a character device");
}

TEST(a_socket)
{
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  const char *path = path_of("socket.so");
  ck_assert_uint_lt(strlen(path), sizeof address.sun_path);
  strcpy(address.sun_path, path);
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  ck_assert_int_eq(bind(descriptor, (struct sockaddr *)&address, sizeof address), 0);
  InspectReport *report = inspect_the_path(path);
  close(descriptor);
  unlink(path);
  expect(report, INSPECT_UNREADABLE, "a socket");
}

// One of no driver, which nobody could open: it is told by what it is, and only root can make one.
TEST(block_device)
{
  const char *path = path_of("disk.so");
  if (mknod(path, S_IFBLK | 0600, makedev(4095, 1)) != 0) {
    printf("skipped: %s: this user cannot make a block device\n", path);
    return;
  }
  InspectReport *report = inspect_the_path(path);
  unlink(path);
  expect(report, INSPECT_UNREADABLE, "a block device");
}

// The kernel says that each of its parameters has a page, and gives a few bytes of it: so a file
// looks that somebody cuts short.
TEST(shorter_than_it_says)
{
  static const char path[] = "/sys/devices/system/cpu/possible";
  struct stat status;
  if (stat(path, &status) != 0 || status.st_size < 4096) {
    printf("skipped: %s is not as Linux has it\n", path);
    return;
  }
  expect(inspect_the_path(path), INSPECT_UNREADABLE, "bytes could be read (try again");
}

// Only its size, only its time, to the nanosecond; or it can't be asked any more.
TEST(changes_while_it_is_read, .rows = 5)
{
  static const char *const words[] = {NULL, "changed while", "changed while", "changed while",
                                      "Bad file descriptor"};
  struct timespec times[2] = {{1000, 500}, {1000, 500}};
  struct stat before;
  InspectProblem problem = {0};
  int descriptor = memfd_create("changing", MFD_CLOEXEC);
  ck_assert_int_eq(ftruncate(descriptor, 10), 0);
  ck_assert_int_eq(futimens(descriptor, times), 0);
  ck_assert_int_eq(fstat(descriptor, &before), 0);
  if (_i == 1) ck_assert_int_eq(ftruncate(descriptor, 20), 0);
  times[1].tv_sec += _i == 2;
  times[1].tv_nsec += _i == 3;
  ck_assert_int_eq(futimens(descriptor, times), 0);
  bool unchanged = inspect_read_is_unchanged(&before, _i == 4 ? -1 : descriptor, &problem);
  ck_assert_int_eq(unchanged, _i == 0);
  ck_assert_int_eq(problem.status, _i == 0 ? INSPECT_OK : INSPECT_UNREADABLE);
  if (_i != 0) ck_assert_ptr_nonnull(strstr(problem.text, words[_i]));
  close(descriptor);
}

TEST(too_large)
{
  int descriptor = memfd_create("large", MFD_CLOEXEC);
  ck_assert_int_eq(ftruncate(descriptor, (off_t)(UINT64_C(4) << 30) + 1), 0);
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  expect(inspect_the_path(path), INSPECT_UNREADABLE, "4 GiB");
  close(descriptor);
}

TEST(empty_file)
{
  InspectReport *report = inspect_the_bytes("", 0);
  ck_assert_str_eq(report->sha256,
                   "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  expect(report, INSPECT_NOT_ELF, "empty");
}

static const struct {
  const char *bytes;
  size_t size;
  const char *words;
} contents[] = {
    {"hello, world\n", 13, "is a text file"},
    {"\x7f"
     "EL",
     3, "not an ELF file"},
    {"\0\1\2\3\4\5\6\7", 8, "not an ELF file"},
    {"!<arch>\nand more", 16, "static library"},
    {"/* GNU ld script */\nGROUP ( libx.so.1 )", 38, "linker script"},
    {"INPUT(-lx)", 10, "linker script"},
    {"version https://git-lfs.github.com/spec/v1\n", 43, "git lfs pull"},
    {"PK\3\4rest of it", 14, "wheel"},
    {"MZ\x90\0", 4, "Windows"},
    {"\xcf\xfa\xed\xfe\7\0\0\1", 8, "macOS"},
    {"\0asm\1\0\0\0", 8, "WebAssembly"},
    {"BC\xc0\xde", 4, "bitcode"},
};

TEST(other_content, .rows = ROWS(contents))
{
  expect(inspect_the_bytes(contents[_i].bytes, contents[_i].size), INSPECT_NOT_ELF,
         contents[_i].words);
}

TEST(digest)
{
  InspectReport *report = inspect_the_bytes("abc", 3);
  ck_assert_str_eq(report->sha256,
                   "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  inspect_free(report);
}

// What went wrong must not be cut off, however long the path is.
TEST(long_path)
{
  char path[3001];
  memset(path, 'x', sizeof path - 1);
  memcpy(path, "/start/", 7);
  memcpy(path + sizeof path - 8, "/end.so", 8);
  for (size_t i = 200; i < sizeof path - 100; i += 200) path[i] = '/';
  InspectReport *report = inspect_the_path(path);
  ck_assert_ptr_nonnull(strstr(report->message, "/end.so: "));
  ck_assert_ptr_null(strstr(report->message, "/start/"));
  expect(report, INSPECT_UNREADABLE, "No such file or directory (check the path)");
}

// Cut to its end, a path must not begin with half a character.
TEST(long_path_in_another_script, .rows = 2)
{
  char path[602] = "/";
  if (_i) strcat(path, "x");
  while (strlen(path) < 599) strcat(path, "\xc3\xa9");
  InspectReport *report = inspect_the_path(path);
  ck_assert_int_eq(strncmp(report->message, "...\xc3\xa9", 5), 0);
  inspect_free(report);
}

TEST(control_characters_in_a_path)
{
  InspectReport *report = inspect_the_path("/\033[31mred\nline\177");
  ck_assert_ptr_nonnull(strstr(report->message, "/?[31mred?line?: "));
  expect(report, INSPECT_UNREADABLE, "No such file");
}
