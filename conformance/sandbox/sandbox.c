// SPDX-License-Identifier: Apache-2.0
#include "sandbox/sandbox.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "sandbox/landlock.h"
#include "sandbox/namespaces.h"
#include "sandbox/seccomp.h"

// --- The private directory -----------------------------------------------------------------------

// Without following links, and no deeper than any library has a use for: what it made is a
// stranger's.
static void empty_folder(int parent, const char *name, unsigned depth)
{
  int file = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  DIR *folder = file < 0 ? NULL : fdopendir(file);
  if (!folder) {
    if (file >= 0) close(file);
    return;
  }
  fchmod(file, 0700);
  for (struct dirent *entry; (entry = readdir(folder));) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    if (unlinkat(file, entry->d_name, 0) == 0 || depth == 0) continue;
    empty_folder(file, entry->d_name, depth - 1);
    unlinkat(file, entry->d_name, AT_REMOVEDIR);
  }
  closedir(folder);
}

static bool make_folder(Sandbox *sandbox, char *error, size_t error_size)
{
  const char *temporary = getenv("TMPDIR");
  int length = snprintf(sandbox->folder, sizeof sandbox->folder, "%s/tvmffi-conform-XXXXXX",
                        temporary && *temporary == '/' ? temporary : "/tmp");
  bool good = length < (int)sizeof sandbox->folder && mkdtemp(sandbox->folder);
  if (!good) {
    snprintf(error, error_size, "cannot make a private directory for the sandbox: %s: %s",
             sandbox->folder, strerror(errno));
    sandbox->folder[0] = '\0';
  }
  return good;
}

// --- Opening and closing -------------------------------------------------------------------------

bool sandbox_open(Sandbox *sandbox, SandboxMode mode, char *error, size_t error_size)
{
  *sandbox = (Sandbox){.mode = mode, .maker = getpid()};
  if (mode == SANDBOX_OFF) return true;
  if (!make_folder(sandbox, error, error_size)) return false;
  policy_add_system(&sandbox->policy);
  policy_add_path(&sandbox->policy, sandbox->folder,
                  SANDBOX_READ | SANDBOX_EXECUTE | SANDBOX_WRITE | SANDBOX_CHANGE);
  return true;
}

void sandbox_open_reader(Sandbox *sandbox, SandboxMode mode)
{
  *sandbox = (Sandbox){.mode = mode, .maker = getpid(), .reads = true};
}

void sandbox_free(Sandbox *sandbox)
{
  enum { DEEPEST = 64 };
  if (sandbox->folder[0] && sandbox->maker == getpid()) {
    empty_folder(AT_FDCWD, sandbox->folder, DEEPEST);
    rmdir(sandbox->folder);
  }
  if (sandbox->group.workers[0] && sandbox->maker == getpid()) cgroup_close(&sandbox->group);
  policy_free(&sandbox->policy);
  free(sandbox->filter);
  *sandbox = (Sandbox){.mode = SANDBOX_OFF};
}

// --- What there is -------------------------------------------------------------------------------

__attribute__((format(printf, 3, 4))) static void note(SandboxForce *force, bool in_force,
                                                       const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  force->in_force = in_force;
  vsnprintf(force->why, sizeof force->why, format, arguments);
  va_end(arguments);
}

static void probe_landlock(SandboxForce *force)
{
  force->level = landlock_version();
  if (force->level)
    note(force, true, "ABI %d", (int)force->level);
  else
    note(force, false, "%s",
         errno == ENOSYS       ? "not in this kernel"
         : errno == EOPNOTSUPP ? "turned off in this kernel"
                               : strerror(errno));
}

static void probe_seccomp(Sandbox *sandbox)
{
  SandboxForce *force = &sandbox->state.means[SANDBOX_SECCOMP];
  int landlock = sandbox->state.means[SANDBOX_LANDLOCK].level;
  const char *why = "";
  SeccompDuties duties = {.sockets = !sandbox->policy.device,
                          .attributes = true,
                          .truncation = landlock < 3,
                          .memory = landlock < 1,
                          .signals = landlock < LANDLOCK_VERSION_OF_SCOPES &&
                                     !sandbox->state.means[SANDBOX_PROCESSES].in_force,
                          .scheduling = !sandbox->state.means[SANDBOX_PROCESSES].in_force,
                          .runner = getpid(),
                          .parent = getppid()};
  int problem = seccomp_offered();
  free(sandbox->filter);
  sandbox->filter = problem ? NULL : seccomp_program_make(&duties, &sandbox->filter_size, &why);
  if (problem) why = problem == ENOSYS ? "not in this kernel" : strerror(problem);
  note(force, sandbox->filter != NULL, "%s", sandbox->filter ? "" : why);
}

