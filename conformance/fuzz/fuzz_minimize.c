// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_minimize.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz_cause.h"

enum { SEQUENCE_MAX = 16384 };  // inputs
// No more than this many steps are taken to minimize a hang.
enum { HANG_STEPS = 3 };
static const uint64_t second_ns = 1000000000;

// What this one follows from, if the same input shows it, else itself.
static const FuzzFinding *cause_of(const FuzzSurface *surface, const FuzzShown *all,
                                   const FuzzFinding *shown)
{
  for (size_t i = 0; i < all->count; ++i)
    if (fuzz_cause_follows(surface, shown->aspect, all->findings[i].aspect))
      return &all->findings[i];
  return shown;
}

// True if a trial shows this finding; the finding then says what was seen.
static bool comes_again(FuzzCampaign *campaign, unsigned slot, const FuzzTrial *trial,
                        FuzzFinding *wanted)
{
  FuzzShown all;
  unsigned patience = wanted->class == FUZZ_HANG ? FUZZ_HANG_PATIENCE : 1;
  if (!fuzz_campaign_run(campaign, slot, patience, trial, &all)) return false;
  for (size_t i = 0; i < all.count; ++i) {
    const FuzzFinding *shown = &all.findings[i];
    if (!fuzz_cause_is_wanted(campaign->plan.surface, wanted, shown)) continue;
    shown = cause_of(campaign->plan.surface, &all, shown);
    wanted->class = shown->class;
    wanted->aspect = shown->aspect;
    wanted->phase = shown->phase;
    memcpy(wanted->seen, shown->seen, sizeof wanted->seen);
    return true;
  }
  return false;
}

bool fuzz_minimize_ask_neighbour(FuzzCampaign *campaign, unsigned slot, FuzzFinding *finding)
{
  static uint8_t bytes[FUZZ_INPUT_MAX];
  const FuzzSurface *surface = campaign->plan.surface;
  FuzzInput input = {finding->bytes, finding->size, FUZZ_INPUT_MAX};
  FuzzTrial trial = {NULL, 0, {bytes, 0, sizeof bytes}};
  FuzzShown all;
  FuzzClass shows;
  if (!surface->neighbour || !surface->neighbour(&input, finding->class, &trial.input, &shows) ||
      !fuzz_campaign_run(campaign, slot, 1, &trial, &all))
    return false;
  for (size_t i = 0; i < all.count; ++i) {
    const FuzzFinding *shown = &all.findings[i];
    bool same_place = finding->where[0] && strcmp(shown->where, finding->where) == 0;
    if (shown->class != shows || (shows == finding->class && !same_place)) continue;
    finding->class = shown->class;
    finding->aspect = shown->aspect;
    finding->phase = shown->phase;
    memcpy(finding->where, shown->where, sizeof finding->where);
    memcpy(finding->seen, shown->seen, sizeof finding->seen);
    memcpy(finding->bytes, bytes, trial.input.size);
    finding->size = trial.input.size;
    return true;
  }
  return false;
}

bool fuzz_minimize_is_not_plain(FuzzCampaign *campaign, unsigned slot, const FuzzFinding *finding)
{
  static uint8_t bytes[FUZZ_INPUT_MAX];
  const FuzzSurface *surface = campaign->plan.surface;
  FuzzInput input = {finding->bytes, finding->size, FUZZ_INPUT_MAX};
  FuzzTrial trial = {NULL, 0, {bytes, 0, sizeof bytes}};
  FuzzShown all;
  if (!surface->plain || !surface->plain(&input, &trial.input) ||
      !fuzz_campaign_run(campaign, slot, 1, &trial, &all))
    return false;
  for (size_t i = 0; i < all.count; ++i)
    if (fuzz_cause_is_wanted(surface, finding, &all.findings[i])) return false;
  return true;
}

// Whether an input need not be run, since it is about something else than the finding, which is
// about what its own input is about.
static bool is_beside(const FuzzCampaign *campaign, const FuzzFinding *finding,
                      const FuzzInput *input)
{
  const FuzzSurface *surface = campaign->plan.surface;
  FuzzInput own = {finding->bytes, finding->size, FUZZ_INPUT_MAX};
  if (surface->in_part && finding->aspect == surface->in_part)
    return surface->aspect(input) != surface->aspect(&own);
  if (fuzz_cause_may_drift(campaign->plan.surface, finding) ||
      surface->aspect(&own) != finding->aspect)
    return false;
  unsigned aspect = surface->aspect(input);
  if (finding->class == FUZZ_CRASH && finding->where[0] && input->size < finding->size &&
      fuzz_cause_is_other_fault(surface, aspect, finding->aspect))
    return false;
  return aspect != finding->aspect &&
         !fuzz_cause_is_simpler(campaign->plan.surface, aspect, finding->aspect);
}

