// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_campaign.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz_candidates.h"
#include "fuzz/fuzz_cause.h"

enum { TICK_MS = 50 };
// So many workers may be lost, and so many processes one after the other may end before their first
// input, until the library is given up.
enum { WORKERS_LOST_MAX = 20, NOT_BEGUN_MAX = 3 };
// So long what was found is examined once the time is over, or the user interrupts. What then is at
// hand is cut short.
static const uint64_t finish_ns = 3000000000, interrupted_finish_ns = 250000000;

bool fuzz_campaign_is_interrupted(const FuzzCampaign *campaign)
{
  return campaign->config.interrupted && *campaign->config.interrupted;
}

static void set_deadline(FuzzCampaign *campaign, uint64_t left_ns)
{
  uint64_t deadline = slot_now_ns() + left_ns;
  if (!campaign->deadline_ns || deadline < campaign->deadline_ns) campaign->deadline_ns = deadline;
}

bool fuzz_campaign_is_over(FuzzCampaign *campaign)
{
  if (fuzz_campaign_is_interrupted(campaign) && !campaign->interrupted) {
    campaign->interrupted = true;
    set_deadline(campaign, interrupted_finish_ns);
  }
  return campaign->deadline_ns && slot_now_ns() >= campaign->deadline_ns;
}

void fuzz_finding_clear(FuzzFinding *finding)
{
  free(finding->bytes);
  free(finding->before);
  for (unsigned i = 0; i < finding->example_count; ++i) free(finding->examples[i].bytes);
}

size_t fuzz_finding_before(const FuzzFinding *finding)
{
  const uint8_t *bytes;
  size_t count = 0, at = 0, size;
  while (fuzz_record_next(finding->before, finding->before_size, &at, &bytes, &size)) ++count;
  return count;
}

// --- Opening and closing -------------------------------------------------------------------------

static void set_up_slots(FuzzCampaign *campaign)
{
  unsigned surface = 0;
  while (fuzz_surfaces[surface] != campaign->plan.surface) ++surface;
  uint64_t runs = campaign->plan.runs, jobs = campaign->jobs;
  for (unsigned i = 0; i < campaign->jobs; ++i) {
    FuzzArena *arena = fuzz_campaign_arena(campaign, i);
    arena->surface = surface;
    arena->seed = campaign->plan.seed;
    arena->slot = i;
    arena->slots = jobs;
    if (campaign->plan.surface->count) runs = campaign->plan.surface->count;
    arena->last = runs ? runs / jobs + (i < runs % jobs) : UINT64_MAX;
  }
}

FuzzCampaign *fuzz_campaign_open(const FuzzPlan *plan, const RunConfig *config, RunLoaded *loaded,
                                 RunStatus *status, char *error, size_t error_size)
{
  *status = RUN_SUITE_FAULT;
  snprintf(error, error_size, "out of memory");
  FuzzCampaign *campaign = calloc(1, sizeof *campaign);
  if (!campaign) return NULL;
  campaign->plan = *plan;
  campaign->config = *config;
  campaign->findings = calloc(FUZZ_FINDINGS_MAX, sizeof *campaign->findings);
  campaign->doubts = calloc(FUZZ_FINDINGS_MAX, sizeof *campaign->doubts);
  campaign->open = calloc(FUZZ_FINDINGS_MAX, sizeof *campaign->open);
  campaign->arenas = fuzz_arenas_create(FUZZ_JOBS_MAX, &campaign->fd);
  if (!campaign->findings || !campaign->doubts || !campaign->open || !campaign->arenas) goto failed;
  campaign->config.shared = campaign->fd;
  campaign->runner = runner_open(&campaign->config, loaded, status, error, error_size);
  if (!campaign->runner) goto failed;
  campaign->jobs = loaded->jobs;
  campaign->version = loaded->version;
  set_up_slots(campaign);
  return campaign;
failed:
  fuzz_campaign_close(campaign);
  return NULL;
}

Runner *fuzz_campaign_runner(FuzzCampaign *campaign)
{
  return campaign->runner;
}

void fuzz_campaign_speak(FuzzCampaign *campaign, AbiGeneration generation, uint32_t version)
{
  campaign->generation = generation;
  campaign->version = version;
}

void fuzz_campaign_close(FuzzCampaign *campaign)
{
  if (campaign->runner) runner_close(campaign->runner);
  if (campaign->arenas) fuzz_arenas_free(campaign->arenas, FUZZ_JOBS_MAX, campaign->fd);
  for (size_t i = 0; campaign->findings && i < campaign->finding_count; ++i)
    fuzz_finding_clear(&campaign->findings[i]);
  for (size_t i = 0; i < campaign->candidate_count; ++i)
    fuzz_finding_clear(&campaign->candidates[i].finding);
  free(campaign->findings);
  free(campaign->doubts);
  free(campaign->open);
  free(campaign);
}

