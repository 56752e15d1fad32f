// SPDX-License-Identifier: Apache-2.0
#include "sandbox/namespaces.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/capabilities.h"
#include "sandbox/kernel_file.h"

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_close_range
#define SYS_close_range 436
#endif

enum { STACK_SIZE = 64 << 10, MAP_MAX = 4096, PATH_SIZE = 64, LARGE = 1 << 20 };

static int flags_of(const Namespaces *wanted)
{
  return (wanted->users ? CLONE_NEWUSER : 0) | (wanted->processes ? CLONE_NEWPID : 0);
}

// A child that tried what can be had here, and goes on to end what it got.
static pid_t tried;

static void wait_for(pid_t child)
{
  while (waitpid(child, NULL, __WALL) < 0 && errno == EINTR) continue;
}

void namespaces_end_trial(void)
{
  if (tried > 0) wait_for(tried);
  tried = 0;
}

// --- The keeper ----------------------------------------------------------------------------------

#ifdef WATCHED
// A sanitizer has memory of its own, and needs it.
static void give_back_memory(void)
{
}
#else
// Gives back what of our memory is of a size: it is a copy of that of the process that started us,
// which would have to copy what it changes as long as we have it.
static void give_back_memory(void)
{
  static char line[256];
  FILE *maps = fopen("/proc/self/maps", "re");
  static uintptr_t starts[MAP_MAX], ends[MAP_MAX];
  size_t count = 0;
  while (maps && count < MAP_MAX && fgets(line, sizeof line, maps)) {
    unsigned long start, end, inode;
    char rights[8];
    if (sscanf(line, "%lx-%lx %7s %*x %*s %lu", &start, &end, rights, &inode) != 4) continue;
    if (inode || rights[1] != 'w' || rights[3] != 'p' || end - start < LARGE) continue;
    // (What we stand on lies beside our variables, or those of this thread.)
    const uintptr_t ours[] = {(uintptr_t)line, (uintptr_t)&errno};
    if ((start <= ours[0] && ours[0] < end) || (start <= ours[1] && ours[1] < end)) continue;
    starts[count] = start;
    ends[count++] = end;
  }
  for (size_t i = 0; i < count; ++i) munmap((void *)starts[i], ends[i] - starts[i]);
}
#endif

typedef struct KeeperStart {
  int channel, others;  // the two ends
} KeeperStart;

// Until somebody has joined, the kernel has to let others look at it; from then on nobody may: it
// has the environment of the process that started it.
ON_OTHER_STACK static int keep(void *argument)
{
  const KeeperStart *start = argument;
  char byte = 0;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  close(start->others);
  setpgid(0, 0);
  signal(SIGCHLD, SIG_IGN);  // nobody asks how those ended that are left to us
  if (read(start->channel, &byte, 1) != 1) _exit(0);
  prctl(PR_SET_DUMPABLE, 0);
  capabilities_drop(false);
  if (write(start->channel, &byte, 1) != 1) _exit(0);
  syscall(SYS_close_range, 0, UINT_MAX, 0);
  give_back_memory();
  for (;;) pause();
}

// --- Opening -------------------------------------------------------------------------------------

// The ids of our namespace, each as itself.
static bool same_ids(const char *kind, char *text, size_t size)
{
  char path[PATH_SIZE];
  size_t used = 0;
  unsigned inside, outside, count;
  snprintf(path, sizeof path, "/proc/self/%s_map", kind);
  FILE *ours = fopen(path, "re");
  while (ours && used < size && fscanf(ours, "%u %u %u", &inside, &outside, &count) == 3)
    used += (size_t)snprintf(text + used, size - used, "%u %u %u\n", inside, inside, count);
  if (ours) fclose(ours);
  return used > 0 && used < size;
}

// All ids that we have, or, who has no right to that, the own one.
static bool map_ids(pid_t keeper, const char *kind, unsigned own)
{
  char path[PATH_SIZE], text[1024];
  snprintf(path, sizeof path, "/proc/%d/%s_map", (int)keeper, kind);
  if (same_ids(kind, text, sizeof text) && kernel_file_put(path, text)) return true;
  if (strcmp(kind, "gid") == 0) {
    char groups[PATH_SIZE];
    snprintf(groups, sizeof groups, "/proc/%d/setgroups", (int)keeper);
    kernel_file_put(groups, "deny");
  }
  snprintf(text, sizeof text, "%u %u 1\n", own, own);
  return kernel_file_put(path, text);
}

