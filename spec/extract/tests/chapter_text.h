// SPDX-License-Identifier: Apache-2.0
// What the tests of the extractor share: parsing a chapter that is written in the test.
#ifndef TVMFFI_SPEC_EXTRACT_TESTS_CHAPTER_TEXT_H_
#define TVMFFI_SPEC_EXTRACT_TESTS_CHAPTER_TEXT_H_

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clause_parser.h"
#include "unit/unit.h"

#define GOOD_CLAUSE(id) "# T\n### " id " · A\nMUST · since 0.1.0 · core · x\n\nText.\n"

// Parses a copy that ends where its memory ends, so that a sanitizer detects reads past the end.
static inline bool parse_exact(const char *file, const char *bytes, size_t size,
                               ParsedChapter *chapter, ParseError *error)
{
  char *copy = malloc(size > 0 ? size : 1);
  ck_assert_ptr_nonnull(copy);
  memcpy(copy, bytes, size);
  bool good = clause_parse_chapter(file, copy, size, chapter, error);
  free(copy);
  return good;
}

// Parses text that must be valid; the caller frees the chapter.
static inline ParsedChapter parse_good(const char *file, const char *text)
{
  ParsedChapter chapter;
  ParseError error;
  if (!parse_exact(file, text, strlen(text), &chapter, &error)) ck_abort_msg("%s", error.message);
  ck_assert_str_eq(error.message, "");
  return chapter;
}

// The whole file; own.
static inline char *read_whole(const char *file, size_t *size)
{
  FILE *stream = fopen(file, "rb");
  ck_assert_msg(stream != NULL, "%s cannot be opened", file);
  char *bytes = malloc(CHAPTER_BYTES_MAX + 1);
  ck_assert_ptr_nonnull(bytes);
  *size = fread(bytes, 1, CHAPTER_BYTES_MAX, stream);
  bytes[*size] = '\0';
  fclose(stream);
  return bytes;
}

#endif  // TVMFFI_SPEC_EXTRACT_TESTS_CHAPTER_TEXT_H_