FuzzCounts fuzz_campaign_counts(const FuzzCampaign *campaign)
{
  FuzzCounts counts = {.processes = campaign->processes,
                       .not_again = campaign->not_again,
                       .elapsed_ns = slot_now_ns() - campaign->started_ns};
  for (unsigned i = 0; i < campaign->jobs; ++i) {
    FuzzArena *arena = fuzz_campaign_arena(campaign, i);
    counts.executed += atomic_load(&arena->executed);
    counts.passed_over += atomic_load(&arena->passed_over);
    counts.corpus += atomic_load(&arena->corpus_count);
    counts.edges += atomic_load(&arena->edge_count);
  }
  return counts;
}

const FuzzFinding *fuzz_campaign_findings(const FuzzCampaign *campaign, size_t *count)
{
  *count = campaign->finding_count;
  return campaign->findings;
}

// --- One input alone -----------------------------------------------------------------------------

static void tick(FuzzCampaign *campaign)
{
  const FuzzListener *listener = campaign->listener;
  if (listener && listener->tick) listener->tick(listener->context, campaign);
}

// The time limit for one input, `patience` times what was asked for, or as good as none.
static uint64_t limit_of(FuzzCampaign *campaign, unsigned patience)
{
  return fuzz_campaign_is_over(campaign) ? 1 : campaign->plan.limit_ns * patience;
}

static bool begin(FuzzCampaign *campaign, unsigned slot, FuzzMode mode, char *error,
                  size_t error_size)
{
  Slot *worker = runner_slot(campaign->runner, slot, error, error_size);
  if (!worker) return false;
  fuzz_campaign_arena(campaign, slot)->mode = mode;
  ++campaign->processes;
  if (fuzz_attempt_begin(&campaign->attempts[slot], worker, fuzz_campaign_arena(campaign, slot),
                         slot, campaign->generation, campaign->version))
    return true;
  snprintf(error, error_size, "the worker ended");
  slot_close(worker);
  return false;
}

// Whether the surface can't be run on this library, and why.
static bool tells_why(const FuzzArena *arena, char *error, size_t error_size)
{
  bool whole = fuzz_arena_is_whole(arena);
  snprintf(error, error_size, "%.*s", (int)sizeof arena->why,
           whole ? arena->why : "it overwrites memory that it shares with other processes");
  return error[0];
}

// Words on a process that did not come as far as its first input.
static void tell_not_begun(const FuzzAttempt *attempt, char *error, size_t error_size)
{
  if (attempt->end == FUZZ_ATTEMPT_HUNG)
    snprintf(error, error_size, "it hangs in a new process, before the first input");
  else
    snprintf(error, error_size, "a new process of it does not come to its first input: %s%s%s",
             attempt->finding.seen[0] ? attempt->finding.seen : "it ends",
             attempt->finding.where[0] ? ", in " : "", attempt->finding.where);
}

// Has all slots but one go on with exploring, while that one is used for something else.
static void serve_others(FuzzCampaign *campaign, unsigned slot);

static void put_input(const FuzzCampaign *campaign, FuzzArena *arena, const FuzzInput *input)
{
  memmove(arena->bytes, input->bytes, input->size);
  arena->size = (uint32_t)input->size;
  arena->run.count = 0;
  arena->aspect =
      campaign->plan.surface->aspect(&(FuzzInput){arena->bytes, input->size, input->size});
}

// Waits until the process of a slot has ended, and has the other slots go on meanwhile.
static void wait_for(FuzzCampaign *campaign, unsigned slot, unsigned patience)
{
  FuzzAttempt *attempt = &campaign->attempts[slot];
  while (!fuzz_attempt_poll(attempt, limit_of(campaign, patience), campaign->config.library)) {
    struct pollfd polled[2] = {{.fd = attempt->slot->control, .events = POLLIN},
                               {.fd = attempt->slot->process, .events = POLLIN}};
    poll(polled, 2, 5);
    serve_others(campaign, slot);
    tick(campaign);
  }
}

bool fuzz_campaign_run(FuzzCampaign *campaign, unsigned slot, unsigned patience,
                       const FuzzTrial *trial, FuzzShown *shown)
{
  FuzzArena *arena = fuzz_campaign_arena(campaign, slot);
  FuzzAttempt *attempt = &campaign->attempts[slot];
  put_input(campaign, arena, &trial->input);
  fuzz_history_set(&arena->history, trial->before, trial->before_size);
  if (!begin(campaign, slot, trial->before_size ? FUZZ_REPLAY : FUZZ_ONE, shown->error,
             sizeof shown->error))
    return false;
  wait_for(campaign, slot, patience);
  if (tells_why(arena, shown->error, sizeof shown->error)) return false;
  if (attempt->end != FUZZ_ATTEMPT_SEALED && fuzz_campaign_is_over(campaign)) {
    snprintf(shown->error, sizeof shown->error, "it was cut short");
    return false;
  }
  if (!fuzz_attempt_has_begun(attempt)) {
    tell_not_begun(attempt, shown->error, sizeof shown->error);
    return false;
  }
  shown->count = (size_t)fuzz_attempt_findings(attempt, campaign->plan.surface, shown->findings,
                                               sizeof shown->findings / sizeof shown->findings[0]);
  if (!atomic_load(&arena->replayed)) shown->count = 0;  // it ended with an input before
  return true;
}

