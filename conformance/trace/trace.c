// SPDX-License-Identifier: Apache-2.0
#include "trace/trace.h"

#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "trace/events.h"
#include "trace/places.h"
#include "trace/program.h"
#include "trace/recording.h"
#include "trace/ring_file.h"
#include "trace/waive.h"

// What a Trace keeps alive.
typedef struct Backing {
  TracePlaces *places;
  char programs[RING_PROCESSES_MAX][RING_PATH_MAX];
} Backing;

const TracePlace *trace_blamed(const TraceFinding *finding)
{
  switch (finding->side) {
    case SIDE_CALLER:
      return &finding->caller;
    case SIDE_CALLEE:
    case SIDE_RUNTIME:
      return &finding->callee;
    default:
      return NULL;
  }
}

uint64_t trace_unwatched(const Trace *trace)
{
  uint64_t total = 0;
  for (size_t i = 0; i < STARTER_COUNT; ++i) total += trace->unwatched[i];
  return total;
}

// --- Processes -----------------------------------------------------------------------------------

static void read_process(const Ring *ring, size_t number, Backing *backing, TraceProcess *out)
{
  const RingProcess *process = &ring->processes[number];
  memcpy(backing->programs[number], process->program, RING_PATH_MAX - 1);
  *out = (TraceProcess){.pid = process->pid,
                        .program = backing->programs[number],
                        .objects = atomic_load(&process->objects),
                        .functions = atomic_load(&process->functions),
                        .runtimes = atomic_load(&process->runtimes),
                        .unwritable = atomic_load(&process->unwritable),
                        .lost_runtimes = atomic_load(&process->lost_runtimes),
                        .lost_entries = atomic_load(&process->lost_entries)};
  unsigned way = atomic_load(&process->way);
  if (way <= RING_PRELOAD) out->way = (RingWay)way;
  if (process->parent > 0 && process->parent <= RING_PROCESSES_MAX)
    out->parent_pid = ring->processes[process->parent - 1].pid;
  for (size_t place = 0; place < RING_OWN_MAX + RING_SHARED; ++place) {
    const RingCounters *counters = &process->counters[place];
    out->cells += atomic_load(&counters->cells);
    out->entries += atomic_load(&counters->entries);
    for (size_t i = 0; i < ABI_FUNCTION_COUNT; ++i)
      out->calls[i] += atomic_load(&counters->calls[i]);
  }
  for (size_t i = 0; i < ABI_FUNCTION_COUNT; ++i) out->api_calls += out->calls[i];
}

static void read_processes(const Ring *ring, Backing *backing, Trace *trace)
{
  for (size_t i = 0; i < RING_PROCESSES_MAX; ++i) {
    if (atomic_load(&ring->processes[i].ready) != 2) continue;
    TraceProcess *process = &trace->processes[trace->process_count++];
    read_process(ring, i, backing, process);
    trace->crossings += process->api_calls + process->cells + process->entries;
  }
}

// --- Findings ------------------------------------------------------------------------------------

static void read_finding(const Ring *ring, const RingFinding *from, TracePlaces *places,
                         TraceFinding *out)
{
  *out = (TraceFinding){.check = (CheckId)from->check,
                        .side = from->blame < SIDE_COUNT ? (CheckSide)from->blame : SIDE_NOBODY,
                        .function = from->function,
                        .thread = from->thread,
                        .count = atomic_load(&from->count),
                        .clock = from->clock};
  if (from->process < RING_PROCESSES_MAX) out->pid = ring->processes[from->process].pid;
  out->caller = trace_places_find(places, ring, from->image, from->clock, from->caller, true);
  out->callee = trace_places_find(places, ring, from->image, from->clock, from->callee, false);
  memcpy(out->numbers, from->numbers, sizeof out->numbers);
  memcpy(out->text, from->text, sizeof out->text - 1);
}

static bool same_place(const TracePlace *a, const TracePlace *b)
{
  if (!a || !b) return a == b;
  return a->offset == b->offset && strcmp(a->library, b->library) == 0;
}

// Another process may have made the same finding, at other addresses.
static TraceFinding *find_equal(const Trace *trace, const TraceFinding *finding)
{
  for (size_t i = 0; i < trace->finding_count; ++i) {
    TraceFinding *other = &trace->findings[i];
    if (other->check == finding->check && other->side == finding->side &&
        same_place(trace_blamed(other), trace_blamed(finding)))
      return other;
  }
  return NULL;
}

static int by_clock(const void *a, const void *b)
{
  const TraceFinding *first = a, *second = b;
  return first->clock < second->clock ? -1 : first->clock > second->clock;
}

