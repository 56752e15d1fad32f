// SPDX-License-Identifier: Apache-2.0
// The open() that the worker puts before the C library's: this program is linked with it, too.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit/unit.h"

typedef int OpenFunction(const char *path, int flags, ...);

// As the dynamic linker resolves the name for a library that is loaded later.
static OpenFunction *open_of_a_library(const char *name)
{
  void *address = dlsym(RTLD_DEFAULT, name);
  OpenFunction *function = NULL;
  ck_assert_ptr_nonnull(address);
  __builtin_memcpy(&function, &address, sizeof address);
  return function;
}

static const char *const names[] = {"open", "open64"};

TEST(debug_folder_is_not_there, .rows = 2)
{
  OpenFunction *opened = open_of_a_library(names[_i]);
  errno = 0;
  ck_assert_int_eq(opened("/usr/lib/debug/", O_RDONLY | O_DIRECTORY), -1);
  ck_assert_int_eq(errno, ENOENT);
  // Its neighbour is no part of it; that it is missing here is the kernel's word.
  int root = opened("/usr/lib", O_RDONLY | O_DIRECTORY);
  ck_assert_int_ge(root, 0);
  close(root);
}

TEST(other_files_are_opened_with_their_mode, .rows = 2)
{
  OpenFunction *opened = open_of_a_library(names[_i]);
  char folder[] = "/tmp/debug-files-XXXXXX", path[64];
  struct stat seen;
  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/made", folder);
  umask(0);
  int file = opened(path, O_CREAT | O_EXCL | O_RDWR, 0640);
  ck_assert_int_ge(file, 0);
  ck_assert_int_eq(write(file, "four", 4), 4);
  ck_assert_int_eq(fstat(file, &seen), 0);
  ck_assert_int_eq(seen.st_mode & 0777, 0640);
  close(file);
  ck_assert_int_eq(opened(path, O_CREAT | O_EXCL | O_RDWR, 0640), -1);
  ck_assert_int_eq(errno, EEXIST);
  unlink(path);
  rmdir(folder);
}

TEST(null_is_the_kernels_business, .rows = 2)
{
  errno = 0;
  ck_assert_int_eq(open_of_a_library(names[_i])(NULL, O_RDONLY), -1);
  ck_assert_int_eq(errno, EFAULT);
}
