// SPDX-License-Identifier: Apache-2.0
#include "trace/events.h"

#include <stdlib.h>

// Places of addresses that were looked for last: many calls have the same.
enum { KNOWN = 4096 };
typedef struct Known {
  uint64_t address;
  uint32_t image;
  bool is_return_address;
  TracePlace place;
} Known;

typedef struct Reading {
  const Ring *ring;
  TracePlaces *places;
  Known *known;
} Reading;

static TracePlace find(Reading *reading, uint32_t image, uint64_t clock, uint64_t address,
                       bool is_return_address)
{
  Known *known = &reading->known[(address ^ address >> 12 ^ image) % KNOWN];
  if (known->address != address || known->image != image ||
      known->is_return_address != is_return_address)
    *known = (Known){address, image, is_return_address,
                     trace_places_find(reading->places, reading->ring, image, clock, address,
                                       is_return_address)};
  return known->place;
}

static TraceEvent read_event(Reading *reading, const RingEvent *from, const Trace *trace)
{
  const RingProcess *process = &reading->ring->processes[from->process % RING_PROCESSES_MAX];
  TraceEvent event = {.function = from->function,
                      .program = "",
                      .pid = process->pid,
                      .thread = from->thread,
                      .code = from->code,
                      .start_ns = from->start_ns,
                      .end_ns = from->end_ns > from->start_ns ? from->end_ns : from->start_ns};
  event.own_ns = event.end_ns - event.start_ns;
  event.caller = find(reading, process->image, from->clock, from->caller, true);
  event.callee = find(reading, process->image, from->clock, from->callee, false);
  for (size_t i = 0; i < trace->process_count; ++i)
    if (trace->processes[i].pid == event.pid) event.program = trace->processes[i].program;
  return event;
}

// By process and thread, then by when they began; the outer one of two goes first.
static int by_begin(const void *a, const void *b)
{
  const TraceEvent *first = a, *second = b;
  if (first->pid != second->pid) return first->pid < second->pid ? -1 : 1;
  if (first->thread != second->thread) return first->thread < second->thread ? -1 : 1;
  if (first->start_ns != second->start_ns) return first->start_ns < second->start_ns ? -1 : 1;
  return first->end_ns > second->end_ns ? -1 : first->end_ns < second->end_ns;
}

static bool is_within(const TraceEvent *inner, const TraceEvent *outer)
{
  return outer->pid == inner->pid && outer->thread == inner->thread &&
         inner->end_ns <= outer->end_ns;
}

static void nest(TraceEvent *events, size_t count)
{
  TraceEvent *outer = NULL;
  for (size_t i = 0; i < count; ++i) {
    TraceEvent *event = &events[i];
    while (outer && !is_within(event, outer)) outer = (TraceEvent *)(uintptr_t)outer->outer;
    event->outer = outer;
    uint64_t ns = event->end_ns - event->start_ns;
    if (outer) outer->own_ns -= ns < outer->own_ns ? ns : outer->own_ns;
    outer = event;
  }
}

bool events_read(const Ring *ring, TracePlaces *places, Trace *trace)
{
  uint64_t seen = atomic_load(&ring->event_count);
  size_t count = seen < ring->events_max ? (size_t)seen : ring->events_max;
  trace->lost_events = seen - count;
  if (ring->events_max == 0) {
    trace->lost_events = 0;
    return true;
  }
  Reading reading = {ring, places, calloc(KNOWN, sizeof(Known))};
  trace->events = calloc(count + 1, sizeof *trace->events);
  for (size_t i = 0; reading.known && trace->events && i < count; ++i)
    if (atomic_load(&ring->events[i].ready))
      trace->events[trace->event_count++] = read_event(&reading, &ring->events[i], trace);
  bool good = reading.known && trace->events;
  free(reading.known);
  if (!good) return false;
  qsort(trace->events, trace->event_count, sizeof *trace->events, by_begin);
  nest(trace->events, trace->event_count);
  return true;
}
