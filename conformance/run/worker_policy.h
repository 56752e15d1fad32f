// SPDX-License-Identifier: Apache-2.0
// What a worker has to reach, whatever the library under test is.
#ifndef TVMFFI_CONFORMANCE_RUN_WORKER_POLICY_H_
#define TVMFFI_CONFORMANCE_RUN_WORKER_POLICY_H_

#include "inspect/inspect.h"
#include "sandbox/policy.h"

// The worker, what lies beside it, and the program that runs it: `wrapper` (NULL-terminated, or
// NULL) are the words that are put before its command.
void worker_policy_add(SandboxPolicy *policy, const char *worker, const char *const *wrapper);

// A library that it loads, and the libraries that this one needs. What is known of it, or NULL: these
// are looked for only if it may say where they are.
void worker_policy_add_library(SandboxPolicy *policy, const char *path,
                               const InspectReport *report);

#endif  // TVMFFI_CONFORMANCE_RUN_WORKER_POLICY_H_
