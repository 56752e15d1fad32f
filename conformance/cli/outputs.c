// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/complain.h"

FILE *outputs_text_stream(const Options *options)
{
  for (size_t i = 0; i < options->report_count; ++i)
    if (strcmp(options->reports[i].path, "-") == 0) return stderr;
  return stdout;
}

// Where a report would be made, or the report itself if something is there already. 0, or errno.
static int refusal(const char *path, char place[4096])
{
  struct stat there;
  const char *slash = strrchr(path, '/');
  bool exists = stat(path, &there) == 0;
  if (exists)
    snprintf(place, 4096, "%s", path);
  else
    snprintf(place, 4096, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
  if (exists && S_ISDIR(there.st_mode)) return EISDIR;
  return access(place, W_OK) == 0 ? 0 : errno;
}

bool outputs_can_be_written(const Options *options)
{
  for (size_t i = 0; i < options->report_count; ++i) {
    char place[4096];
    const char *path = options->reports[i].path;
    int reason = strcmp(path, "-") == 0 ? 0 : refusal(path, place);
    if (reason == 0) continue;
    complain("cannot write the %s report to %s: %s: %s", options->reports[i].kind, path, place,
             strerror(reason));
    return false;
  }
  return true;
}
