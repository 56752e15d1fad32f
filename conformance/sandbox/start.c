// SPDX-License-Identifier: Apache-2.0
// Starts a program in the sandbox: a child confines itself, and then becomes the program. So it
// does not matter what the program is: a worker for another machine is run by an emulator that knows
// nothing of all this.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/capabilities.h"
#include "sandbox/landlock.h"
#include "sandbox/limits.h"
#include "sandbox/namespaces.h"
#include "sandbox/sandbox.h"
#include "sandbox/seccomp.h"

#ifndef CLOSE_RANGE_CLOEXEC
#define CLOSE_RANGE_CLOEXEC 4
#endif
#ifndef SYS_close_range
#define SYS_close_range 436
#endif

// Of files, where the kernel does not close a range of them; and above those of any program.
enum { OPEN_MAX_HERE = 1024, ABOVE_ALL = 32 };

// What the child has to say, in memory that it shares with us until it becomes the program.
typedef struct Word {
  SandboxState state;
  int error;       // why it did not become the program
  bool unsettled;  // it could not get what its namespaces need
  pid_t born;      // who is to become the program in the place of the child; 0: the child itself
} Word;

// --- Descriptors ---------------------------------------------------------------------------------

// Lets all descriptors from `first` on close when the program starts.
static void close_later(unsigned first)
{
  if (syscall(SYS_close_range, first, UINT_MAX, CLOSE_RANGE_CLOEXEC) == 0) return;
  DIR *all = opendir("/proc/self/fd");
  for (struct dirent *entry; all && (entry = readdir(all));) {
    int file = atoi(entry->d_name);
    if (entry->d_name[0] != '.' && file >= (int)first) fcntl(file, F_SETFD, FD_CLOEXEC);
  }
  if (all) closedir(all);
}

static bool is_given(const SandboxProgram *program, int file)
{
  for (size_t i = 0; i < program->descriptor_count; ++i)
    if (program->descriptors[i].theirs == file) return true;
  return false;
}

static int take_descriptors(const SandboxProgram *program, bool only_these)
{
  int last = STDERR_FILENO;
  for (size_t i = 0; i < program->descriptor_count; ++i) {
    const SandboxDescriptor *given = &program->descriptors[i];
    if (given->theirs > last) last = given->theirs;
    if (given->ours == given->theirs)
      fcntl(given->ours, F_SETFD, 0);
    else if (dup2(given->ours, given->theirs) < 0)
      return errno;
  }
  if (!only_these) return 0;
  for (int file = 0; file <= last; ++file)
    if (!is_given(program, file)) fcntl(file, F_SETFD, FD_CLOEXEC);
  close_later((unsigned)last + 1);
  return 0;
}

// --- Confinement ---------------------------------------------------------------------------------

static void take_result(SandboxForce *force, int problem)
{
  if (!problem) return;
  force->in_force = false;
  snprintf(force->why, sizeof force->why, "%s", strerror(problem));
}

// Confines this process, and notes in `state`, where the forecast stands, what became of it.
static void confine(const Sandbox *sandbox, SandboxState *state)
{
  SandboxForce *means = state->means;
  const SandboxForce *landlock = &means[SANDBOX_LANDLOCK];
  take_result(&means[SANDBOX_LIMITS], limits_set());
  take_result(&means[SANDBOX_CAPABILITIES], capabilities_drop(landlock->in_force));
  if (landlock->in_force)
    take_result(&means[SANDBOX_LANDLOCK], landlock_restrict(&sandbox->policy, landlock->level));
  if (sandbox->filter)
    take_result(&means[SANDBOX_SECCOMP],
                seccomp_program_load(sandbox->filter, sandbox->filter_size));
}

static bool keeps_all(const SandboxState *state)
{
  bool all = true;
  for (unsigned i = 0; i < SANDBOX_PROMISE_COUNT; ++i)
    all &= sandbox_state_keeps(state, (SandboxPromise)i);
  return all;
}

