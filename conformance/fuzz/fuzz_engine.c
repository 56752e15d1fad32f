// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_engine.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "battery/expect.h"
#include "battery/faults.h"
#include "digest.h"

enum {
  PROCESS_INPUTS = 100000,  // of one process; its memory may be the worse for wear then
  TIRED = 3,                // as often an aspect may cost a process before it becomes rare
  RARELY = 64,              // one in as many is run at least of an aspect that is rare
  LEAK_ROUNDS = 40,         // more than the ended objects whose memory a runtime keeps
  SLOW_NS = 100000000,      // what takes as long on a processor is not run again and again
  CRASH_OF_RATE = 10000,
};
static const rlim_t address_space = (rlim_t)64 << 20;

// --- Inputs --------------------------------------------------------------------------------------

static void havoc_once(FuzzRandom *random, FuzzInput *input)
{
  size_t at = fuzz_below(random, input->size), left = input->size - at, size;
  uint64_t word;
  switch (fuzz_below(random, 6)) {
    case 0:
      input->bytes[at] ^= (uint8_t)(1u << fuzz_below(random, 8));
      break;
    case 1:
      input->bytes[at] = (uint8_t)fuzz_draw(random);
      break;
    case 2:
      word = fuzz_odd_number(random, left);
      memcpy(input->bytes + at, &word, left < sizeof word ? left : sizeof word);
      break;
    case 3:  // bytes go
      size = 1 + fuzz_below(random, left < 16 ? left : 16);
      memmove(input->bytes + at, input->bytes + at + size, left - size);
      input->size -= size;
      break;
    case 4:  // bytes come again
      size = 1 + fuzz_below(random, left < 16 ? left : 16);
      if (size > input->room - input->size) break;
      memmove(input->bytes + at + size, input->bytes + at, left);
      input->size += size;
      break;
    default:  // bytes are those of another place
      size = 1 + fuzz_below(random, left < 32 ? left : 32);
      memmove(input->bytes + at, input->bytes + fuzz_below(random, input->size - size + 1), size);
      break;
  }
}

void fuzz_havoc(FuzzRandom *random, FuzzInput *input)
{
  for (size_t times = 1 + fuzz_below(random, 6); times && input->size; --times)
    havoc_once(random, input);
}

static void take_entry(const FuzzArena *arena, size_t index, FuzzInput *input)
{
  const FuzzCorpusEntry *entry = &arena->corpus[index];
  input->size = entry->size < FUZZ_CORPUS_BYTES ? entry->size : FUZZ_CORPUS_BYTES;
  memcpy(input->bytes, entry->bytes, input->size);
}

// One byte of an input that was the first to reach a place of the library's code, the latest such
// input as often as not: behind a comparison that holds there may be another one.
static void take_frontier(const FuzzArena *arena, FuzzRandom *random, FuzzInput *input)
{
  uint32_t count = arena->frontier_count, back = 1;
  while (back < count && back < FUZZ_FRONTIER_MAX && fuzz_one_in(random, 2)) ++back;
  take_entry(arena, arena->frontier[(count - back) % FUZZ_FRONTIER_MAX] % FUZZ_CORPUS_MAX, input);
  if (input->size) input->bytes[fuzz_below(random, input->size)] = (uint8_t)fuzz_draw(random);
}

// One of the corpus, or a new one.
static void take_base(const FuzzArena *arena, const FuzzSurface *surface, FuzzRandom *random,
                      FuzzInput *input)
{
  uint32_t count = arena->corpus_count;
  if (count > FUZZ_CORPUS_MAX) count = FUZZ_CORPUS_MAX;
  if (count == 0 || fuzz_one_in(random, 3)) {
    surface->generate(random, input);
    return;
  }
  take_entry(arena, fuzz_below(random, count), input);
}

// The number of the input from which on what tells little is looked for: half of them, where they are few.
static uint64_t late_from(const FuzzArena *arena)
{
  return arena->last / 2 < FUZZ_LATE ? arena->last / 2 : FUZZ_LATE;
}

// Whether the input of this number is one of the corpus, for what is looked for late.
static bool comes_again(const FuzzArena *arena, const FuzzSurface *surface, uint64_t index)
{
  const uint64_t from = late_from(arena);
  return surface->settle_late && index >= from && index - from < FUZZ_CORPUS_MAX &&
         index - from < arena->corpus_count;
}

