// SPDX-License-Identifier: Apache-2.0
// The report of a trace as JSON Lines: an object for each finding, one for what was alive at the end, by
// type and place, one for each process, and one for the whole at the end. reports/trace.schema.json describes a line.
#include <string.h>
#include <sys/wait.h>

#include "clause.h"
#include "report/json_build.h"
#include "trace/trace.h"

const char *const trace_side_names[SIDE_COUNT] = {[SIDE_NOBODY] = "cannot tell",
                                                  [SIDE_CALLER] = "caller",
                                                  [SIDE_CALLEE] = "callee",
                                                  [SIDE_RUNTIME] = "runtime"};

static json_t *place(JsonBuild *build, const TracePlace *from)
{
  json_t *object = json_object();
  if (!from->offset) {
    json_decref(object);
    return json_null();
  }
  json_put(build, object, "library", json_clean_or_null(from->library));
  json_put(build, object, "offset", json_unsigned(from->offset));
  json_put(build, object, "symbol", from->symbol ? json_clean_string(from->symbol) : json_null());
  json_put(build, object, "symbol_offset", json_unsigned(from->symbol_offset));
  if (from->line) json_put(build, object, "line", json_string(from->line));
  return object;
}

static json_t *finding(JsonBuild *build, const TraceFinding *from)
{
  const Check *check = &checks[from->check];
  const Clause *clause = clause_get(check->clause);
  char text[512];
  trace_describe(from, text, sizeof text);
  json_t *object = json_object();
  json_put(build, object, "kind", json_string("finding"));
  json_put(build, object, "weight", json_string(check->advice ? "advice" : "error"));
  json_put(build, object, "clause", json_string(clause->id));
  json_put(build, object, "level", json_string(clause_level_name(clause->level)));
  json_put(build, object, "title", json_string(clause->title));
  json_put(build, object, "check", json_string(check->name));
  json_put(build, object, "group", json_string(check->group));
  json_put(build, object, "blame", json_string(trace_side_names[from->side]));
  json_put(build, object, "text", json_clean_string(text));
  json_put(build, object, "function",
           from->function < ABI_FUNCTION_COUNT ? json_string(abi_functions[from->function].symbol)
                                               : json_null());
  json_put(build, object, "caller", place(build, &from->caller));
  json_put(build, object, "callee", place(build, &from->callee));
  json_put(build, object, "count", json_unsigned(from->count));
  json_put(build, object, "pid", json_integer(from->pid));
  json_put(build, object, "thread", json_integer(from->thread));
  if (from->waived) json_put(build, object, "waived", json_clean_string(from->waived));
  return object;
}

static json_t *alive_line(JsonBuild *build, const TraceAlive *from)
{
  json_t *object = json_object();
  json_put(build, object, "kind", json_string("alive"));
  json_put(build, object, "type_index", json_integer(from->type_index));
  json_put(build, object, "count", json_unsigned(from->count));
  json_put(build, object, "first_seen", place(build, &from->made));
  return object;
}

static json_t *process(JsonBuild *build, const TraceProcess *from)
{
  json_t *object = json_object(), *calls = json_object();
  json_put(build, object, "kind", json_string("process"));
  json_put(build, object, "pid", json_integer(from->pid));
  json_put(build, object, "parent",
           from->parent_pid ? json_integer(from->parent_pid) : json_null());
  json_put(build, object, "program", json_clean_string(from->program));
  for (size_t i = 0; i < ABI_FUNCTION_COUNT; ++i)
    if (from->calls[i])
      json_put(build, calls, abi_functions[i].symbol, json_unsigned(from->calls[i]));
  json_put(build, object, "calls", calls);
  json_put(build, object, "function_calls", json_unsigned(from->cells));
  json_put(build, object, "module_calls", json_unsigned(from->entries));
  json_put(build, object, "functions", json_unsigned(from->functions));
  json_put(build, object, "objects", json_unsigned(from->objects));
  static const char *const ways[] = {
      [RING_NO_WAY] = "none", [RING_AUDIT] = "audit", [RING_PRELOAD] = "preload"};
  json_put(build, object, "mechanism", json_string(ways[from->way]));
  json_put(build, object, "lost_runtimes", json_unsigned(from->lost_runtimes));
  json_put(build, object, "lost_module_functions", json_unsigned(from->lost_entries));
  return object;
}

static json_t *whole(JsonBuild *build, const Trace *trace)
{
  TraceCounts counts = trace_count(trace);
  json_t *object = json_object();
  json_put(build, object, "kind", json_string("trace"));
  json_put(build, object, "errors", json_unsigned(counts.errors));
  json_put(build, object, "advice", json_unsigned(counts.advice));
  json_put(build, object, "waived", json_unsigned(counts.waived));
  json_put(build, object, "crossings", json_unsigned(trace->crossings));
  json_put(build, object, "calls", json_unsigned(trace->event_count));
  json_put(build, object, "exit_code",
           WIFEXITED(trace->status) ? json_integer(WEXITSTATUS(trace->status)) : json_null());
  json_put(build, object, "signal",
           WIFSIGNALED(trace->status) ? json_integer(WTERMSIG(trace->status)) : json_null());
  json_t *inside = json_array();
  for (size_t i = 0; i < trace->inside_count; ++i) {
    json_t *call = json_object();
    json_put(build, call, "caller", place(build, &trace->inside[i].caller));
    json_put(build, call, "callee", place(build, &trace->inside[i].callee));
    if (json_array_append_new(inside, call) != 0) build->failed = true;
  }
  json_put(build, object, "inside", inside);
  json_put(build, object, "lost_findings", json_unsigned(trace->lost_findings));
  json_put(build, object, "lost_processes", json_unsigned(trace->lost_processes));
  json_put(build, object, "unwatched", json_unsigned(trace_unwatched(trace)));
  return object;
}

static bool put_line(FILE *out, JsonBuild *build, json_t *object)
{
  bool good = object && !build->failed && json_dumpf(object, out, JSON_COMPACT) == 0 &&
              fputc('\n', out) != EOF;
  json_decref(object);
  return good;
}

bool trace_write_json(FILE *out, const Trace *trace)
{
  JsonBuild build = {.failed = false};
  bool good = true;
  for (size_t i = 0; i < trace->finding_count && good; ++i)
    good = put_line(out, &build, finding(&build, &trace->findings[i]));
  for (size_t i = 0; i < trace->alive_count && good; ++i)
    good = put_line(out, &build, alive_line(&build, &trace->alive[i]));
  for (size_t i = 0; i < trace->process_count && good; ++i)
    good = put_line(out, &build, process(&build, &trace->processes[i]));
  return good && put_line(out, &build, whole(&build, trace));
}
