// SPDX-License-Identifier: Apache-2.0
#include "run/observation.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

// Every string of a copy ends within its field, whatever was written to the shared memory.
static void terminate_strings(Evidence *copy)
{
#define TERMINATE(field) (field)[sizeof(field) - 1] = '\0'
  TERMINATE(copy->reason);
  TERMINATE(copy->note);
  TERMINATE(copy->crash.fence);
  copy->text[copy->text_size] = '\0';
  if (copy->crash.frame_count > EVIDENCE_FRAMES_MAX) copy->crash.frame_count = EVIDENCE_FRAMES_MAX;
  for (int i = 0; i < EVIDENCE_FAILURES_MAX; ++i) {
    TERMINATE(copy->failures[i].what);
    TERMINATE(copy->failures[i].expected);
    TERMINATE(copy->failures[i].seen);
    TERMINATE(copy->failures[i].note);
    TERMINATE(copy->failures[i].source);
  }
  if (copy->tried_count > EVIDENCE_TRIED_MAX) copy->tried_count = EVIDENCE_TRIED_MAX;
  for (uint32_t i = 0; i < copy->tried_count; ++i) {
    TERMINATE(copy->tried[i].what);
    TERMINATE(copy->tried[i].settled);
  }
#undef TERMINATE
}

static OutcomeKind classify(const Slot *slot, int status, const Evidence *evidence,
                            const char **lost)
{
  if (status == -1) {
    *lost = "no process could be started for the case";
    return OUTCOME_LOST;
  }
  if (slot->stopped) {
    *lost = slot->stopped;
    return OUTCOME_LOST;
  }
  if (slot->timed_out) return OUTCOME_TIMED_OUT;
  if (WIFSIGNALED(status)) return OUTCOME_CRASHED;
  if (evidence->nonce != slot->nonce || evidence->end > EVIDENCE_INCONCLUSIVE) {
    *lost = "the evidence was overwritten";
    return OUTCOME_LOST;
  }
  if (WEXITSTATUS(status) != 0 || evidence->end == EVIDENCE_NOT_ENDED) return OUTCOME_EXITED;
  if (evidence->seal != evidence_seal(evidence)) {
    *lost = "the evidence does not bear the seal of its case";
    return OUTCOME_LOST;
  }
  return OUTCOME_SEALED;
}

// The innermost frame that lies in the library: "TVMFFIObjectDecRef+0x1c".
static char *name_frame(const Evidence *evidence, const InspectReport *library)
{
  const EvidenceCrash *crash = &evidence->crash;
  for (uint32_t i = 0; i < crash->frame_count; ++i) {
    uint64_t address = crash->frames[i] - evidence->load_address;
    // A return address may be the first byte behind a function; the call is the byte before.
    const InspectSymbol *symbol = inspect_symbol_at(library, i ? address - 1 : address);
    if (!symbol) continue;
    char text[512];
    snprintf(text, sizeof text, "%s+0x%" PRIx64, symbol->name, address - symbol->address);
    return strdup(text);
  }
  return NULL;
}

// Bytes of an evidence that say something: its text is long, and mostly empty.
static size_t used_size(uint32_t text_size)
{
  return offsetof(Evidence, text) + text_size;
}

// A copy of what says something. A module with many functions has many cases that did not apply: of
// these it ends before the failures. Only a failure is shown with a program.
static Evidence *keep(const Evidence *evidence, bool skipped)
{
  Evidence *copy = calloc(1, skipped ? offsetof(Evidence, failures) : sizeof *copy);
  if (!copy) return NULL;
  if (skipped) {
    memcpy(copy, evidence, offsetof(Evidence, failures));
    return copy;
  }
  uint32_t failed = atomic_load(&evidence->failed);
  if (failed > EVIDENCE_FAILURES_MAX) failed = EVIDENCE_FAILURES_MAX;
  memcpy(copy, evidence, offsetof(Evidence, failures) + failed * sizeof evidence->failures[0]);
  copy->text_size = evidence->text_size;
  memcpy(copy->text, evidence->text, evidence->text_size);
  return copy;
}

// What came of the combination that was being tried when the case ended. True if there is anything
// to tell of it.
static bool close_tried(EvidenceTried *tried, const Outcome *outcome)
{
  if (tried->promise >= TRIED_PROMISE_COUNT || tried->end >= TRIED_END_COUNT) return false;
  if (tried->end != TRIED_OPEN) return true;
  bool gone = outcome->kind == OUTCOME_CRASHED || outcome->kind == OUTCOME_EXITED ||
              outcome->kind == OUTCOME_TIMED_OUT;
  if (!gone && !(outcome->kind == OUTCOME_SEALED && outcome->end == EVIDENCE_REQUIREMENT))
    return tried->settled[0] != '\0';
  tried->end = gone ? TRIED_NO_RETURN : TRIED_WRONG;
  return true;
}

