// SPDX-License-Identifier: Apache-2.0
// Runs a plan against a library, in the slots, and hands out outcomes. The main process only waits,
// reads evidence and enforces time limits; no byte of the library is executed in it.
#ifndef TVMFFI_CONFORMANCE_RUN_RUNNER_H_
#define TVMFFI_CONFORMANCE_RUN_RUNNER_H_

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "inspect/inspect.h"
#include "plan/plan.h"
#include "run/outcome.h"
#include "run/slot.h"
#include "sandbox/sandbox.h"

typedef enum RunIsolation {
  RUN_ISOLATION_AUTO,  // fork, or exec where the library starts threads when it is loaded
  RUN_ISOLATION_FORK,  // each case in a fork of a process that has loaded the library
  RUN_ISOLATION_EXEC,  // each case in a process that loads the library anew
} RunIsolation;

typedef struct RunConfig {
  const InspectReport *library;
  const char *worker;    // path of the worker program
  const char *runtime;   // a module's: the runtime that it is loaded into; else NULL
  const char *observer;  // a module's: what is loaded between the two
  RunIsolation isolation;
  unsigned jobs;           // 0: one for every processor
  uint64_t case_limit_ns;  // for one case, before its own patience is applied
  uint64_t load_limit_ns;  // for loading the library
  // Bytes of memory that a case may have; 0: half of the machine's, once that runs out.
  uint64_t memory_most;
  uint64_t hang_budget_ns;  // for all cases that hang; 0: as much as they take
  bool valgrind;            // run under Valgrind's memcheck; errors fail the case
  int shared;               // SlotCommand.shared
  Sandbox *sandbox;         // SlotCommand.sandbox; the runner adds what workers need
  const volatile sig_atomic_t
      *interrupted;  // becomes non-zero when the user wants to stop; may be NULL
} RunConfig;

typedef enum RunStatus {
  RUN_OK = 0,
  RUN_CANNOT_LOAD,  // the library: its constructor crashed, exited, hung, or the linker refused it
  RUN_SUITE_FAULT,  // ours: no worker, no memory, a worker of another build
} RunStatus;

typedef struct Runner Runner;

// What is known once the library is loaded.
typedef struct RunLoaded {
  uint32_t version;        // reported, ABI_VERSION; UINT32_MAX if it has none or asking failed
  unsigned generations;    // GENERATION_BIT of those that an object of it was recognised as
  unsigned threads;        // in the process after loading; 1 if the library started none
  RunIsolation isolation;  // in force
  unsigned jobs;           // in force
  char libc[64];           // the C library of the process that it is loaded into
} RunLoaded;

// Loads the library in the first slot and asks for its version. NULL on failure, with `status` and
// one or more lines for people in `error`. The runner (own) is freed by runner_close.
Runner *runner_open(const RunConfig *config, RunLoaded *loaded, RunStatus *status, char *error,
                    size_t error_size);

// Has the cases take the library, or the runtime of a module, for one of this generation; 0.1 until
// then. Returns the version that the library is judged by: what it reports, UINT32_MAX where that
// is before the first one of 0.1, and ABI_VERSION_2025_09 in the older generation.
uint32_t runner_speak(Runner *runner, AbiGeneration generation);

// Asks a runtime, in a child, which scopes of the spec it shows signs of: CLAUSE_SCOPE_ bits, 0 if
// the child did not answer.
unsigned runner_ask_scopes(Runner *runner);

// Asks a module for the metadata of `kernel`, in a child. The text (own, with a NUL behind it) or
// NULL if there is none; `cut` says that it was too long to be taken over whole.
char *runner_ask_metadata(Runner *runner, const Kernel *kernel, bool *cut);

// Opens the real device of `kernel` in a child, or makes a valid call with the stand-in. The text
// (own) is "+" and what device it is, or "-" and why there is none, or the stand-in is of no use;
// NULL if the child ended otherwise, as `end` says.
char *runner_ask_device(Runner *runner, const Kernel *kernel, OutcomeKind *end);

// A slot whose worker has loaded the library and waits for a request, for callers that have others
// than cases (slot_request); a worker that went down is replaced. NULL, with words for people in
// `error`, if none can be had. Borrowed from the runner; `index` is below RunLoaded.jobs.
Slot *runner_slot(Runner *runner, unsigned index, char *error, size_t error_size);

// Calls the kernel in a child with the example of each of its parameters, as it is described by
// `call`, after the calls that `signature` (or NULL) says it needs. What came of it (own, as kernel_probe writes it), or NULL if the call did not come back,
// and how the child ended.
char *runner_probe(Runner *runner, const Kernel *call, const Signature *signature,
                   OutcomeKind *end);

// Called once for each item of the plan that has been run; takes over the outcome's parts.
// Returning false stops the run: what has not been started stays OUTCOME_NOT_RUN and is not
// reported.
typedef bool RunSink(void *context, size_t item, Outcome *outcome);

// Runs the applicable items of `plan`. True if all were run, false if it was stopped, interrupted, or
// out of time for hangs: the sink is given what was not run for that reason, too.
bool runner_run(Runner *runner, const Plan *plan, RunSink *sink, void *context);

// The time limit for an item.
uint64_t runner_limit_ns(const Runner *runner, const CaseInstance *instance);

// Ends every process, including those that the library started and left behind.
void runner_close(Runner *runner);

#endif  // TVMFFI_CONFORMANCE_RUN_RUNNER_H_
