// SPDX-License-Identifier: Apache-2.0
#include "cli/clause_words.h"

#include "abi/abi.h"

const char *clause_scope_names(unsigned scopes)
{
  switch (scopes) {
    case CLAUSE_SCOPE_CORE | CLAUSE_SCOPE_MODULE:
      return "core, module";
    case CLAUSE_SCOPE_FRONTEND | CLAUSE_SCOPE_MODULE:
      return "frontend, module";
    case CLAUSE_SCOPE_HEADERS | CLAUSE_SCOPE_MODULE:
      return "headers, module";
    default:
      return clause_scope_name(scopes);
  }
}

const char *clause_generation_names(uint32_t since, uint32_t until)
{
  if (since != ABI_VERSION_2025_09) return "0.1";
  return until == ABI_VERSION_2025_09 ? "2025-09" : "2025-09, 0.1";
}