static void read_findings(const Ring *ring, TracePlaces *places, Trace *trace)
{
  for (size_t i = 0; i < RING_FINDINGS_MAX; ++i) {
    const RingFinding *from = &ring->findings[i];
    if (!atomic_load(&from->ready) || from->check >= CHECK_COUNT) continue;
    TraceFinding finding;
    read_finding(ring, from, places, &finding);
    TraceFinding *equal = find_equal(trace, &finding);
    if (!equal) {
      trace->findings[trace->finding_count++] = finding;
      continue;
    }
    uint64_t total = equal->count + finding.count;
    if (finding.clock < equal->clock) *equal = finding;
    equal->count = total;
  }
  qsort(trace->findings, trace->finding_count, sizeof *trace->findings, by_clock);
}

static int by_count(const void *a, const void *b)
{
  const TraceAlive *first = a, *second = b;
  return first->count > second->count ? -1 : first->count < second->count;
}

// Other programs may have been at the same place, at other addresses.
static void read_alive(const Ring *ring, TracePlaces *places, Trace *trace)
{
  for (size_t i = 0; i < RING_ALIVE_MAX; ++i) {
    const RingAlive *from = &ring->alive[i];
    if (!atomic_load(&from->ready)) continue;
    TraceAlive alive = {
        .made = trace_places_find(places, ring, from->image, from->clock, from->made, true),
        .type_index = from->type_index,
        .count = atomic_load(&from->count)};
    size_t place = 0;
    while (place < trace->alive_count && !(trace->alive[place].type_index == alive.type_index &&
                                           same_place(&trace->alive[place].made, &alive.made)))
      ++place;
    if (place < trace->alive_count)
      trace->alive[place].count += alive.count;
    else
      trace->alive[trace->alive_count++] = alive;
  }
  qsort(trace->alive, trace->alive_count, sizeof *trace->alive, by_count);
}

// The threads of the program itself, if a signal ended it: nobody else's end is known.
static void read_inside(const Ring *ring, TracePlaces *places, int pid, Trace *trace)
{
  const RingProcess *process = NULL;
  for (size_t i = 0; i < RING_PROCESSES_MAX; ++i)
    if (atomic_load(&ring->processes[i].ready) == 2 && ring->processes[i].pid == pid)
      process = &ring->processes[i];
  for (size_t i = 0; process && i < RING_THREADS_MAX; ++i) {
    const RingThread *thread = &process->threads[i];
    if (!atomic_load(&thread->owner) || atomic_load(&thread->depth) < 1) continue;
    if (trace->inside_count == sizeof trace->inside / sizeof trace->inside[0]) return;
    uint64_t now = atomic_load(&ring->clock);
    TraceInside *inside = &trace->inside[trace->inside_count++];
    inside->function = thread->call.function;
    inside->caller =
        trace_places_find(places, ring, process->image, now, thread->call.caller, true);
    inside->callee =
        trace_places_find(places, ring, process->image, now, thread->call.callee, false);
  }
}

// --- Verdicts on findings, while the program runs ------------------------------------------------

typedef struct Verdicts {
  Ring *ring;
  const TraceWaivers *waivers;
  TracePlaces *places;
  unsigned asked;
} Verdicts;