int namespaces_open(Namespaces *wanted)
{
  // (The stack of a copy of this process: only the copy uses it.)
  static char stack[STACK_SIZE] __attribute__((aligned(64)));
  int ends[2];
  wanted->keeper = 0;
  wanted->channel = -1;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return errno;
  KeeperStart start = {ends[1], ends[0]};
  pid_t keeper = clone(keep, stack + sizeof stack, flags_of(wanted) | SIGCHLD, &start);
  int problem = keeper < 0 ? errno : 0;
  close(ends[1]);
  wanted->channel = ends[0];
  if (keeper > 0) wanted->keeper = keeper;
  if (!problem && wanted->users &&
      !(map_ids(keeper, "uid", geteuid()) && map_ids(keeper, "gid", getegid())))
    problem = errno;
  if (problem) namespaces_close(wanted);
  return problem;
}

void namespaces_close(Namespaces *open)
{
  if (open->channel >= 0) close(open->channel);
  if (open->keeper > 0) {
    kill(open->keeper, SIGKILL);
    wait_for(open->keeper);
  }
  open->keeper = 0;
  open->channel = -1;
}

// --- Joining -------------------------------------------------------------------------------------

int namespaces_join(const Namespaces *open)
{
  char byte = 0;
  int keeper = (int)syscall(SYS_pidfd_open, open->keeper, 0);
  if (keeper < 0) return errno;
  int problem = setns(keeper, flags_of(open)) == 0 ? 0 : errno;
  close(keeper);
  if (problem) return problem;
  if (write(open->channel, &byte, 1) != 1 || read(open->channel, &byte, 1) != 1) return ESRCH;
  return 0;
}

static bool is_linux(unsigned major, unsigned minor)
{
  struct utsname system;
  unsigned here[2];
  if (uname(&system) != 0 || sscanf(system.release, "%u.%u", &here[0], &here[1]) != 2) return false;
  return here[0] > major || (here[0] == major && here[1] >= minor);
}

// Since Linux 6.14 each namespace has a bound of its own; before, there is one for the whole machine,
// which is not ours to change. Since 5.14 the limit of a user's processes is for each namespace of
// users by itself; it does not hold for root.
static bool bound_processes(const Namespaces *open)
{
  char most[24];
  const struct rlimit limit = {NAMESPACE_TASKS_MAX, NAMESPACE_TASKS_MAX};
  snprintf(most, sizeof most, "%d", (int)NAMESPACE_TASKS_MAX);
  if (is_linux(6, 14)) return kernel_file_put("/proc/sys/kernel/pid_max", most);
  return open->users && geteuid() != 0 && is_linux(5, 14) && setrlimit(RLIMIT_NPROC, &limit) == 0;
}

// In a namespace of mounts of our own.
static int take_proc(void)
{
  if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) return errno;
  if (mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) != 0) return errno;
  return 0;
}

int namespaces_settle(const Namespaces *open, bool *bounded)
{
  *bounded = false;
  if (!open->processes) return 0;
  int problem = unshare(CLONE_NEWNS) == 0 ? take_proc() : errno;
  if (problem) return problem;
  *bounded = bound_processes(open);
  return 0;
}

int namespaces_mount(const char *folder, unsigned mebibytes)
{
  char options[64];
  snprintf(options, sizeof options, "size=%um,nr_inodes=65536,mode=0700", mebibytes);
  return mount("tmpfs", folder, "tmpfs", MS_NOSUID | MS_NODEV, options) == 0 ? 0 : errno;
}

unsigned namespaces_room(void)
{
  enum { MOST = 1024, SHARE = 16 };
  struct sysinfo machine;
  if (sysinfo(&machine) != 0) return MOST;
  uint64_t share = (uint64_t)machine.totalram * machine.mem_unit / SHARE >> 20;
  return share < MOST ? (unsigned)share : MOST;
}

pid_t namespaces_spawn(int (*function)(void *), void *argument)
{
  static char stack[16 * STACK_SIZE] __attribute__((aligned(64)));
  return clone(function, stack + sizeof stack, CLONE_PARENT | CLONE_VM | CLONE_VFORK | SIGCHLD,
               argument);
}

// --- Trying --------------------------------------------------------------------------------------

typedef struct Trial {
  bool processes;
  int problem;
} Trial;

ON_OTHER_STACK static int try_to_settle(void *argument)
{
  Trial *trial = argument;
  trial->problem = trial->processes ? take_proc() : 0;
  _exit(0);
}

int namespaces_probe(bool users, bool processes)
{
  // (With our memory, while we wait: so it takes the least time. Without a signal at its end: so who
  // waits for any child, or looks for children that others left, does not come upon it.)
  static char stack[STACK_SIZE] __attribute__((aligned(64)));
  Trial trial = {processes, EAGAIN};
  int flags = flags_of(&(Namespaces){.users = users, .processes = processes}) |
              (processes ? CLONE_NEWNS : 0) | CLONE_VM | CLONE_VFORK;
  namespaces_end_trial();
  pid_t child = clone(try_to_settle, stack + sizeof stack, flags, &trial);
  if (child < 0) return errno;
  if (trial.problem)
    wait_for(child);
  else
    tried = child;
  return trial.problem;
}
