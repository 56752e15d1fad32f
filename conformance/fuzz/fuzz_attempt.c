// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_attempt.h"

#include <dirent.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "fuzz/fuzz_place.h"
#include "run/children.h"
#include "run/observation.h"
#include "run/signal_name.h"

enum { CHILDREN_MAX = 16 };
enum { BEYOND_MAX = 4096 };  // bytes behind an input; what goes down farther off has gone astray
static const uint64_t grace_ns = 500000000;

bool fuzz_attempt_begin(FuzzAttempt *attempt, Slot *slot, FuzzArena *arena, unsigned index,
                        AbiGeneration generation, uint32_t version)
{
  *attempt = (FuzzAttempt){.slot = slot, .arena = arena};
  attempt->watched = attempt->before = atomic_load(&arena->started);
  attempt->next = atomic_load(&arena->next);
  atomic_store(&arena->phase, 0);
  atomic_store(&arena->again, 0);
  atomic_store(&arena->fence, 0);
  atomic_store(&arena->memory, 0);
  arena->why[0] = '\0';
  WorkerRequest request = {
      .command = WORKER_FUZZ, .index = index, .version = version, .generation = generation};
  if (!slot_request(slot, request)) return false;
  attempt->running = true;
  attempt->since_ns = slot_now_ns();
  return true;
}

bool fuzz_attempt_has_begun(const FuzzAttempt *attempt)
{
  return atomic_load(&attempt->arena->started) != attempt->before ||
         atomic_load(&attempt->arena->next) != attempt->next;
}

void fuzz_attempt_copy_text(char to[FUZZ_TEXT_MAX], const char from[FUZZ_TEXT_MAX])
{
  size_t i = 0;
  for (; i + 1 < FUZZ_TEXT_MAX && from[i]; ++i)
    to[i] = from[i] >= ' ' && from[i] <= '~' ? from[i] : '?';
  to[i] = '\0';
}

static unsigned phase_of(const FuzzArena *arena)
{
  uint32_t phase = atomic_load(&arena->phase);
  return phase ? phase - 1 : 0;
}

// --- Time limits ---------------------------------------------------------------------------------

// Has the processes of the case note where they are, and end.
static void stop_children(const FuzzAttempt *attempt)
{
  pid_t children[CHILDREN_MAX];
  size_t count = children_list(attempt->slot->pid, children, CHILDREN_MAX);
  for (size_t i = 0; i < count; ++i) kill(children[i], SIGTRAP);
}

static uint64_t time_spent_by(pid_t process)
{
  clockid_t clock;
  struct timespec spent;
  if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &spent) != 0) return 0;
  return (uint64_t)spent.tv_sec * 1000000000u + (uint64_t)spent.tv_nsec;
}

// How long the processes of the case have been on a processor, and the worker, which is on one only
// while it makes a process.
static uint64_t time_spent(const FuzzAttempt *attempt)
{
  pid_t children[CHILDREN_MAX];
  uint64_t total = time_spent_by(attempt->slot->pid);
  size_t count = children_list(attempt->slot->pid, children, CHILDREN_MAX);
  for (size_t i = 0; i < count; ++i) total += time_spent_by(children[i]);
  return total;
}

// Whether all threads of a process wait for something.
static bool sleeps(pid_t process)
{
  char path[64], state = 'S';
  snprintf(path, sizeof path, "/proc/%ld/task", (long)process);
  DIR *threads = opendir(path);
  if (!threads) return false;
  for (struct dirent *thread; state == 'S' && (thread = readdir(threads));) {
    char name[sizeof path + sizeof thread->d_name + 8];
    if (thread->d_name[0] == '.') continue;
    snprintf(name, sizeof name, "%s/%s/stat", path, thread->d_name);
    FILE *stat = fopen(name, "re");
    if (!stat) continue;
    if (fscanf(stat, "%*d (%*[^)]) %c", &state) != 1) state = '?';
    fclose(stat);
  }
  closedir(threads);
  return state == 'S';
}

// Whether the processes of the case wait for something, and nobody else has a part in it.
static bool is_asleep(const FuzzAttempt *attempt)
{
  pid_t children[CHILDREN_MAX];
  size_t count = children_list(attempt->slot->pid, children, CHILDREN_MAX), asleep = 0;
  while (asleep < count && sleeps(children[asleep])) ++asleep;
  return count && asleep == count;
}

// How long the thread of a process that waited most has waited for a processor, which others had.
static uint64_t time_waited_by(pid_t process)
{
  char path[64];
  uint64_t most = 0;
  snprintf(path, sizeof path, "/proc/%ld/task", (long)process);
  DIR *threads = opendir(path);
  if (!threads) return 0;
  for (struct dirent *thread; (thread = readdir(threads));) {
    char name[sizeof path + sizeof thread->d_name + 16];
    unsigned long long waited = 0;
    if (thread->d_name[0] == '.') continue;
    snprintf(name, sizeof name, "%s/%s/schedstat", path, thread->d_name);
    FILE *file = fopen(name, "re");
    if (!file) continue;
    if (fscanf(file, "%*u %llu", &waited) == 1 && waited > most) most = waited;
    fclose(file);
  }
  closedir(threads);
  return most;
}