static bool shows_hang(const FuzzShown *shown)
{
  for (size_t i = 0; i < shown->count; ++i)
    if (shown->findings[i].class == FUZZ_HANG) return true;
  return false;
}

bool fuzz_campaign_try(FuzzCampaign *campaign, const FuzzSurface *surface,
                       const FuzzFinding *finding, FuzzShown *shown)
{
  campaign->plan.surface = surface;
  set_up_slots(campaign);
  FuzzTrial trial = fuzz_trial_of(finding);
  if (!fuzz_campaign_run(campaign, 0, 1, &trial, shown)) return false;
  // What was no hang before may be slow now, since the machine is busy.
  if (finding->class == FUZZ_HANG || !shows_hang(shown)) return true;
  return fuzz_campaign_run(campaign, 0, FUZZ_HANG_PATIENCE, &trial, shown);
}

// --- Exploring -----------------------------------------------------------------------------------

static bool is_time_over(const FuzzCampaign *campaign)
{
  uint64_t limit = campaign->plan.time_ns;
  return fuzz_campaign_is_interrupted(campaign) ||
         (limit && slot_now_ns() - campaign->started_ns >= limit);
}

static void stop_slots(FuzzCampaign *campaign)
{
  campaign->stopping = true;
  set_deadline(campaign, finish_ns);
  for (unsigned i = 0; i < campaign->jobs; ++i)
    atomic_store(&fuzz_campaign_arena(campaign, i)->stop, 1);
}

static void wait_for_slots(const FuzzCampaign *campaign)
{
  struct pollfd polled[2 * FUZZ_JOBS_MAX];
  nfds_t count = 0;
  for (unsigned i = 0; i < campaign->jobs; ++i) {
    const FuzzAttempt *attempt = &campaign->attempts[i];
    if (!attempt->running) continue;
    polled[count++] = (struct pollfd){.fd = attempt->slot->control, .events = POLLIN};
    polled[count++] = (struct pollfd){.fd = attempt->slot->process, .events = POLLIN};
  }
  if (count) poll(polled, count, TICK_MS);
}

// Has a slot that does nothing go on. False if it can't.
static bool go_on(FuzzCampaign *campaign, unsigned slot)
{
  FuzzArena *arena = fuzz_campaign_arena(campaign, slot);
  if (campaign->stopping || atomic_load(&arena->next) >= arena->last)
    return campaign->done[slot] = true;
  if (begin(campaign, slot, FUZZ_EXPLORE, campaign->error, sizeof campaign->error)) return true;
  if (fuzz_campaign_is_interrupted(campaign)) return campaign->done[slot] = true;
  return ++campaign->workers_lost < WORKERS_LOST_MAX;
}

// A process of the slot has ended. False if the library can't be explored.
static bool take_end(FuzzCampaign *campaign, unsigned slot)
{
  FuzzArena *arena = fuzz_campaign_arena(campaign, slot);
  FuzzAttempt *attempt = &campaign->attempts[slot];
  if (tells_why(arena, campaign->error, sizeof campaign->error)) return false;
  bool cut_short = attempt->end != FUZZ_ATTEMPT_SEALED && fuzz_campaign_is_over(campaign);
  if (fuzz_attempt_has_begun(attempt)) {
    campaign->not_begun = 0;
  } else if (!cut_short && (attempt->end != FUZZ_ATTEMPT_SEALED || !atomic_load(&arena->stop))) {
    tell_not_begun(attempt, campaign->error, sizeof campaign->error);
    return ++campaign->not_begun < NOT_BEGUN_MAX;
  }
  // One that ends in its first input, as a case does that cannot go on, would end there for ever.
  const bool stays = attempt->end == FUZZ_ATTEMPT_SEALED && arena->mode == FUZZ_EXPLORE &&
                     atomic_load(&arena->next) == attempt->next && !atomic_load(&arena->stop);
  if (stays) atomic_fetch_add(&arena->next, 1);
  if (attempt->end != FUZZ_ATTEMPT_SEALED && !cut_short) fuzz_candidates_take_end(campaign, slot);
  fuzz_candidates_take_found(campaign, slot);
  return true;
}

