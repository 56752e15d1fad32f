// SPDX-License-Identifier: Apache-2.0
#include "battery/probe.h"

#include <dirent.h>
#include <dlfcn.h>
#include <inttypes.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "battery/access.h"
#include "battery/clock.h"
#include "battery/expect.h"
#include "battery/faults_gate.h"

// --- Objects of ours -----------------------------------------------------------------------------

enum { PROBE_BODY = 64, PROBE_LOG = 16 };

// The header comes first in every generation; nothing else of this is seen by the library.
typedef struct Probe {
  _Alignas(16) unsigned char header[32];
  unsigned char body[PROBE_BODY];
  unsigned char body_made[PROBE_BODY];
  const AbiLayout *layout;
  atomic_uint calls;
  int flags[PROBE_LOG];
  uint64_t strong_in_deleter, weak_in_deleter;
} Probe;

// The body begins right behind the header of the generation, so it overlaps the spare bytes of
// `header`.
static unsigned char *body_of(Probe *probe)
{
  return probe->header + probe->layout->header_size;
}

static void log_deletion(void *self, int flags)
{
  Probe *probe = self;
  unsigned index = atomic_fetch_add(&probe->calls, 1);
  if (index == 0) {
    probe->strong_in_deleter =
        object_counter_(self, probe->layout->strong_offset, probe->layout->strong_width);
    probe->weak_in_deleter =
        object_counter_(self, probe->layout->weak_offset, probe->layout->weak_width);
  }
  if (index < PROBE_LOG) probe->flags[index] = flags;
}

static void set_counter(Probe *probe, size_t offset, size_t width, uint64_t value)
{
  uint32_t narrow = (uint32_t)value;
  if (width == 4)
    memcpy(probe->header + offset, &narrow, 4);
  else
    memcpy(probe->header + offset, &value, 8);
}

static void update_nothing(TVMFFIObjectHandle self, const TVMFFIByteArray *backtrace, int32_t mode)
{
  (void)self, (void)backtrace, (void)mode;
}

void fill_error_cell(void *cell)
{
  const TVMFFIErrorCell filled = {.kind = {"ProbeError", 10},
                                  .message = {"of the suite", 12},
                                  .backtrace = {"", 0},
                                  .update_backtrace = update_nothing};
  memcpy(cell, &filled, offsetof(TVMFFIErrorCell, cause_chain));
}

static TVMFFIObjectHandle make_probe(const Iut *iut, int32_t type_index,
                                     void (*deleter)(void *, int))
{
  Probe *probe = calloc(1, sizeof *probe);
  if (!probe) case_inconclusive("no memory for a probe object");
  const AbiLayout *layout = probe->layout = iut->layout;
  memset(body_of(probe), 0x5A, PROBE_BODY);
  if (type_index == kTVMFFIError) fill_error_cell(body_of(probe));
  memcpy(probe->body_made, body_of(probe), PROBE_BODY);
  memcpy(probe->header + layout->type_index_offset, &type_index, sizeof type_index);
  memcpy(probe->header + layout->deleter_offset, &deleter, sizeof deleter);
  set_counter(probe, layout->strong_offset, layout->strong_width, 1);
  set_counter(probe, layout->weak_offset, layout->weak_width, 1);
  return probe;
}

TVMFFIObjectHandle new_probe_object(const Iut *iut)
{
  return make_probe(iut, PROBE_TYPE_INDEX, log_deletion);
}

TVMFFIObjectHandle new_probe_object_of(const Iut *iut, int32_t type_index)
{
  return make_probe(iut, type_index, log_deletion);
}

TVMFFIObjectHandle new_probe_object_without_deleter(const Iut *iut)
{
  return make_probe(iut, PROBE_TYPE_INDEX, NULL);
}

unsigned probe_deleter_calls(TVMFFIObjectHandle object)
{
  return atomic_load(&((Probe *)object)->calls);
}

void probe_counts_in_deleter(TVMFFIObjectHandle object, uint64_t *strong, uint64_t *weak)
{
  Probe *probe = object;
  *strong = probe->strong_in_deleter;
  *weak = probe->weak_in_deleter;
}

