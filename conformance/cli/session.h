// SPDX-License-Identifier: Apache-2.0
// One library through the whole pipeline: inspect, plan, run, judge. `run` and `self-test` are both
// made of it.
#ifndef TVMFFI_CONFORMANCE_CLI_SESSION_H_
#define TVMFFI_CONFORMANCE_CLI_SESSION_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/options.h"
#include "judge/judge.h"

// What the caller wants to hear while the library is judged; any of them may be NULL.
typedef struct SessionListener {
  void (*planned)(void *context, const RunReport *report, const Plan *plan);
  void (*judged)(void *context, const CaseResult *result);
  void *context;
} SessionListener;

typedef struct Session {
  InspectReport *library;  // own
  KernelList kernels;      // own; the functions of a module
  Sandbox sandbox;         // own; what workers are confined by
  Plan *plan;              // own
  WaiverSet *waiver_file;  // own, or NULL; of the user
  // Own, or NULL; for official releases, if the library is one.
  WaiverSet *official_waivers;
  const WaiverSet *waivers;  // which of these are applied, or NULL
  Selection selection;       // of the options, with the scopes that are judged
  RunReport report;          // owns its results
  AbiGeneration generation;  // that the cases take the library for
  char started_at[32];
  char libc[64];      // that the library was loaded with
  bool stands_in;     // a stand-in for CUDA is used
  bool has_stand_in;  // one is loaded: a function of which nothing is known may turn out to use it
  char device[224];   // which real device there is, or why there is none
  char error[2048];   // the exit code is EXIT_USAGE or above: what went wrong, one or more lines
} Session;

// Judges `path` as `options` ask for. Returns the exit code of the verdict with the report filled
// (EXIT_CONFORMS, EXIT_DOES_NOT_CONFORM, EXIT_INCONCLUSIVE, EXIT_INTERRUPTED), or another exit code
// with `error` filled; with
// EXIT_CANNOT_LOAD the report, too, if report.not_judged is set. In each case session_free has to follow.
int session_judge(Session *session, const char *path, const Options *options,
                  const SessionListener *listener);
void session_free(Session *session);

// Reads the file of a runtime, for verbs that load it in their own way. Returns EXIT_CONFORMS with
// `library` filled, or another exit code with `error` filled. session_free has to follow.
int session_inspect_runtime(Session *session, const char *path, SandboxMode mode);

// Whether the user wants to stop.
bool session_interrupted(void);

// Lets SIGINT and SIGTERM end the running session early, with what is known until then.
void session_catch_interrupts(void);

// --- Waivers (session_waivers.c) -----------------------------------------------------------------

// Reads the file that --waivers names. EXIT_CONFORMS, or an exit code with `error` filled.
int session_read_waivers(Session *session, const Options *options);

// Once the library is inspected: if it is an official release, puts that into the report, with what
// is known of it, which is applied if --waivers asks for it. EXIT_CONFORMS, or an exit code with
// `error` filled.
int session_know_release(Session *session, const Options *options);

// --- Modules (session_module.c) ------------------------------------------------------------------

// Fills session->kernels with the functions that the library exports and with what the signature
// file says of them, on the device that is asked for. EXIT_CONFORMS, or an exit code with `error`
// filled.
int session_read_kernels(Session *session, const Options *options);

// Asks the module for what the file did not say. Metadata that does not tell it are complained of,
// a line for each function; NULL: in silence.
void session_ask_kernels(Session *session, Runner *runner, FILE *complaints);

// Compares what the signature file says with what the module says of itself: its metadata, or the
// error for a call without arguments. EXIT_CONFORMS, or EXIT_USAGE with `error` filled: the two
// contradict each other, and one of them is not of this module.
int session_compare_kernels(Session *session, Runner *runner);

// Finds out by calls, each in a process of its own, what neither the file nor the module said.
void session_probe_kernels(Session *session, const Options *options, Runner *runner);

// Asks the driver of the real device, if one is asked for, and notes in the report what it says.
void session_ask_device(Session *session, const Options *options, Runner *runner);

// Where the runtime and the observer are that a module is run with. NULL runtime: none is needed.
bool session_module_places(Session *session, const Options *options, RunConfig *config);

// Finds out which generation of the ABI is spoken, and has the cases speak it. Modules are judged
// in a runtime of 0.1: what stands between the two is of that one. EXIT_CONFORMS, or
// EXIT_CANNOT_LOAD with `error` filled where it can't be told, or is not what `options` say.
int session_choose_generation(Session *session, const Options *options, Runner *runner,
                              RunLoaded *loaded);

// Makes the sandbox that workers are confined by. EXIT_CONFORMS, or an exit code with `error`
// filled: EXIT_USAGE where --sandbox=on promises what can't be kept.
int session_open_sandbox(Session *session, const Options *options);

// How a worker is to be started for this library.
RunConfig session_config(Session *session, const Options *options);

// Puts into `error` why there is no runner for the library: what runner_open said. Returns the exit
// code.
int session_say_not_loaded(Session *session, RunStatus status, const char *why);

#endif  // TVMFFI_CONFORMANCE_CLI_SESSION_H_
