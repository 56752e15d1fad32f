// SPDX-License-Identifier: Apache-2.0
// Runs a program with the validation layer in it, and reports what the layer found, when the
// program has ended.
#ifndef TVMFFI_CONFORMANCE_TRACE_TRACE_H_
#define TVMFFI_CONFORMANCE_TRACE_TRACE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "layer/checks.h"
#include "layer/ring.h"

// How calls are brought to the layer.
typedef enum TraceMechanism {
  MECHANISM_AUTO,  // by LD_AUDIT where the loader has it, else by LD_PRELOAD
  MECHANISM_AUDIT,
  MECHANISM_PRELOAD
} TraceMechanism;

struct TraceWaivers;

typedef struct TraceRequest {
  char *const *program;                 // its name and its arguments, NULL-terminated
  const char *layer, *audit, *preload;  // the libraries
  TraceMechanism mechanism;
  bool enabled[CHECK_COUNT];
  RingOnError on_error;
  bool timeline;       // record when each call of a function begins and ends
  bool keeps_dead;     // objects wait in quarantine before their memory is freed
  const char *record;  // NULL, or where a recording goes
  const struct TraceWaivers
      *waivers;  // (borrowed) what is known does not end the program; may be NULL
} TraceRequest;

// An address, as a reader can use it. Strings are own by the Trace.
typedef struct TracePlace {
  const char *library;  // path; "" if nothing is known of the address
  uint64_t offset;      // in the library's file, as addresses in it go
  const char *symbol;   // the function that it is in, or NULL
  uint64_t symbol_offset;
  char *line;  // own by the finding: "file.c:12"; NULL: not known, or not asked for
} TracePlace;

typedef struct TraceFinding {
  CheckId check;
  CheckSide side;
  TracePlace caller, callee;
  uint32_t
      function;  // AbiFunctionId; ABI_FUNCTION_COUNT: a call of a function object or a module function
  int32_t pid, thread;
  uint64_t count;
  uint64_t clock;
  int64_t numbers[RING_NUMBERS];
  char text[RING_TEXT_MAX];
  const char *waived;  // why it does not fail (borrowed from the waivers), or NULL
} TraceFinding;

// Objects that were alive at the end.
typedef struct TraceAlive {
  TracePlace made;  // who first showed one
  int32_t type_index;
  uint64_t count;
} TraceAlive;

// A call that a thread was in.
typedef struct TraceInside {
  TracePlace caller, callee;
  uint32_t function;  // AbiFunctionId, or ABI_FUNCTION_COUNT
} TraceInside;

typedef struct TraceProcess {
  int32_t pid;
  int32_t parent_pid;  // 0: none that is traced
  const char *program;
  uint64_t calls[ABI_FUNCTION_COUNT];
  uint64_t api_calls, cells, entries, objects, functions;
  RingWay way;
  uint32_t runtimes, unwritable, lost_runtimes, lost_entries;
} TraceProcess;

// A call of a function, from its begin to its end.
typedef struct TraceEvent {
  TracePlace caller, callee;
  uint32_t function;  // AbiFunctionId, or ABI_FUNCTION_COUNT
  const char *program;
  int32_t pid, thread, code;
  uint64_t start_ns, end_ns, own_ns;  // own: without the calls within it
  const struct TraceEvent *outer;     // NULL: none
} TraceEvent;

typedef struct Trace {
  int status;              // of the program, as waitpid gives it
  TraceFinding *findings;  // own; equal ones are one, in the order in which they were first seen
  size_t finding_count;
  TraceProcess *processes;  // own
  size_t process_count;
  uint64_t crossings;  // of all processes
  uint64_t lost_findings, lost_modules, lost_processes;
  TraceAlive *alive;  // own; by falling count
  size_t alive_count;
  uint64_t lost_alive;
  uint64_t unwatched[STARTER_COUNT];  // programs that were started without the layer
  bool enabled[CHECK_COUNT];
  TraceEvent *events;  // own; of a timeline, in the order in which they began, thread by thread
  size_t event_count;
  uint64_t lost_events;
  unsigned limit;         // findings of a check that the text shows; 0: all
  TraceInside inside[4];  // what threads were in when a signal ended the program
  size_t inside_count;
  size_t unused_waivers;  // that waived nothing
  const char *recording;  // NULL, or where a recording was written to (borrowed)
  uint64_t recorded_events, recorded_bytes;
  uint64_t lost_records;  // for which there was no room, or whose writer was ended
  char problem[1024];     // "", or why the recording could not be written
  void *backing;          // own; keeps names alive
} Trace;

// Runs the program to its end; what it reads and prints is not touched. Returns NULL after writing
// a reason if it could not be started or followed.
Trace *trace_run(const TraceRequest *request, char *error, size_t error_size);
void trace_free(Trace *trace);

// Fills in the lines of findings, where there is debug information and addr2line.
void trace_find_lines(Trace *trace);

// What was seen, in words; as snprintf.
size_t trace_describe(const TraceFinding *finding, char *out, size_t size);

// Findings by what they do. Those that are waived are neither errors nor advice.
typedef struct TraceCounts {
  size_t errors, advice, waived;
} TraceCounts;
TraceCounts trace_count(const Trace *trace);

// How many programs were started without the layer.
uint64_t trace_unwatched(const Trace *trace);

// The place that is to blame; NULL if it can't be told.
const TracePlace *trace_blamed(const TraceFinding *finding);

// The report for people.
bool trace_write_text(FILE *out, const Trace *trace);

// One finding of it.
void trace_write_finding(FILE *out, const TraceFinding *finding);

// JSON Lines, as reports/trace.schema.json describes them.
bool trace_write_json(FILE *out, const Trace *trace);

// Of the timeline: a table of functions; stacks for flame graphs, a line for each call; and a timeline
// for Chrome's and Perfetto's viewers.
bool trace_write_functions(FILE *out, const Trace *trace);
bool trace_write_folded(FILE *out, const Trace *trace);
bool trace_write_chrome(FILE *out, const Trace *trace);

// 0, or -1 with `error` saying what was being written, where, and why it could not be.
int trace_save_junit(const Trace *trace, const char *path, char *error, size_t error_size);
int trace_save_sarif(const Trace *trace, const char *path, char *error, size_t error_size);

// "caller", ..., "cannot tell"
extern const char *const trace_side_names[SIDE_COUNT];

#endif  // TVMFFI_CONFORMANCE_TRACE_TRACE_H_
