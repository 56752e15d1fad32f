// SPDX-License-Identifier: Apache-2.0
// Loads of a sound tree while one request for memory is refused, each in turn; and memory that is
// left behind by threads that load, and end.
#include <stdint.h>

#include "battery/faults.h"
#include "battery/probe.h"
#include "fuzz/fuzz_library_state.h"

enum { REQUESTS_MAX = 400, MODULES_FEW = 6, TIMES = 3 };
enum { THREADS_BEFORE = 4, THREADS = 32, ROUNDS = 3, BYTES_A_THREAD = 16 };

// Whether nothing but the payload itself is loaded: what our loaders load would be refused memory, too.
static bool is_plain(const FuzzRun *run)
{
  return !run->refused && fuzz_bin_aspects[run->aspect].due == FUZZ_DUE_ACCEPT &&
         run->aspect != FUZZ_BIN_NESTS && run->aspect != FUZZ_BIN_THREADS && fuzz_bin_load.tree &&
         fuzz_bin_load.tree->num_modules <= MODULES_FEW;
}

// A load that succeeds has done all of its work.
static void judge_success(const TVMFFIAny *result, unsigned request, FuzzRun *run)
{
  FuzzRun other = *run;
  other.count = 0;
  if (result->type_index != kTVMFFIModule) {
    fuzz_see_of(run, FUZZ_DIFFERENT, FUZZ_BIN_SHORT,
                "request %u is refused, and the load gives a value of type index %d", request,
                result->type_index);
    run->unusable = true;
    return;
  }
  fuzz_bin_meet_all(result->v_obj, &other);
  fuzz_bin_check_tree(fuzz_bin_load.tree, result->v_obj, &other);
  if (other.count)
    fuzz_see_of(run, FUZZ_DIFFERENT, FUZZ_BIN_SHORT,
                "request %u is refused, and the load succeeds: %.200s", request,
                other.seen[0].text);
  fuzz_bin_release_tree(result->v_obj, &other);
}

static void judge_failure(unsigned request, FuzzRun *run)
{
  TVMFFIObjectHandle error = take_error(fuzz_bin.iut);
  if (!error) {
    fuzz_see_of(run, FUZZ_ERROR, FUZZ_BIN_SHORT,
                "request %u is refused, the load fails, and no error is raised", request);
    return;
  }
  const TVMFFIByteArray kind = error_cell(fuzz_bin.iut, error)->kind;
  if (!fuzz_bin_load.failed && !fuzz_bin_is_text(kind, "InternalError"))
    fuzz_see_of(run, FUZZ_ERROR, FUZZ_BIN_SHORT_KIND,
                "request %u is refused, and the error is of kind %.*s", request,
                kind.size < 40 ? (int)kind.size : 40, kind.data);
  release_object(fuzz_bin.iut, error);
}

// Loads it with one request refused. Returns whether there were so many requests.
static bool load_short(const FuzzInput *input, unsigned request, FuzzRun *run, bool *failed)
{
  TVMFFIAny result;
  fuzz_bin_start_load(input);
  fuzz_bin_place(input);
  fuzz_enter(run, FUZZ_BIN_WITHOUT_MEMORY);
  faults_watch(request, FAULTS_ONCE);
  const int code = fuzz_bin_load_library(fuzz_bin.carrier.path, &result);
  const FaultsSeen seen = faults_unwatch();
  *failed = code != 0;
  if (code != 0)
    judge_failure(request, run);
  else
    judge_success(&result, request, run);
  fuzz_bin_release_kept();
  fuzz_bin_clear_unmet();
  return seen.refused > 0;
}

// Whether what a load left that failed grows with each of them.
static bool is_left(const FuzzInput *input, unsigned request, FuzzRun *run)
{
  unsigned before = faults_held().blocks;
  bool failed = true;
  for (int i = 1; i < TIMES && failed && before && !run->unusable; ++i) {
    load_short(input, request, run, &failed);
    if (faults_held().blocks <= before) return false;
    before = faults_held().blocks;
  }
  return failed && before;
}