// Whether an attempt is worth running: it is smaller, or simpler.
static bool is_less(const FuzzCampaign *campaign, const FuzzFinding *finding,
                    const FuzzInput *input)
{
  const FuzzSurface *surface = campaign->plan.surface;
  FuzzInput own = {finding->bytes, finding->size, FUZZ_INPUT_MAX};
  if (input->size < finding->size) return true;
  return !surface->drifts && fuzz_cause_is_simpler(campaign->plan.surface, surface->aspect(input),
                                                   surface->aspect(&own));
}

// How long a finding may be minimized: most of the campaign's time is for finding others.
static uint64_t time_to_minimize(const FuzzCampaign *campaign, FuzzClass class)
{
  uint64_t time =
      class == FUZZ_HANG ? 2 * FUZZ_HANG_PATIENCE * campaign->plan.limit_ns : 15 * second_ns;
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

void fuzz_minimize_input(FuzzCampaign *campaign, unsigned slot, FuzzFinding *finding)
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
        if (attempts-- == 0 || slot_now_ns() - start > time ||
            fuzz_campaign_is_interrupted(campaign))
          return;
        FuzzTrial trial = {finding->before, finding->before_size, out};
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
  FuzzTrial trial = fuzz_trial_of(finding);
  trial.before = fewer;
  trial.before_size = leave_out(records, count, first, gone, fewer);
  if (!comes_again(campaign, slot, &trial, finding)) return false;
  memcpy(finding->before, fewer, trial.before_size);
  finding->before_size = trial.before_size;
  return true;
}

