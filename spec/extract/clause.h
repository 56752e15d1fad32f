// SPDX-License-Identifier: Apache-2.0
// The clauses of the specification as data. The table behind these functions is made from the
// chapters in spec/ when the project is built; ids such as ANY_13 are the constants of ClauseId.
#ifndef TVMFFI_SPEC_EXTRACT_CLAUSE_H_
#define TVMFFI_SPEC_EXTRACT_CLAUSE_H_

#include <stdint.h>

#include "clause_level.h"
#include "spec_clauses.h"

// Strings are UTF-8 with Markdown's backticks left in; lines of a paragraph are joined by a space,
// paragraphs by two line feeds. Everything is static.
typedef struct Clause {
  const char *id;             // "ANY-13"
  const char *chapter;        // stem of the chapter's file: "any"
  const char *chapter_title;  // "Any: the 16-byte value"
  const char *title;          // one sentence, without a full stop
  const char *text;           // the normative text
  const char *on_32_bit;      // normative: what holds where pointers have 32 bits, or NULL
  const char *on_big_endian;  // normative: what holds on big-endian machines, or NULL
  const char *rationale;      // the "Why" note, or NULL
  const char *untestable;     // why no case can judge it, or NULL
  const char *source;         // document and section; "" if an unspecified clause names none
  const char *since;          // "0.1.5", or "2025-09"; NULL if unspecified
  const char *until;          // last version it holds for; NULL if open
  uint32_t
      since_number;  // major << 20 | minor << 10 | patch; 0 for 2025-09 and unspecified clauses
  uint32_t until_number;  // the same, inclusive; UINT32_MAX if open
  ClauseLevel level;
  unsigned scopes;  // CLAUSE_SCOPE_* bits; CLAUSE_PROFILE_* are masks of them
  uint64_t digest;  // of all that is normative; line breaks and the other notes do not count
} Clause;

// Number of clauses; they have the ids 1 to clause_total, in the order of the chapters.
extern const unsigned clause_total;

// The clause with this id; NULL for CLAUSE_NONE and anything out of range. Borrowed, static
// lifetime.
const Clause *clause_get(ClauseId id);

// The clause that is spelled "ANY-13", "any-13" or "ANY_13"; NULL if there is none, or `id`
// is NULL.
const Clause *clause_find(const char *id);

// "MUST", "SHOULD", ...
const char *clause_level_name(ClauseLevel level);

// The level of this name; CLAUSE_UNSPECIFIED if there is none. Safe for any string.
ClauseLevel clause_level_find(const char *name);

// "core", "frontend", "headers", "module" or "caller", for one CLAUSE_SCOPE_ bit; "" for anything else.
const char *clause_scope_name(unsigned scope);

// A digest over ids and digests of all clauses: two builds with the same one judge by the same
// sentences.
uint64_t clause_set_digest(void);

#endif  // TVMFFI_SPEC_EXTRACT_CLAUSE_H_