// The same of the processes of the case. 0 where the system does not say.
static uint64_t time_waited(const FuzzAttempt *attempt)
{
  pid_t children[CHILDREN_MAX];
  uint64_t most = 0;
  size_t count = children_list(attempt->slot->pid, children, CHILDREN_MAX);
  for (size_t i = 0; i < count; ++i) {
    uint64_t waited = time_waited_by(children[i]);
    if (waited > most) most = waited;
  }
  return most;
}

// What came after `before`. (A process that has ended while its worker waits for a processor has no
// time any more.)
static uint64_t since(uint64_t now, uint64_t before)
{
  return now > before ? now - before : 0;
}

// Whether the input at hand, which has been there since `since_ns`, takes too long. A machine that
// is busy with others makes no difference.
static bool takes_too_long(FuzzAttempt *attempt, uint64_t now, uint64_t limit_ns)
{
  uint64_t passed = now - attempt->since_ns;
  if (passed < limit_ns / 16) return false;
  if (!attempt->spent_ns) {
    attempt->spent_ns = time_spent(attempt);
    attempt->waited_ns = time_waited(attempt);
  }
  if (passed < limit_ns) return false;
  uint64_t spent = since(time_spent(attempt), attempt->spent_ns);
  if (spent < limit_ns / 64 && is_asleep(attempt)) return true;
  if (spent >= limit_ns * 3 / 4) return true;
  return passed >= 10 * limit_ns &&
         since(passed, since(time_waited(attempt), attempt->waited_ns)) >= 10 * limit_ns;
}

// False if nothing helped: the worker itself is stuck, where it was to make a process.
static bool watch(FuzzAttempt *attempt, uint64_t limit_ns)
{
  uint64_t now = slot_now_ns(), started = atomic_load(&attempt->arena->started);
  if (started != attempt->watched && !attempt->stopped_ns) {
    attempt->watched = started;
    attempt->since_ns = now;
    attempt->spent_ns = 0;
  } else if (!attempt->stopped_ns && takes_too_long(attempt, now, limit_ns)) {
    attempt->stopped_ns = now;
    stop_children(attempt);
  } else if (attempt->stopped_ns && !attempt->killed && now - attempt->stopped_ns > grace_ns) {
    attempt->killed = true;
    slot_kill_case(attempt->slot);
  }
  return !attempt->killed || now - attempt->stopped_ns < 4 * grace_ns;
}

// --- Its end -------------------------------------------------------------------------------------

// A crash by an access, whose place is known.
static void tell_crash(FuzzFinding *finding, const Outcome *outcome, const InspectReport *library)
{
  char name[SIGNAL_NAME_MAX];
  const EvidenceCrash *crash = &outcome->evidence->crash;
  FuzzPlace place = fuzz_place_of(outcome->evidence, library);
  snprintf(finding->where, sizeof finding->where, "%s", place.at);
  snprintf(finding->seen, sizeof finding->seen, "%s at address 0x%" PRIx64 "%s%s%s%.120s",
           signal_name(outcome->signal, name), crash->address, crash->fence[0] ? ", " : "",
           crash->fence, place.below[0] ? ", below " : "", place.below);
}

static void tell_end(FuzzAttempt *attempt, const Outcome *outcome, const InspectReport *library)
{
  FuzzFinding *finding = &attempt->finding;
  char name[SIGNAL_NAME_MAX];
  attempt->end = FUZZ_ATTEMPT_DOWN;
  finding->class = FUZZ_CRASH;
  if (outcome->kind == OUTCOME_CRASHED && outcome->evidence && outcome->evidence->crash.signal)
    tell_crash(finding, outcome, library);
  else if (outcome->kind == OUTCOME_CRASHED)
    snprintf(finding->seen, sizeof finding->seen, "%s", signal_name(outcome->signal, name));
  else if (outcome->kind == OUTCOME_EXITED)
    snprintf(finding->seen, sizeof finding->seen, "exit(%d)", outcome->exit_code);
  else
    snprintf(finding->seen, sizeof finding->seen, "%s",
             outcome->lost ? outcome->lost : "it went down");
}

// Whether it went down since it read on where a sound input ends.
static bool reads_beyond(const FuzzAttempt *attempt, const FuzzSurface *surface,
                         const Outcome *outcome)
{
  uint64_t end = atomic_load(&attempt->arena->fence);
  if (!surface->beyond || !end || outcome->kind != OUTCOME_CRASHED || !outcome->evidence)
    return false;
  const EvidenceCrash *crash = &outcome->evidence->crash;
  return crash->signal && crash->address >= end && crash->address - end < BEYOND_MAX &&
         surface->aspects[attempt->arena->aspect % surface->aspect_count].due == FUZZ_DUE_ACCEPT;
}

