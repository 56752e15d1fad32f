// SPDX-License-Identifier: Apache-2.0
// Whether the kernel keeps the limits of a control group: where the group of this program was handed
// over to it, as `systemd-run --user --scope -p Delegate=yes` does. Elsewhere the exit code is 77,
// which CTest takes as skipped, and the reason is printed.
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/cgroup.h"
#include "sandbox/kernel_file.h"

enum { SKIPPED = 77, MEBIBYTE = 1 << 20, MEMORY = 64 * MEBIBYTE, TASKS = 8, PATH_SIZE = 700 };

static Cgroup group;
static int failures;

__attribute__((format(printf, 2, 3))) static void expect(bool holds, const char *format, ...)
{
  va_list rest;
  if (holds) return;
  ++failures;
  va_start(rest, format);
  fputs("FAILED: ", stderr);
  vfprintf(stderr, format, rest);
  fputc('\n', stderr);
  va_end(rest);
}

// Runs `act` in a process of the group; returns its wait status.
static int run_in_group(int (*act)(void))
{
  int status = 0;
  pid_t child = fork();
  if (child == 0) _exit(cgroup_join(&group) == 0 ? act() : 99);
  if (child < 0 || waitpid(child, &status, 0) != child) return -1;
  return status;
}

// --- Memory --------------------------------------------------------------------------------------

static int take_memory(size_t size)
{
  char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 1;
  for (size_t at = 0; at < size; at += 4096) ((volatile char *)memory)[at] = 1;
  return 0;
}

static int take_too_much(void)
{
  return take_memory(4 * (size_t)MEMORY);
}

static int take_some(void)
{
  return take_memory(MEMORY / 2);
}

// --- Processes -----------------------------------------------------------------------------------

// Returns how many were started, of which each waits for its end; 100 if they were refused for
// another reason than their number.
static int start_processes(void)
{
  for (int count = 0; count < 4 * TASKS; ++count) {
    pid_t child = fork();
    if (child < 0) return errno == EAGAIN ? count : 100;
    if (child == 0)
      for (;;) pause();
  }
  return 4 * TASKS;
}

static void limit_processes(void)
{
  char path[PATH_SIZE], number[24];
  snprintf(path, sizeof path, "%s/pids.max", group.workers);
  snprintf(number, sizeof number, "%d", (int)TASKS);
  expect(kernel_file_put(path, number), "%s: %s", path, strerror(errno));
}

// --- The group -----------------------------------------------------------------------------------

// Returns a process that waits in the group.
static pid_t leave_one_behind(void)
{
  int ends[2];
  char byte;
  pid_t child = pipe(ends) == 0 ? fork() : -1;
  if (child == 0) {
    if (cgroup_join(&group) != 0 || write(ends[1], "", 1) != 1) _exit(1);
    for (;;) pause();
  }
  expect(child > 0 && read(ends[0], &byte, 1) == 1, "no process was left in the group");
  return child;
}

static void check_end(const char *own)
{
  char workers[CGROUP_PATH_MAX], again[CGROUP_PATH_MAX] = "", why[CGROUP_WHY_MAX];
  int status = 0;
  pid_t left = leave_one_behind();
  snprintf(workers, sizeof workers, "%s", group.workers);
  cgroup_close(&group);
  expect(waitpid(left, &status, 0) == left && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL,
         "what was left in the group has not been killed: wait status %d", status);
  expect(access(workers, F_OK) != 0, "%s is still there", workers);
  expect(cgroup_find(again, why) && strcmp(own, again) == 0, "this process is in %s, not in %s",
         again, own);
}

int main(void)
{
  char own[CGROUP_PATH_MAX], why[CGROUP_WHY_MAX];
  if (!cgroup_find(own, why) || !cgroup_open(&group, own, MEMORY, why)) {
    printf("skipped: control groups of version 2: %s\n", why);
    return SKIPPED;
  }
  int some = run_in_group(take_some), much = run_in_group(take_too_much);
  expect(some == 0, "a process with half of the memory allowed: wait status %d", some);
  expect(WIFSIGNALED(much) && WTERMSIG(much) == SIGKILL,
         "a process with four times the memory allowed: wait status %d", much);
  limit_processes();
  int many = run_in_group(start_processes);
  // The one that starts them counts.
  expect(WIFEXITED(many) && WEXITSTATUS(many) == TASKS - 1,
         "of %d processes allowed, wait status %d", TASKS - 1, many);
  check_end(own);
  if (failures == 0) printf("the kernel keeps the limits of %s\n", own);
  return failures != 0;
}
