// SPDX-License-Identifier: Apache-2.0
#include "bench/bench_load.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench/bench_timing.h"

static double now_ns(void)
{
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

// In a process of its own, which ends here.
_Noreturn static void load_and_tell(const char *path, int out)
{
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  double start = now_ns();
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  double took = now_ns() - start;
  bool told = handle && write(out, &took, sizeof took) == (ssize_t)sizeof took;
  _exit(told ? 0 : 1);
}

// Nanoseconds; 0 if the library could not be loaded.
static double load_once(const char *path)
{
  int ends[2];
  double took = 0;
  if (pipe(ends) != 0) return 0;
  pid_t child = fork();
  if (child == 0) load_and_tell(path, ends[1]);
  close(ends[1]);
  if (child > 0) {
    if (read(ends[0], &took, sizeof took) != (ssize_t)sizeof took) took = 0;
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
  }
  close(ends[0]);
  return took;
}

void bench_load(unsigned count, char *const paths[], unsigned rounds, BenchRecord *record)
{
  static double first[BENCH_ROUNDS_MAX], second[BENCH_ROUNDS_MAX];
  double *numbers[BENCH_SUBJECTS_MAX] = {first, second};
  // The first time, the files may have to come from the disk.
  for (unsigned i = 0; i < count; ++i)
    record->sample[i].state = load_once(paths[i]) > 0 ? BENCH_MEASURED : BENCH_FAILED;
  for (unsigned round = 0; round < rounds; ++round)
    for (unsigned i = 0; i < count; ++i) {
      unsigned which = (i + round) % count;
      if (record->sample[which].state != BENCH_MEASURED) continue;
      numbers[which][round] = load_once(paths[which]);
      if (numbers[which][round] <= 0) record->sample[which].state = BENCH_FAILED;
    }
  bench_summarise(numbers, count, rounds, record);
}
