// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_candidates.h"

#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz_cause.h"
#include "fuzz/fuzz_minimize.h"

// So often what does not come again is tried; what comes behind others, to see whether it also comes
// alone; what the spec leaves open.
enum { HANG_GIVEN_UP = 3, GIVEN_UP = 12, STATEFUL_TRIES = 4, OPEN_TRIES = 3 };
enum { HANG_COST = 16 };  // as much as some processes

static FuzzFinding *known_finding(const FuzzCampaign *campaign, const FuzzFinding *finding)
{
  for (size_t i = 0; i < campaign->finding_count; ++i)
    if (fuzz_cause_is_same(campaign->plan.surface, &campaign->findings[i], finding))
      return &campaign->findings[i];
  return NULL;
}

// The entry of a list of its cause; a new one if there is none, NULL if it is full.
static FuzzDoubt *entry_of(const FuzzCampaign *campaign, FuzzDoubt *list, size_t *count,
                           const FuzzFinding *finding)
{
  FuzzFinding plain = *finding;
  plain.bytes = plain.before = NULL;
  plain.before_size = plain.example_count = 0;
  for (size_t i = 0; i < *count; ++i)
    if (fuzz_cause_is_same(campaign->plan.surface, &list[i].finding, &plain)) return &list[i];
  if (*count == FUZZ_FINDINGS_MAX) return NULL;
  list[*count] = (FuzzDoubt){.finding = plain};
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
    if (fuzz_cause_is_same(campaign->plan.surface, &waiting, finding))
      known = &campaign->candidates[i].finding;
  }
  if (known) {
    ++known->times;
    if (is_among_findings(campaign, known))
      add_example(campaign, known, finding->aspect, bytes, size);
    return;
  }
  uint8_t *copy = campaign->candidate_count < FUZZ_CANDIDATES_MAX ? malloc(FUZZ_INPUT_MAX) : NULL;
  if (!copy) return;
  memcpy(copy, bytes, size);
  FuzzCandidate *candidate = &campaign->candidates[campaign->candidate_count++];
  *candidate = (FuzzCandidate){*finding, slot};
  candidate->finding.bytes = copy;
  candidate->finding.size = candidate->finding.first_size = size;
  candidate->finding.times = 1;
  candidate->finding.after_ns = slot_now_ns() - campaign->started_ns;
  take_history(fuzz_campaign_arena(campaign, slot), &candidate->finding);
}

static bool is_given_up(const FuzzDoubt *about)
{
  if (about->is_stateful) return about->times >= STATEFUL_TRIES;
  return about->times >= (about->finding.class == FUZZ_HANG ? HANG_GIVEN_UP : GIVEN_UP);
}

// The slot that found it may show another one.
static void ask_again(const FuzzCampaign *campaign, const FuzzFinding *finding, unsigned slot)
{
  atomic_store(&fuzz_campaign_arena(campaign, slot)->told[finding->class][finding->aspect], 0);
}

// It did not come again: chance, a busy machine, or more than what inputs before it left in the
// process.
static void doubt(FuzzCampaign *campaign, FuzzDoubt *about, const FuzzFinding *finding,
                  unsigned slot)
{
  ++about->times;
  ++campaign->not_again;
  if (!is_given_up(about)) ask_again(campaign, finding, slot);
  if (campaign->listener && campaign->listener->doubted)
    campaign->listener->doubted(campaign->listener->context, finding);
}

