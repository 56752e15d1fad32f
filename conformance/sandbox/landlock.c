// SPDX-License-Identifier: Apache-2.0
#include "sandbox/landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// The kernel's interface, as in linux/landlock.h of Linux 6.12. The header of Debian 12 ends with
// the second version, and systems that the program is built on may have none; the numbers are the
// same on all machines that Linux is built for today.
enum {
  CREATE_RULESET = 444,
  ADD_RULE = 445,
  RESTRICT_SELF = 446,
  FLAG_VERSION = 1,
  RULE_PATH_BENEATH = 1,
};
enum {
  FS_EXECUTE = 1 << 0,
  FS_WRITE_FILE = 1 << 1,
  FS_READ_FILE = 1 << 2,
  FS_READ_DIR = 1 << 3,
  FS_REMOVE_DIR = 1 << 4,
  FS_REMOVE_FILE = 1 << 5,
  FS_MAKE_CHAR = 1 << 6,
  FS_MAKE_DIR = 1 << 7,
  FS_MAKE_REG = 1 << 8,
  FS_MAKE_SOCK = 1 << 9,
  FS_MAKE_FIFO = 1 << 10,
  FS_MAKE_BLOCK = 1 << 11,
  FS_MAKE_SYM = 1 << 12,
  FS_REFER = 1 << 13,      // version 2
  FS_TRUNCATE = 1 << 14,   // version 3
  FS_IOCTL_DEV = 1 << 15,  // version 5
};
enum { NET_BIND_TCP = 1 << 0, NET_CONNECT_TCP = 1 << 1 };      // version 4
enum { SCOPE_ABSTRACT_UNIX = 1 << 0, SCOPE_SIGNAL = 1 << 1 };  // version 6

typedef struct Ruleset {
  uint64_t fs, net, scope;
} Ruleset;

// (The kernel's has no padding.)
typedef struct __attribute__((packed)) PathRule {
  uint64_t allowed;
  int32_t parent;
} PathRule;

static const uint64_t first_fs = (FS_MAKE_SYM << 1) - 1;
static const uint64_t of_files =
    FS_EXECUTE | FS_WRITE_FILE | FS_READ_FILE | FS_TRUNCATE | FS_IOCTL_DEV;
static const uint64_t to_change = FS_REMOVE_DIR | FS_REMOVE_FILE | FS_MAKE_DIR | FS_MAKE_REG |
                                  FS_MAKE_SOCK | FS_MAKE_FIFO | FS_MAKE_SYM | FS_REFER;

int landlock_version(void)
{
  long version = syscall(CREATE_RULESET, NULL, (size_t)0, FLAG_VERSION);
  return version > 0 ? (int)version : 0;
}

static Ruleset handled(int version)
{
  Ruleset all = {.fs = first_fs};
  if (version >= 2) all.fs |= FS_REFER;
  if (version >= 3) all.fs |= FS_TRUNCATE;
  if (version >= 4) all.net = NET_BIND_TCP | NET_CONNECT_TCP;
  if (version >= 5) all.fs |= FS_IOCTL_DEV;
  if (version >= 6) all.scope = SCOPE_ABSTRACT_UNIX | SCOPE_SIGNAL;
  return all;
}

// Older kernels take shorter structs.
static size_t ruleset_size(int version)
{
  return version >= 6   ? sizeof(Ruleset)
         : version >= 4 ? offsetof(Ruleset, scope)
                        : offsetof(Ruleset, net);
}

static uint64_t access_of(unsigned rights)
{
  uint64_t access = 0;
  if (rights & SANDBOX_READ) access |= FS_READ_FILE | FS_READ_DIR;
  if (rights & SANDBOX_EXECUTE) access |= FS_EXECUTE;
  if (rights & SANDBOX_WRITE) access |= FS_WRITE_FILE | FS_TRUNCATE;
  if (rights & SANDBOX_CHANGE) access |= to_change;
  if (rights & SANDBOX_DEVICE) access |= FS_IOCTL_DEV;
  return access;
}

// What is not there, or can't be reached, is not given.
static int allow(int ruleset, const SandboxPath *path, uint64_t known)
{
  struct stat status;
  int file = open(path->path, O_PATH | O_CLOEXEC);
  if (file < 0) return 0;
  PathRule rule = {access_of(path->rights) & known, file};
  if (fstat(file, &status) == 0 && !S_ISDIR(status.st_mode)) rule.allowed &= of_files;
  int problem = syscall(ADD_RULE, ruleset, RULE_PATH_BENEATH, &rule, 0) == 0 ? 0 : errno;
  close(file);
  return problem;
}

int landlock_restrict(const SandboxPolicy *policy, int version)
{
  Ruleset all = handled(version);
  int ruleset = (int)syscall(CREATE_RULESET, &all, ruleset_size(version), 0), problem = 0;
  if (ruleset < 0) return errno;
  for (size_t i = 0; i < policy->path_count && !problem; ++i)
    problem = allow(ruleset, &policy->paths[i], all.fs);
  if (!problem && syscall(RESTRICT_SELF, ruleset, 0) != 0) problem = errno;
  close(ruleset);
  return problem;
}
