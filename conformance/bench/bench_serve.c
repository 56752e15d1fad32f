// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "battery/generation_objects.h"
#include "bench/bench.h"
#include "bench/bench_count.h"
#include "bench/bench_load.h"
#include "bench/bench_timing.h"

// The reader has gone if a record can't be written; then nobody wants the rest.
static void send_record(const BenchRecord *record)
{
  if (write(BENCH_FD, record, sizeof *record) != (ssize_t)sizeof *record) _exit(3);
}

// Both libraries are loaded for themselves alone: neither sees the symbols of the other.
static bool load_all(BenchSubject *const subjects[], unsigned count, char *const paths[])
{
  BenchRecord record = {.kind = BENCH_LOADED};
  for (unsigned i = 0; i < count; ++i) {
    subjects[i]->label = (char)('A' + i);
    record.subject = i;
    if (!iut_load(&subjects[i]->iut, paths[i], record.text, sizeof record.text)) {
      record.kind = BENCH_CANNOT_LOAD;
      break;
    }
    record.objects[i] = generation_of_objects(&subjects[i]->iut);
    generation_speak(&subjects[i]->iut, record.objects[i]);
    record.version[i] = subjects[i]->iut.version = iut_ask_version(&subjects[i]->iut);
  }
  send_record(&record);
  return record.kind == BENCH_LOADED;
}

static void announce(BenchRecord *record, const char *title)
{
  *record = (BenchRecord){.kind = BENCH_STARTS};
  snprintf(record->text, sizeof record->text, "%s", title);
  send_record(record);
  record->kind = BENCH_ROW;
}

// Rounds: 0 counts instructions.
static void measure(const BenchOperation *operation, BenchSubject *const subjects[], unsigned count,
                    unsigned rounds)
{
  BenchRecord record;
  announce(&record, operation->title);
  if (rounds)
    bench_time(operation, subjects, count, rounds, &record);
  else
    bench_count(operation, subjects, count, getenv(BENCH_DUMPS), &record);
  send_record(&record);
}

static bool may_count(void)
{
  if (getenv(BENCH_DUMPS) && bench_count_possible()) return true;
  send_record(&(BenchRecord){.kind = BENCH_CANNOT_COUNT});
  return false;
}

int bench_serve(unsigned rounds, unsigned count, char *const paths[])
{
  static BenchSubject first, second;
  BenchSubject *const subjects[BENCH_SUBJECTS_MAX] = {&first, &second};
  BenchRecord loading;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (rounds > BENCH_ROUNDS_MAX || count < 1 || count > BENCH_SUBJECTS_MAX) return 2;
  if (fcntl(BENCH_FD, F_SETFD, FD_CLOEXEC) != 0) return 2;
  send_record(&(BenchRecord){.kind = BENCH_BEGINS});
  if (rounds == 0 && !may_count()) return 4;
  // Loading is measured before this process knows the libraries, and told of when it does.
  loading = (BenchRecord){.kind = BENCH_ROW, .text = "load the library"};
  if (rounds) bench_load(count, paths, rounds, &loading);
  if (!load_all(subjects, count, paths)) return 3;
  if (rounds) send_record(&loading);
  for (size_t i = 0; i < bench_group_count; ++i)
    for (size_t j = 0; j < bench_groups[i]->count; ++j)
      measure(&bench_groups[i]->operations[j], subjects, count, rounds);
  send_record(&(BenchRecord){.kind = BENCH_END});
  for (unsigned i = 0; i < count; ++i) bench_names_free(&subjects[i]->names);
  return 0;
}
