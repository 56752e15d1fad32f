// SPDX-License-Identifier: Apache-2.0
#include "bench/bench_timing.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// A round of a few milliseconds is mostly over before the scheduler takes the processor away. One
// thread's round is measured in processor time besides, which stands still while others run.
static const uint64_t round_ns = 2000000;

static uint64_t now_ns(clockid_t clock)
{
  struct timespec now;
  clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

// --- One run -------------------------------------------------------------------------------------

// What is being done, `times` times in each thread; `failed` is set by a run that went wrong.
typedef struct Run {
  const BenchOperation *operation;
  BenchSubject *subject;
  uint64_t times;
  clockid_t clock;
  pthread_barrier_t *barrier;  // NULL: there is one thread
  unsigned thread;
  uint64_t start_ns, end_ns;
  bool failed;
} Run;

static void *run_once(void *argument)
{
  Run *run = argument;
  if (run->barrier) pthread_barrier_wait(run->barrier);
  run->start_ns = now_ns(run->clock);
  run->failed = run->operation->run(run->subject, run->thread, run->times) != 0;
  run->end_ns = now_ns(run->clock);
  return NULL;
}

// From the first thread's start to the last one's end. 0 if a thread didn't start or a call failed.
static uint64_t time_together(const Run *model, unsigned threads)
{
  Run runs[BENCH_THREADS_MAX];
  pthread_t handles[BENCH_THREADS_MAX];
  pthread_barrier_t barrier;
  bool failed = false;
  pthread_barrier_init(&barrier, NULL, threads);
  for (unsigned i = 0; i < threads; ++i) {
    runs[i] = *model;
    runs[i].thread = i;
    runs[i].barrier = &barrier;
    runs[i].clock = CLOCK_MONOTONIC;
    // The others would wait at the barrier forever.
    if (pthread_create(&handles[i], NULL, run_once, &runs[i]) != 0) abort();
  }
  uint64_t start = UINT64_MAX, end = 0;
  for (unsigned i = 0; i < threads; ++i) {
    pthread_join(handles[i], NULL);
    if (runs[i].start_ns < start) start = runs[i].start_ns;
    if (runs[i].end_ns > end) end = runs[i].end_ns;
    failed |= runs[i].failed;
  }
  pthread_barrier_destroy(&barrier);
  return failed ? 0 : end - start + (end == start);
}

static uint64_t time_run(const BenchOperation *operation, BenchSubject *subject, uint64_t times)
{
  Run run = {
      .operation = operation, .subject = subject, .times = times, .clock = CLOCK_THREAD_CPUTIME_ID};
  if (operation->threads > 1) return time_together(&run, operation->threads);
  run_once(&run);
  return run.failed ? 0 : run.end_ns - run.start_ns + (run.end_ns == run.start_ns);
}

// How often the operation has to be done to fill a round; warms up on the way. 0 if a call failed.
static uint64_t calibrate(const BenchOperation *operation, BenchSubject *subject)
{
  for (uint64_t times = 1;; times *= 4) {
    uint64_t took = time_run(operation, subject, times);
    if (took == 0) return 0;
    if (took < round_ns / 4) continue;
    // It may have been a thread that began late.
    uint64_t again = time_run(operation, subject, times);
    if (again == 0) return 0;
    if (again < took) took = again;
    if (took >= round_ns / 4) return times * round_ns / took ? times * round_ns / took : 1;
  }
}

// --- All rounds ----------------------------------------------------------------------------------

static int compare_numbers(const void *left, const void *right)
{
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

// The value below which `share` of the sorted numbers lie, between two of them if need be.
static double quantile(const double *sorted, unsigned count, double share)
{
  double at = share * (count - 1);
  unsigned below = (unsigned)at, above = below + 1 < count ? below + 1 : below;
  return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
}

static void summarise(double *numbers, unsigned count, BenchSample *sample)
{
  qsort(numbers, count, sizeof *numbers, compare_numbers);
  sample->median = quantile(numbers, count, 0.5);
  sample->spread = quantile(numbers, count, 0.75) - quantile(numbers, count, 0.25);
}

static void compare(double *ratios, unsigned count, BenchRecord *record)
{
  qsort(ratios, count, sizeof *ratios, compare_numbers);
  record->ratio = quantile(ratios, count, 0.5);
  record->ratio_low = quantile(ratios, count, 0.25);
  record->ratio_high = quantile(ratios, count, 0.75);
}

void bench_summarise(double *const numbers[], unsigned count, unsigned rounds, BenchRecord *record)
{
  static double ratios[BENCH_ROUNDS_MAX];
  bool both = count == 2;
  for (unsigned i = 0; i < count; ++i) both &= record->sample[i].state == BENCH_MEASURED;
  for (unsigned round = 0; both && round < rounds; ++round)
    ratios[round] = numbers[1][round] / numbers[0][round];
  for (unsigned i = 0; i < count; ++i)
    if (record->sample[i].state == BENCH_MEASURED)
      summarise(numbers[i], rounds, &record->sample[i]);
  if (both) compare(ratios, rounds, record);
}

static BenchState prepare(const BenchOperation *operation, BenchSubject *subject, uint64_t *times)
{
  if (!bench_operation_applies(operation, subject)) return BENCH_NOT_THERE;
  if (operation->prepare && !operation->prepare(subject, operation)) return BENCH_FAILED;
  *times = calibrate(operation, subject);
  return *times ? BENCH_MEASURED : BENCH_FAILED;
}

// The subjects of an operation, how often each runs it in a round, and what a round took.
typedef struct Contest {
  const BenchOperation *operation;
  BenchSubject *const *subjects;
  unsigned count;
  uint64_t times[BENCH_SUBJECTS_MAX];
  double *numbers[BENCH_SUBJECTS_MAX];  // nanoseconds per operation, by round
} Contest;

// One round of each subject that has not failed.
static void measure_round(const Contest *contest, unsigned round, BenchRecord *record)
{
  for (unsigned i = 0; i < contest->count; ++i) {
    unsigned which = (i + round) % contest->count;
    if (record->sample[which].state != BENCH_MEASURED) continue;
    uint64_t took = time_run(contest->operation, contest->subjects[which], contest->times[which]);
    if (took == 0) record->sample[which].state = BENCH_FAILED;
    contest->numbers[which][round] = (double)took / (double)contest->times[which];
  }
}

void bench_time(const BenchOperation *operation, BenchSubject *const subjects[], unsigned count,
                unsigned rounds, BenchRecord *record)
{
  static double first[BENCH_ROUNDS_MAX], second[BENCH_ROUNDS_MAX];
  Contest contest = {operation, subjects, count, {0}, {first, second}};
  for (unsigned i = 0; i < count; ++i)
    record->sample[i] = (BenchSample){.state = prepare(operation, subjects[i], &contest.times[i])};
  for (unsigned round = 0; round < rounds; ++round) measure_round(&contest, round, record);
  for (unsigned i = 0; i < count; ++i) bench_operation_clean(subjects[i]);
  bench_summarise(contest.numbers, count, rounds, record);
}
