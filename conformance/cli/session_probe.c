// SPDX-License-Identifier: Apache-2.0
// Functions of a module that nobody describes, asked by calling them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/session.h"
#include "plan/signature_probe.h"

// A module with many functions is asked for its own words only: each call costs a process.
enum { FEW_FUNCTIONS = 32, CALLS_FEW = 320, CALLS_MANY = 12 };

// So many calls may fail to come back, by a crash or at their time limit, before no more is asked.
enum { LOST_MAX = 16 };

typedef struct Asking {
  Runner *runner;
  unsigned lost;
} Asking;

static bool make_call(void *context, const Kernel *call, ProbeAnswer *answer)
{
  Asking *asking = context;
  if (asking->lost >= LOST_MAX) return false;
  char *text = runner_probe(asking->runner, call), *line = text ? strchr(text, '\n') : NULL;
  asking->lost += line == NULL;
  if (line) {
    answer->code = atoi(text);
    snprintf(answer->message, sizeof answer->message, "%s", line + 1);
  }
  free(text);
  return line != NULL;
}

static void ask(const Session *session, Asking *asking, Kernel *kernel)
{
  unsigned most = session->kernels.count <= FEW_FUNCTIONS ? CALLS_FEW : CALLS_MANY;
  if (kernel->source == KERNEL_UNKNOWN) signature_probe(kernel, most, make_call, asking);
  if (kernel->source == KERNEL_PROBED || kernel->source == KERNEL_FROM_METADATA)
    signature_probe_twin(kernel, make_call, asking);
}

void session_probe_kernels(Session *session, Runner *runner)
{
  Asking asking = {runner, 0};
  for (size_t i = 0; i < session->kernels.count; ++i)
    ask(session, &asking, &session->kernels.items[i]);
}
