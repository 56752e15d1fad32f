// SPDX-License-Identifier: Apache-2.0
// Runs a program, tvmffi-conform for the most part, as a user would, and tells how it ended and
// what it left behind.
#ifndef TVMFFI_CONFORMANCE_TESTS_TOOL_H_
#define TVMFFI_CONFORMANCE_TESTS_TOOL_H_

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum { TOOL_WORDS_MAX = 160, TOOL_ENVIRONMENT_MAX = 8 };

// How to run it; all zero for the usual way.
typedef struct ToolSetup {
  // NAME=value entries put over ours; NULL ends them.
  const char *environment[TOOL_ENVIRONMENT_MAX];
  double limit;            // seconds until it is killed; 0: 30
  double interrupt_after;  // seconds until it gets a SIGINT; 0: never
  int interrupt_by;        // another signal in its place; 0: SIGINT
  bool children_ignored;   // it starts with SIGCHLD ignored, as some parents leave it
  bool on_terminal;        // its stdout and stderr are a terminal of 100 columns, both in `out`
  bool output_closed;      // it starts without descriptors 0, 1 and 2
} ToolSetup;

typedef struct ToolRun {
  int exit_code;   // -1 if it did not exit
  int signal;      // that ended it; 0 if it exited
  bool timed_out;  // it was killed because it took too long
  double seconds;
  char *out, *err;  // own; what it wrote, ends in NUL
  size_t out_size, err_size;
  size_t left_behind;  // processes that outlived it, up to 64, without their own (they are killed)
  long peak_kib;       // its own peak memory, without its children
} ToolRun;

// Runs `words` (NULL-terminated, the program first). Ends the test if that is not possible.
ToolRun tool_run(const ToolSetup *setup, const char *const *words);
void tool_free(ToolRun *run);

// A word list with tvmffi-conform in front: TOOL("run", path, "--strict").
#define TOOL(...) ((const char *const[]){TOOL_PROGRAM, __VA_ARGS__, NULL})

// Runs the first `tvmffi-conform repro` that a report names, as a person would who copies the line.
ToolRun tool_again(const char *text);

// A path in the test's own folder that no other test uses: "x.json" becomes ".../4711-1-x.json". No
// such file exists. The last 16 of them stay valid.
const char *tool_path(const char *name);

// The text of the file at `path` (own, with a NUL behind it), or the end of the test.
char *tool_text(const char *path);

// The JSON file at `path` (own), or the end of the test. In a report, what stands in groups stands
// among the cases, too.
json_t *tool_json(const char *path);

// The entry of case `id` in a JSON report (borrowed), NULL if there is none.
json_t *tool_case(const json_t *report, const char *id);
// A text of it, "" if it has none: tool_case_text(report, id, "verdict").
const char *tool_case_text(const json_t *report, const char *id, const char *key);
// How many cases whose ids begin with `prefix` have this verdict ("" and NULL: any).
size_t tool_count(const json_t *report, const char *prefix, const char *verdict);

// Whether a pseudo-terminal can be had: a bare chroot has none.
bool tool_has_terminals(void);

#endif  // TVMFFI_CONFORMANCE_TESTS_TOOL_H_
