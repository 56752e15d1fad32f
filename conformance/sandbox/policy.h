// SPDX-License-Identifier: Apache-2.0
// What a sandboxed program may do: which files, which variables of the environment, how much.
#ifndef TVMFFI_CONFORMANCE_SANDBOX_POLICY_H_
#define TVMFFI_CONFORMANCE_SANDBOX_POLICY_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>

typedef enum SandboxRights {
  SANDBOX_READ = 1,     // read files, list directories
  SANDBOX_EXECUTE = 2,  // start programs
  SANDBOX_WRITE = 4,    // write to files that are there
  SANDBOX_CHANGE = 8,   // make, remove and rename, below a directory
  SANDBOX_DEVICE = 16,  // control devices (ioctl)
} SandboxRights;

// A file, or a directory with all that is below it.
typedef struct SandboxPath {
  char *path;  // own
  unsigned rights;
} SandboxPath;

typedef struct SandboxPolicy {
  SandboxPath *paths;  // own
  size_t path_count, path_room;
  bool device;  // the driver of a real device is used: its socket may listen
  bool lacks;   // memory ran out: it is not to be used
} SandboxPolicy;

// What every worker needs: the system's libraries and data, harmless devices.
void policy_add_system(SandboxPolicy *policy);

// What the driver of a real device needs besides.
void policy_add_cuda(SandboxPolicy *policy);

// The shared libraries, by their names, in the directory that the file is in.
void policy_add_libraries_beside(SandboxPolicy *policy, const char *path);

bool policy_has_path(const SandboxPolicy *policy, const char *path);

// What is not there is left out.
void policy_add_path(SandboxPolicy *policy, const char *path, unsigned rights);

// The file itself, by all its names, and the directory that it is in; where that directory is one of
// many things (home, a temporary directory, the root), only its shared libraries.
void policy_add_library(SandboxPolicy *policy, const char *path);

// Takes away all rights but these.
void policy_limit(SandboxPolicy *policy, unsigned rights);

// The directory that a file is in, for what belongs to the suite.
void policy_add_folder_of(SandboxPolicy *policy, const char *path);

// The environment (own, in one block) of a program: of `ours` what the list in policy_variables.def
// lets through, `folder` in the place of home and temporary directories, and the entries of `added`
// in the place of those of the same name. `folder` NULL: all of ours. `added` may be NULL. NULL if
// memory is out.
char **policy_environment(const char *const *ours, const char *const *added, const char *folder);

// The directories and files that variables of our environment name for the linker and for workers.
void policy_add_named_by_environment(SandboxPolicy *policy);

// How much a process may take. Lowers what is there, and raises nothing.
typedef struct SandboxLimit {
  int resource;
  uint64_t most;
  const char *name;
} SandboxLimit;
extern const SandboxLimit policy_limits[];
extern const size_t policy_limit_count;

void policy_free(SandboxPolicy *policy);

#endif  // TVMFFI_CONFORMANCE_SANDBOX_POLICY_H_
