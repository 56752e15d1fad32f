// SPDX-License-Identifier: Apache-2.0
#include "run/worker_policy.h"

#include <string.h>
#include <sys/stat.h>

#include "sandbox/needs.h"

void worker_policy_add(SandboxPolicy *policy, const char *worker, const char *const *wrapper)
{
  policy_add_library(policy, worker);
  needs_add(policy, worker);  // which is ours
  policy_add_named_by_environment(policy);
  // An emulator, and the directory with the system of its machine.
  for (; wrapper && *wrapper; ++wrapper) {
    struct stat status;
    const char *equals = **wrapper == '-' ? strchr(*wrapper, '=') : NULL;
    const char *path = equals ? equals + 1 : *wrapper;
    if (!strchr(path, '/') || stat(path, &status) != 0) continue;
    policy_add_path(policy, path, SANDBOX_READ | SANDBOX_EXECUTE);
  }
}

void worker_policy_add_library(SandboxPolicy *policy, const char *path, const InspectReport *report)
{
  policy_add_library(policy, path);
  if (!report || report->places_named) needs_add_confined(policy, &path, 1);
}