// Whoever has eaten the memory goes down, or does not come back, since there is none.
static void tell_memory(FuzzAttempt *attempt)
{
  FuzzFinding *finding = &attempt->finding;
  size_t memory = atomic_load(&attempt->arena->memory), size = attempt->arena->size;
  char end[FUZZ_TEXT_MAX];
  FuzzInput input = {attempt->arena->bytes, size < FUZZ_INPUT_MAX ? size : FUZZ_INPUT_MAX, 0};
  if (attempt->arena->surface >= fuzz_surface_count) return;
  if (memory <= fuzz_memory_limit(fuzz_weight(fuzz_surfaces[attempt->arena->surface], &input)))
    return;
  memcpy(end, finding->seen, sizeof end);
  finding->class = FUZZ_MEMORY;
  snprintf(finding->seen, sizeof finding->seen,
           "%zu bytes are asked for or held, for an input of %zu, and then: %.200s", memory, size,
           end);
}

static void conclude(FuzzAttempt *attempt, int status, const InspectReport *library)
{
  Outcome outcome = status == -1 ? observe_lost("it took its worker down with it")
                                 : observe_end(attempt->slot, status, library);
  attempt->finding =
      (FuzzFinding){.aspect = attempt->arena->aspect, .phase = phase_of(attempt->arena)};
  if (attempt->finding.aspect >= FUZZ_ASPECTS_MAX) attempt->finding.aspect = 0;
  if (attempt->arena->surface < fuzz_surface_count) {
    const FuzzSurface *surface = fuzz_surfaces[attempt->arena->surface];
    unsigned phase = attempt->finding.phase;
    if (surface->phase_aspects && phase < surface->phase_count && surface->phase_aspects[phase])
      attempt->finding.aspect = surface->phase_aspects[phase];
    if (attempt->finding.aspect >= surface->aspect_count) attempt->finding.aspect = 0;
    // It was refused before, and came back.
    if (attempt->stopped_ns && surface->stateful && atomic_load(&attempt->arena->again))
      attempt->finding.aspect = surface->stateful;
    if (attempt->stopped_ns && surface->slow) attempt->finding.aspect = surface->slow;
    if (reads_beyond(attempt, surface, &outcome)) attempt->finding.aspect = surface->beyond;
  }
  if (attempt->stopped_ns) {
    attempt->end = FUZZ_ATTEMPT_HUNG;
    attempt->finding.class = FUZZ_HANG;
    snprintf(attempt->finding.where, sizeof attempt->finding.where, "%s",
             outcome.where ? outcome.where : "");
    snprintf(attempt->finding.seen, sizeof attempt->finding.seen,
             "it is still at it after its time limit");
  } else if (outcome.kind == OUTCOME_SEALED) {
    attempt->end = FUZZ_ATTEMPT_SEALED;
    if (outcome.end == EVIDENCE_INCONCLUSIVE && outcome.evidence)
      snprintf(attempt->finding.seen, sizeof attempt->finding.seen, "%.*s", FUZZ_TEXT_MAX - 1,
               outcome.evidence->reason);
  } else {
    tell_end(attempt, &outcome, library);
  }
  if (attempt->end != FUZZ_ATTEMPT_SEALED) tell_memory(attempt);
  outcome_clear(&outcome);
  attempt->running = false;
}

bool fuzz_attempt_poll(FuzzAttempt *attempt, uint64_t limit_ns, const InspectReport *library)
{
  WorkerReply reply;
  slot_drain(attempt->slot);
  int got = slot_reply(attempt->slot, &reply);
  if (got == 0 && watch(attempt, limit_ns)) return false;
  conclude(attempt, got == 1 ? reply.status : -1, library);
  if (got == 1)
    attempt->slot->state = SLOT_IDLE;
  else
    slot_close(attempt->slot);
  return true;
}

int fuzz_attempt_findings(const FuzzAttempt *attempt, const FuzzSurface *surface,
                          FuzzFinding *shown, size_t capacity)
{
  const unsigned aspects = surface->aspect_count;
  const FuzzRun *run = &attempt->arena->run;
  uint32_t seen = run->count < FUZZ_SEEN_MAX ? run->count : FUZZ_SEEN_MAX;
  int count = 0;
  if (capacity == 0) return 0;
  if (attempt->end != FUZZ_ATTEMPT_SEALED) {
    shown[0] = attempt->finding;
    if (shown[0].aspect >= aspects) shown[0].aspect = 0;  // the library wrote there
    return 1;
  }
  for (uint32_t i = 0; i < seen && (size_t)count < capacity; ++i) {
    if (run->seen[i].class >= FUZZ_CLASSES || run->seen[i].aspect >= aspects) continue;
    FuzzFinding *finding = &shown[count++];
    *finding = (FuzzFinding){.class = (FuzzClass)run->seen[i].class, .aspect = run->seen[i].aspect};
    fuzz_attempt_copy_text(finding->seen, run->seen[i].text);
  }
  return count;
}
