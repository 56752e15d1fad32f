// SPDX-License-Identifier: Apache-2.0
// What a library built with -fsanitize-coverage=trace-pc-guard, or inline-8bit-counters, calls or
// fills in. The worker has these names for it to find; a library without them never asks.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "fuzz/fuzz_engine.h"

enum { COUNTERS_MAX = 64 };

static uint8_t *reached;
static unsigned gained;
static uint32_t guards;  // that were given a number
static struct {
  uint8_t *start, *stop;
  size_t first;  // the number of its first place
} counters[COUNTERS_MAX];
static size_t counter_count, counter_places;

#define EXPORT __attribute__((visibility("default"), used))

EXPORT void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, const uint32_t *stop);
EXPORT void __sanitizer_cov_trace_pc_guard(const uint32_t *guard);
EXPORT void __sanitizer_cov_8bit_counters_init(char *start, char *stop);
EXPORT void __sanitizer_cov_pcs_init(const uintptr_t *start, const uintptr_t *stop);

static void reach(size_t place)
{
  uint8_t *edge = &reached[place % FUZZ_EDGES_MAX];
  gained += !*edge;
  *edge = 1;
}

// Called when a library is loaded, and perhaps again for the same places.
void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, const uint32_t *stop)
{
  if (start == stop || *start) return;
  for (uint32_t *guard = start; guard < stop; ++guard) *guard = ++guards;
}

void __sanitizer_cov_trace_pc_guard(const uint32_t *guard)
{
  if (reached && *guard) reach(*guard);
}

void __sanitizer_cov_8bit_counters_init(char *start, char *stop)
{
  if (start == stop || counter_count == COUNTERS_MAX) return;
  counters[counter_count].start = (uint8_t *)start;
  counters[counter_count].stop = (uint8_t *)stop;
  counters[counter_count++].first = counter_places;
  counter_places += (size_t)(stop - start);
}

void __sanitizer_cov_pcs_init(const uintptr_t *start, const uintptr_t *stop)
{
  (void)start, (void)stop;
}

// What the counters counted since the last time.
static void collect_counters(void)
{
  for (size_t i = 0; i < counter_count; ++i)
    for (uint8_t *at = counters[i].start; at < counters[i].stop; ++at) {
      if (!*at) continue;
      if (reached) reach(counters[i].first + (size_t)(at - counters[i].start));
      *at = 0;
    }
}

void fuzz_coverage_into(uint8_t edges[FUZZ_EDGES_MAX])
{
  reached = edges;
  collect_counters();
  gained = 0;
}

unsigned fuzz_coverage_gain(void)
{
  if (counter_count) collect_counters();
  unsigned gain = gained;
  gained = 0;
  return gain;
}
