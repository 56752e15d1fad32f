// SPDX-License-Identifier: Apache-2.0
// What was called, when and for how long: a table of functions, stacks for flame graphs, and a
// timeline for Chrome's and Perfetto's viewers.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/json_build.h"
#include "trace/trace.h"

static const char *base_name(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

// "add_one", or "libfoo.so+0x120" where there is no name.
static void put_name(const TracePlace *place, char *out, size_t size)
{
  if (place->symbol)
    snprintf(out, size, "%s", place->symbol);
  else
    snprintf(out, size, "%s+0x%" PRIx64, place->library[0] ? base_name(place->library) : "?",
             place->offset);
}

enum { NAME_MAX_SIZE = 256 };

// --- Functions -----------------------------------------------------------------------------------

typedef struct Total {
  const TracePlace *place;
  uint64_t calls, failures, ns, own_ns;
} Total;

static int by_place(const void *a, const void *b)
{
  const TraceEvent *const *first = a, *const *second = b;
  int order = strcmp((*first)->callee.library, (*second)->callee.library);
  if (order != 0) return order;
  return ((*first)->callee.offset > (*second)->callee.offset) -
         ((*first)->callee.offset < (*second)->callee.offset);
}

static int by_own_time(const void *a, const void *b)
{
  const Total *first = a, *second = b;
  return (first->own_ns < second->own_ns) - (first->own_ns > second->own_ns);
}

static size_t add_up(const TraceEvent **events, size_t count, Total *totals)
{
  size_t total = 0;
  for (size_t i = 0; i < count; ++i) {
    if (i == 0 || by_place(&events[i - 1], &events[i]) != 0)
      totals[total++] = (Total){.place = &events[i]->callee};
    Total *to = &totals[total - 1];
    ++to->calls;
    to->failures += events[i]->code != 0;
    to->ns += events[i]->end_ns - events[i]->start_ns;
    to->own_ns += events[i]->own_ns;
  }
  return total;
}

static void put_api_calls(FILE *out, const Trace *trace)
{
  for (size_t i = 0; i < ABI_FUNCTION_COUNT; ++i) {
    uint64_t calls = 0;
    for (size_t p = 0; p < trace->process_count; ++p) calls += trace->processes[p].calls[i];
    if (calls) fprintf(out, "%10" PRIu64 "  %s\n", calls, abi_functions[i].symbol);
  }
}

bool trace_write_functions(FILE *out, const Trace *trace)
{
  size_t count = trace->event_count;
  const TraceEvent **sorted = calloc(count + 1, sizeof(TraceEvent *));
  Total *totals = calloc(count + 1, sizeof *totals);
  for (size_t i = 0; sorted && i < count; ++i) sorted[i] = &trace->events[i];
  if (sorted && totals) {
    qsort(sorted, count, sizeof *sorted, by_place);
    size_t total = add_up(sorted, count, totals);
    qsort(totals, total, sizeof *totals, by_own_time);
    fprintf(out, "     calls    failed  total ms    own ms  function\n");
    for (size_t i = 0; i < total; ++i) {
      char name[NAME_MAX_SIZE];
      put_name(totals[i].place, name, sizeof name);
      fprintf(out, "%10" PRIu64 "%10" PRIu64 "%10.3f%10.3f  %s\n", totals[i].calls,
              totals[i].failures, (double)totals[i].ns / 1e6, (double)totals[i].own_ns / 1e6, name);
    }
    fprintf(out, "\n     calls  of the C API\n");
    put_api_calls(out, trace);
    if (trace->lost_events)
      fprintf(out, "%" PRIu64 " later calls had no room\n", trace->lost_events);
  }
  bool good = sorted && totals && !ferror(out);
  free(sorted);
  free(totals);
  return good;
}

// --- Stacks --------------------------------------------------------------------------------------

static void put_stack(FILE *out, const TraceEvent *event)
{
  char name[NAME_MAX_SIZE];
  if (event->outer)
    put_stack(out, event->outer);
  else
    fprintf(out, "%s", base_name(event->program));
  put_name(&event->callee, name, sizeof name);
  for (char *c = name; *c; ++c)
    if (*c == ';' || *c == ' ') *c = '_';
  fprintf(out, ";%s", name);
}

// A line for each call, with its own time in nanoseconds; equal stacks are added up by whoever draws.
bool trace_write_folded(FILE *out, const Trace *trace)
{
  for (size_t i = 0; i < trace->event_count; ++i) {
    put_stack(out, &trace->events[i]);
    fprintf(out, " %" PRIu64 "\n", trace->events[i].own_ns);
  }
  return !ferror(out);
}

// --- The timeline --------------------------------------------------------------------------------

bool trace_write_chrome(FILE *out, const Trace *trace)
{
  fprintf(out, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
  for (size_t i = 0; i < trace->event_count; ++i) {
    const TraceEvent *event = &trace->events[i];
    char name[NAME_MAX_SIZE];
    put_name(&event->callee, name, sizeof name);
    json_t *object = json_pack(
        "{s:o, s:s, s:s, s:f, s:f, s:i, s:i, s:{s:i}}", "name", json_clean_string(name), "cat",
        event->function < ABI_FUNCTION_COUNT ? abi_functions[event->function].symbol : "function",
        "ph", "X", "ts", (double)event->start_ns / 1e3, "dur",
        (double)(event->end_ns - event->start_ns) / 1e3, "pid", (int)event->pid, "tid",
        (int)event->thread, "args", "code", (int)event->code);
    if (!object) return false;
    fputs(i ? ",\n" : "\n", out);
    json_dumpf(object, out, JSON_COMPACT);
    json_decref(object);
  }
  fprintf(out, "\n]}\n");
  return !ferror(out);
}
