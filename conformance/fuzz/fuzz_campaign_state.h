// SPDX-License-Identifier: Apache-2.0
// What the parts of a campaign share: fuzz_campaign.c (slots, and one input alone), fuzz_minimize.c,
// fuzz_candidates.c.
#ifndef TVMFFI_CONFORMANCE_FUZZ_FUZZ_CAMPAIGN_STATE_H_
#define TVMFFI_CONFORMANCE_FUZZ_FUZZ_CAMPAIGN_STATE_H_

#include "fuzz/fuzz_attempt.h"
#include "fuzz/fuzz_campaign.h"

enum { FUZZ_FINDINGS_MAX = 512, FUZZ_CANDIDATES_MAX = 64 };
// A hang that is kept takes as many times the limit, so that it is one on other machines, too.
enum { FUZZ_HANG_PATIENCE = 4 };

// What did not come again, by its key, so that it is not tried forever.
typedef struct FuzzDoubt {
  FuzzFinding finding;
  unsigned times;
  bool is_stateful;  // it comes behind others
} FuzzDoubt;

// What a slot showed, until it is examined.
typedef struct FuzzCandidate {
  FuzzFinding finding;  // its bytes are own
  unsigned slot;
} FuzzCandidate;

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
  unsigned added_up;  // results for which one input was run again and again
  uint64_t processes, not_again;
  FuzzFinding *findings;
  size_t finding_count;
  FuzzCandidate candidates[FUZZ_CANDIDATES_MAX];
  size_t candidate_count;
  FuzzDoubt *doubts;
  size_t doubt_count;
  FuzzDoubt *open;  // what is about a clause that leaves it open, or is put off
  size_t open_count;
};

static inline FuzzArena *fuzz_campaign_arena(const FuzzCampaign *campaign, unsigned slot)
{
  return fuzz_arena_at(campaign->arenas, slot);
}

bool fuzz_campaign_is_interrupted(const FuzzCampaign *campaign);

// Whether all time has run out, for what is at hand, too: how that ends says nothing any more.
bool fuzz_campaign_is_over(FuzzCampaign *campaign);

// Inputs that run in one process, the last of which counts.
typedef struct FuzzTrial {
  const uint8_t *before;  // records of FuzzHistory
  size_t before_size;
  FuzzInput input;
} FuzzTrial;

static inline FuzzTrial fuzz_trial_of(const FuzzFinding *finding)
{
  return (FuzzTrial){
      finding->before, finding->before_size, {finding->bytes, finding->size, FUZZ_INPUT_MAX}};
}

// Runs an input on a slot whose worker waits, in a process of its own, with `patience` times the
// limit. The other slots go on meanwhile. False: no verdict.
bool fuzz_campaign_run(FuzzCampaign *campaign, unsigned slot, unsigned patience,
                       const FuzzTrial *trial, FuzzShown *shown);

#endif  // TVMFFI_CONFORMANCE_FUZZ_FUZZ_CAMPAIGN_STATE_H_