bool expect_deleter_calls_(const char *at, TVMFFIObjectHandle object, const char *flags)
{
  Probe *probe = object;
  char seen[PROBE_LOG * 12] = "";
  size_t end = 0;
  unsigned calls = atomic_load(&probe->calls);
  for (unsigned i = 0; i < calls && i < PROBE_LOG; ++i)
    end += (size_t)snprintf(seen + end, sizeof seen - end, "%s%d", i ? " " : "", probe->flags[i]);
  for (size_t i = 0; i < PROBE_BODY; ++i)
    if (body_of(probe)[i] != probe->body_made[i])
      return expect_that_(at, false, "the bytes behind the header stay as they are",
                          "byte %zu behind the header is 0x%02x, was 0x%02x", i, body_of(probe)[i],
                          probe->body_made[i]);
  char expected[160];
  snprintf(expected, sizeof expected, "deleter calls with flags: %s", *flags ? flags : "none");
  bool missing = strncmp(seen, flags, end) == 0 && flags[end] != '\0';
  if (missing)
    return expect_no_leak_(at, false, expected, "deleter calls with flags: %s",
                           *seen ? seen : "none");
  return expect_that_(at, strcmp(seen, flags) == 0, expected, "deleter calls with flags: %s",
                      *seen ? seen : "none");
}

// --- Callbacks of ours ---------------------------------------------------------------------------

static int log_call(CallLog *log, void *handle, const TVMFFIAny *args, int32_t num_args,
                    TVMFFIAny *result)
{
  atomic_fetch_add(&log->calls, 1);
  log->handle = handle;
  log->args = args;
  log->num_args = num_args;
  log->result = result;
  if (result) log->result_before = *result;
  if (log->gives) *result = log->give;
  return log->returns;
}

int call_log_callee(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  return log_call(handle, handle, args, num_args, result);
}

CallLog call_log_without_self;

int call_log_callee_without_self(void *handle, const TVMFFIAny *args, int32_t num_args,
                                 TVMFFIAny *result)
{
  return log_call(&call_log_without_self, handle, args, num_args, result);
}

void call_log_delete(void *self)
{
  atomic_fetch_add(&((CallLog *)self)->deleted, 1);
}

// --- Threads -------------------------------------------------------------------------------------

enum { THREADS_MAX = 64 };

typedef struct ThreadStart {
  pthread_barrier_t *barrier;
  atomic_uint *awake;  // threads that the barrier has let go
  unsigned count;
  void (*body)(Iut *, unsigned, void *);
  Iut *iut;
  void *context;
  unsigned index;
} ThreadStart;

static void *thread_main(void *argument)
{
  ThreadStart *start = argument;
  pthread_barrier_wait(start->barrier);
  // Those that slept there wake up one after the other, later than a short body takes.
  atomic_fetch_add(start->awake, 1);
  while (atomic_load(start->awake) < start->count) sched_yield();
  start->body(start->iut, start->index, start->context);
  return NULL;
}

void run_in_threads(Iut *iut, unsigned count, void (*body)(Iut *, unsigned, void *), void *context)
{
  pthread_t threads[THREADS_MAX];
  ThreadStart starts[THREADS_MAX];
  pthread_barrier_t barrier;
  atomic_uint awake = 0;
  if (count == 0 || count > THREADS_MAX) case_inconclusive("%u threads requested", count);
  expect_races();
  pthread_barrier_init(&barrier, NULL, count);
  for (unsigned i = 0; i < count; ++i) {
    starts[i] = (ThreadStart){&barrier, &awake, count, body, iut, context, i};
    int status = pthread_create(&threads[i], NULL, thread_main, &starts[i]);
    if (status) case_inconclusive("cannot start thread %u of %u: %s", i, count, strerror(status));
  }
  for (unsigned i = 0; i < count; ++i) pthread_join(threads[i], NULL);
  pthread_barrier_destroy(&barrier);
}

// --- Heap ----------------------------------------------------------------------------------------

#ifdef __GLIBC__
// glibc's own gauge. Before 2.33 there is only one that counts up to 4 GiB.
static bool glibc_gauge(size_t *in_use)
{
  void *address = dlsym(RTLD_DEFAULT, "mallinfo2");
  void *older = address ? NULL : dlsym(RTLD_DEFAULT, "mallinfo");
  if (address) {
    struct mallinfo2 (*gauge)(void);
    memcpy(&gauge, &address, sizeof gauge);
    struct mallinfo2 info = gauge();
    *in_use = info.uordblks + info.hblkhd;
  } else if (older) {
    struct mallinfo (*gauge)(void);
    memcpy(&gauge, &older, sizeof gauge);
    struct mallinfo info = gauge();
    *in_use = (size_t)(unsigned)info.uordblks + (unsigned)info.hblkhd;
  }
  return address || older;
}
#endif

