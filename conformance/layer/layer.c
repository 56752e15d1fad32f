// SPDX-License-Identifier: Apache-2.0
#include "layer/layer.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "layer/closures.h"
#include "layer/link.h"
#include "layer/lookups.h"
#include "layer/modules.h"
#include "layer/once.h"
#include "layer/recorder.h"
#include "layer/registry.h"
#include "layer/site.h"
#include "layer/threads.h"

Ring *layer_ring;
RingProcess *layer_process;
__attribute__((visibility("default"))) LayerLink tvmffi_layer_link;

atomic_int layer_state;

// --- Starting ------------------------------------------------------------------------------------

static Ring *map_ring(const char *path)
{
  int file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (file < 0) return NULL;
  struct stat about;
  Ring *ring = MAP_FAILED;
  if (fstat(file, &about) == 0 && about.st_size >= (off_t)sizeof *ring)
    ring = mmap(NULL, (size_t)about.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (ring == MAP_FAILED) return NULL;
  if (ring->magic == RING_MAGIC && ring->size == (uint64_t)about.st_size &&
      ring_size(ring->events_max, ring->record_bytes) == ring->size)
    return ring;
  munmap(ring, (size_t)about.st_size);
  return NULL;
}

static RingWay way(void)
{
  if (atomic_load(&tvmffi_layer_link.early_count)) return RING_AUDIT;
  return atomic_load(&tvmffi_layer_link.by_preload) ? RING_PRELOAD : RING_NO_WAY;
}

// The image of the process that started this one, of which none is traced if that is 0. A number of a
// process may be that of an earlier one, so the last counts.
static uint32_t image_of_parent(void)
{
  int32_t parent = getppid();
  uint32_t image = 0;
  for (size_t i = 0; i < RING_PROCESSES_MAX; ++i) {
    const RingProcess *process = &layer_ring->processes[i];
    unsigned ready = atomic_load(&process->ready);
    if (ready == 0) break;
    if (ready == 2 && process->pid == parent) image = process->image;
  }
  return image;
}

// A place for this process; the last one is shared by all for which there is none.
static RingProcess *claim_process(uint32_t parent, uint32_t image)
{
  RingProcess *process = layer_ring->processes;
  RingProcess *last = process + RING_PROCESSES_MAX - 1;
  for (; process < last; ++process) {
    unsigned none = 0;
    if (atomic_compare_exchange_strong(&process->ready, &none, 1)) break;
  }
  if (process == last && atomic_load(&process->ready))
    atomic_fetch_add(&layer_ring->lost_processes, 1);
  process->pid = getpid();
  process->image = image;
  process->parent = parent;
  process->from = parent ? 0 : image_of_parent();
  ssize_t length = readlink("/proc/self/exe", process->program, RING_PATH_MAX - 1);
  process->program[length > 0 ? length : 0] = '\0';
  atomic_store(&process->runtimes, atomic_load(&tvmffi_layer_link.runtime_count));
  atomic_store(&process->way, way());
  atomic_store(&process->ready, 2);
  return process;
}

static void on_fork_child(void)
{
  uint32_t parent = (uint32_t)(layer_process - layer_ring->processes) + 1;
  layer_process = claim_process(parent, layer_process->image);
  recorder_forked();
  registry_forked();
  closures_forked();
  lookups_forked();
  once_forked();
}

static bool start(void)
{
  int saved = errno;
  const char *path = getenv(RING_VARIABLE);
  layer_ring = path ? map_ring(path) : NULL;
  if (layer_ring) {
    layer_process = claim_process(0, atomic_fetch_add(&layer_ring->images, 1) + 1);
    pthread_atfork(NULL, NULL, on_fork_child);
    recorder_start();
    modules_start();
  }
  atomic_store(&layer_state, layer_ring ? LAYER_RUNNING : LAYER_OFF);
  errno = saved;
  return layer_ring;
}

bool layer_start_first(int now)
{
  return now == LAYER_NEW && atomic_compare_exchange_strong(&layer_state, &now, LAYER_STARTING) &&
         start();
}

__attribute__((constructor)) static void start_with_program(void)
{
  layer_is_running();
}

// --- Counting ------------------------------------------------------------------------------------

static void count(atomic_ullong *counter)
{
  atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
}

void layer_count(AbiFunctionId function)
{
  bool own;
  RingCounters *counters = threads_counters(&own);
  threads_count(&counters->calls[function], own);
}

bool layer_enter_call(bool by_symbol)
{
  if (!layer_is_running()) return false;
  bool own;
  RingCounters *counters = threads_counters(&own);
  threads_count(by_symbol ? &counters->entries : &counters->cells, own);
  return true;
}

bool layer_is_in_runtime(uintptr_t address)
{
  unsigned count = atomic_load_explicit(&tvmffi_layer_link.runtime_count, memory_order_relaxed);
  for (unsigned i = 0; i < count && i < LAYER_RUNTIMES_MAX; ++i)
    if (site_is_in(&tvmffi_layer_link.runtimes[i], address)) return true;
  return false;
}

// --- Findings ------------------------------------------------------------------------------------

static uint64_t mix(uint64_t hash, uint64_t value)
{
  hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ (hash >> 29);
}

static uint64_t blamed_address(CheckId check, const LayerParties *who)
{
  return checks[check].side == SIDE_CALLEE || checks[check].side == SIDE_RUNTIME ? who->callee
                                                                                 : who->caller;
}

static void fill(RingFinding *finding, CheckId check, const LayerParties *who,
                 const int64_t numbers[RING_NUMBERS], const char *text)
{
  finding->check = (uint16_t)check;
  finding->blame = (uint16_t)checks[check].side;
  finding->process = (uint32_t)(layer_process - layer_ring->processes);
  finding->image = layer_process->image;
  finding->thread = (int32_t)syscall(SYS_gettid);
  finding->function = who->function;
  finding->caller = who->caller;
  finding->callee = who->callee;
  finding->clock = atomic_fetch_add(&layer_ring->clock, 1) + 1;
  memcpy(finding->numbers, numbers, sizeof finding->numbers);
  for (size_t i = 0; text && text[i] && i + 1 < RING_TEXT_MAX; ++i) finding->text[i] = text[i];
  atomic_store(&finding->ready, 1);
}

// The place of equal findings, which may be a new one. NULL: there is no room for another.
static RingFinding *place_of(uint64_t key, bool *is_new)
{
  for (uint64_t i = 0; i < RING_FINDINGS_MAX; ++i) {
    RingFinding *finding = &layer_ring->findings[(key + i) % RING_FINDINGS_MAX];
    unsigned long long there = 0;
    *is_new = atomic_compare_exchange_strong(&finding->key, &there, key);
    if (*is_new || there == key) return finding;
  }
  return NULL;
}

// Waits for the verdict of the tracing program, for 10 s: it may have been stopped.
static bool is_waived(CheckId check, RingFinding *finding)
{
  enum { TIMES = 100 };
  static const struct timespec tenth = {0, 100000000};
  if (!layer_ring->asks[check]) return false;
  int saved = errno;
  for (int i = 0; i < TIMES && atomic_load(&finding->verdict) == RING_UNDECIDED; ++i)
    syscall(SYS_futex, &finding->verdict, FUTEX_WAIT, RING_UNDECIDED, &tenth, NULL, 0);
  errno = saved;
  return atomic_load(&finding->verdict) == RING_WAIVED;
}

static void ask(CheckId check)
{
  if (!layer_ring->asks[check]) return;
  int saved = errno;
  atomic_fetch_add(&layer_ring->asked, 1);
  syscall(SYS_futex, &layer_ring->asked, FUTEX_WAKE, 1, NULL, NULL, 0);
  errno = saved;
}

static void obey(CheckId check)
{
  if (!layer_ring->counts[check] || layer_ring->on_error == RING_REPORT) return;
  if (layer_ring->on_error == RING_ABORT) abort();
  _exit(1);
}

void layer_report(CheckId check, const LayerParties *who, const int64_t numbers[RING_NUMBERS],
                  const char *text)
{
  if (!layer_ring->enabled[check]) return;
  uint64_t key =
      mix(mix(mix(1, (uint64_t)check), blamed_address(check, who)), layer_process->image) | 1;
  bool is_new;
  RingFinding *finding = place_of(key, &is_new);
  if (!finding) {
    count(&layer_ring->lost_findings);
  } else {
    if (is_new) {
      fill(finding, check, who, numbers, text);
      ask(check);
    }
    count(&finding->count);
    if (is_waived(check, finding)) return;
  }
  obey(check);
}

// --- For a test runner in the process ------------------------------------------------------------

#define EXPORTED __attribute__((visibility("default")))

// The image that started another one; 0: none.
static uint32_t image_before(uint32_t image)
{
  for (size_t i = 0; i < RING_PROCESSES_MAX; ++i) {
    const RingProcess *process = &layer_ring->processes[i];
    if (atomic_load(&process->ready) == 2 && process->image == image && !process->parent)
      return process->from;
  }
  return 0;
}

// Whether this process, what it was forked from or to, or a program that one of them started has made
// it. Tests may run in several processes at a time, which know nothing of each other.
static bool is_ours(const RingFinding *finding)
{
  if (!atomic_load(&finding->ready) || !layer_ring->counts[finding->check] ||
      atomic_load(&finding->verdict) == RING_WAIVED)
    return false;
  uint32_t image = finding->image;
  for (size_t i = 0; image != layer_process->image; ++i) {
    if (image == 0 || i == RING_PROCESSES_MAX) return false;
    image = image_before(image);
  }
  return true;
}

EXPORTED uint64_t tvmffi_layer_errors(void)
{
  uint64_t total = 0;
  for (size_t i = 0; layer_is_running() && i < RING_FINDINGS_MAX; ++i) {
    const RingFinding *finding = &layer_ring->findings[i];
    if (is_ours(finding)) total += atomic_load(&finding->count);
  }
  return total;
}

EXPORTED const char *tvmffi_layer_finding(uint64_t index, uint64_t *count, uint64_t *caller,
                                          uint64_t *callee, uint64_t *elsewhere)
{
  if (!layer_is_running() || index >= RING_FINDINGS_MAX) return NULL;
  const RingFinding *finding = &layer_ring->findings[index];
  if (!is_ours(finding)) return "";
  *count = atomic_load(&finding->count);
  *caller = finding->caller;
  *callee = finding->callee;
  bool here = finding->image == layer_process->image || finding->process >= RING_PROCESSES_MAX;
  *elsewhere = here ? 0 : (uint64_t)layer_ring->processes[finding->process].pid;
  return checks[finding->check].name;
}
