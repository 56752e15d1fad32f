// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_campaign.h"

#include <ctype.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "clause.h"
#include "fuzz/fuzz_attempt.h"

enum { FINDINGS_MAX = 512, CANDIDATES_MAX = 64, TICK_MS = 50 };
// So often what does not come again is tried; what comes behind others, to see whether it also comes
// alone; what the spec leaves open.
enum { HANG_GIVEN_UP = 3, GIVEN_UP = 12, STATEFUL_TRIES = 4, OPEN_TRIES = 3 };
enum { SEQUENCE_MAX = 16384 };  // inputs
// So many workers may be lost, and so many processes one after the other may end before their first
// input, until the library is given up.
enum { WORKERS_LOST_MAX = 20, NOT_BEGUN_MAX = 3 };
// A hang that is kept takes as many times the limit, so that it is one on other machines, too; and
// no more than this many steps are taken to minimize it. It costs as much as some processes.
enum { HANG_PATIENCE = 4, HANG_STEPS = 3, HANG_COST = 16 };
static const uint64_t second_ns = 1000000000;
// So long what was found is examined once the time is over, or the user interrupts. What then is at
// hand is cut short.
static const uint64_t finish_ns = 3000000000, interrupted_finish_ns = 250000000;

// What did not come again, by its key, so that it is not tried forever.
typedef struct Doubt {
  FuzzFinding finding;
  unsigned times;
  bool is_stateful;  // it comes behind others
} Doubt;

// What a slot showed, until it is examined.
typedef struct Candidate {
  FuzzFinding finding;  // its bytes are own
  unsigned slot;
} Candidate;

struct FuzzCampaign {
  FuzzPlan plan;
  RunConfig config;
  Runner *runner;
  unsigned jobs;
  AbiGeneration generation;  // that the library is taken to be of
  uint32_t version;          // that it reports
  FuzzArena *arenas;
  int fd;
  FuzzAttempt attempts[FUZZ_JOBS_MAX];
  bool done[FUZZ_JOBS_MAX];
  const FuzzListener *listener;
  uint64_t started_ns;
  uint64_t deadline_ns;  // when everything ends; 0: that is not known yet
  bool stopping, interrupted;
  bool exploring;
  bool failed;  // a slot can't go on; `error` says why
  char error[512];
  unsigned workers_lost, not_begun;
  uint64_t processes, not_again;
  FuzzFinding *findings;
  size_t finding_count;
  Candidate candidates[CANDIDATES_MAX];
  size_t candidate_count;
  Doubt *doubts;
  size_t doubt_count;
  Doubt *open;  // what is about a clause that leaves it open
  size_t open_count;
};

static FuzzArena *arena_of(const FuzzCampaign *campaign, unsigned slot)
{
  return fuzz_arena_at(campaign->arenas, slot);
}

static bool is_interrupted(const FuzzCampaign *campaign)
{
  return campaign->config.interrupted && *campaign->config.interrupted;
}

static void set_deadline(FuzzCampaign *campaign, uint64_t left_ns)
{
  uint64_t deadline = slot_now_ns() + left_ns;
  if (!campaign->deadline_ns || deadline < campaign->deadline_ns) campaign->deadline_ns = deadline;
}

// Whether all time has run out, for what is at hand, too: how that ends says nothing any more.
static bool is_over(FuzzCampaign *campaign)
{
  if (is_interrupted(campaign) && !campaign->interrupted) {
    campaign->interrupted = true;
    set_deadline(campaign, interrupted_finish_ns);
  }
  return campaign->deadline_ns && slot_now_ns() >= campaign->deadline_ns;
}

static bool is_open(const FuzzAspect *aspect)
{
  const Clause *clause = clause_get(aspect->clause);
  return clause && clause->level == CLAUSE_UNSPECIFIED;
}

// Whether two texts are the same but for their numbers.
static bool says_the_same(const char *one, const char *other)
{
  while (*one || *other) {
    while (isxdigit((unsigned char)*one)) ++one;
    while (isxdigit((unsigned char)*other)) ++other;
    if (*one != *other) return false;
    if (*one) ++one, ++other;
  }
  return true;
}

