// SPDX-License-Identifier: Apache-2.0
#include "bench/bench_count.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else  // such a build says that it cannot count
#define RUNNING_ON_VALGRIND 0
#define CALLGRIND_START_INSTRUMENTATION
#define CALLGRIND_STOP_INSTRUMENTATION
#define CALLGRIND_ZERO_STATS
#define CALLGRIND_DUMP_STATS
#endif

// So many instructions are enough to make what a single call does otherwise disappear.
static const uint64_t enough = 2000000;
enum { TIMES_MAX = 1000 };

bool bench_count_possible(void)
{
  return RUNNING_ON_VALGRIND != 0;
}

// The number in the line "totals: N" of the dump, which is removed. 0 if there is none.
static uint64_t read_dump(const char *dumps)
{
  static unsigned number;
  char path[4200], line[512];
  uint64_t instructions = 0;
  snprintf(path, sizeof path, "%s.%u", dumps, ++number);
  FILE *file = fopen(path, "re");
  while (file && instructions == 0 && fgets(line, sizeof line, file))
    if (sscanf(line, "totals: %" SCNu64, &instructions) != 1) instructions = 0;
  if (file) fclose(file);
  unlink(path);
  return instructions;
}

// The instructions of `times` operations; 0 if a call failed or nothing was counted.
static uint64_t count_run(const BenchOperation *operation, BenchSubject *subject, uint64_t times,
                          const char *dumps)
{
  CALLGRIND_START_INSTRUMENTATION;
  CALLGRIND_ZERO_STATS;
  int status = operation->run(subject, 0, times);
  CALLGRIND_DUMP_STATS;
  uint64_t instructions = read_dump(dumps);
  return status == 0 ? instructions : 0;
}

static BenchSample count_subject(const BenchOperation *operation, BenchSubject *subject,
                                 const char *dumps)
{
  BenchSample sample = {.state = BENCH_NOT_THERE};
  if (!bench_operation_applies(operation, subject)) return sample;
  sample.state = BENCH_FAILED;
  if (operation->prepare && !operation->prepare(subject, operation)) return sample;
  // The first call resolves symbols and fills caches.
  if (operation->run(subject, 0, 1) != 0) return sample;
  uint64_t once = count_run(operation, subject, 1, dumps);
  if (once == 0) return sample;
  uint64_t times = enough / once < TIMES_MAX ? enough / once + 1 : TIMES_MAX;
  uint64_t all = count_run(operation, subject, times, dumps);
  if (all == 0) return sample;
  return (BenchSample){.state = BENCH_MEASURED, .median = (double)all / (double)times};
}

void bench_count(const BenchOperation *operation, BenchSubject *const subjects[], unsigned count,
                 const char *dumps, BenchRecord *record)
{
  bool both = count == 2;
  for (unsigned i = 0; i < count; ++i) {
    BenchSample *sample = &record->sample[i];
    if (operation->threads > 1) {
      sample->state = BENCH_NOT_COUNTED;
    } else {
      *sample = count_subject(operation, subjects[i], dumps);
      bench_operation_clean(subjects[i]);
    }
    both &= sample->state == BENCH_MEASURED;
  }
  if (both)
    record->ratio = record->ratio_low = record->ratio_high =
        record->sample[1].median / record->sample[0].median;
}