// Whether there is no time left to see it again: a hang takes several times its limit.
static bool comes_too_late(FuzzCampaign *campaign, const FuzzFinding *finding)
{
  return fuzz_campaign_is_over(campaign) || (finding->class == FUZZ_HANG && campaign->deadline_ns);
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

static bool is_malformed(const FuzzSurface *surface, unsigned aspect)
{
  if (surface->aspects[aspect].due != FUZZ_DUE_REFUSE) return false;
  return !surface->is_malformed || surface->is_malformed(aspect);
}

// Whether no input before the finding's is one that has to be refused. `meanwhile` is the aspect of one
// during which something else is done, a second load, say; 0: there is none.
static bool are_sound_before(const FuzzSurface *surface, const FuzzFinding *finding,
                             unsigned *meanwhile)
{
  static uint8_t copy[FUZZ_INPUT_MAX], simple[FUZZ_INPUT_MAX];
  const uint8_t *bytes;
  size_t at = 0, size;
  *meanwhile = 0;
  while (fuzz_record_next(finding->before, finding->before_size, &at, &bytes, &size)) {
    FuzzInput before = {copy, size, sizeof copy}, plain = {simple, 0, sizeof simple};
    memcpy(copy, bytes, size);
    const unsigned aspect = surface->aspect(&before);
    if (surface->aspects[aspect].due == FUZZ_DUE_REFUSE) return false;
    if (surface->plain && surface->plain(&before, &plain)) *meanwhile = aspect;
  }
  return true;
}

// Of what comes behind others only, the aspect is that of the surface, if it has one. (What an input
// does that is malformed is about that input: it reads memory that is not its own, say. But not
// if inputs of many aspects do it, or any would.) Where none of the others had to be refused, no
// failure is at its back: it is about what one of them did meanwhile, or wrong by its own rule.
static void name_stateful(FuzzCampaign *campaign, unsigned slot, FuzzFinding *finding)
{
  enum { FEW = 2 };
  const FuzzSurface *surface = campaign->plan.surface;
  unsigned meanwhile = 0;
  const bool sound = surface->of_inputs && are_sound_before(surface, finding, &meanwhile);
  const bool own =
      sound && finding->class == FUZZ_DIFFERENT && finding->aspect >= surface->of_inputs;
  if (sound && meanwhile && !own) {
    finding->aspect = meanwhile;
    return;
  }
  bool about_input = is_malformed(surface, finding->aspect) &&
                     (finding->class == FUZZ_ACCEPTED || finding->class == FUZZ_CRASH ||
                      finding->class == FUZZ_MEMORY || finding->class == FUZZ_HANG) &&
                     count_stateful(campaign, finding->class) < FEW;
  if (own || (surface->equal && finding->aspect == surface->equal)) return;
  if (surface->stateful && (!about_input || fuzz_minimize_takes_any(campaign, slot, finding)))
    finding->aspect = surface->stateful;
}

// Makes it smaller, in whichever way it came.
static void reduce(FuzzCampaign *campaign, unsigned slot, FuzzFinding *finding, FuzzCame came)
{
  if (came == FUZZ_CAME_ALONE) {
    fuzz_minimize_forget(finding);
    fuzz_minimize_input(campaign, slot, finding);
    return;
  }
  fuzz_minimize_sequence(campaign, slot, finding);
  fuzz_minimize_input(campaign, slot, finding);
  name_stateful(campaign, slot, finding);
}

// Whether the spec leaves open what the finding is about. So many times others are tried, which may
// show that it is about something else.
static bool is_left_open(FuzzCampaign *campaign, const FuzzFinding *finding, unsigned slot)
{
  if (!fuzz_cause_is_open(&campaign->plan.surface->aspects[finding->aspect])) return false;
  FuzzDoubt *about = entry_of(campaign, campaign->open, &campaign->open_count, finding);
  if (about && ++about->times < OPEN_TRIES) ask_again(campaign, finding, slot);
  return true;
}

static bool is_known_as_open(FuzzCampaign *campaign, const FuzzFinding *finding)
{
  if (!fuzz_cause_is_open(&campaign->plan.surface->aspects[finding->aspect])) return false;
  const FuzzDoubt *about = entry_of(campaign, campaign->open, &campaign->open_count, finding);
  return !about || about->times >= OPEN_TRIES;
}

// Whether another finding says the same of it: that it comes behind others.
static bool is_known_as_stateful(FuzzCampaign *campaign, const FuzzFinding *finding)
{
  FuzzFinding *known = campaign->plan.surface->stateful ? known_finding(campaign, finding) : NULL;
  if (known) known->times += finding->times;
  return known != NULL;
}

// Of what is accepted in part, the finding that inputs which break the same rule, or another of its
// clause, are accepted; NULL if there is none.
static FuzzFinding *accepted_as_whole(const FuzzCampaign *campaign, const FuzzFinding *finding)
{
  const FuzzSurface *surface = campaign->plan.surface;
  FuzzInput input = {finding->bytes, finding->size, FUZZ_INPUT_MAX};
  if (!surface->in_part || finding->aspect != surface->in_part) return NULL;
  unsigned rule = surface->aspect(&input);
  for (size_t i = 0; i < campaign->finding_count; ++i) {
    FuzzFinding *known = &campaign->findings[i];
    bool same = surface->aspects[known->aspect].clause == surface->aspects[rule].clause;
    if (known->class == FUZZ_ACCEPTED && same && !known->before) return known;
  }
  return NULL;
}

// Whether it is not looked at, or not yet: inputs that break the same rule are accepted as a whole, or may
// be. Others of its kind are waited for.
static bool is_put_off(FuzzCampaign *campaign, const FuzzFinding *finding, unsigned slot)
{
  const FuzzSurface *surface = campaign->plan.surface;
  FuzzFinding *whole = accepted_as_whole(campaign, finding);
  if (!surface->in_part || finding->aspect != surface->in_part) return false;
  if (whole) {
    whole->times += finding->times;
    add_example(campaign, whole, finding->aspect, finding->bytes, finding->size);
    ask_again(campaign, finding, slot);
    return true;
  }
  // (It has waited for others where there is a time: next_candidate.)
  const FuzzArena *arena = fuzz_campaign_arena(campaign, slot);
  if (campaign->plan.time_ns || atomic_load(&arena->next) >= arena->last) return false;
  FuzzDoubt *about = entry_of(campaign, campaign->open, &campaign->open_count, finding);
  if (!about || ++about->times >= OPEN_TRIES || fuzz_campaign_is_over(campaign)) return false;
  ask_again(campaign, finding, slot);
  return true;
}

// What is accepted in part is about the rule that its input breaks, if others that break the same one
// are refused at once: the rule is looked at in time, and overlooked in this input.
static void name_in_part(const FuzzCampaign *campaign, FuzzFinding *finding)
{
  const FuzzSurface *surface = campaign->plan.surface;
  FuzzInput input = {finding->bytes, finding->size, FUZZ_INPUT_MAX};
  if (!surface->in_part || finding->aspect != surface->in_part || finding->before) return;
  unsigned rule = surface->aspect(&input);
  uint64_t at_once = 0;
  for (unsigned i = 0; i < campaign->jobs; ++i)
    at_once += atomic_load(&fuzz_campaign_arena(campaign, i)->at_once[rule]);
  if (at_once) finding->aspect = rule;
}

// What comes out wrong only where something else is done meanwhile, a second load, say, is about that.
static void name_meanwhile(FuzzCampaign *campaign, unsigned slot, FuzzFinding *finding)
{
  const FuzzSurface *surface = campaign->plan.surface;
  FuzzInput input = {finding->bytes, finding->size, FUZZ_INPUT_MAX};
  if (finding->class != FUZZ_DIFFERENT || finding->before || finding->unconfirmed) return;
  if (finding->aspect >= surface->of_inputs && fuzz_minimize_is_not_plain(campaign, slot, finding))
    finding->aspect = surface->aspect(&input);
}

// Has a finding, whose bytes are own, come again on this slot, minimizes it and keeps it. What
// there is no time for is kept as it is, unless it had its chance before. False if it is not kept.
static bool keep(FuzzCampaign *campaign, unsigned slot, FuzzFinding *finding, unsigned found_by)
{
  if (is_known_as_open(campaign, finding) || is_put_off(campaign, finding, found_by)) return false;
  FuzzDoubt *about = entry_of(campaign, campaign->doubts, &campaign->doubt_count, finding);
  if (!about || is_given_up(about) || campaign->finding_count == FUZZ_FINDINGS_MAX) return false;
  FuzzFinding first = *finding;
  if (comes_too_late(campaign, finding)) {
    if (about->times || fuzz_cause_is_open(&campaign->plan.surface->aspects[finding->aspect]))
      return false;
    finding->unconfirmed = true;
    fuzz_minimize_forget(finding);
  } else {
    FuzzCame came = fuzz_minimize_come(campaign, slot, finding);
    if (fuzz_minimize_ask_neighbour(campaign, slot, finding)) came = FUZZ_CAME_ALONE;
    finding->unconfirmed =
        came == FUZZ_CAME_NOT && fuzz_campaign_is_over(campaign) && about->times == 0;
    if (came == FUZZ_CAME_NOT && !finding->unconfirmed) {
      doubt(campaign, about, finding, found_by);
      return false;
    }
    if (came == FUZZ_CAME_BEHIND_OTHERS || came == FUZZ_CAME_BEHIND_KNOWN) {
      about->is_stateful = true;
      if (++about->times < STATEFUL_TRIES) ask_again(campaign, &first, found_by);
      if (came == FUZZ_CAME_BEHIND_KNOWN) return false;
      name_stateful(campaign, slot, finding);
      if (is_known_as_stateful(campaign, finding)) return false;
      finding->aspect = first.aspect;
    }
    if (came == FUZZ_CAME_NOT)
      fuzz_minimize_forget(finding);
    else
      reduce(campaign, slot, finding, came);
  }
  name_in_part(campaign, finding);
  name_meanwhile(campaign, slot, finding);
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

// Hangs take so long that others would wait for them. Of what is accepted in part others are needed,
// to see what it is about.
static bool waits_for_others(const FuzzCampaign *campaign, const FuzzFinding *finding)
{
  const unsigned in_part = campaign->plan.surface->in_part;
  return finding->class == FUZZ_HANG || (in_part && finding->aspect == in_part);
}

// Which comes first: for some time some wait for others. The number of candidates if none does.
static size_t next_candidate(FuzzCampaign *campaign)
{
  enum { SHARE = 8 };  // of the time
  const size_t count = campaign->candidate_count;
  for (size_t i = 0; i < count; ++i)
    if (!waits_for_others(campaign, &campaign->candidates[i].finding)) return i;
  uint64_t passed = slot_now_ns() - campaign->started_ns;
  bool all = campaign->stopping || campaign->plan.runs || campaign->plan.surface->count;
  return all || passed >= campaign->plan.time_ns / SHARE ? 0 : count;
}

void fuzz_candidates_examine(FuzzCampaign *campaign, unsigned slot)
{
  for (size_t next; (next = next_candidate(campaign)) < campaign->candidate_count;) {
    // It stays in its place, so that others of its kind are seen to be the same.
    FuzzCandidate *candidate = &campaign->candidates[next];
    FuzzFinding finding = candidate->finding;
    bool kept = keep(campaign, slot, &finding, candidate->slot);
    if (!kept) fuzz_finding_clear(&finding);
    --campaign->candidate_count;
    memmove(candidate, candidate + 1, (campaign->candidate_count - next) * sizeof *candidate);
  }
}

void fuzz_candidates_take_found(FuzzCampaign *campaign, unsigned slot)
{
  FuzzArena *arena = fuzz_campaign_arena(campaign, slot);
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

void fuzz_candidates_take_end(FuzzCampaign *campaign, unsigned slot)
{
  FuzzArena *arena = fuzz_campaign_arena(campaign, slot);
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