// Whether two findings have one cause: the same class, and for crashes the same place, for errors
// the same words, for hangs the same place, else the same clause. All that shows only behind other inputs is one of its class.
static bool is_same(const FuzzCampaign *campaign, const FuzzFinding *one, const FuzzFinding *other)
{
  const FuzzAspect *aspects = campaign->plan.surface->aspects;
  if (one->class != other->class || !one->before != !other->before) return false;
  if (one->before)
    return !campaign->plan.surface->stateful ||
           aspects[one->aspect].clause == aspects[other->aspect].clause;
  if (one->class == FUZZ_CRASH && (one->where[0] || other->where[0]))
    return strcmp(one->where, other->where) == 0;
  if (one->aspect == other->aspect) return true;
  if (one->class == FUZZ_HANG && one->where[0] && strcmp(one->where, other->where) == 0)
    return true;
  if (one->class == FUZZ_ERROR && says_the_same(one->seen, other->seen)) return true;
  return one->class != FUZZ_CRASH && aspects[one->aspect].clause == aspects[other->aspect].clause;
}

// Whether an input of this aspect has less that is special about it than one of another: sound ones
// say more than broken ones, and those come first that have nothing special.
static bool is_simpler(const FuzzCampaign *campaign, unsigned one, unsigned other)
{
  static const unsigned ranks[] = {
      [FUZZ_DUE_ACCEPT] = 0, [FUZZ_DUE_REFUSE] = 1, [FUZZ_DUE_EITHER] = 2};
  const FuzzAspect *aspects = campaign->plan.surface->aspects;
  const unsigned of_inputs = campaign->plan.surface->of_inputs;
  if (of_inputs && (one >= of_inputs || other >= of_inputs)) return false;
  unsigned rank = ranks[aspects[one].due], bound = ranks[aspects[other].due];
  return rank < bound || (rank == bound && rank == 0 && one < other);
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
    FuzzArena *arena = arena_of(campaign, i);
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
  campaign->findings = calloc(FINDINGS_MAX, sizeof *campaign->findings);
  campaign->doubts = calloc(FINDINGS_MAX, sizeof *campaign->doubts);
  campaign->open = calloc(FINDINGS_MAX, sizeof *campaign->open);
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
    FuzzArena *arena = arena_of(campaign, i);
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
  return is_over(campaign) ? 1 : campaign->plan.limit_ns * patience;
}