// --- The program ---------------------------------------------------------------------------------

// Returns an errno, if at all.
static int become(const Sandbox *sandbox, const SandboxProgram *program, SandboxState *state)
{
  const char *folder = sandbox && sandbox->folder[0] ? sandbox->folder : NULL;
  char **environment =
      policy_environment((const char *const *)environ, program->environment, folder);
  if (!environment) return ENOMEM;
  int problem = take_descriptors(program, sandbox != NULL);
  if (problem) return problem;
  if (sandbox) confine(sandbox, state);
  if (sandbox && sandbox->mode == SANDBOX_ON && !keeps_all(state)) return EPERM;
  // The words are looked for along our PATH, which is the program's, too.
  char *const *words = (char *const *)(uintptr_t)program->words;
  execvpe(words[0], words, environment);
  return errno;
}

// What the child is told.
typedef struct Start {
  const Sandbox *sandbox;
  const SandboxProgram *program;
  Namespaces namespaces;
  Word *word;
} Start;

ON_OTHER_STACK static _Noreturn void be_program(const Start *start)
{
  const Sandbox *sandbox = start->sandbox;
  // A session of its own has no terminal. Where Landlock keeps the terminal away it stays in ours: the
  // kernel gives each session a share of the processors, which makes every case slower.
  bool leaves = sandbox && !sandbox->state.means[SANDBOX_LANDLOCK].in_force;
  if (start->program->apart && (!leaves || setsid() < 0)) setpgid(0, 0);
  start->word->error = become(sandbox, start->program, &start->word->state);
  _exit(127);
}

// What the program writes into its private directory is in memory, and bounded.
static void take_room(const Sandbox *sandbox, SandboxForce *room)
{
  unsigned mebibytes = namespaces_room();
  snprintf(room->why, sizeof room->why, "%u MiB", mebibytes);
  take_result(room, namespaces_mount(sandbox->folder, mebibytes));
}

// In the namespaces.
ON_OTHER_STACK static int be_born(void *argument)
{
  const Start *start = argument;
  SandboxForce *processes = &start->word->state.means[SANDBOX_PROCESSES];
  SandboxForce *room = &start->word->state.means[SANDBOX_ROOM];
  bool bounded;
  int problem = namespaces_settle(&start->namespaces, &bounded);
  if (problem) {
    start->word->unsettled = true;
    start->word->error = problem;
    _exit(127);
  }
  if (room->in_force) take_room(start->sandbox, room);
  if (bounded) snprintf(processes->why, sizeof processes->why, "%d processes", NAMESPACE_TASKS_MAX);
  be_program(start);
}

static _Noreturn void be_child(Start *start)
{
  SandboxForce *means = start->word->state.means;
  if (means[SANDBOX_CGROUP].in_force)
    take_result(&means[SANDBOX_CGROUP], cgroup_join(&start->sandbox->group));
  int problem = start->namespaces.keeper ? namespaces_join(&start->namespaces) : 0;
  if (problem || !start->namespaces.processes) {
    if (start->namespaces.users) take_result(&means[SANDBOX_USERS], problem);
    if (start->namespaces.processes) take_result(&means[SANDBOX_PROCESSES], problem);
    if (start->namespaces.processes) take_result(&means[SANDBOX_ROOM], problem);
    be_program(start);
  }
  pid_t born = namespaces_spawn(be_born, start);
  start->word->born = born;
  if (born < 0) start->word->error = errno;
  _exit(0);
}

