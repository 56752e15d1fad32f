// SPDX-License-Identifier: Apache-2.0
// Policy files, and what they make of the findings of a file.
#include "fuzz_target.h"
#include "inspect/inspect_policy.h"
#include "subject.h"

// What was found without the policy may get another level, and stays.
static void apply(const InspectPolicy *policy)
{
  InspectSubject *subject = fuzz_subject();
  size_t found = subject->findings.count;
  FUZZ_CHECK(found != 0 && inspect_policy_apply(policy, subject));
  FUZZ_CHECK(subject->findings.count >= found);
  fuzz_subject_tell(subject);
  inspect_subject_free(subject);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char error[512] = "";
  InspectPolicy *policy = inspect_policy_read(fuzz_file(data, size), error, sizeof error);
  if (policy != NULL) {
    apply(policy);
    inspect_policy_free(policy);
  } else {
    FUZZ_CHECK(error[0] != '\0');
    fuzz_is_line(error);
  }
  return 0;
}
