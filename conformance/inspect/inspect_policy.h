// SPDX-License-Identifier: Apache-2.0
// What files may need and have to export, written down by those who ship them (JSON; the schema is
// reports/policy.schema.json):
//
//   {"format": "tvmffi-conform-policy/1", "abi_floor": "0.1.8", "glibc": "2.28",
//    "glibcxx": "3.4.25", "cxxabi": "1.3.11",
//    "exports": {"required": ["__tvm_ffi_add"], "allowed": ["__tvm_ffi_*"]},
//    "imports": {"allowed": ["TVMFFI*", "memcpy"]},
//    "findings": [{"id": "exports.unique", "level": "none", "reason": "never unloaded"}],
//    "files": {"libadd*.so": {"abi_floor": "0.1.0"}}}
//
// Every member but "format" may be left out. Names are globs. What stands under "files" is for the
// files whose name (without folders) the glob matches, besides what stands outside.
#ifndef TVMFFI_CONFORMANCE_INSPECT_INSPECT_POLICY_H_
#define TVMFFI_CONFORMANCE_INSPECT_INSPECT_POLICY_H_

#include "inspect/inspect_subject.h"

typedef struct InspectPolicy InspectPolicy;

// Reads a policy file. Returns it (own), or NULL with `error` saying what is wrong, with the line
// and the key: a file that can't be read or is larger than 4 MiB, malformed JSON, an unknown or
// repeated key, a value of a wrong type, an unknown finding or level, a version that is none, a
// reason that is missing.
InspectPolicy *inspect_policy_read(const char *path, char *error, size_t error_size);
void inspect_policy_free(InspectPolicy *policy);

// Adds what breaks the policy to the subject's findings, and gives findings the levels that it
// wants. The findings borrow from the policy. False if memory is out.
bool inspect_policy_apply(const InspectPolicy *policy, InspectSubject *subject);

#endif  // TVMFFI_CONFORMANCE_INSPECT_INSPECT_POLICY_H_