size_t heap_in_use(void)
{
  // A sanitizer brings an allocator of its own, of which glibc's gauge knows nothing.
  static size_t (*sanitizer_gauge)(void);
  static atomic_bool looked;
  if (!atomic_exchange(&looked, true)) {
    void *address = dlsym(RTLD_DEFAULT, "__sanitizer_get_current_allocated_bytes");
    memcpy(&sanitizer_gauge, &address, sizeof address);
  }
  if (sanitizer_gauge) return sanitizer_gauge();
#ifdef __GLIBC__
  size_t in_use;
  if (glibc_gauge(&in_use)) return in_use;
#endif
  return faults_heap ? faults_heap() : SIZE_MAX;
}

// What each series adds, on average. More of them than SERIES begin and end anywhere between two leaps.
enum { SERIES = 3, SERIES_MOST = 12 };

static size_t growth_of_series(size_t all, unsigned made)
{
  return all / (made > SERIES ? made - 1 : made);
}

// Whether another series is to tell: what grows by leaps does so in one of them for all, and goes on; a heap that
// has come to lie in pieces has grown once.
static bool is_series_due(size_t all, size_t least, unsigned made, size_t limit)
{
  if (made < SERIES) return made == 0 || all >= limit;
  return made < SERIES_MOST && least < limit && growth_of_series(all, made) >= limit;
}

enum { WARM_UP = 64, WARM_UP_LEAST = 2 };

// How many runs of the `rounds` there is time for in a series, if so many took as long.
static unsigned rounds_in_time(unsigned rounds, unsigned made, double seconds)
{
  enum { SERIES_SECONDS = 3, ROUNDS_LEAST = 64 };
  if (seconds * rounds <= (double)SERIES_SECONDS * made) return rounds;
  const unsigned fitting = (unsigned)(SERIES_SECONDS * made / seconds);
  const unsigned least = rounds < ROUNDS_LEAST ? rounds : ROUNDS_LEAST;
  return fitting > least ? fitting : least;
}

// Whether the warm-up of something slow is over.
static bool is_warm(unsigned made, double since)
{
  enum { SECONDS = 2 };
  return made >= WARM_UP || (made >= WARM_UP_LEAST && clock_seconds() - since >= SECONDS);
}

// Ends a case that would run out of time: what is slow keeps others from theirs.
static void require_time(double seconds, unsigned runs)
{
  enum { SECONDS_MOST = 30 };
  if (seconds * runs > SECONDS_MOST)
    case_inconclusive("a run takes %.2f s, too long to make %u of them", seconds, runs);
}

// All runs are made at one place: a runtime may keep something of each place in the program that an error came by.
bool expect_no_heap_growth_(const char *at, Iut *iut, unsigned rounds,
                            void (*operation)(Iut *, void *), void *context)
{
  unsigned most = rounds, series = 1, made = 0;
  size_t limit = 8 * (size_t)rounds, least = SIZE_MAX, all = 0;
  for (bool warm = false; !warm || made < series || is_series_due(all, least, made, limit);) {
    const size_t before = heap_in_use();
    const double since = clock_seconds();
    unsigned runs = 0;
    for (; warm ? runs < most : !is_warm(runs, since); ++runs) operation(iut, context);
    const size_t after = heap_in_use();
    if (before == SIZE_MAX) case_inconclusive("cannot measure the heap of this process");
    if (!warm) {
      most = rounds_in_time(rounds, runs, clock_seconds() - since);
      limit = 8 * (size_t)most;
      // What leaks now and then may not do so in a short series.
      series = most < rounds ? 2 : 1;
      require_time((clock_seconds() - since) / runs, series * most);
      warm = true;
      continue;
    }
    const size_t more = after > before ? after - before : 0;
    if (more < least) least = more;
    all += more;
    ++made;
  }
  const size_t mean = growth_of_series(all, made);
  const size_t growth = made >= SERIES && mean >= limit ? mean : least;
  char expected[96];
  snprintf(expected, sizeof expected, "the heap grows by less than %zu bytes in %u rounds", limit,
           most);
  return expect_no_leak_(at, growth < limit, expected, "it grew by %zu bytes", growth);
}

unsigned threads_of_process(void)
{
  unsigned count = 0;
  DIR *tasks = opendir("/proc/self/task");
  if (!tasks) return 0;
  for (const struct dirent *task; (task = readdir(tasks));) count += task->d_name[0] != '.';
  closedir(tasks);
  return count;
}