// Takes over what the case says that it tried. It is for people to read; no verdict rests on it.
static void keep_tried(Outcome *outcome, Evidence *seen)
{
  if (outcome->kind == OUTCOME_LOST || !seen->tried_count) return;
  outcome->tried = calloc(seen->tried_count, sizeof *outcome->tried);
  outcome->tried_more = seen->tried_more;
  for (uint32_t i = 0; outcome->tried && i < seen->tried_count; ++i)
    if (close_tried(&seen->tried[i], outcome))
      outcome->tried[outcome->tried_count++] = seen->tried[i];
}

// What is judged is a copy, `seen`: a process that escaped may still be writing to the original.
static Outcome observe(const Slot *slot, int status, const InspectReport *library, Evidence *seen)
{
  uint32_t text_size = slot->evidence->text_size;
  if (text_size >= EVIDENCE_TEXT_MAX) text_size = EVIDENCE_TEXT_MAX - 1;
  memcpy(seen, slot->evidence, used_size(text_size));
  seen->text_size = text_size;
  terminate_strings(seen);
  Outcome outcome = {.duration_ns = slot_now_ns() - slot->started_ns,
                     .output_bytes = slot->text_total};
  outcome.kind = classify(slot, status, seen, &outcome.lost);
  outcome.held = atomic_load(&seen->held);
  outcome.failed = atomic_load(&seen->failed);
  if (seen->end <= EVIDENCE_INCONCLUSIVE) outcome.end = (EvidenceEnd)seen->end;
  outcome.races = seen->races != 0;
  outcome.calls = outcome.kind == OUTCOME_TIMED_OUT ? slot->calls : 0;
  // What held before a case found nothing to judge says nothing, and where that is told without a
  // process nothing held.
  const bool nothing = outcome.end == EVIDENCE_SKIPPED || outcome.end == EVIDENCE_NOT_CONCERNED;
  if (outcome.kind == OUTCOME_SEALED && outcome.failed == 0 && nothing) outcome.held = 0;
  keep_tried(&outcome, seen);
  bool clean = outcome.kind == OUTCOME_SEALED && outcome.failed == 0 && outcome.held > 0 &&
               outcome.end == EVIDENCE_FINISHED;
  if (clean) return outcome;
  if (slot->text_size) outcome.output = strndup(slot->text, slot->text_size);
  if (outcome.kind == OUTCOME_LOST) {  // nothing of it can be believed
    outcome.held = outcome.failed = 0;
    outcome.end = EVIDENCE_NOT_ENDED;
    return outcome;
  }
  bool skipped = outcome.kind == OUTCOME_SEALED && outcome.failed == 0;
  outcome.evidence = keep(seen, skipped);
  if (outcome.kind == OUTCOME_CRASHED) {
    outcome.signal = WTERMSIG(status);
    if (seen->crash.signal) outcome.where = name_frame(seen, library);
  }
  if (outcome.kind == OUTCOME_EXITED) outcome.exit_code = WEXITSTATUS(status);
  return outcome;
}

Outcome observe_end(const Slot *slot, int status, const InspectReport *library)
{
  Evidence seen;
  return observe(slot, status, library, &seen);
}

Outcome observe_end_of_rows(const Slot *slot, int status, const InspectReport *library,
                            size_t count, ObservedRows *rows)
{
  Evidence seen;
  Outcome outcome = observe(slot, status, library, &seen);
  const bool lacks = outcome.end == EVIDENCE_SKIPPED || outcome.end == EVIDENCE_NOT_CONCERNED;
  rows->passed = 0;
  rows->first_lacks = false;
  if (outcome.kind != OUTCOME_SEALED || outcome.failed || outcome.races || seen.rows > count ||
      !(lacks || (outcome.end == EVIDENCE_FINISHED && seen.rows == count)))
    return outcome;
  for (size_t i = 0; i < seen.rows; ++i)
    if (seen.row_held[i] == 0) return outcome;
  rows->first_lacks = lacks && seen.rows == 0;
  rows->passed = seen.rows;
  memcpy(rows->held, seen.row_held, sizeof rows->held);
  return outcome;
}

Outcome observe_row(const Outcome *whole, size_t rows, uint32_t held)
{
  return (Outcome){.kind = OUTCOME_SEALED,
                   .end = EVIDENCE_FINISHED,
                   .held = held,
                   .duration_ns = whole->duration_ns / rows,
                   .limit_ns = whole->limit_ns,
                   .limit_shortened = whole->limit_shortened};
}

Outcome observe_lack(const char *lack, bool unconcerned)
{
  Outcome outcome = {.kind = OUTCOME_SEALED,
                     .end = unconcerned ? EVIDENCE_NOT_CONCERNED : EVIDENCE_SKIPPED};
  outcome.evidence = calloc(1, offsetof(Evidence, failures));
  if (outcome.evidence)
    snprintf(outcome.evidence->reason, sizeof outcome.evidence->reason, "%s", lack);
  return outcome;
}

Outcome observe_lost(const char *lost)
{
  return (Outcome){.kind = OUTCOME_LOST, .lost = lost};
}
