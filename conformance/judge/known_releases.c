// SPDX-License-Identifier: Apache-2.0
#include "judge/known_releases.h"

#include <string.h>

static const struct {
  const char *version, *build_id, *sha256;
} known[] = {
#define KNOWN_RELEASE(version, build_id, sha256) {version, build_id, sha256},
#include "judge/known_releases.def"
};

const char *known_release(const InspectReport *library)
{
  if (library->profile != INSPECT_PROFILE_RUNTIME) return NULL;
  for (size_t i = sizeof known / sizeof known[0]; i-- > 0;)
    if (strcmp(known[i].sha256, library->sha256) == 0 ||
        (library->build_id[0] && strcmp(known[i].build_id, library->build_id) == 0))
      return known[i].version;
  return NULL;
}
