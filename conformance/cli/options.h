// SPDX-License-Identifier: Apache-2.0
// The command line. Verbs are rows of verbs.def, options rows of option_table.c; parsing, help, completions, the man
// page and OPTIONS.md are made from both.
#ifndef TVMFFI_CONFORMANCE_CLI_OPTIONS_H_
#define TVMFFI_CONFORMANCE_CLI_OPTIONS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "judge/verdict.h"
#include "layer/checks.h"
#include "layer/ring.h"
#include "plan/plan.h"
#include "run/runner.h"
#include "sandbox/sandbox.h"
#include "trace/trace.h"

enum { OPTION_LIST_MAX = 64, OPTION_REPORTS_MAX = 16, OPTION_OPERANDS_MAX = 4096 };

// A number for each verb: VERB_run, VERB_list, ...
typedef enum VerbNumber {
#define VERB(symbol, ...) VERB_##symbol,
#include "cli/verbs.def"
  VERB_COUNT
} VerbNumber;

typedef struct ReportRequest {
  const char *kind;  // "json", "junit", "tap", "sarif"
  const char *path;
} ReportRequest;

typedef enum ColorChoice { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } ColorChoice;

// Everything a verb may be told; strings point into argv.
typedef struct Options {
  const struct Verb *verb;
  const char *operands[OPTION_OPERANDS_MAX];
  size_t operand_count;
  InspectProfile profile;  // INSPECT_PROFILE_NONE: auto
  const char *abi;         // "auto", "0.1", "2025-09"
  const char *runtime;     // NULL: the bundled reference
  const char *worker;      // NULL: the one beside this program
  const char *signatures;  // NULL: none; how the functions of a module are called
  const char *same_as;     // NULL: none; another build of the module
  const char *device;      // "fake", "stand-in", or "cuda:1" as it was given
  uint32_t cuda;           // number of the real CUDA device and 1; 0: devices are faked
  const char *filters[OPTION_LIST_MAX], *excludes[OPTION_LIST_MAX];
  Selection selection;
  ClauseLevel gate;       // what counts
  const char *gate_file;  // NULL: the level alone
  unsigned min_judged;
  bool strict, fail_fast, valgrind, clauses, pins;
  unsigned jobs;
  uint64_t timeout_ns, hang_budget_ns;
  double timeout_scale;
  RunIsolation isolation;
  SandboxMode sandbox;
  const char *reads[OPTION_LIST_MAX];  // of confine
  size_t read_count;
  unsigned descriptor;  // of confine; 0: none
  const char *waivers, *write_waivers;
  ReportRequest reports[OPTION_REPORTS_MAX];
  size_t report_count;
  const char *against;                           // NULL: nothing to compare with
  unsigned rounds;                               // 0: the default
  bool callgrind;                                // count instructions
  bool force;                                    // files may be replaced
  const char *policy, *baseline, *write_policy;  // NULL: none
  const char *surface, *replay, *output;         // of fuzz; NULL: the default, none, the default
  uint64_t seed, runs, time_ns;                  // of fuzz; 0: no end, but for the seed
  bool rate;                                     // only measure
  bool program;                                  // only print the program of a finding
  CheckPreset preset;                            // of trace
  RingOnError on_error;                          // of trace
  TraceMechanism mechanism;                      // of trace
  unsigned limit;                                // of trace; 0: none
  bool lines;                                    // of trace: look up lines of sources
  const char *record;                            // of trace: a file to write, or NULL
  const char *from;                              // of signatures: a recording, or NULL
  ColorChoice color;
  int verbosity;
  bool only_failed;  // of the text: what does not count is left out
} Options;

typedef struct Verb {
  const char *name;      // "run"
  const char *operands;  // "IMPL.so"
  const char *summary;   // one line
  const char *text;      // further text of its help, or ""
  unsigned bit;          // V() of it
  size_t operands_min, operands_max;
  int (*run)(const Options *options);  // returns the exit code
} Verb;

extern const Verb verbs[];
extern const size_t verb_count;

// The verb of this name, or NULL.
const Verb *verb_find(const char *name);

// Parses what follows the verb. Does not return on --help, --version or a mistake (exit code 2,
// with a message).
void options_parse(const Verb *verb, int argc, char **argv, Options *options);

#define VERB(symbol, ...) int verb_##symbol(const Options *options);
#include "cli/verbs.def"

#endif  // TVMFFI_CONFORMANCE_CLI_OPTIONS_H_