static void probe_namespaces(Sandbox *sandbox)
{
  SandboxForce *users = &sandbox->state.means[SANDBOX_USERS];
  SandboxForce *processes = &sandbox->state.means[SANDBOX_PROCESSES];
  if (sandbox->reads) {
    note(users, false, "not for what only reads");
    note(processes, false, "not for what only reads");
    return;
  }
  int problem = namespaces_probe(true, true);
  int alone = problem ? namespaces_probe(true, false) : 0;
  note(users, !alone, "%s", alone ? strerror(alone) : "");
  if (problem && alone) problem = namespaces_probe(false, true);
  note(processes, !problem, "%s", problem ? strerror(problem) : "");
}

// What the private directory is on. It is mounted for each program, in its namespaces.
static void probe_room(Sandbox *sandbox)
{
  bool offered = sandbox->state.means[SANDBOX_PROCESSES].in_force && sandbox->folder[0];
  note(&sandbox->state.means[SANDBOX_ROOM], offered, "%s",
       sandbox->reads ? "not for what only reads"
       : offered      ? ""
                      : "needs a PID namespace");
}

static void probe_group(Sandbox *sandbox)
{
  char own[CGROUP_PATH_MAX], why[CGROUP_WHY_MAX] = "not for what only reads";
  struct sysinfo machine;
  bool open = sandbox->group.workers[0] != '\0';
  if (!open && !sandbox->reads && cgroup_find(own, why) && sysinfo(&machine) == 0)
    open = cgroup_open(&sandbox->group, own, (uint64_t)machine.totalram * machine.mem_unit / 4 * 3,
                       why);
  note(&sandbox->state.means[SANDBOX_CGROUP], open, "%s", open ? "" : why);
}

bool sandbox_state_keeps(const SandboxState *state, SandboxPromise promise)
{
  const SandboxForce *means = state->means;
  bool landlock = means[SANDBOX_LANDLOCK].in_force, seccomp = means[SANDBOX_SECCOMP].in_force;
  switch (promise) {
    case SANDBOX_PROMISE_FILES:
      return landlock && seccomp;
    case SANDBOX_PROMISE_NETWORK:
      return seccomp;
    case SANDBOX_PROMISE_SIGNALS:
      return means[SANDBOX_PROCESSES].in_force ||
             (landlock && means[SANDBOX_LANDLOCK].level >= LANDLOCK_VERSION_OF_SCOPES);
    case SANDBOX_PROMISE_PROCESSES:
      return landlock || means[SANDBOX_USERS].in_force;
    case SANDBOX_PROMISE_KERNEL:
      return seccomp && means[SANDBOX_CAPABILITIES].in_force;
    default:
      return means[SANDBOX_LIMITS].in_force;
  }
}

bool sandbox_keeps(const Sandbox *sandbox, SandboxPromise promise)
{
  return sandbox->mode != SANDBOX_OFF && sandbox_state_keeps(&sandbox->state, promise);
}

bool sandbox_probe(Sandbox *sandbox, char *error, size_t error_size)
{
  if (sandbox->mode == SANDBOX_OFF) return true;
  probe_landlock(&sandbox->state.means[SANDBOX_LANDLOCK]);
  probe_group(sandbox);  // before there are other processes in our group
  probe_namespaces(sandbox);
  probe_room(sandbox);
  probe_seccomp(sandbox);
  note(&sandbox->state.means[SANDBOX_CAPABILITIES], true, "%s", "");
  note(&sandbox->state.means[SANDBOX_LIMITS], true, "%s", "");
  return sandbox->mode != SANDBOX_ON || sandbox_complain(sandbox, error, error_size);
}

bool sandbox_complain(const Sandbox *sandbox, char *error, size_t error_size)
{
  for (unsigned i = 0; i < SANDBOX_PROMISE_COUNT; ++i) {
    char lacking[512];
    if (sandbox_keeps(sandbox, (SandboxPromise)i)) continue;
    sandbox_describe_lacking(sandbox, lacking, sizeof lacking);
    snprintf(error, error_size,
             "--sandbox=on: cannot keep the promise \"%s\" here: not in force: %s",
             sandbox_promise_name((SandboxPromise)i), lacking);
    return false;
  }
  return true;
}