// Whether any load that fails leaves something, memory or none: that is not about memory.
static bool leaves_something_anyway(const FuzzRun *run)
{
  enum { FAILS = 2 };  // of the small trees that are tried early, the one with the kind that fails
  static uint8_t bytes[FUZZ_INPUT_MAX];
  FuzzInput input = {bytes, 0, sizeof bytes};
  FuzzRun other = *run;
  size_t released;
  bool failed;
  fuzz_tree_nth(FAILS, &input);
  faults_forget();
  load_short(&input, 0, &other, &failed);
  return !failed || is_left(&input, 0, &other) || fuzz_bin_count_held(&released) || released ||
         fuzz_bin_is_open_elsewhere();
}

// Whether a load that failed has left the library open.
static void judge_open(FuzzRun *run)
{
  if (!fuzz_bin_is_open_elsewhere()) return;
  run->unusable = true;
  fuzz_see_of(run, FUZZ_LEAK, FUZZ_BIN_SHORT_LEFT,
              "the library stays open when a load that was refused memory has failed");
}

void fuzz_bin_load_without_memory(const FuzzInput *input, FuzzRun *run)
{
  const uint32_t seen = run->count;
  bool has_failed = false;
  if (!is_plain(run) || faults_unavailable()) return;
  const bool anyway = leaves_something_anyway(run);
  for (unsigned request = 1; request <= REQUESTS_MAX; ++request) {
    bool failed;
    size_t released;
    faults_forget();
    const bool refused = load_short(input, request, run, &failed);
    has_failed |= failed;
    if (failed && !anyway && !run->unusable && is_left(input, request, run))
      fuzz_see_of(run, FUZZ_LEAK, FUZZ_BIN_SHORT_LEFT,
                  "request %u is refused, the load fails, and more blocks remain each time",
                  request);
    const size_t held = fuzz_bin_count_held(&released);
    run->unusable |= held || released;
    if ((held || released) && !anyway)
      fuzz_see_of(run, held ? FUZZ_LEAK : FUZZ_RELEASED, FUZZ_BIN_SHORT_LEFT,
                  "request %u is refused, and %zu of the objects that loaders gave %s", request,
                  held ? held : released,
                  held ? "are still held" : "were released more often than given");
    if (!refused || run->unusable || run->count > seen) break;
  }
  faults_forget();
  if (has_failed && anyway) run->unusable = true;
  if (has_failed && !anyway && !run->unusable) judge_open(run);
}

// Loads it, with the threads that its loaders start, and releases what comes of it.
static bool load_again(const FuzzInput *input, FuzzRun *run)
{
  TVMFFIAny result;
  fuzz_bin_start_load(input);
  fuzz_bin_place(input);
  const int code = fuzz_bin_load_library(fuzz_bin.carrier.path, &result);
  if (code != 0) release_object(fuzz_bin.iut, take_error(fuzz_bin.iut));
  if (code == 0 && result.type_index == kTVMFFIModule) {
    fuzz_bin_meet_all(result.v_obj, run);
    fuzz_bin_release_tree(result.v_obj, run);
  }
  fuzz_bin_clear_unmet();
  fuzz_bin_release_kept();
  return code == 0 && result.type_index == kTVMFFIModule;
}

// How much more memory is in use after THREADS loads, or 0; SIZE_MAX if one of them failed.
static size_t grown_by_threads(const FuzzInput *input, FuzzRun *run)
{
  const size_t before = heap_in_use();
  for (int i = 0; i < THREADS; ++i)
    if (!load_again(input, run)) return SIZE_MAX;
  const size_t after = heap_in_use();
  return before == SIZE_MAX || after == SIZE_MAX || after < before ? 0 : after - before;
}

// What each thread leaves grows with every round. The C library keeps some memory of threads that have ended, too:
// on a machine that is busy, for one that is still ending when the next begins. That does not go on.
void fuzz_bin_end_threads(const FuzzInput *input, FuzzRun *run)
{
  if (run->refused || run->aspect != FUZZ_BIN_THREADS) return;
  for (int i = 0; i < THREADS_BEFORE; ++i)
    if (!load_again(input, run)) return;
  size_t least = SIZE_MAX;
  for (int round = 0; round < ROUNDS; ++round) {
    const size_t grown = grown_by_threads(input, run);
    if (grown == SIZE_MAX || grown < THREADS * BYTES_A_THREAD) return;
    if (grown < least) least = grown;
  }
  fuzz_see(run, FUZZ_LEAK, "%zu bytes remain of %d threads that have loaded, and ended", least,
           THREADS);
}
