// SPDX-License-Identifier: Apache-2.0
// The sandbox: starts a program of which nothing good is known, so that it can't reach beyond what
// a policy gives it. What is allowed is data (policy.h); the means that enforce it are a file each,
// and each may be missing: what is in force is noted, and reported.
#ifndef TVMFFI_CONFORMANCE_SANDBOX_SANDBOX_H_
#define TVMFFI_CONFORMANCE_SANDBOX_SANDBOX_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "sandbox/cgroup.h"
#include "sandbox/policy.h"

typedef enum SandboxMode {
  SANDBOX_AUTO,  // what the kernel offers
  SANDBOX_ON,    // all promises, or nothing is started
  SANDBOX_OFF,
} SandboxMode;

typedef enum SandboxMeans {
#define MEANS(symbol, name) SANDBOX_##symbol,
#include "sandbox/means.def"
  SANDBOX_MEANS_COUNT
} SandboxMeans;

typedef enum SandboxPromise {
#define PROMISE(symbol, name, text) SANDBOX_PROMISE_##symbol,
#include "sandbox/promises.def"
  SANDBOX_PROMISE_COUNT
} SandboxPromise;

// What came of one of the means.
typedef struct SandboxForce {
  bool in_force;
  int32_t level;  // in force: of Landlock its ABI version; else 0
  char why[96];   // not in force: why; else what there is to say of it, or ""
} SandboxForce;

// What is in force for the workers of a run: for all of them.
typedef struct SandboxState {
  SandboxForce means[SANDBOX_MEANS_COUNT];
} SandboxState;

typedef struct Sandbox {
  SandboxMode mode;
  SandboxPolicy policy;  // own
  SandboxState state;
  bool started;  // `state` is that of workers, not a forecast
  void *filter;  // own: the program of seccomp; NULL if there is none
  size_t filter_size;
  char folder[256];  // the private directory; "" if none was made
  Cgroup group;      // of its programs
  pid_t maker;       // the process that removes both
  bool reads;        // what is confined only reads, and starts nothing
} Sandbox;

// Makes a sandbox of this mode with an empty policy but for what every worker needs, and a private
// directory. False with `error` filled if the directory can't be made. sandbox_free has to follow.
bool sandbox_open(Sandbox *sandbox, SandboxMode mode, char *error, size_t error_size);

// The same with an empty policy and without a directory: for a process that only reads.
void sandbox_open_reader(Sandbox *sandbox, SandboxMode mode);

// Removes the private directory and what is in it.
void sandbox_free(Sandbox *sandbox);

// What of the means works here. `state` is a forecast until a worker was started. False, with the
// promise that can't be kept and why in `error`, if the mode is SANDBOX_ON and one can't be.
bool sandbox_probe(Sandbox *sandbox, char *error, size_t error_size);

// Whether the promise is kept, by the means that are in force.
bool sandbox_state_keeps(const SandboxState *state, SandboxPromise promise);
bool sandbox_keeps(const Sandbox *sandbox, SandboxPromise promise);

const char *sandbox_means_name(SandboxMeans means);
const char *sandbox_promise_name(SandboxPromise promise);
const char *sandbox_mode_name(SandboxMode mode);

enum { SANDBOX_TEXT_MAX = 1024 };

// "landlock (ABI 7), seccomp, limits; not cgroup (not delegated)", or "off".
void sandbox_describe(const Sandbox *sandbox, char *text, size_t size);

// The means that are not in force, and why.
void sandbox_describe_lacking(const Sandbox *sandbox, char *text, size_t size);

// Says in `error` which promise is not kept, and returns false; true if all are.
bool sandbox_complain(const Sandbox *sandbox, char *error, size_t error_size);

// A descriptor of this process that the program gets as another.
typedef struct SandboxDescriptor {
  int ours, theirs;
} SandboxDescriptor;

typedef struct SandboxProgram {
  const char *const *words;        // NULL-terminated; the first is looked for along PATH
  const char *const *environment;  // NAME=value entries that it gets in the place of ours of the
                                   // same name; NULL-terminated; may be NULL
  const SandboxDescriptor *descriptors;  // `ours` are above all `theirs`, or the same
  size_t descriptor_count;
  bool apart;  // gets a process group of its own, and in a sandbox a session without a terminal
} SandboxProgram;

// A program that was started, a child of this process.
typedef struct SandboxProcess {
  pid_t id;
  pid_t keeper;  // of its namespaces, another child; 0: it has none of its own
} SandboxProcess;

// Starts the program. `sandbox` NULL: without any of this. Returns 0, or an errno: EPERM also where
// the mode is SANDBOX_ON and a promise could not be kept after all.
int sandbox_start(Sandbox *sandbox, const SandboxProgram *program, SandboxProcess *process);

// Ends what the program left behind, and the program itself, if that is in a namespace of its own.
// The program is waited for by who started it.
void sandbox_end(SandboxProcess *process);

// Confines this process, which closes all descriptors above `last`. False where the mode is
// SANDBOX_ON and a promise could not be kept after all.
bool sandbox_enter(Sandbox *sandbox, int last);

#endif  // TVMFFI_CONFORMANCE_SANDBOX_SANDBOX_H_
