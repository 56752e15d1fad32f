// SPDX-License-Identifier: Apache-2.0
// A policy that files satisfy as they are today, to be edited.
#ifndef TVMFFI_CONFORMANCE_REPORT_INSPECT_POLICY_WRITE_H_
#define TVMFFI_CONFORMANCE_REPORT_INSPECT_POLICY_WRITE_H_

#include "report/inspect_json.h"

typedef struct InspectPolicyDraft {
  json_t *files;  // own; the rules of each, by name
  JsonBuild build;
} InspectPolicyDraft;

void inspect_policy_draft_begin(InspectPolicyDraft *draft);
void inspect_policy_draft_file(InspectPolicyDraft *draft, const InspectSubject *subject);
void inspect_policy_draft_end(InspectPolicyDraft *draft);

// Writes it: the rules of a single file for all, else each file's under its name. 0, or -1 with
// `error` saying what was being written, where, and why not.
int inspect_policy_draft_write(const InspectPolicyDraft *draft, const char *path, char *error,
                               size_t error_size);

#endif  // TVMFFI_CONFORMANCE_REPORT_INSPECT_POLICY_WRITE_H_