static void wait_for(pid_t child)
{
  while (waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
}

// Waits until the program has begun, which closes the pipe, or could not.
static int wait_until_begun(int pipe, SandboxProcess *process, const Word *word)
{
  char byte;
  while (read(pipe, &byte, 1) < 0 && errno == EINTR) continue;
  if (word->born) {
    wait_for(process->id);
    process->id = word->born;
  }
  if (word->error && process->id > 0) wait_for(process->id);
  return word->error;
}

bool sandbox_enter(Sandbox *sandbox, int last)
{
  if (syscall(SYS_close_range, last + 1, UINT_MAX, 0) != 0)
    for (int file = last + 1; file < OPEN_MAX_HERE; ++file) close(file);
  confine(sandbox, &sandbox->state);
  sandbox->started = true;
  return sandbox->mode != SANDBOX_ON || keeps_all(&sandbox->state);
}

// What is in force for the second of two programs and was not for the first is not in force.
static void take_state(Sandbox *sandbox, const SandboxState *state)
{
  for (unsigned i = 0; i < SANDBOX_MEANS_COUNT; ++i)
    if (!sandbox->started || !state->means[i].in_force) sandbox->state.means[i] = state->means[i];
  sandbox->started = true;
}

static bool is_off(const Sandbox *sandbox)
{
  return !sandbox || !sandbox->maker || sandbox->mode == SANDBOX_OFF;
}

// Those that the forecast says can be had.
static void open_namespaces(Start *start)
{
  SandboxForce *means = start->word->state.means;
  Namespaces *namespaces = &start->namespaces;
  namespaces->users = means[SANDBOX_USERS].in_force;
  namespaces->processes = means[SANDBOX_PROCESSES].in_force;
  if (!namespaces->users && !namespaces->processes) return;
  int problem = namespaces_open(namespaces);
  if (namespaces->users) take_result(&means[SANDBOX_USERS], problem);
  if (namespaces->processes) take_result(&means[SANDBOX_PROCESSES], problem);
  take_result(&means[SANDBOX_ROOM], problem);
  if (problem) *namespaces = (Namespaces){.channel = -1};
}

static int start_child(Start *start, SandboxProcess *process)
{
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return errno;
  // Out of the way of the descriptors that the program gets, which would close it too early.
  int end = fcntl(ends[1], F_DUPFD_CLOEXEC, ABOVE_ALL);
  close(ends[1]);
  process->id = end < 0 ? -1 : fork();
  int problem = process->id < 0 ? errno : 0;
  if (process->id == 0) be_child(start);
  if (end >= 0) close(end);
  if (!problem) problem = wait_until_begun(ends[0], process, start->word);
  close(ends[0]);
  return problem;
}

int sandbox_start(Sandbox *sandbox, const SandboxProgram *program, SandboxProcess *process)
{
  *process = (SandboxProcess){0};
  if (is_off(sandbox)) sandbox = NULL;
  if (sandbox && sandbox->policy.lacks) return ENOMEM;
  Word *word = mmap(NULL, sizeof *word, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (word == MAP_FAILED) return errno;
  if (sandbox) word->state = sandbox->state;
  Start start = {sandbox, program, {.channel = -1}, word};
  if (sandbox) open_namespaces(&start);
  int problem = start_child(&start, process);
  if (problem && (word->born < 0 || word->unsettled) && sandbox->mode != SANDBOX_ON) {
    // Without them, then.
    namespaces_close(&start.namespaces);
    take_result(&word->state.means[SANDBOX_PROCESSES], problem);
    take_result(&word->state.means[SANDBOX_USERS], problem);
    take_result(&word->state.means[SANDBOX_ROOM], problem);
    start.namespaces = (Namespaces){.channel = -1};
    word->unsettled = false;
    word->born = 0;
    word->error = 0;
    problem = start_child(&start, process);
  }
  if (problem)
    namespaces_close(&start.namespaces);
  else if (start.namespaces.channel >= 0)
    close(start.namespaces.channel);
  process->keeper = start.namespaces.keeper;
  namespaces_end_trial();  // which ended while the program began
  if (!problem && sandbox) take_state(sandbox, &word->state);
  munmap(word, sizeof *word);
  return problem;
}

void sandbox_end(SandboxProcess *process)
{
  Namespaces left = {.keeper = process->keeper, .channel = -1};
  namespaces_close(&left);
  process->keeper = 0;
}
