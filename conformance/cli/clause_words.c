// SPDX-License-Identifier: Apache-2.0
#include "cli/clause_words.h"

#include "abi/abi.h"

const char *clause_level_name(ClauseLevel level)
{
  return level == CLAUSE_MUST ? "MUST" : level == CLAUSE_SHOULD ? "SHOULD" : "UNSPECIFIED";
}

const char *clause_profile_names(unsigned profiles)
{
  if (profiles == (CLAUSE_PROFILE_RUNTIME | CLAUSE_PROFILE_MODULE)) return "runtime, module";
  return profiles == CLAUSE_PROFILE_MODULE ? "module" : "runtime";
}

const char *clause_generation_names(uint32_t since, uint32_t until)
{
  if (since != ABI_VERSION_2025_09) return "0.1";
  return until == ABI_VERSION_2025_09 ? "2025-09" : "2025-09, 0.1";
}
