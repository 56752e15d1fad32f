// SPDX-License-Identifier: Apache-2.0
// The main process's part: keeps a worker exploring on each slot, notices what goes down or does
// not come back, has every finding come again in a process that runs nothing else, and minimizes
// its input.
//
// Slots know nothing of each other, and the next input of a slot follows from its seed and from
// what its earlier ones showed: with the same seed, jobs and runs the same inputs are run. Of what
// several slots show the first is kept, whichever that is.
#ifndef TVMFFI_CONFORMANCE_FUZZ_FUZZ_CAMPAIGN_H_
#define TVMFFI_CONFORMANCE_FUZZ_FUZZ_CAMPAIGN_H_

#include "fuzz/fuzz_arena.h"
#include "run/runner.h"

enum { FUZZ_WHERE_MAX = 512, FUZZ_JOBS_MAX = 64 };

typedef struct FuzzPlan {
  const FuzzSurface *surface;
  uint64_t seed;
  uint64_t runs;      // of all slots together; 0: no end
  uint64_t time_ns;   // 0: no end
  uint64_t limit_ns;  // for one input
} FuzzPlan;

enum { FUZZ_EXAMPLES_MAX = 12 };

// Another input that shows the same, as it was met.
typedef struct FuzzExample {
  unsigned aspect;
  uint8_t *bytes;  // own
  size_t size;
} FuzzExample;

// What was found. Findings of one cause are one: the same place of a crash, else the same clause.
typedef struct FuzzFinding {
  FuzzClass class;
  unsigned aspect, phase;
  char where[FUZZ_WHERE_MAX];  // "TVMFFIFunctionCall+0x1c"; "" if it is no crash, or not known
  char seen[FUZZ_TEXT_MAX];    // printable ASCII
  uint8_t *bytes;              // own
  size_t size, first_size;     // now, and before it was minimized
  uint64_t times;              // how often it was met
  uint64_t after_ns;           // since the campaign began
  bool unconfirmed;            // there was no time to confirm and minimize it
  // Inputs that have to run in the same process before (records of FuzzHistory); own, NULL: none.
  uint8_t *before;
  size_t before_size;
  FuzzExample examples[FUZZ_EXAMPLES_MAX];  // of other aspects
  unsigned example_count;
} FuzzFinding;

// Frees what a finding owns.
void fuzz_finding_clear(FuzzFinding *finding);

// How many inputs run before that of the finding.
size_t fuzz_finding_before(const FuzzFinding *finding);

typedef struct FuzzCounts {
  uint64_t executed, passed_over;  // inputs; those of aspects that had cost processes before
  uint64_t processes;              // that ran them
  uint64_t not_again;              // what did not show again when its input ran alone
  unsigned corpus, edges;
  uint64_t elapsed_ns;
} FuzzCounts;

typedef struct FuzzCampaign FuzzCampaign;

// Called when a finding is complete, when it is seen in another way, when one did not come again,
// and at least ten times a second while it runs. Each may be NULL.
typedef struct FuzzListener {
  void (*found)(void *context, const FuzzFinding *finding);
  void (*more)(void *context, const FuzzFinding *finding);  // it has another example
  void (*doubted)(void *context, const FuzzFinding *finding);
  void (*tick)(void *context, const FuzzCampaign *campaign);
  void *context;
} FuzzListener;

// Loads the library (config; its `shared` is filled in here). NULL on failure, with `status` and
// words for people in `error`. `plan` and what `config` points to are borrowed.
FuzzCampaign *fuzz_campaign_open(const FuzzPlan *plan, const RunConfig *config, RunLoaded *loaded,
                                 RunStatus *status, char *error, size_t error_size);
void fuzz_campaign_close(FuzzCampaign *campaign);

// Borrowed: by which the library's generation is asked for.
Runner *fuzz_campaign_runner(FuzzCampaign *campaign);

// Has the inputs take the library for one of this generation and version; until then it is of 0.1,
// and of the version that it reports.
void fuzz_campaign_speak(FuzzCampaign *campaign, AbiGeneration generation, uint32_t version);

// Explores until runs or time are used up, or the user interrupts. What was found by then is
// examined for 3 s more at most, or a quarter of a second if the user interrupts; what is left
// then is kept as it is, unconfirmed. False, with words for people, if
// the surface can't be run on this library: it lacks what is needed, no input was run, or new
// processes or workers are lost again and again.
bool fuzz_campaign_explore(FuzzCampaign *campaign, const FuzzListener *listener, char *error,
                           size_t error_size);

// What one input shows when it runs alone.
typedef struct FuzzShown {
  size_t count;
  FuzzFinding findings[FUZZ_SEEN_MAX + 1];  // their bytes are NULL
  char error[512];                          // why there is no verdict
} FuzzShown;

// Runs the input of a finding on a surface in a process of its own, behind those that have to run
// before. False, with `error`, if there is no verdict.
bool fuzz_campaign_try(FuzzCampaign *campaign, const FuzzSurface *surface,
                       const FuzzFinding *finding, FuzzShown *shown);

// How many sound inputs of the surface's sample one slot runs in `time_ns`, one crash in 10,000
// included.
bool fuzz_campaign_rate(FuzzCampaign *campaign, uint64_t time_ns, FuzzCounts *counts, char *error,
                        size_t error_size);

FuzzCounts fuzz_campaign_counts(const FuzzCampaign *campaign);
// Borrowed; in the order in which they were found.
const FuzzFinding *fuzz_campaign_findings(const FuzzCampaign *campaign, size_t *count);
// Borrowed: what did not come again in any way, neither alone nor behind what ran before it, and
// has no finding of its cause. False at the end. (A hang that is none at several times the limit is
// not among them.)
const FuzzFinding *fuzz_campaign_unreproduced(const FuzzCampaign *campaign, size_t index);

#endif  // TVMFFI_CONFORMANCE_FUZZ_FUZZ_CAMPAIGN_H_
