// SPDX-License-Identifier: Apache-2.0
#include "abi/releases.h"

#include <string.h>

static const AbiRelease releases[] = {
#define ABI_RELEASE(version, reports, candidate, yanked, known_bad) \
  {version, reports, candidate, yanked, known_bad},
#define ABI_RELEASE_EXCEPTION(version, has, item)
#include "abi/releases.def"
};

// Where a release has more, or less, than the version that it reports.
typedef struct ReleaseException {
  const char *version;
  bool has;
  const char *item;
} ReleaseException;

static const ReleaseException exceptions[] = {
#define ABI_RELEASE(version, reports, candidate, yanked, known_bad)
#define ABI_RELEASE_EXCEPTION(version, has, item) {version, has, item},
#include "abi/releases.def"
};

size_t abi_release_count(void)
{
  return sizeof releases / sizeof releases[0];
}

const AbiRelease *abi_release(size_t index)
{
  return &releases[index];
}

// Between which exceptions those of a release are: most have none, and it is asked thousands of times
// for one library.
typedef struct Range {
  size_t first, end;
} Range;

static Range range_of(const AbiRelease *release)
{
  enum { RELEASES = sizeof releases / sizeof releases[0] };
  static Range known[RELEASES];
  static bool filled;
  for (size_t i = 0; i < RELEASES && !filled; ++i)
    for (size_t k = 0; k < sizeof exceptions / sizeof exceptions[0]; ++k) {
      if (strcmp(exceptions[k].version, releases[i].version) != 0) continue;
      if (known[i].end == 0) known[i].first = k;
      known[i].end = k + 1;
    }
  filled = true;
  return known[release - releases];
}

bool abi_release_has_item(const AbiRelease *release, const char *item, uint32_t since)
{
  const Range range = range_of(release);
  for (size_t i = range.first; i < range.end; ++i) {
    const ReleaseException *one = &exceptions[i];
    if (strcmp(one->version, release->version) == 0 && strcmp(one->item, item) == 0)
      return one->has;
  }
  return since <= release->reports;
}

bool abi_release_has(const AbiRelease *release, AbiFunctionId function)
{
  const AbiFunction *one = &abi_functions[function];
  return abi_release_has_item(release, one->symbol, one->since);
}

unsigned abi_release_functions(const AbiRelease *release)
{
  unsigned count = 0;
  for (unsigned i = 0; i < ABI_FUNCTION_COUNT; ++i)
    count += abi_release_has(release, (AbiFunctionId)i);
  return count;
}
