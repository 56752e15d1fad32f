// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

FILE *outputs_text_stream(const Options *options)
{
  for (size_t i = 0; i < options->report_count; ++i)
    if (strcmp(options->reports[i].path, "-") == 0) return stderr;
  return stdout;
}

bool outputs_can_be_written(const Options *options)
{
  for (size_t i = 0; i < options->report_count; ++i) {
    char folder[4096];
    const char *path = options->reports[i].path, *slash = strrchr(path, '/');
    if (strcmp(path, "-") == 0) continue;
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1,
             slash ? path : ".");
    if (access(folder, W_OK) == 0) continue;
    fprintf(stderr, "tvmffi-conform: the %s report can't be written to %s: %s: %s\n",
            options->reports[i].kind, path, folder, strerror(errno));
    return false;
  }
  return true;
}
