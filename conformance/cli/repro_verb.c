// SPDX-License-Identifier: Apache-2.0
// `repro`: one case in one process, without the engine around it.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/options.h"
#include "cli/places.h"
#include "plan/plan.h"

int verb_repro(const Options *options)
{
  const char *id = options->operands[0], *library = options->operands[1];
  char path[4200];
  if (!case_find(id)) {
    const char *nearest[3];
    size_t count = plan_nearest(id, nearest, 3);
    fprintf(stderr, "tvmffi-conform: there is no case %s\nNearest ids:", id);
    for (size_t i = 0; i < count; ++i) fprintf(stderr, "%s %s", i ? "," : "", nearest[i]);
    fprintf(stderr, "\n");
    return EXIT_USAGE;
  }
  snprintf(path, sizeof path, "%s%s", strchr(library, '/') ? "" : "./", library);
  const char *worker = places()->worker;
  fprintf(stderr, "gdb --args %s --repro %s %s\n", worker, id, path);
  execl(worker, worker, "--repro", id, path, (char *)NULL);
  fprintf(stderr, "tvmffi-conform: the worker %s can't be started: %s\n", worker, strerror(errno));
  return EXIT_SUITE_FAULT;
}
