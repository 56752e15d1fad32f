// SPDX-License-Identifier: Apache-2.0
// A campaign seen from its listener: its worker slots side by side.
#include <stdlib.h>

#include "fuzz/fuzz_campaign.h"
#include "inspect/inspect.h"
#include "unit/unit.h"

typedef struct Watch {
  const FuzzCampaign *campaign;
  volatile sig_atomic_t enough;
  unsigned hangs;
  uint64_t executed;  // by the time the hang was kept
} Watch;

static void note_hang(void *context, const FuzzFinding *finding)
{
  Watch *watch = context;
  if (finding->class != FUZZ_HANG) return;
  ++watch->hangs;
  watch->executed = fuzz_campaign_counts(watch->campaign).executed;
  watch->enough = 1;
}

TEST_GROUP(fuzz_campaign, .timeout = 120);

// To make sure of a hang takes four times the limit, and several times that to make it small.
// Whoever does that does not keep the other slots waiting, which hang three times themselves until
// they pass such inputs over, and then run thousands of others.
TEST(a_hang_holds_up_no_other_slot)
{
  char error[512];
  Watch watch = {0};
  RunLoaded loaded;
  RunStatus status;
  const uint64_t second_ns = 1000000000;
  FuzzPlan plan = {.surface = &fuzz_library_bin, .time_ns = 60 * second_ns};
  plan.limit_ns = second_ns / 4;
  InspectReport *library = inspect_file(FLAW_FOLDER "/bin_30_hang.so");
  RunConfig config = {.library = library,
                      .worker = WORKER,
                      .isolation = RUN_ISOLATION_FORK,
                      .jobs = 2,
                      .case_limit_ns = 2 * second_ns,
                      .load_limit_ns = 10 * second_ns,
                      .interrupted = &watch.enough};
  FuzzCampaign *campaign =
      fuzz_campaign_open(&plan, &config, &loaded, &status, error, sizeof error);
  ck_assert_msg(campaign != NULL, "%s", error);
  watch.campaign = campaign;
  FuzzListener listener = {.found = note_hang, .context = &watch};
  ck_assert_msg(fuzz_campaign_explore(campaign, &listener, error, sizeof error), "%s", error);
  ck_assert_uint_eq(watch.hangs, 1);
  ck_assert_uint_gt(watch.executed, 1000);
  fuzz_campaign_close(campaign);
  inspect_free(library);
}