bool fuzz_make_input(const FuzzArena *arena, const FuzzSurface *surface, uint64_t index,
                     FuzzInput *input)
{
  if (surface->count) {
    uint64_t number = index * arena->slots + arena->slot;
    if (number < surface->count) surface->nth(number, input);
    return number < surface->count;
  }
  if (index >= FUZZ_EARLY && index - FUZZ_EARLY < surface->early) {
    surface->nth(index - FUZZ_EARLY, input);
    return true;
  }
  if (comes_again(arena, surface, index)) {
    take_entry(arena, index - late_from(arena), input);
    return true;
  }
  FuzzRandom random = fuzz_random(arena->seed, arena->slot, index);
  bool guided = arena->frontier_count && fuzz_one_in(&random, 4);
  size_t way = fuzz_below(&random, 8);
  input->size = 0;
  if (guided) {
    take_frontier(arena, &random, input);
  } else if (way < 2) {
    surface->generate(&random, input);
  } else if (way < 6) {
    take_base(arena, surface, &random, input);
    do surface->mutate(&random, input);
    while (fuzz_one_in(&random, 4));
  } else {
    take_base(arena, surface, &random, input);
    fuzz_havoc(&random, input);
  }
  return surface->repair(input) && input->size <= surface->input_max;
}

// --- One execution -------------------------------------------------------------------------------

typedef struct Execution {
  Iut *iut;
  FuzzArena *arena;
  const FuzzSurface *surface;
  FuzzRun run;
  FaultsHeld held;  // afterwards
  size_t requested, most;
  uint64_t record;  // of the input in the history
} Execution;

static bool sees_memory(void)
{
  return faults_unavailable() == NULL;
}

static void execute(Execution *execution, const FuzzInput *input)
{
  FuzzRun *run = &execution->run;
  run->aspect = execution->arena->aspect;
  run->refused = run->unusable = run->costly = false;
  run->behaviour = DIGEST_START;
  run->phase = &execution->arena->phase;
  run->fence = &execution->arena->fence;
  run->count = 0;
  atomic_fetch_add_explicit(&execution->arena->started, 1, memory_order_relaxed);
  FaultsSeen seen = {0};
  if (sees_memory()) {
    faults_note_in(&execution->arena->memory);
    faults_watch(0, FAULTS_ONCE);
  }
  execution->surface->run(execution->iut, input, run);
  if (sees_memory()) seen = faults_unwatch();
  execution->requested = seen.largest;
  execution->most = seen.most;
  execution->held = faults_held();
  fuzz_behave(run, &run->refused, sizeof run->refused);
  // What remains is looked for where something is new: each aspect, and whoever holds memory, may
  // leave something of its own.
  bool holds = execution->held.blocks != 0;
  fuzz_behave(run, &run->aspect, sizeof run->aspect);
  fuzz_behave(run, &holds, sizeof holds);
  atomic_store_explicit(&execution->arena->phase, 0, memory_order_relaxed);
}

static void judge_memory(Execution *execution, const FuzzInput *input)
{
  size_t limit = fuzz_memory_limit(fuzz_weight(execution->surface, input));
  if (execution->requested > limit)
    fuzz_see(&execution->run, FUZZ_MEMORY, "%zu bytes are asked for at once, for an input of %zu",
             execution->requested, input->size);
  else if (execution->most > limit)
    fuzz_see(&execution->run, FUZZ_MEMORY, "%zu bytes are held together, for an input of %zu",
             execution->most, input->size);
}

static bool is_wrongly_accepted(const Execution *execution)
{
  const FuzzAspect *aspect = &execution->surface->aspects[execution->run.aspect];
  return !execution->run.refused && aspect->due == FUZZ_DUE_REFUSE;
}

