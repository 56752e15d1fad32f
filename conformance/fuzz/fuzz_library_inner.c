// SPDX-License-Identifier: Apache-2.0
// Loads of another library while one is under way: within a loader, in this thread or another, and
// beyond it.
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <string.h>

#include "fuzz/fuzz_library_state.h"

// --- A load within a load ------------------------------------------------------------------------

static bool imports_just(TVMFFIObjectHandle module, TVMFFIObjectHandle import)
{
  TVMFFIObjectHandle array = fuzz_bin_imports(module);
  const TVMFFISeqCell *cell = array ? object_body(fuzz_bin.iut, array) : NULL;
  bool right = cell && cell->size == 1 && ((const TVMFFIAny *)cell->data)->v_obj == import;
  if (array) fuzz_bin.iut->ObjectDecRef(array);
  return right;
}

static void *load_inner_here(void *from)
{
  const char *library = from ? (const char *)from : fuzz_bin.inner_path;
  TVMFFIAny path = view_of_raw_string(library), result = any_none();
  int code = fuzz_bin.iut->FunctionCall(fuzz_bin.load, &path, 1, &result);
  fuzz_bin_load.inner_wrong |= code != 0 || result.type_index != kTVMFFIModule ||
                               fuzz_bin_load.calls != 2 || fuzz_bin_load.wrong ||
                               result.v_obj != fuzz_bin.inner_nodes[0] ||
                               !imports_just(fuzz_bin.inner_nodes[0], fuzz_bin.inner_nodes[1]);
  if (code != 0) release_object(fuzz_bin.iut, take_error(fuzz_bin.iut));
  for (size_t i = 0; i < 2; ++i) fuzz_bin_clear_imports(fuzz_bin.inner_nodes[i]);
  release_any(fuzz_bin.iut, &result);
  return NULL;
}

// What is loaded from here on is the small library.
static void begin_inner(void)
{
  memset(&fuzz_bin_load, 0, offsetof(__typeof__(fuzz_bin_load), node_of));
  fuzz_bin_load.tree = &fuzz_bin.inner;
  fuzz_bin_load.is_inner = true;
  fuzz_bin_load.wrong = fuzz_bin_load.inner_wrong = fuzz_bin_load.failed = false;
  fuzz_bin_load.kept_count = 0;
}

// Adds what the load within has shown to the one that goes on.
static void add_inner(bool wrong, bool in_thread)
{
  fuzz_bin_load.has_inner = true;
  fuzz_bin_load.inner_wrong |= wrong;
  fuzz_bin_load.in_thread |= in_thread;
}

static bool start_thread(pthread_t *thread, void *(*start)(void *))
{
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 512 << 10);
  const bool started = pthread_create(thread, &small, start, NULL) == 0;
  pthread_attr_destroy(&small);
  return started;
}

// --- Loads that overlap --------------------------------------------------------------------------

// A load of another thread that waits in its first loader until the load that goes on is over. One
// of the two threads runs at a time.
static struct Lap {
  bool waits;       // it has begun, and is not over
  bool is_in_turn;  // it is the one that runs
  pthread_t thread;
  sem_t outer, inner;  // the turns
  FuzzBinLoad load;    // that of the thread that waits
} lap;

static void let_outer_go_on(void)
{
  if (lap.waits) return;
  lap.waits = true;
  lap.is_in_turn = false;
  sem_post(&lap.outer);
  sem_wait(&lap.inner);
}

static void *lap_here(void *unused)
{
  load_inner_here(unused);
  lap.is_in_turn = false;
  sem_post(&lap.outer);
  return NULL;
}

static void change_loads(void)
{
  static FuzzBinLoad goes_on;
  goes_on = lap.load;
  lap.load = fuzz_bin_load;
  fuzz_bin_load = goes_on;
}

// Begins a load in another thread. It waits in a loader when this returns, or is over.
static void begin_lap(void)
{
  if (lap.waits || sem_init(&lap.outer, 0, 0) != 0 || sem_init(&lap.inner, 0, 0) != 0) return;
  lap.load = fuzz_bin_load;
  begin_inner();
  lap.is_in_turn = true;
  const bool started = start_thread(&lap.thread, lap_here);
  if (started) sem_wait(&lap.outer);
  lap.is_in_turn = false;
  if (started && !lap.waits) pthread_join(lap.thread, NULL);
  const bool wrong = started && !lap.waits && fuzz_bin_load.inner_wrong;
  change_loads();
  if (started) add_inner(wrong, true);
}

void fuzz_bin_end_lap(void)
{
  if (!lap.waits) return;
  change_loads();
  lap.is_in_turn = true;
  sem_post(&lap.inner);
  pthread_join(lap.thread, NULL);
  lap.waits = false;
  const bool wrong = fuzz_bin_load.inner_wrong;
  change_loads();
  add_inner(wrong, true);
}

// --- Loads within each other ---------------------------------------------------------------------

// How many loads the one that goes on stands in, of those that nest.
static unsigned depth = FUZZ_BIN_NESTED;

// (Each is of another library: whether one may be loaded while it is being loaded, nobody says.)
static void load_deeper(void)
{
  static FuzzBinLoad outer[FUZZ_BIN_NESTED];
  char *path;
  if (depth == FUZZ_BIN_NESTED || fuzz_bin_load.calls != 1) return;
  memcpy(&path, &fuzz_bin.nested_paths[depth], sizeof path);
  outer[depth++] = fuzz_bin_load;
  begin_inner();
  load_inner_here(path);
  const bool wrong = fuzz_bin_load.inner_wrong;
  fuzz_bin_load = outer[--depth];
  fuzz_bin_load.inner_wrong |= wrong;
}

void fuzz_bin_be_within_inner(void)
{
  if (lap.is_in_turn)
    let_outer_go_on();
  else
    load_deeper();
}

// What a loader does that loads a library itself, in this thread or while it waits for another.
void fuzz_bin_load_inner(const FuzzBinKind *kind)
{
  static FuzzBinLoad outer;
  pthread_t thread;
  if (kind->laps) {
    begin_lap();
    return;
  }
  outer = fuzz_bin_load;
  begin_inner();
  if (kind->in_thread && start_thread(&thread, load_inner_here)) {
    pthread_join(thread, NULL);
  } else {
    depth = 0;
    load_inner_here(NULL);
    depth = FUZZ_BIN_NESTED;
  }
  const bool wrong = fuzz_bin_load.inner_wrong;
  fuzz_bin_load = outer;
  add_inner(wrong, kind->in_thread);
}

// Whether the payload of the small library is loaded from this one, when nothing else is.
static bool loads_inner_from(const char *path)
{
  static FuzzBinLoad outer;
  char *library;
  memcpy(&library, &path, sizeof library);
  outer = fuzz_bin_load;
  begin_inner();
  load_inner_here(library);
  bool right = !fuzz_bin_load.inner_wrong;
  fuzz_bin_load = outer;
  return right;
}

bool fuzz_bin_load_small(void)
{
  return loads_inner_from(fuzz_bin.inner_path);
}

bool fuzz_bin_minds_room(void)
{
  if (loads_inner_from(fuzz_bin.inner_path)) return false;
  fuzz_bin_place(&fuzz_bin.inner_input);
  return loads_inner_from(fuzz_bin.carrier.path);
}
