// SPDX-License-Identifier: Apache-2.0
// Waiver files. The cases that they name are declared here; none is ever run.
#include <string.h>

#include "fuzz_target.h"
#include "judge/waivers.h"
#include "plan/case.h"

CHAPTER(version);

CASE(told_twice, .clauses = {VER_1}, .title = "the version is told twice")
{
}

static const struct {
  const char *name;
} rows[] = {{"one"}, {"two"}, {"dotted.name"}};

CASE_ROWS(told_often, rows, .clauses = {VER_3}, .title = "the version is told often")
{
}

static void check_waiver(const WaiverSet *set, const Waiver *waiver)
{
  FUZZ_CHECK(waiver->case_id != NULL && waiver->reason != NULL && waiver->reason[0] != '\0');
  FUZZ_CHECK(waiver->since <= waiver->until);
  FUZZ_CHECK(waiver->expires == NULL || strlen(waiver->expires) == strlen("2026-11-21"));
  FUZZ_CHECK(waivers_names(waiver, waiver->case_id) || strchr(waiver->case_id, '*') != NULL);
  if (strchr(waiver->case_id, '*') != NULL) return;
  const Waiver *found = waivers_find(set, waiver->case_id, waiver->since);
  FUZZ_CHECK(found == waiver);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char error[512] = "";
  WaiverSet *set = waivers_read(fuzz_file(data, size), "2026-11-21", error, sizeof error);
  if (set != NULL) {
    for (size_t i = 0; i < set->count; ++i) check_waiver(set, &set->items[i]);
    waivers_find(set, "version.told-often.two", ABI_VERSION(0, 1, 15));
    waivers_free(set);
  } else {
    FUZZ_CHECK(error[0] != '\0');
    fuzz_is_line(error);
  }
  return 0;
}
