// SPDX-License-Identifier: Apache-2.0
#include "run/worker_start.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/worker_policy.h"

// "ASAN_OPTIONS=" with the user's options (a file of suppressions, say) and ours, which win: a
// finding ends the process, so that the case it belongs to fails; leaks are the cases' own
// business, and so is memory that runs out.
static const char *sanitizer_entry(char entry[WORKER_SANITIZER_ENTRY_MAX], size_t which)
{
  static const struct {
    const char *name, *options;
  } known[WORKER_SANITIZERS] = {
      {"ASAN_OPTIONS", "detect_leaks=0:halt_on_error=1:exitcode=99:allocator_may_return_null=1"},
      {"UBSAN_OPTIONS", "halt_on_error=1:exitcode=99:print_stacktrace=1"},
      {"TSAN_OPTIONS", "halt_on_error=1:exitcode=99:allocator_may_return_null=1"},
  };
  const char *users = getenv(known[which].name);
  int length = snprintf(entry, WORKER_SANITIZER_ENTRY_MAX, "%s=%s%s%s", known[which].name,
                        users ? users : "", users ? ":" : "", known[which].options);
  if (length >= WORKER_SANITIZER_ENTRY_MAX)
    snprintf(entry, WORKER_SANITIZER_ENTRY_MAX, "%s=%s", known[which].name, known[which].options);
  return entry;
}

// A library built with a sanitizer needs its runtime in the process from the start, and libstdc++
// with it, or the first C++ exception finds no way out. What it is linked with says which.
static void prepare_sanitizers(WorkerStart *worker, const InspectReport *library)
{
  size_t count = 0, used = 0;
  bool has_cxx = false;
  if (!library->sanitizers) return;
  used = (size_t)snprintf(worker->preload, sizeof worker->preload, "LD_PRELOAD=");
  for (char **needed = library->needed; needed && *needed; ++needed) {
    has_cxx |= strncmp(*needed, "libstdc++.so", 12) == 0;
    bool runtime = strstr(*needed, "libasan") || strstr(*needed, "libtsan") ||
                   strstr(*needed, "libubsan") || strstr(*needed, "libclang_rt");
    if (runtime && used < sizeof worker->preload)
      used += (size_t)snprintf(worker->preload + used, sizeof worker->preload - used, "%s%s",
                               count++ ? ":" : "", *needed);
  }
  if (has_cxx && used < sizeof worker->preload)
    snprintf(worker->preload + used, sizeof worker->preload - used, ":libstdc++.so.6");
  size_t at = 0;
  if (count) worker->environment[at++] = worker->preload;
  for (size_t i = 0; i < WORKER_SANITIZERS; ++i)
    worker->environment[at++] = sanitizer_entry(worker->sanitizer_options[i], i);
  worker->environment[at++] = "TVMFFI_CONFORM_NO_MEMORY_LIMIT=1";
  worker->command.environment = worker->environment;
}

static void prepare_valgrind(WorkerStart *worker)
{
  static const char *const words[] = {
      "valgrind",        "-q", "--error-exitcode=99", "--child-silent-after-fork=no",
      "--leak-check=no", NULL};
  memcpy(worker->wrapper, words, sizeof words);
  worker->command.wrapper = worker->wrapper;
  worker->environment[0] = "TVMFFI_CONFORM_NO_MEMORY_LIMIT=1";
  worker->command.environment = worker->environment;
}

static void prepare_sandbox(WorkerStart *worker, const RunConfig *config)
{
  worker->command.sandbox = config->sandbox;
  if (!config->sandbox || config->sandbox->mode == SANDBOX_OFF) return;
  SandboxPolicy *policy = &config->sandbox->policy;
  worker_policy_add(policy, config->worker, worker->command.wrapper);
  worker_policy_add_library(policy, worker->library_path, config->library);
  if (config->runtime) worker_policy_add_library(policy, config->runtime, NULL);
  if (config->observer) policy_add_library(policy, config->observer);
}

void worker_start_prepare(WorkerStart *worker, const RunConfig *config)
{
  snprintf(worker->library_path, sizeof worker->library_path, "%s%s",
           strchr(config->library->path, '/') ? "" : "./", config->library->path);
  worker->command.worker = config->worker;
  worker->command.library = worker->library_path;
  worker->command.runtime = config->runtime;
  worker->command.observer = config->observer;
  worker->command.shared = config->shared;
  if (slot_emulator(worker->emulator, worker->wrapper)) worker->command.wrapper = worker->wrapper;
  if (config->valgrind)
    prepare_valgrind(worker);
  else
    prepare_sanitizers(worker, config->library);
  prepare_sandbox(worker, config);
}
