// SPDX-License-Identifier: Apache-2.0
#include "clause.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>

#include "digest.h"

// Made by tvmffi-extract-clauses; in the order of ClauseId, the first one being ClauseId 1.
extern const Clause clause_table[];

const Clause *clause_get(ClauseId id)
{
  return id > CLAUSE_NONE && id < CLAUSE_COUNT ? &clause_table[id - 1] : NULL;
}

static bool same_id(const char *id, const char *wanted)
{
  for (; *id != '\0' && *wanted != '\0'; ++id, ++wanted) {
    char c = *wanted == '_' ? '-' : (char)toupper((unsigned char)*wanted);
    if (c != *id) return false;
  }
  return *id == *wanted;
}

const Clause *clause_find(const char *id)
{
  for (unsigned i = 0; id && i < clause_total; ++i)
    if (same_id(clause_table[i].id, id)) return &clause_table[i];
  return NULL;
}

uint64_t clause_set_digest(void)
{
  uint64_t digest = DIGEST_START;
  for (unsigned i = 0; i < clause_total; ++i) {
    digest = digest_words(digest, clause_table[i].id);
    for (unsigned shift = 0; shift < 64; shift += 8)
      digest = digest_byte(digest, (unsigned char)(clause_table[i].digest >> shift));
  }
  return digest;
}
