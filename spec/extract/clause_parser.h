// SPDX-License-Identifier: Apache-2.0
// Reads one chapter of the specification. The format is described in spec/README.md:
//
//   # Title of the chapter
//   Prose, code blocks, "##" headings.
//   ### ANY-3 · Title of the clause
//   MUST · since 0.1.0 [until 0.1.9] · runtime, module · source
//
//   Normative text, one or more paragraphs.
//
//   > On 32-bit machines: ...
//   > On big-endian machines: ...
//   > Why: ...
//   > Not testable: ...
#ifndef TVMFFI_SPEC_EXTRACT_CLAUSE_PARSER_H_
#define TVMFFI_SPEC_EXTRACT_CLAUSE_PARSER_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clause_level.h"

enum {
  CHAPTER_BYTES_MAX = 1 << 20,  // a chapter is no longer than this
  CHAPTER_CLAUSES_MAX = 999,
  CHAPTER_STEM_MAX = 32,
  CLAUSE_STRING_MAX = 4000,  // a title, text or note; C compilers must accept it as a literal
  CLAUSE_ID_MAX = 16
};

// Mirrors Clause of clause.h, before there is a table. Strings belong to the chapter.
typedef struct ParsedClause {
  char id[CLAUSE_ID_MAX];  // "ANY-3"
  int line;                // of its heading
  const char *title, *text;
  const char *on_32_bit, *on_big_endian;  // NULL if the clause holds unchanged there
  const char *rationale, *untestable;     // NULL if the clause has none
  const char *source;                     // "" if it names none
  const char *since, *until;              // NULL if absent
  uint32_t since_number, until_number;
  ClauseLevel level;
  unsigned scopes;  // CLAUSE_SCOPE_*
  uint64_t digest;
} ParsedClause;

typedef struct ParsedChapter {
  char stem[CHAPTER_STEM_MAX];  // "any"
  const char *title;
  ParsedClause *clauses;  // own
  size_t count;
  char *strings;  // own; what the pointers above and in the clauses point into
} ParsedChapter;

// "file:line: what is wrong; what is expected", ready to be printed; file names that are too
// long are truncated.
typedef struct ParseError {
  char message[512];
} ParseError;

// Parses the `size` bytes of the chapter in `file`, whose name (after the last slash, without
// ".md") becomes the stem. The bytes need not be NUL-terminated and may be anything. True:
// `chapter` is filled, release it with parsed_chapter_free. False: `error` holds the cause,
// `chapter` is empty.
bool clause_parse_chapter(const char *file, const char *bytes, size_t size, ParsedChapter *chapter,
                          ParseError *error);

// Releases what the chapter owns and empties it; an empty chapter is fine.
void parsed_chapter_free(ParsedChapter *chapter);

#endif  // TVMFFI_SPEC_EXTRACT_CLAUSE_PARSER_H_