static void decide(const Verdicts *verdicts, RingFinding *finding)
{
  TraceFinding found;
  if (!atomic_load(&finding->ready) || atomic_load(&finding->verdict) != RING_UNDECIDED ||
      finding->check >= CHECK_COUNT || !verdicts->ring->asks[finding->check])
    return;
  read_finding(verdicts->ring, finding, verdicts->places, &found);
  atomic_store(&finding->verdict,
               trace_waives(verdicts->waivers, &found) ? RING_WAIVED : RING_COUNTS);
  syscall(SYS_futex, &finding->verdict, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

// Waits for a question for 20 ms, and answers all that there are.
static void attend(void *context)
{
  static const struct timespec wait = {0, 20000000};
  Verdicts *verdicts = context;
  Ring *ring = verdicts->ring;
  syscall(SYS_futex, &ring->asked, FUTEX_WAIT, verdicts->asked, &wait, NULL, 0);
  unsigned asked = atomic_load(&ring->asked);
  if (asked == verdicts->asked) return;
  verdicts->asked = asked;
  for (size_t i = 0; i < RING_FINDINGS_MAX; ++i) decide(verdicts, &ring->findings[i]);
}

static int run(const TraceRequest *request, const RingFile *file, int *pid, int *status,
               char *error, size_t error_size)
{
  Verdicts verdicts = {file->ring, request->waivers, NULL, 0};
  if (request->waivers) verdicts.places = trace_places_new();
  for (size_t i = 0; verdicts.places && i < CHECK_COUNT; ++i)
    file->ring->asks[i] = !checks[i].advice && trace_waives_check(request->waivers, (CheckId)i);
  int code = program_run(request, file->path, verdicts.places ? attend : NULL, &verdicts, pid,
                         status, error, error_size);
  // Children that live on get no answer any more.
  memset(file->ring->asks, 0, sizeof file->ring->asks);
  if (verdicts.places) trace_places_free(verdicts.places);
  return code;
}

// --- The whole -----------------------------------------------------------------------------------

static Trace *read_ring(const Ring *ring)
{
  Trace *trace = calloc(1, sizeof *trace);
  Backing *backing = trace ? calloc(1, sizeof *backing) : NULL;
  if (!backing) {
    free(trace);
    return NULL;
  }
  trace->backing = backing;
  trace->findings = calloc(RING_FINDINGS_MAX, sizeof *trace->findings);
  trace->processes = calloc(RING_PROCESSES_MAX, sizeof *trace->processes);
  trace->alive = calloc(RING_ALIVE_MAX, sizeof *trace->alive);
  backing->places = trace_places_new();
  if (!trace->findings || !trace->alive || !trace->processes || !backing->places) {
    trace_free(trace);
    return NULL;
  }
  trace->lost_findings = atomic_load(&ring->lost_findings);
  trace->lost_modules = atomic_load(&ring->lost_modules);
  trace->lost_processes = atomic_load(&ring->lost_processes);
  trace->lost_alive = atomic_load(&ring->lost_alive);
  for (size_t i = 0; i < STARTER_COUNT; ++i) trace->unwatched[i] = atomic_load(&ring->unwatched[i]);
  read_processes(ring, backing, trace);
  read_findings(ring, backing->places, trace);
  read_alive(ring, backing->places, trace);
  if (!events_read(ring, backing->places, trace)) {
    trace_free(trace);
    return NULL;
  }
  for (size_t i = 0; i < CHECK_COUNT; ++i) trace->enabled[i] = ring->enabled[i];
  return trace;
}

static void fill_ring(const TraceRequest *request, Ring *ring)
{
  ring->on_error = request->on_error;
  ring->keeps_dead = request->keeps_dead;
  static const CheckId deeper[] = {CHECK_CALL_LEFT_ERROR, CHECK_CALL_COUNT_FELL, CHECK_OBJECTS_LEFT,
                                   CHECK_OBJECTS_KEPT};
  for (size_t i = 0; i < sizeof deeper / sizeof *deeper; ++i)
    ring->looks_deeper |= request->enabled[deeper[i]];
  for (size_t i = 0; i < CHECK_COUNT; ++i) {
    ring->enabled[i] = request->enabled[i];
    ring->counts[i] = !checks[i].advice;
  }
}

// What was found is worth a report, also where the recording can't be written.
static void save_recording(const TraceRequest *request, const Ring *ring, Trace *trace)
{
  const Backing *backing = trace->backing;
  TraceRecording made;
  if (!request->record || trace_save_recording(ring, backing->places, request->record, &made,
                                               trace->problem, sizeof trace->problem) != 0)
    return;
  trace->recording = request->record;
  trace->recorded_events = made.events;
  trace->recorded_bytes = made.bytes;
  trace->lost_records = made.lost + made.unfinished;
}

Trace *trace_run(const TraceRequest *request, char *error, size_t error_size)
{
  RingFile file = {.ring = NULL};
  Trace *trace = NULL;
  int pid, status;
  if (ring_file_make(&file, request->timeline ? RING_EVENTS_MAX : 0,
                     request->record ? RING_RECORD_MAX : 0, error, error_size) != 0)
    return NULL;
  fill_ring(request, file.ring);
  if (run(request, &file, &pid, &status, error, error_size) == 0) {
    trace = read_ring(file.ring);
    if (trace) {
      Backing *backing = trace->backing;
      trace->status = status;
      if (WIFSIGNALED(status)) read_inside(file.ring, backing->places, pid, trace);
      save_recording(request, file.ring, trace);
    } else {
      snprintf(error, error_size, "out of memory");
    }
  }
  ring_file_remove(&file);
  return trace;
}

void trace_free(Trace *trace)
{
  if (!trace) return;
  Backing *backing = trace->backing;
  if (backing) trace_places_free(backing->places);
  for (size_t i = 0; i < trace->finding_count; ++i) {
    free(trace->findings[i].caller.line);
    free(trace->findings[i].callee.line);
  }
  free(backing);
  free(trace->findings);
  free(trace->alive);
  free(trace->processes);
  free(trace->events);
  free(trace);
}
