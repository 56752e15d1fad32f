// SPDX-License-Identifier: Apache-2.0
// The report of a trace for people.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "clause.h"
#include "report/clean.h"
#include "trace/trace.h"

static const char *base_name(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

// "core.so+0xcf811 (call_it+0x1f)", or what is known of it.
static void put_place(FILE *out, const TracePlace *place)
{
  if (!place->library[0]) {
    fprintf(out, place->offset ? "0x%" PRIx64 " (in no library)" : "an unknown place",
            place->offset);
    return;
  }
  fprintf(out, "%s+0x%" PRIx64, base_name(place->library), place->offset);
  if (place->symbol) fprintf(out, " (%s+0x%" PRIx64 ")", place->symbol, place->symbol_offset);
  if (place->line) fprintf(out, " at %s", place->line);
}

static void put_blame(FILE *out, const TraceFinding *finding)
{
  const char *clause = clause_get(checks[finding->check].clause)->id;
  const TracePlace *blamed = trace_blamed(finding);
  bool advice = checks[finding->check].advice;
  if (!blamed)
    fprintf(out, "%s %s, cannot tell by whom", clause, advice ? "was not followed" : "was broken");
  else
    fprintf(out, "%s %s %s", blamed->library[0] ? base_name(blamed->library) : "code in no library",
            advice ? "did not follow" : "broke", clause);
}

static void put_sides(FILE *out, uint32_t function, const TracePlace *caller,
                      const TracePlace *callee)
{
  fprintf(out, "    called from ");
  put_place(out, caller);
  if (function < ABI_FUNCTION_COUNT) fprintf(out, " by %s", abi_functions[function].symbol);
  fprintf(out, "\n");
  if (callee->offset) {
    fprintf(out, "    function    ");
    put_place(out, callee);
    fprintf(out, "\n");
  }
}

void trace_write_finding(FILE *out, const TraceFinding *finding)
{
  char text[512];
  trace_describe(finding, text, sizeof text);
  fprintf(out, "%s: ",
          finding->waived                 ? "waived"
          : checks[finding->check].advice ? "advice"
                                          : "error");
  put_blame(out, finding);
  fprintf(out, ": %s\n", text);
  put_sides(out, finding->function, &finding->caller, &finding->callee);
  fprintf(out, "    %s; %s%s\n", clause_get(checks[finding->check].clause)->title, "check ",
          checks[finding->check].name);
  if (finding->waived) {
    char *reason = clean_string(finding->waived, 0);
    fprintf(out, "    waived: %s\n", reason ? reason : "");
    free(reason);
  }
  fprintf(out, "    seen %" PRIu64 " time%s, first in process %d\n", finding->count,
          finding->count == 1 ? "" : "s", finding->pid);
}

// Nobody is to blame: memory may have been broken long before.
static void put_end(FILE *out, const Trace *trace)
{
  if (!WIFSIGNALED(trace->status)) return;
  fprintf(out, "the program was ended by signal %d%s\n", WTERMSIG(trace->status),
          trace->inside_count ? ", in a call" : ", in no call that was seen");
  for (size_t i = 0; i < trace->inside_count; ++i) {
    const TraceInside *inside = &trace->inside[i];
    put_sides(out, inside->function, &inside->caller, &inside->callee);
  }
}

static void put_process(FILE *out, const TraceProcess *process)
{
  fprintf(out,
          "process %d (%s): %" PRIu64 " calls of the C API, %" PRIu64 " of functions, %" PRIu64
          " of module functions; %" PRIu64 " functions and %" PRIu64 " other objects followed\n",
          process->pid, base_name(process->program), process->api_calls, process->cells,
          process->entries, process->functions, process->objects);
}

// No finding: what lives to the end may be meant to.
static void put_alive(FILE *out, const Trace *trace)
{
  for (size_t i = 0; i < trace->alive_count && (i < trace->limit || trace->limit == 0); ++i) {
    const TraceAlive *alive = &trace->alive[i];
    char type[48];
    fprintf(out, "alive at the end: %" PRIu64 " of type %s, first seen from ", alive->count,
            abi_type_index_text(alive->type_index, type));
    put_place(out, &alive->made);
    fprintf(out, "\n");
  }
  if (trace->limit > 0 && trace->alive_count > trace->limit)
    fprintf(out, "objects from %zu more places were alive at the end (--limit=0 shows all)\n",
            trace->alive_count - trace->limit);
  if (trace->lost_alive)
    fprintf(out, "%" PRIu64 " more objects were alive at the end\n", trace->lost_alive);
}

static void put_unwatched(FILE *out, const Trace *trace)
{
  static const char *const reasons[STARTER_COUNT] = {
      [STARTER_MUSL] = "built for musl",
      [STARTER_MACHINE] = "built for another machine",
      [STARTER_REACH] = "its files are out of reach for their user or in their root folder"};
  for (size_t i = 0; i < STARTER_COUNT; ++i)
    if (trace->unwatched[i])
      fprintf(out, "%" PRIu64 " program%s ran without the layer: %s\n", trace->unwatched[i],
              trace->unwatched[i] == 1 ? "" : "s", reasons[i]);
}

// What was not checked.
static void put_losses(FILE *out, const Trace *trace)
{
  if (trace->lost_findings)
    fprintf(out, "%" PRIu64 " more findings had no room\n", trace->lost_findings);
  if (trace->lost_processes)
    fprintf(out, "%" PRIu64 " more processes are counted as one with the last\n",
            trace->lost_processes);
  if (trace->lost_modules)
    fprintf(out, "%" PRIu64 " libraries had no room: places in them have no names\n",
            trace->lost_modules);
  size_t by_preload = 0;
  for (size_t i = 0; i < trace->process_count; ++i)
    by_preload += trace->processes[i].way == RING_PRELOAD;
  if (by_preload)
    fprintf(out,
            "%zu process%s watched by LD_PRELOAD, which does not see a runtime in the program "
            "itself, functions of modules that the loader binds, and what is bound in other "
            "namespaces or with RTLD_DEEPBIND\n",
            by_preload, by_preload == 1 ? " was" : "es were");
  for (size_t i = 0; i < trace->process_count; ++i) {
    const TraceProcess *process = &trace->processes[i];
    if (process->lost_runtimes)
      fprintf(out, "process %d: %u runtimes had no room, and calls of them were not checked\n",
              process->pid, process->lost_runtimes);
    if (process->lost_entries)
      fprintf(out,
              "process %d: %u functions of modules had no room, and calls of them by their "
              "symbols were not checked\n",
              process->pid, process->lost_entries);
    if (process->unwritable)
      fprintf(out,
              "process %d: the symbols of %u libraries could not be changed, and calls of them "
              "were not checked\n",
              process->pid, process->unwritable);
  }
}

static void put_totals(FILE *out, const Trace *trace)
{
  TraceCounts counts = trace_count(trace);
  fprintf(out, "%zu error%s, %zu advice", counts.errors, counts.errors == 1 ? "" : "s",
          counts.advice);
  if (counts.waived) fprintf(out, ", %zu waived", counts.waived);
  fprintf(out, "; %" PRIu64 " crossings in %zu process%s\n", trace->crossings, trace->process_count,
          trace->process_count == 1 ? "" : "es");
  if (trace->unused_waivers)
    fprintf(out, "%zu waiver%s waived nothing\n", trace->unused_waivers,
            trace->unused_waivers == 1 ? "" : "s");
  put_losses(out, trace);
  put_unwatched(out, trace);
  if (!trace->recording) return;
  fprintf(out, "recorded %" PRIu64 " events (%" PRIu64 " bytes) in %s\n", trace->recorded_events,
          trace->recorded_bytes, trace->recording);
  if (trace->lost_records)
    fprintf(out, "%" PRIu64 " events are not in the recording: it was full, or the program ended\n",
            trace->lost_records);
}

bool trace_write_text(FILE *out, const Trace *trace)
{
  size_t shown[CHECK_COUNT] = {0};
  for (size_t i = 0; i < trace->finding_count; ++i)
    if (shown[trace->findings[i].check]++ < trace->limit || trace->limit == 0)
      trace_write_finding(out, &trace->findings[i]);
  for (size_t i = 0; i < CHECK_COUNT; ++i)
    if (trace->limit > 0 && shown[i] > trace->limit)
      fprintf(out, "%zu more by check %s at other places (--limit=0 shows all)\n",
              shown[i] - trace->limit, checks[i].name);
  put_alive(out, trace);
  for (size_t i = 0; i < trace->process_count; ++i) {
    const TraceProcess *process = &trace->processes[i];
    if (process->api_calls + process->cells + process->entries > 0) put_process(out, process);
  }
  put_end(out, trace);
  put_totals(out, trace);
  return !ferror(out);
}