static uint64_t time_spent(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

// Runs it once more. False if that says no more of it: the process is unusable, or it takes so long
// that other inputs are worth more.
static bool repeat(Execution *again, const FuzzInput *input)
{
  uint64_t start = time_spent();
  const FuzzAspect *aspect = &again->surface->aspects[again->run.aspect];
  atomic_store(&again->arena->again, again->run.refused && aspect->due == FUZZ_DUE_REFUSE);
  execute(again, input);
  atomic_store(&again->arena->again, 0);
  return !again->run.unusable && time_spent() - start < SLOW_NS;
}

// What remains of an input that was refused is judged for itself, whatever is wrong with it.
static unsigned aspect_of_remains(const Execution *execution)
{
  bool left = execution->run.refused && execution->surface->left_behind;
  return left ? execution->surface->left_behind : execution->run.aspect;
}

// Memory that is held afterwards may be a cache, or an error that is kept until the next one. It is
// a leak if it grows every time.
static void judge_blocks(Execution *execution, const FuzzInput *input)
{
  Execution again = *execution;
  FaultsHeld before = execution->held;
  if (!sees_memory() || before.blocks == 0 || before.unwatched) return;
  for (unsigned i = 0; i < LEAK_ROUNDS; ++i) {
    if (!repeat(&again, input)) return;
    if (again.held.blocks <= before.blocks || again.held.unwatched) return;
    before = again.held;
  }
  fuzz_see_of(&execution->run, FUZZ_LEAK, aspect_of_remains(execution),
              "%u blocks (%zu bytes) of memory remain after %u times, and more each time",
              before.blocks, before.bytes, 1 + (unsigned)LEAK_ROUNDS);
}

// How many pages this process has mapped; 0 if that can't be told.
static unsigned long pages_mapped(void)
{
  unsigned long pages = 0;
  FILE *statm = fopen("/proc/self/statm", "re");
  if (!statm) return 0;
  if (fscanf(statm, "%lu", &pages) != 1) pages = 0;
  fclose(statm);
  return pages;
}

// What was mapped, and not asked for as blocks, is seen by the size of the process.
static void judge_mappings(Execution *execution, const FuzzInput *input)
{
  Execution again = *execution;
  unsigned long first = pages_mapped(), before = first;
  for (unsigned i = 0; i < LEAK_ROUNDS; ++i) {
    if (!repeat(&again, input)) return;
    unsigned long now = pages_mapped();
    if (now <= before) return;
    before = now;
  }
  fuzz_see_of(&execution->run, FUZZ_LEAK, aspect_of_remains(execution),
              "%lu pages more are mapped after %u times, and more each time", before - first,
              (unsigned)LEAK_ROUNDS);
}

// What remains of an input, for which it is run again and again.
static void judge_leak(Execution *execution, const FuzzInput *input)
{
  // Nobody says what a wrong tree holds, a circle for one.
  // A process that makes large inputs holds memory of its own.
  if (execution->surface->count) return;
  if (execution->surface->look) execution->surface->look(execution->iut, &execution->run);
  if (execution->run.unusable || is_wrongly_accepted(execution)) return;
  judge_blocks(execution, input);
  judge_mappings(execution, input);
}

static void settle(Execution *execution, const FuzzInput *input)
{
  if (execution->surface->settle && !execution->run.unusable)
    execution->surface->settle(execution->iut, input, &execution->run);
  atomic_store_explicit(&execution->arena->phase, 0, memory_order_relaxed);
}

static void settle_late(Execution *execution, const FuzzInput *input)
{
  if (execution->surface->settle_late && !execution->run.unusable)
    execution->surface->settle_late(execution->iut, input, &execution->run);
  atomic_store_explicit(&execution->arena->phase, 0, memory_order_relaxed);
}

// --- What is new ---------------------------------------------------------------------------------

// True for a behaviour that was not seen before; it is from now on.
static bool is_new_behaviour(FuzzArena *arena, uint64_t behaviour)
{
  if (behaviour == 0) behaviour = 1;
  for (unsigned i = 0; i < 64; ++i) {
    uint64_t *slot = &arena->behaviours[(behaviour + i) % FUZZ_BEHAVIOURS_MAX];
    if (*slot == behaviour) return false;
    if (*slot) continue;
    *slot = behaviour;
    return true;
  }
  return false;
}

uint32_t fuzz_keep(FuzzArena *arena, const FuzzInput *input, uint64_t behaviour, bool is_new)
{
  uint32_t count = arena->corpus_count, at = 0;
  if (input->size > FUZZ_CORPUS_BYTES || count > FUZZ_CORPUS_MAX) return FUZZ_CORPUS_MAX;
  while (at < count && arena->corpus[at].behaviour != behaviour) ++at;
  if (at == count && !is_new) return FUZZ_CORPUS_MAX;
  if (at < count && arena->corpus[at].size <= input->size && !is_new) return FUZZ_CORPUS_MAX;
  if (at == FUZZ_CORPUS_MAX) at = (uint32_t)(behaviour % FUZZ_CORPUS_MAX);
  FuzzCorpusEntry *entry = &arena->corpus[at];
  entry->behaviour = behaviour;
  entry->size = (uint32_t)input->size;
  memcpy(entry->bytes, input->bytes, input->size);
  if (at == count) arena->corpus_count = count + 1;
  return at;
}

// Leaves a finding for the main process, the first of its class and aspect. True if it was left.
static bool tell(FuzzArena *arena, const FuzzSeen *seen, const FuzzInput *input)
{
  uint32_t count = arena->found_count;
  if (atomic_fetch_add(&arena->told[seen->class][seen->aspect], 1) || count >= FUZZ_FOUND_MAX)
    return false;
  FuzzFound *found = &arena->found[count];
  found->class = seen->class;
  found->aspect = seen->aspect;
  found->phase = 0;
  found->size = (uint32_t)input->size;
  memcpy(found->text, seen->text, sizeof found->text);
  memcpy(found->bytes, input->bytes, input->size);
  arena->found_count = count + 1;
  return true;
}

// Counts what was refused in part, and what was not though it might have been.
static void count_parts(const Execution *execution, const FuzzInput *input)
{
  const FuzzSurface *surface = execution->surface;
  const FuzzRun *run = &execution->run;
  FuzzArena *arena = execution->arena;
  bool in_part = false;
  if (!surface->in_part || !run->refused) return;
  for (uint32_t i = 0; i < run->count; ++i) in_part |= run->seen[i].aspect == surface->in_part;
  if (in_part)
    ++arena->in_part[run->aspect];
  else if (arena->any_in_part && surface->is_at_once(input))
    ++arena->at_once[run->aspect];
  arena->any_in_part |= in_part;
}

// Judges what one execution showed. True if the main process has something to look at.
static bool learn(Execution *execution, const FuzzInput *input, bool late, bool again)
{
  FuzzArena *arena = execution->arena;
  unsigned gain = fuzz_coverage_gain();
  arena->edge_count += gain;
  bool is_new = is_new_behaviour(arena, execution->run.behaviour) || gain > 0;
  uint64_t behaviour = execution->run.behaviour + (gain ? arena->edge_count : 0);
  judge_memory(execution, input);
  count_parts(execution, input);
  if (is_new || again) fuzz_history_mark(&arena->history, execution->record);
  if (is_new) {
    judge_leak(execution, input);
    settle(execution, input);
  }
  if (again || (is_new && late)) settle_late(execution, input);
  faults_forget();
  bool costly = execution->run.costly;
  uint32_t entry = costly ? FUZZ_CORPUS_MAX : fuzz_keep(arena, input, behaviour, is_new);
  if (gain && entry < FUZZ_CORPUS_MAX)
    arena->frontier[arena->frontier_count++ % FUZZ_FRONTIER_MAX] = entry;
  bool told = false;
  for (uint32_t i = 0; i < execution->run.count; ++i)
    told |= tell(arena, &execution->run.seen[i], input);
  return told;
}

// --- Modes ---------------------------------------------------------------------------------------

// True if inputs of this aspect have cost processes, and this one is not to be run: the more they
// have cost, the fewer are.
static bool is_passed_over(const FuzzArena *arena, uint64_t index)
{
  FuzzRandom random = fuzz_random(~arena->seed, arena->slot, index);
  uint32_t tired = arena->tired[arena->aspect];
  return tired >= TIRED && !fuzz_one_in(&random, tired < RARELY ? tired : RARELY);
}

static void explore(Execution *execution)
{
  FuzzArena *arena = execution->arena;
  FuzzInput input = {arena->bytes, 0, FUZZ_INPUT_MAX};
  for (unsigned done = 0; done < PROCESS_INPUTS && arena->next < arena->last; ++arena->next) {
    if (atomic_load_explicit(&arena->stop, memory_order_relaxed)) return;
    arena->size = 0;
    if (!fuzz_make_input(arena, execution->surface, arena->next, &input)) continue;
    arena->size = (uint32_t)input.size;
    arena->aspect = execution->surface->aspect(&input);
    if (is_passed_over(arena, arena->next)) {
      ++arena->passed_over;
      continue;
    }
    execution->record = fuzz_history_add(&arena->history, input.bytes, arena->size);
    execute(execution, &input);
    atomic_fetch_add_explicit(&arena->executed, 1, memory_order_relaxed);
    ++done;
    const bool again = comes_again(arena, execution->surface, arena->next);
    const bool late = arena->next >= late_from(arena);
    if (!learn(execution, &input, late, again) && !execution->run.unusable) continue;
    if (execution->run.unusable) ++arena->tired[arena->aspect];
    ++arena->next;
    return;
  }
}

static void run_one(Execution *execution)
{
  FuzzArena *arena = execution->arena;
  atomic_store(&arena->replayed, 1);
  FuzzInput input = {arena->bytes, arena->size < FUZZ_INPUT_MAX ? arena->size : FUZZ_INPUT_MAX,
                     FUZZ_INPUT_MAX};
  arena->aspect = execution->surface->aspect(&input);
  execute(execution, &input);
  judge_memory(execution, &input);
  judge_leak(execution, &input);
  settle(execution, &input);
  settle_late(execution, &input);
  arena->run = execution->run;
}

// One input of the history, as it was run before. False if the process can't run others.
static bool run_again(Execution *execution, const FuzzInput *input, bool settled)
{
  execution->arena->aspect = execution->surface->aspect(input);
  execute(execution, input);
  if (settled) {
    judge_leak(execution, input);
    settle(execution, input);
    settle_late(execution, input);
  }
  faults_forget();
  return !execution->run.unusable;
}

static void replay(Execution *execution)
{
  static uint8_t bytes[FUZZ_INPUT_MAX];
  FuzzArena *arena = execution->arena;
  const uint8_t *at = arena->history.bytes;
  for (size_t left = (size_t)arena->history.end; left;) {
    uint32_t number;
    memcpy(&number, at, sizeof number);
    FuzzInput input = {bytes, number & ~FUZZ_HISTORY_SETTLED, sizeof bytes};
    memcpy(bytes, at + sizeof number, input.size);
    at += sizeof number + input.size;
    left -= sizeof number + input.size;
    if (!run_again(execution, &input, number & FUZZ_HISTORY_SETTLED)) return;
  }
  run_one(execution);
}

static void measure_rate(Execution *execution)
{
  FuzzArena *arena = execution->arena;
  FuzzInput input = {arena->bytes, 0, FUZZ_INPUT_MAX};
  execution->surface->sample(&input);
  arena->size = (uint32_t)input.size;
  arena->aspect = execution->surface->aspect(&input);
  while (arena->next < arena->last && !atomic_load_explicit(&arena->stop, memory_order_relaxed)) {
    if (arena->next % CRASH_OF_RATE == CRASH_OF_RATE - 1) raise(SIGSEGV);
    execution->record = fuzz_history_add(&arena->history, input.bytes, arena->size);
    execute(execution, &input);
    learn(execution, &input, false, false);
    ++arena->next;
    atomic_fetch_add_explicit(&arena->executed, 1, memory_order_relaxed);
    if (execution->run.unusable || execution->run.count) return;
  }
}

// A payload that has a library ask for gigabytes is to be noticed, not to be felt.
static void limit_memory(const FuzzSurface *surface)
{
  const rlim_t more = surface->memory ? surface->memory : address_space;
  rlim_t now = (rlim_t)pages_mapped() * (rlim_t)sysconf(_SC_PAGESIZE);
  if (now == 0 || getenv("TVMFFI_CONFORM_NO_MEMORY_LIMIT")) return;
  setrlimit(RLIMIT_AS, &(struct rlimit){now + more, now + more});
}

bool fuzz_serve(Iut *iut, int fd, unsigned slot)
{
  static void (*const modes[])(Execution *) = {[FUZZ_EXPLORE] = explore,
                                               [FUZZ_ONE] = run_one,
                                               [FUZZ_RATE] = measure_rate,
                                               [FUZZ_REPLAY] = replay};
  FuzzArena *arena = fuzz_arena_attach(fd, slot);
  if (!arena) return false;
  if (arena->mode < FUZZ_EXPLORE || arena->mode > FUZZ_REPLAY) return false;
  Execution execution = {.iut = iut, .arena = arena, .surface = fuzz_surfaces[arena->surface]};
  arena->why[0] = '\0';
  atomic_store(&arena->replayed, 0);
  if (arena->mode != FUZZ_REPLAY) fuzz_history_set(&arena->history, NULL, 0);
  char why[sizeof arena->why] = "";
  if (!execution.surface->prepare(iut, why, sizeof why)) {
    memcpy(arena->why, why, sizeof why);
    return true;
  }
  limit_memory(execution.surface);
  fuzz_coverage_into(arena->edges);
  modes[arena->mode](&execution);
  fuzz_coverage_into(NULL);
  return true;
}
