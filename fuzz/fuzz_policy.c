// SPDX-License-Identifier: Apache-2.0
// Policy files, and what they make of the findings of a file.
#include "fuzz_target.h"
#include "inspect/inspect_policy.h"
#include "report/inspect_json.h"
#include "subject.h"

static void apply(const InspectPolicy *policy)
{
  InspectJson json;
  InspectSubject *subject = fuzz_subject();
  FUZZ_CHECK(inspect_policy_apply(policy, subject));
  inspect_json_begin(&json);
  inspect_json_file(&json, subject);
  inspect_json_end(&json);
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
