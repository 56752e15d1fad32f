// SPDX-License-Identifier: Apache-2.0
// `confine`: a program that loads a library of others, in the sandbox.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/complain.h"
#include "cli/options.h"
#include "cli/session.h"
#include "cli/stand_in.h"
#include "run/worker_policy.h"

static void allow(SandboxPolicy *policy, const Options *options)
{
  policy_add_named_by_environment(policy);
  for (size_t i = 0; i < options->read_count; ++i) {
    struct stat status;
    const char *path = options->reads[i];
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
      policy_add_path(policy, path, SANDBOX_READ | SANDBOX_EXECUTE);
    else
      worker_policy_add_library(policy, path, NULL);
  }
}

int verb_confine(const Options *options)
{
  static const char *words[OPTION_OPERANDS_MAX + 1];
  Session session = {.library = NULL};
  memcpy(words, options->operands, options->operand_count * sizeof *words);
  int status = 0, code = session_open_sandbox(&session, options);
  if (code == EXIT_CONFORMS) {
    allow(&session.sandbox.policy, options);
    int problem = stand_in_run(&session.sandbox, words, (int)options->descriptor,
                               options->verbosity >= 0, &status);
    if (problem)
      snprintf(session.error, sizeof session.error, "cannot start %s: %s", options->operands[0],
               strerror(problem));
    code = problem == EPERM ? EXIT_USAGE : problem ? EXIT_SUITE_FAULT : code;
  }
  if (code != EXIT_CONFORMS) complain("%s", session.error);
  session_free(&session);
  if (code != EXIT_CONFORMS) return code;
  stand_in_end_as(status);
}
