// SPDX-License-Identifier: Apache-2.0
// Runs a program on a kernel that lacks something: system calls fail as they do there.
//
//   without MEANS... -- PROGRAM ARGUMENT...
//
// MEANS is landlock or seccomp (not in the kernel), or user_namespaces or pid_namespaces (forbidden).
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LANDLOCK_CREATE_RULESET = 444 };

#define LOAD(member) \
  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offsetof(struct seccomp_data, member))
#define UNLESS_IS(value, skipped) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)(value), 0, skipped)
#define UNLESS_HAS(bits, skipped) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (unsigned)(bits), 0, skipped)
#define FAIL(error) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error))

static const struct {
  const char *name;
  struct sock_filter steps[6];
  unsigned count;
} means[] = {
    {"landlock", {LOAD(nr), UNLESS_IS(LANDLOCK_CREATE_RULESET, 1), FAIL(ENOSYS)}, 3},
    {"seccomp", {LOAD(nr), UNLESS_IS(SYS_seccomp, 1), FAIL(ENOSYS)}, 3},
    {"user_namespaces",
     {LOAD(nr), UNLESS_IS(SYS_clone, 3), LOAD(args[0]), UNLESS_HAS(CLONE_NEWUSER, 1), FAIL(EPERM)},
     5},
    {"pid_namespaces",
     {LOAD(nr), UNLESS_IS(SYS_clone, 3), LOAD(args[0]), UNLESS_HAS(CLONE_NEWPID, 1), FAIL(EPERM)},
     5},
};

static int lose(const char *name)
{
  int lost = 0;
  for (size_t i = 0; i < sizeof means / sizeof means[0]; ++i) {
    struct sock_filter steps[7];
    struct sock_fprog program = {.len = (unsigned short)(means[i].count + 1), .filter = steps};
    if (strcmp(means[i].name, name) != 0) continue;
    memcpy(steps, means[i].steps, sizeof means[i].steps);
    steps[means[i].count] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) != 0) return 0;
    ++lost;
  }
  return lost;
}

int main(int count, char **words)
{
  int at = 1;
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  for (; at < count && strcmp(words[at], "--") != 0; ++at) {
    if (lose(words[at])) continue;
    fprintf(stderr, "without: cannot simulate the lack of %s here\n", words[at]);
    return 77;
  }
  if (at + 1 < count) execvp(words[at + 1], words + at + 1);
  return 127;
}
