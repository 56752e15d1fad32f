// SPDX-License-Identifier: Apache-2.0
// Earlier reports of `inspect`, and what of a library is worse than they say.
#include <string.h>

#include "fuzz_target.h"
#include "report/inspect_baseline.h"
#include "subject.h"

static size_t left_of(const InspectBaseline *baseline)
{
  size_t count = 0;
  while (inspect_baseline_left(baseline, count) != NULL) ++count;
  return count;
}

// How many findings there are, those that are not stored included.
static size_t count_of(const InspectFindings *findings)
{
  size_t count = findings->count;
  for (unsigned id = 0; id < INSPECT_FINDING_COUNT; ++id) count += findings->unstored[id];
  return count;
}

static size_t added_to(const InspectFindings *findings)
{
  size_t count = 0;
  for (size_t i = 0; i < findings->count; ++i)
    count += strncmp(inspect_finding_kinds[findings->items[i].id].id, "baseline.", 9) == 0;
  return count + findings->unstored[INSPECT_FINDING_BASELINE_EXPORT];
}

// One file of the report at most is the library; only then is anything worse, and what was found
// without the report stays.
static void apply(InspectBaseline *baseline)
{
  InspectSubject *subject = fuzz_subject();
  size_t left = left_of(baseline), found = count_of(&subject->findings);
  FUZZ_CHECK(inspect_baseline_apply(baseline, subject));
  size_t added = added_to(&subject->findings), met = left - left_of(baseline);
  FUZZ_CHECK(met <= 1);
  FUZZ_CHECK(met == 1 || added == 0);
  FUZZ_CHECK(count_of(&subject->findings) == found + added);
  fuzz_subject_tell(subject);
  inspect_subject_free(subject);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char error[512] = "";
  InspectBaseline *baseline = inspect_baseline_read(fuzz_file(data, size), error, sizeof error);
  FUZZ_CHECK((baseline == NULL) == (error[0] != '\0'));
  FUZZ_CHECK(strchr(error, '\n') == NULL);
  fuzz_is_text(error, strlen(error));
  if (baseline != NULL) apply(baseline);
  inspect_baseline_free(baseline);
  return 0;
}