void fuzz_minimize_sequence(FuzzCampaign *campaign, unsigned slot, FuzzFinding *finding)
{
  uint64_t start = slot_now_ns(), time = time_to_minimize(campaign, finding->class);
  bool progress = true;
  for (size_t block = fuzz_finding_before(finding) / 2 + 1; progress || block > 1;) {
    progress = false;
    for (size_t first = 0; first < fuzz_finding_before(finding);) {
      size_t left = fuzz_finding_before(finding) - first, gone = block < left ? block : left;
      if (slot_now_ns() - start > time || fuzz_campaign_is_over(campaign)) return;
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
  FuzzTrial trial = fuzz_trial_of(finding);
  return finding->before_size && comes_again(campaign, slot, &trial, finding);
}

// Of the inputs before a finding, the smallest of each aspect.
typedef struct FuzzSmallest {
  const uint8_t *bytes[FUZZ_ASPECTS_MAX];  // borrowed; NULL: there is none
  size_t sizes[FUZZ_ASPECTS_MAX];
} FuzzSmallest;

static void find_smallest(const FuzzSurface *surface, const FuzzFinding *finding, FuzzSmallest *all)
{
  static uint8_t copy[FUZZ_INPUT_MAX];
  const uint8_t *bytes;
  size_t at = 0, size;
  *all = (FuzzSmallest){.sizes = {0}};
  while (fuzz_record_next(finding->before, finding->before_size, &at, &bytes, &size)) {
    memcpy(copy, bytes, size);
    unsigned aspect = surface->aspect(&(FuzzInput){copy, size, sizeof copy});
    if (all->bytes[aspect] && all->sizes[aspect] <= size) continue;
    all->bytes[aspect] = bytes;
    all->sizes[aspect] = size;
  }
}

// Has the finding become that its input, which is sound, is refused behind these others, if it is: where many
// have run, the same cause may show in another way. (Alone it is not refused, or that was found.)
static bool is_refused_behind(FuzzCampaign *campaign, unsigned slot, const FuzzTrial *trial,
                              FuzzFinding *finding)
{
  const FuzzSurface *surface = campaign->plan.surface;
  FuzzFinding refused = *finding;
  refused.class = FUZZ_REFUSED;
  refused.aspect = surface->aspect(&trial->input);
  FuzzTrial alone = {NULL, 0, trial->input};
  if (finding->class == FUZZ_REFUSED || surface->aspects[refused.aspect].due != FUZZ_DUE_ACCEPT ||
      !comes_again(campaign, slot, trial, &refused))
    return false;
  FuzzFinding as_well = refused;
  if (comes_again(campaign, slot, &alone, &as_well)) return false;
  *finding = refused;
  return true;
}

// Whether it comes behind one input that is run again and again, which the finding then has: what adds
// up may have begun before the inputs that are known.
static bool comes_behind_many(FuzzCampaign *campaign, unsigned slot, FuzzFinding *finding)
{
  enum { TIMES = 256, TRIED_MAX = 8 };
  static uint8_t many[FUZZ_HISTORY_BYTES];
  FuzzSmallest all;
  if (!finding->before_size || campaign->added_up++ >= TRIED_MAX) return false;
  find_smallest(campaign->plan.surface, finding, &all);
  for (unsigned aspect = 0; aspect < FUZZ_ASPECTS_MAX; ++aspect) {
    uint32_t size = (uint32_t)all.sizes[aspect];
    size_t record = sizeof size + size;
    if (!all.bytes[aspect] || record > sizeof many / TIMES) continue;
    for (size_t i = 0; i < TIMES; ++i) {
      memcpy(many + i * record, &size, sizeof size);
      memcpy(many + i * record + sizeof size, all.bytes[aspect], size);
    }
    FuzzTrial trial = fuzz_trial_of(finding);
    trial.before = many;
    trial.before_size = TIMES * record;
    if (fuzz_campaign_is_over(campaign)) return false;
    if (!comes_again(campaign, slot, &trial, finding) &&
        !is_refused_behind(campaign, slot, &trial, finding))
      continue;
    uint8_t *before = malloc(trial.before_size);
    if (!before) return false;
    memcpy(before, many, trial.before_size);
    free(finding->before);
    finding->before = before;
    finding->before_size = trial.before_size;
    return true;
  }
  return false;
}

// Whether nothing is to be said of what comes behind an input: the spec leaves it open, or it was
// taken though it must be refused, which is a finding of its own.
static bool is_known_input(const FuzzCampaign *campaign, const FuzzInput *input)
{
  const FuzzSurface *surface = campaign->plan.surface;
  unsigned aspect = surface->aspect(input);
  if (fuzz_cause_is_open(&surface->aspects[aspect])) return true;
  for (size_t i = 0; i < campaign->finding_count; ++i) {
    const FuzzFinding *finding = &campaign->findings[i];
    if (finding->class == FUZZ_ACCEPTED && finding->aspect == aspect && !finding->before)
      return true;
  }
  return false;
}

// The inputs before it that are not known ones, in `out`. Their size.
static size_t leave_known_out(const FuzzCampaign *campaign, const FuzzFinding *finding,
                              uint8_t *out)
{
  static uint8_t copy[FUZZ_INPUT_MAX];
  size_t at = 0, start = 0, size, left = 0;
  const uint8_t *bytes;
  for (; fuzz_record_next(finding->before, finding->before_size, &at, &bytes, &size); start = at) {
    memcpy(copy, bytes, size);
    if (is_known_input(campaign, &(FuzzInput){copy, size, sizeof copy})) continue;
    memcpy(out + left, finding->before + start, at - start);
    left += at - start;
  }
  return left;
}

// Has a finding that comes behind others come behind those that are not known ones.
static bool comes_behind_unknown(FuzzCampaign *campaign, unsigned slot, FuzzFinding *finding)
{
  static uint8_t fewer[FUZZ_HISTORY_BYTES];
  size_t size = leave_known_out(campaign, finding, fewer);
  if (size == finding->before_size) return true;
  FuzzTrial trial = fuzz_trial_of(finding);
  trial.before = fewer;
  trial.before_size = size;
  if (size == 0 || !comes_again(campaign, slot, &trial, finding)) return false;
  memcpy(finding->before, fewer, size);
  finding->before_size = size;
  return true;
}

// --- How it comes --------------------------------------------------------------------------------

FuzzCame fuzz_minimize_come(FuzzCampaign *campaign, unsigned slot, FuzzFinding *finding)
{
  FuzzTrial alone = fuzz_trial_of(finding);
  alone.before = NULL;
  alone.before_size = 0;
  if (comes_again(campaign, slot, &alone, finding)) return FUZZ_CAME_ALONE;
  if (!comes_behind_others(campaign, slot, finding))
    return comes_behind_many(campaign, slot, finding) ? FUZZ_CAME_BEHIND_OTHERS : FUZZ_CAME_NOT;
  return comes_behind_unknown(campaign, slot, finding) ? FUZZ_CAME_BEHIND_OTHERS
                                                       : FUZZ_CAME_BEHIND_KNOWN;
}

void fuzz_minimize_forget(FuzzFinding *finding)
{
  free(finding->before);
  finding->before = NULL;
  finding->before_size = 0;
}

bool fuzz_minimize_takes_any(FuzzCampaign *campaign, unsigned slot, const FuzzFinding *finding)
{
  static uint8_t bytes[FUZZ_INPUT_MAX];
  const FuzzSurface *surface = campaign->plan.surface;
  FuzzInput input = {finding->bytes, finding->size, FUZZ_INPUT_MAX};
  FuzzTrial trial = {NULL, 0, {bytes, 0, sizeof bytes}};
  if (!surface->other_fault || finding->class != FUZZ_ACCEPTED ||
      !surface->other_fault(&input, &trial.input))
    return false;
  FuzzFinding other = *finding;
  other.bytes = bytes;
  other.aspect = surface->aspect(&trial.input);
  if (comes_again(campaign, slot, &trial, &other)) return false;
  trial.before = finding->before;
  trial.before_size = finding->before_size;
  return comes_again(campaign, slot, &trial, &other);
}