// Looks after a slot. True if it does nothing now.
static bool look_after(FuzzCampaign *campaign, unsigned slot)
{
  FuzzAttempt *attempt = &campaign->attempts[slot];
  if (!attempt->running) return true;
  if (!fuzz_attempt_poll(attempt, limit_of(campaign, 1), campaign->config.library)) return false;
  if (!take_end(campaign, slot)) campaign->failed = true;
  return true;
}

static void serve(FuzzCampaign *campaign, unsigned slot, bool examines)
{
  if (campaign->done[slot] || !look_after(campaign, slot)) return;
  if (examines) fuzz_candidates_examine(campaign, slot);
  if (!campaign->failed && !go_on(campaign, slot)) campaign->failed = true;
}

static void serve_others(FuzzCampaign *campaign, unsigned slot)
{
  if (!campaign->exploring || campaign->failed) return;
  if (!campaign->stopping && is_time_over(campaign)) stop_slots(campaign);
  for (unsigned i = 0; i < campaign->jobs && !campaign->failed; ++i)
    if (i != slot) serve(campaign, i, false);
}

static bool is_done(const FuzzCampaign *campaign)
{
  unsigned slot = 0;
  while (slot < campaign->jobs && campaign->done[slot]) ++slot;
  return slot == campaign->jobs;
}

bool fuzz_campaign_explore(FuzzCampaign *campaign, const FuzzListener *listener, char *error,
                           size_t error_size)
{
  campaign->listener = listener;
  campaign->started_ns = slot_now_ns();
  campaign->exploring = true;
  while (!campaign->failed && !is_done(campaign)) {
    if (!campaign->stopping && is_time_over(campaign)) stop_slots(campaign);
    for (unsigned i = 0; i < campaign->jobs && !campaign->failed; ++i) serve(campaign, i, true);
    wait_for_slots(campaign);
    tick(campaign);
  }
  campaign->exploring = false;
  bool none =
      fuzz_campaign_counts(campaign).executed == 0 && !fuzz_campaign_is_interrupted(campaign);
  if (none && !campaign->error[0])
    snprintf(campaign->error, sizeof campaign->error, "no input was run");
  snprintf(error, error_size, "%s", campaign->error);
  return !campaign->failed && !none;
}

const FuzzFinding *fuzz_campaign_unreproduced(const FuzzCampaign *campaign, size_t index)
{
  for (size_t i = 0; i < campaign->doubt_count; ++i) {
    const FuzzFinding *finding = &campaign->doubts[i].finding;
    bool known = campaign->doubts[i].times == 0 || campaign->doubts[i].is_stateful ||
                 finding->class == FUZZ_HANG;
    for (size_t k = 0; k < campaign->finding_count && !known; ++k)
      known = campaign->findings[k].class == finding->class &&
              (campaign->findings[k].before ||
               fuzz_cause_is_same(campaign->plan.surface, &campaign->findings[k], finding));
    if (!known && index-- == 0) return finding;
  }
  return NULL;
}

// --- The rate ------------------------------------------------------------------------------------

bool fuzz_campaign_rate(FuzzCampaign *campaign, uint64_t time_ns, FuzzCounts *counts, char *error,
                        size_t error_size)
{
  FuzzArena *arena = fuzz_campaign_arena(campaign, 0);
  FuzzAttempt *attempt = &campaign->attempts[0];
  arena->last = UINT64_MAX;
  campaign->jobs = 1;
  campaign->started_ns = slot_now_ns();
  while (!atomic_load(&arena->stop)) {
    if (!begin(campaign, 0, FUZZ_RATE, error, error_size)) return false;
    while (!fuzz_attempt_poll(attempt, limit_of(campaign, 1), campaign->config.library)) {
      struct pollfd polled = {.fd = attempt->slot->control, .events = POLLIN};
      poll(&polled, 1, TICK_MS);
      if (slot_now_ns() - campaign->started_ns >= time_ns || fuzz_campaign_is_interrupted(campaign))
        atomic_store(&arena->stop, 1);
    }
    if (tells_why(arena, error, error_size)) return false;
    if (attempt->end == FUZZ_ATTEMPT_SEALED) {
      if (atomic_load(&arena->stop)) break;
      snprintf(error, error_size, "a sound input is not taken as such");
      return false;
    }
    campaign->not_begun = fuzz_attempt_has_begun(attempt) ? 0 : campaign->not_begun + 1;
    tell_not_begun(attempt, error, error_size);
    if (campaign->not_begun >= NOT_BEGUN_MAX) return false;
    atomic_fetch_add(&arena->next, 1);
  }
  *counts = fuzz_campaign_counts(campaign);
  return counts->executed > 0 || fuzz_campaign_is_interrupted(campaign);
}