static bool begin(FuzzCampaign *campaign, unsigned slot, FuzzMode mode, char *error,
                  size_t error_size)
{
  Slot *worker = runner_slot(campaign->runner, slot, error, error_size);
  if (!worker) return false;
  arena_of(campaign, slot)->mode = mode;
  ++campaign->processes;
  if (fuzz_attempt_begin(&campaign->attempts[slot], worker, arena_of(campaign, slot), slot,
                         campaign->generation, campaign->version))
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

// Inputs that run in one process, the last of which counts.
typedef struct Trial {
  const uint8_t *before;  // records of FuzzHistory
  size_t before_size;
  FuzzInput input;
} Trial;

// Runs an input on a slot whose worker waits, in a process of its own. False: no verdict.
static bool try_on(FuzzCampaign *campaign, unsigned slot, unsigned patience, const Trial *trial,
                   FuzzShown *shown)
{
  FuzzArena *arena = arena_of(campaign, slot);
  FuzzAttempt *attempt = &campaign->attempts[slot];
  put_input(campaign, arena, &trial->input);
  fuzz_history_set(&arena->history, trial->before, trial->before_size);
  if (!begin(campaign, slot, trial->before_size ? FUZZ_REPLAY : FUZZ_ONE, shown->error,
             sizeof shown->error))
    return false;
  wait_for(campaign, slot, patience);
  if (tells_why(arena, shown->error, sizeof shown->error)) return false;
  if (attempt->end != FUZZ_ATTEMPT_SEALED && is_over(campaign)) {
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

static Trial trial_of(const FuzzFinding *finding)
{
  return (Trial){
      finding->before, finding->before_size, {finding->bytes, finding->size, FUZZ_INPUT_MAX}};
}

bool fuzz_campaign_try(FuzzCampaign *campaign, const FuzzSurface *surface,
                       const FuzzFinding *finding, FuzzShown *shown)
{
  campaign->plan.surface = surface;
  set_up_slots(campaign);
  Trial trial = trial_of(finding);
  return try_on(campaign, 0, 1, &trial, shown);
}

// --- Findings ------------------------------------------------------------------------------------

// Whether a smaller input may be about something else: what is spent on a number that announces too
// much is found in inputs that are wrong in other ways, too.
static bool may_drift(const FuzzCampaign *campaign, const FuzzFinding *finding)
{
  if (campaign->plan.surface->drifts) return true;
  return finding->class == FUZZ_MEMORY && !campaign->plan.surface->aspects[finding->aspect].sized;
}

// Whether what was shown is the finding, or the same of a simpler input.
static bool is_wanted(const FuzzCampaign *campaign, const FuzzFinding *wanted,
                      const FuzzFinding *shown)
{
  // What comes back at several times the limit may say itself that it was slow.
  if (wanted->class == FUZZ_HANG && shown->class == FUZZ_SLOW)
    return shown->aspect == wanted->aspect;
  if (shown->class != wanted->class) return false;
  if (may_drift(campaign, wanted)) return true;
  bool placed = wanted->class == FUZZ_CRASH && (wanted->where[0] || shown->where[0]);
  if (placed && strcmp(wanted->where, shown->where) != 0) return false;
  return shown->aspect == wanted->aspect || is_simpler(campaign, shown->aspect, wanted->aspect);
}

// True if a trial shows this finding; the finding then says what was seen.
static bool comes_again(FuzzCampaign *campaign, unsigned slot, const Trial *trial,
                        FuzzFinding *wanted)
{
  FuzzShown all;
  unsigned patience = wanted->class == FUZZ_HANG ? HANG_PATIENCE : 1;
  if (!try_on(campaign, slot, patience, trial, &all)) return false;
  for (size_t i = 0; i < all.count; ++i) {
    const FuzzFinding *shown = &all.findings[i];
    if (!is_wanted(campaign, wanted, shown)) continue;
    wanted->class = shown->class;
    wanted->aspect = shown->aspect;
    wanted->phase = shown->phase;
    memcpy(wanted->seen, shown->seen, sizeof wanted->seen);
    return true;
  }
  return false;
}

// Whether an input need not be run, since it is about something else than the finding, which is
// about what its own input is about.
static bool is_beside(const FuzzCampaign *campaign, const FuzzFinding *finding,
                      const FuzzInput *input)
{
  const FuzzSurface *surface = campaign->plan.surface;
  FuzzInput own = {finding->bytes, finding->size, FUZZ_INPUT_MAX};
  if (may_drift(campaign, finding) || surface->aspect(&own) != finding->aspect) return false;
  unsigned aspect = surface->aspect(input);
  return aspect != finding->aspect && !is_simpler(campaign, aspect, finding->aspect);
}

// Whether an attempt is worth running: it is smaller, or simpler.
static bool is_less(const FuzzCampaign *campaign, const FuzzFinding *finding,
                    const FuzzInput *input)
{
  const FuzzSurface *surface = campaign->plan.surface;
  FuzzInput own = {finding->bytes, finding->size, FUZZ_INPUT_MAX};
  if (input->size < finding->size) return true;
  return !surface->drifts && is_simpler(campaign, surface->aspect(input), surface->aspect(&own));
}

// How long a finding may be minimized: most of the campaign's time is for finding others.
static uint64_t time_to_minimize(const FuzzCampaign *campaign, FuzzClass class)
{
  uint64_t time = class == FUZZ_HANG ? 2 * HANG_PATIENCE * campaign->plan.limit_ns : 15 * second_ns;
  uint64_t share = campaign->plan.time_ns / 16;
  if (share && share < second_ns) share = second_ns;
  return share && share < time ? share : time;
}

// How long once the time is over: what waits has to be seen again, too.
static uint64_t share_of_rest(const FuzzCampaign *campaign, FuzzClass class)
{
  uint64_t now = slot_now_ns(), end = campaign->deadline_ns;
  return class == FUZZ_HANG || end <= now ? 0 : (end - now) / (campaign->candidate_count + 1);
}

// Tries smaller and smaller inputs while they show the same, for a while.
static void minimize(FuzzCampaign *campaign, unsigned slot, FuzzFinding *finding)
{
  static uint8_t smaller[FUZZ_INPUT_MAX];
  const FuzzSurface *surface = campaign->plan.surface;
  unsigned attempts = 2000;
  unsigned steps_left = finding->class == FUZZ_HANG ? HANG_STEPS : UINT_MAX;
  uint64_t start = slot_now_ns(), time = time_to_minimize(campaign, finding->class);
  bool progress = true, hurries = false;
  while (progress) {
    progress = false;
    for (size_t step = 0;; ++step) {
      FuzzInput input = {finding->bytes, finding->size, FUZZ_INPUT_MAX};
      FuzzInput out = {smaller, 0, sizeof smaller};
      if (!surface->shrink(&input, step, &out)) break;
      while (is_less(campaign, finding, &out)) {
        if (campaign->stopping && !hurries) {
          hurries = true;
          time = slot_now_ns() - start + share_of_rest(campaign, finding->class);
        }
        if (attempts-- == 0 || slot_now_ns() - start > time || is_interrupted(campaign)) return;
        Trial trial = {finding->before, finding->before_size, out};
        if (!surface->repair(&out) || is_beside(campaign, finding, &out) ||
            !comes_again(campaign, slot, &trial, finding))
          break;
        memcpy(finding->bytes, smaller, out.size);
        finding->size = out.size;
        progress = true;
        if (--steps_left == 0) return;
        input.size = out.size;
        if (!surface->shrink(&input, step, &out)) break;
      }
    }
  }
}

// --- Sequences -----------------------------------------------------------------------------------

// Where each input before a finding stands, with its number.
static size_t take_records(const FuzzFinding *finding, const uint8_t **records)
{
  size_t count = 0, at = 0, size;
  const uint8_t *bytes, *start = finding->before;
  while (count < SEQUENCE_MAX &&
         fuzz_record_next(finding->before, finding->before_size, &at, &bytes, &size)) {
    records[count++] = start;
    start = finding->before + at;
  }
  records[count] = start;
  return count;
}

// The finding's inputs before it, without `gone` from `first` on, in `out`. Their size.
static size_t leave_out(const uint8_t *const *records, size_t count, size_t first, size_t gone,
                        uint8_t *out)
{
  size_t head = (size_t)(records[first] - records[0]);
  size_t tail = (size_t)(records[count] - records[first + gone]);
  memcpy(out, records[0], head);
  memcpy(out + head, records[first + gone], tail);
  return head + tail;
}

// Has the finding come behind all inputs before it but these. It then has the others only.
static bool comes_without(FuzzCampaign *campaign, unsigned slot, FuzzFinding *finding, size_t first,
                          size_t gone)
{
  static const uint8_t *records[SEQUENCE_MAX + 1];
  static uint8_t fewer[FUZZ_HISTORY_BYTES];
  size_t count = take_records(finding, records);
  if (first + gone > count) return false;
  Trial trial = trial_of(finding);
  trial.before = fewer;
  trial.before_size = leave_out(records, count, first, gone, fewer);
  if (!comes_again(campaign, slot, &trial, finding)) return false;
  memcpy(finding->before, fewer, trial.before_size);
  finding->before_size = trial.before_size;
  return true;
}

// Leaves out inputs, those first that are longest ago, while it shows the same.
static void minimize_sequence(FuzzCampaign *campaign, unsigned slot, FuzzFinding *finding)
{
  uint64_t start = slot_now_ns(), time = time_to_minimize(campaign, finding->class);
  bool progress = true;
  for (size_t block = fuzz_finding_before(finding) / 2 + 1; progress || block > 1;) {
    progress = false;
    for (size_t first = 0; first < fuzz_finding_before(finding);) {
      size_t left = fuzz_finding_before(finding) - first, gone = block < left ? block : left;
      if (slot_now_ns() - start > time || is_over(campaign)) return;
      if (gone < fuzz_finding_before(finding) &&
          comes_without(campaign, slot, finding, first, gone))
        progress = true;
      else
        first += gone;
    }
    if (block > 1) block = (block + 1) / 2;
  }
}

// Whether it comes behind what ran in the process before, which the finding then has.
static bool comes_behind_others(FuzzCampaign *campaign, unsigned slot, FuzzFinding *finding)
{
  Trial trial = trial_of(finding);
  return finding->before_size && comes_again(campaign, slot, &trial, finding);
}

// --- What waits ----------------------------------------------------------------------------------

static FuzzFinding *known_finding(const FuzzCampaign *campaign, const FuzzFinding *finding)
{
  for (size_t i = 0; i < campaign->finding_count; ++i)
    if (is_same(campaign, &campaign->findings[i], finding)) return &campaign->findings[i];
  return NULL;
}

// The entry of a list of its cause; a new one if there is none, NULL if it is full.
static Doubt *entry_of(const FuzzCampaign *campaign, Doubt *list, size_t *count,
                       const FuzzFinding *finding)
{
  FuzzFinding plain = *finding;
  plain.bytes = plain.before = NULL;
  plain.before_size = plain.example_count = 0;
  for (size_t i = 0; i < *count; ++i)
    if (is_same(campaign, &list[i].finding, &plain)) return &list[i];
  if (*count == FINDINGS_MAX) return NULL;
  list[*count] = (Doubt){.finding = plain};
  return &list[(*count)++];
}

static bool has_example(const FuzzFinding *finding, unsigned aspect)
{
  bool has = finding->aspect == aspect;
  for (unsigned i = 0; i < finding->example_count; ++i)
    has |= finding->examples[i].aspect == aspect;
  return has;
}

// Has a known finding keep an input of another aspect, too.
static void add_example(const FuzzCampaign *campaign, FuzzFinding *known, unsigned aspect,
                        const uint8_t *bytes, size_t size)
{
  if (has_example(known, aspect) || known->example_count == FUZZ_EXAMPLES_MAX) return;
  uint8_t *copy = malloc(size ? size : 1);
  if (!copy) return;
  memcpy(copy, bytes, size);
  known->examples[known->example_count++] = (FuzzExample){aspect, copy, size};
  size_t place = (size_t)(known - campaign->findings);
  if (place < campaign->finding_count && campaign->listener && campaign->listener->more)
    campaign->listener->more(campaign->listener->context, known);
}

static bool is_among_findings(const FuzzCampaign *campaign, const FuzzFinding *finding)
{
  for (size_t i = 0; i < campaign->finding_count; ++i)
    if (&campaign->findings[i] == finding) return true;
  return false;
}

// The inputs that the process of a slot ran before the one at hand; own.
static void take_history(const FuzzArena *arena, FuzzFinding *finding)
{
  static uint8_t before[FUZZ_HISTORY_BYTES];
  finding->before_size = fuzz_history_before_last(&arena->history, before);
  if (finding->before_size) finding->before = malloc(finding->before_size);
  if (!finding->before) finding->before_size = 0;
  if (finding->before) memcpy(finding->before, before, finding->before_size);
}

// Has what a slot showed with this input wait until it is examined; what is known is counted.
static void take_up(FuzzCampaign *campaign, unsigned slot, const FuzzFinding *finding,
                    const uint8_t *bytes, size_t size)
{
  FuzzFinding *known = known_finding(campaign, finding);
  for (size_t i = 0; i < campaign->candidate_count && !known; ++i) {
    FuzzFinding waiting = campaign->candidates[i].finding;
    waiting.before = NULL;
    if (is_same(campaign, &waiting, finding)) known = &campaign->candidates[i].finding;
  }
  if (known) {
    ++known->times;
    if (is_among_findings(campaign, known))
      add_example(campaign, known, finding->aspect, bytes, size);
    return;
  }
  uint8_t *copy = campaign->candidate_count < CANDIDATES_MAX ? malloc(FUZZ_INPUT_MAX) : NULL;
  if (!copy) return;
  memcpy(copy, bytes, size);
  Candidate *candidate = &campaign->candidates[campaign->candidate_count++];
  *candidate = (Candidate){*finding, slot};
  candidate->finding.bytes = copy;
  candidate->finding.size = candidate->finding.first_size = size;
  candidate->finding.times = 1;
  candidate->finding.after_ns = slot_now_ns() - campaign->started_ns;
  take_history(arena_of(campaign, slot), &candidate->finding);
}

static bool is_given_up(const Doubt *about)
{
  if (about->is_stateful) return about->times >= STATEFUL_TRIES;
  return about->times >= (about->finding.class == FUZZ_HANG ? HANG_GIVEN_UP : GIVEN_UP);
}

// The slot that found it may show another one.
static void ask_again(const FuzzCampaign *campaign, const FuzzFinding *finding, unsigned slot)
{
  atomic_store(&arena_of(campaign, slot)->told[finding->class][finding->aspect], 0);
}

// It did not come again: chance, a busy machine, or more than what inputs before it left in the
// process.
static void doubt(FuzzCampaign *campaign, Doubt *about, const FuzzFinding *finding, unsigned slot)
{
  ++about->times;
  ++campaign->not_again;
  if (!is_given_up(about)) ask_again(campaign, finding, slot);
  if (campaign->listener && campaign->listener->doubted)
    campaign->listener->doubted(campaign->listener->context, finding);
}

const FuzzFinding *fuzz_campaign_unreproduced(const FuzzCampaign *campaign, size_t index)
{
  for (size_t i = 0; i < campaign->doubt_count; ++i) {
    const FuzzFinding *finding = &campaign->doubts[i].finding;
    bool known = campaign->doubts[i].times == 0 || campaign->doubts[i].is_stateful ||
                 finding->class == FUZZ_HANG;
    for (size_t k = 0; k < campaign->finding_count && !known; ++k)
      known = campaign->findings[k].class == finding->class &&
              (campaign->findings[k].before || is_same(campaign, &campaign->findings[k], finding));
    if (!known && index-- == 0) return finding;
  }
  return NULL;
}

// Whether there is no time left to see it again: a hang takes several times its limit.
static bool comes_too_late(FuzzCampaign *campaign, const FuzzFinding *finding)
{
  return is_over(campaign) || (finding->class == FUZZ_HANG && campaign->deadline_ns);
}

typedef enum Came { CAME_NOT, CAME_ALONE, CAME_BEHIND_OTHERS } Came;

static Came how_it_comes(FuzzCampaign *campaign, unsigned slot, FuzzFinding *finding)
{
  Trial alone = trial_of(finding);
  alone.before = NULL;
  alone.before_size = 0;
  if (comes_again(campaign, slot, &alone, finding)) return CAME_ALONE;
  return comes_behind_others(campaign, slot, finding) ? CAME_BEHIND_OTHERS : CAME_NOT;
}

static void forget_before(FuzzFinding *finding)
{
  free(finding->before);
  finding->before = NULL;
  finding->before_size = 0;
}

// How many findings of a class come behind others and are about their input.
static size_t count_stateful(const FuzzCampaign *campaign, FuzzClass class)
{
  size_t count = 0;
  for (size_t i = 0; i < campaign->finding_count; ++i) {
    const FuzzFinding *finding = &campaign->findings[i];
    count += finding->before && finding->class == class &&
             finding->aspect != campaign->plan.surface->stateful;
  }
  return count;
}

// Of what comes behind others only, the aspect is that of the surface, if it has one. (What an input
// does that has to be refused is about that input: it reads memory that is not its own, say. But not
// if inputs of many aspects do it.)
static void name_stateful(const FuzzCampaign *campaign, FuzzFinding *finding)
{
  enum { FEW = 2 };
  const FuzzSurface *surface = campaign->plan.surface;
  bool about_input = surface->aspects[finding->aspect].due == FUZZ_DUE_REFUSE &&
                     (finding->class == FUZZ_ACCEPTED || finding->class == FUZZ_CRASH ||
                      finding->class == FUZZ_MEMORY || finding->class == FUZZ_HANG) &&
                     count_stateful(campaign, finding->class) < FEW;
  if (surface->stateful && !about_input) finding->aspect = surface->stateful;
}

// Makes it smaller, in whichever way it came.
static void reduce(FuzzCampaign *campaign, unsigned slot, FuzzFinding *finding, Came came)
{
  if (came == CAME_ALONE) {
    forget_before(finding);
    minimize(campaign, slot, finding);
    return;
  }
  minimize_sequence(campaign, slot, finding);
  minimize(campaign, slot, finding);
  name_stateful(campaign, finding);
}

// Whether the spec leaves open what the finding is about. So many times others are tried, which may
// show that it is about something else.
static bool is_left_open(FuzzCampaign *campaign, const FuzzFinding *finding, unsigned slot)
{
  if (!is_open(&campaign->plan.surface->aspects[finding->aspect])) return false;
  Doubt *about = entry_of(campaign, campaign->open, &campaign->open_count, finding);
  if (about && ++about->times < OPEN_TRIES) ask_again(campaign, finding, slot);
  return true;
}

static bool is_known_as_open(FuzzCampaign *campaign, const FuzzFinding *finding)
{
  if (!is_open(&campaign->plan.surface->aspects[finding->aspect])) return false;
  const Doubt *about = entry_of(campaign, campaign->open, &campaign->open_count, finding);
  return !about || about->times >= OPEN_TRIES;
}

// Whether another finding says the same of it: that it comes behind others.
static bool is_known_as_stateful(FuzzCampaign *campaign, const FuzzFinding *finding)
{
  FuzzFinding *known = campaign->plan.surface->stateful ? known_finding(campaign, finding) : NULL;
  if (known) known->times += finding->times;
  return known != NULL;
}

// Has a finding, whose bytes are own, come again on this slot, minimizes it and keeps it. What
// there is no time for is kept as it is, unless it had its chance before. False if it is not kept.
static bool keep(FuzzCampaign *campaign, unsigned slot, FuzzFinding *finding, unsigned found_by)
{
  if (is_known_as_open(campaign, finding)) return false;
  Doubt *about = entry_of(campaign, campaign->doubts, &campaign->doubt_count, finding);
  if (!about || is_given_up(about) || campaign->finding_count == FINDINGS_MAX) return false;
  FuzzFinding first = *finding;
  if (comes_too_late(campaign, finding)) {
    if (about->times || is_open(&campaign->plan.surface->aspects[finding->aspect])) return false;
    finding->unconfirmed = true;
    forget_before(finding);
  } else {
    Came came = how_it_comes(campaign, slot, finding);
    finding->unconfirmed = came == CAME_NOT && is_over(campaign) && about->times == 0;
    if (came == CAME_NOT && !finding->unconfirmed) {
      doubt(campaign, about, finding, found_by);
      return false;
    }
    if (came == CAME_BEHIND_OTHERS) {
      about->is_stateful = true;
      if (++about->times < STATEFUL_TRIES) ask_again(campaign, &first, found_by);
      name_stateful(campaign, finding);
      if (is_known_as_stateful(campaign, finding)) return false;
      finding->aspect = first.aspect;
    }
    if (came == CAME_NOT)
      forget_before(finding);
    else
      reduce(campaign, slot, finding, came);
  }
  if (is_left_open(campaign, finding, found_by)) return false;
  FuzzFinding *known = known_finding(campaign, finding);
  if (known) {
    known->times += finding->times;
    add_example(campaign, known, finding->aspect, finding->bytes, finding->size);
    return false;
  }
  FuzzFinding *kept = &campaign->findings[campaign->finding_count++];
  *kept = *finding;
  if (campaign->listener && campaign->listener->found)
    campaign->listener->found(campaign->listener->context, kept);
  return true;
}

// Examines what waits for it, on a slot that does nothing else. More may come from the others
// meanwhile.
static void examine(FuzzCampaign *campaign, unsigned slot)
{
  while (campaign->candidate_count) {
    // It stays in its place, so that others of its kind are seen to be the same.
    FuzzFinding finding = campaign->candidates[0].finding;
    bool kept = keep(campaign, slot, &finding, campaign->candidates[0].slot);
    if (!kept) fuzz_finding_clear(&finding);
    --campaign->candidate_count;
    memmove(campaign->candidates, campaign->candidates + 1,
            campaign->candidate_count * sizeof *campaign->candidates);
  }
}

// What the worker left in its arena.
static void take_up_found(FuzzCampaign *campaign, unsigned slot)
{
  FuzzArena *arena = arena_of(campaign, slot);
  uint32_t count = atomic_load(&arena->found_count);
  if (count > FUZZ_FOUND_MAX) count = FUZZ_FOUND_MAX;
  for (uint32_t i = 0; i < count; ++i) {
    const FuzzFound *found = &arena->found[i];
    FuzzFinding finding = {.class = (FuzzClass)found->class, .aspect = found->aspect};
    size_t size = found->size;
    if (found->class >= FUZZ_CLASSES || size > FUZZ_INPUT_MAX ||
        found->aspect >= campaign->plan.surface->aspect_count)
      continue;
    fuzz_attempt_copy_text(finding.seen, found->text);
    take_up(campaign, slot, &finding, found->bytes, size);
  }
  atomic_store(&arena->found_count, 0);
}

// The process went down, or did not come back, with the input in the arena.
static void take_up_end(FuzzCampaign *campaign, unsigned slot)
{
  FuzzArena *arena = arena_of(campaign, slot);
  FuzzFinding finding;
  size_t size = arena->size < FUZZ_INPUT_MAX ? arena->size : FUZZ_INPUT_MAX;
  unsigned aspect = arena->aspect;
  atomic_fetch_add(&arena->next, 1);
  atomic_fetch_add(&arena->executed, 1);
  uint32_t cost = campaign->attempts[slot].end == FUZZ_ATTEMPT_HUNG ? HANG_COST : 1;
  if (aspect < FUZZ_ASPECTS_MAX) arena->tired[aspect] += cost;
  if (fuzz_attempt_findings(&campaign->attempts[slot], campaign->plan.surface, &finding, 1) == 1)
    take_up(campaign, slot, &finding, arena->bytes, size);
}

// --- Exploring -----------------------------------------------------------------------------------

static bool is_time_over(const FuzzCampaign *campaign)
{
  uint64_t limit = campaign->plan.time_ns;
  return is_interrupted(campaign) || (limit && slot_now_ns() - campaign->started_ns >= limit);
}

static void stop_slots(FuzzCampaign *campaign)
{
  campaign->stopping = true;
  set_deadline(campaign, finish_ns);
  for (unsigned i = 0; i < campaign->jobs; ++i) atomic_store(&arena_of(campaign, i)->stop, 1);
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
  FuzzArena *arena = arena_of(campaign, slot);
  if (campaign->stopping || atomic_load(&arena->next) >= arena->last)
    return campaign->done[slot] = true;
  if (begin(campaign, slot, FUZZ_EXPLORE, campaign->error, sizeof campaign->error)) return true;
  if (is_interrupted(campaign)) return campaign->done[slot] = true;
  return ++campaign->workers_lost < WORKERS_LOST_MAX;
}

// A process of the slot has ended. False if the library can't be explored.
static bool take_end(FuzzCampaign *campaign, unsigned slot)
{
  FuzzArena *arena = arena_of(campaign, slot);
  FuzzAttempt *attempt = &campaign->attempts[slot];
  if (tells_why(arena, campaign->error, sizeof campaign->error)) return false;
  bool cut_short = attempt->end != FUZZ_ATTEMPT_SEALED && is_over(campaign);
  if (fuzz_attempt_has_begun(attempt)) {
    campaign->not_begun = 0;
  } else if (!cut_short && (attempt->end != FUZZ_ATTEMPT_SEALED || !atomic_load(&arena->stop))) {
    tell_not_begun(attempt, campaign->error, sizeof campaign->error);
    return ++campaign->not_begun < NOT_BEGUN_MAX;
  }
  if (attempt->end != FUZZ_ATTEMPT_SEALED && !cut_short) take_up_end(campaign, slot);
  take_up_found(campaign, slot);
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
  if (examines) examine(campaign, slot);
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
  bool none = fuzz_campaign_counts(campaign).executed == 0 && !is_interrupted(campaign);
  if (none && !campaign->error[0])
    snprintf(campaign->error, sizeof campaign->error, "no input was run");
  snprintf(error, error_size, "%s", campaign->error);
  return !campaign->failed && !none;
}

// --- The rate ------------------------------------------------------------------------------------

bool fuzz_campaign_rate(FuzzCampaign *campaign, uint64_t time_ns, FuzzCounts *counts, char *error,
                        size_t error_size)
{
  FuzzArena *arena = arena_of(campaign, 0);
  FuzzAttempt *attempt = &campaign->attempts[0];
  arena->last = UINT64_MAX;
  campaign->jobs = 1;
  campaign->started_ns = slot_now_ns();
  while (!atomic_load(&arena->stop)) {
    if (!begin(campaign, 0, FUZZ_RATE, error, error_size)) return false;
    while (!fuzz_attempt_poll(attempt, limit_of(campaign, 1), campaign->config.library)) {
      struct pollfd polled = {.fd = attempt->slot->control, .events = POLLIN};
      poll(&polled, 1, TICK_MS);
      if (slot_now_ns() - campaign->started_ns >= time_ns || is_interrupted(campaign))
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
  return counts->executed > 0 || is_interrupted(campaign);
}
