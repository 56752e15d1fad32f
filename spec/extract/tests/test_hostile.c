// SPDX-License-Identifier: Apache-2.0
// Malformed chapters: too long, truncated, binary. The parser must return, without a sanitizer
// report.
#include "chapter_text.h"

static bool parse(const char *bytes, size_t size)
{
  ParsedChapter chapter;
  ParseError error;
  bool good = parse_exact("once.md", bytes, size, &chapter, &error);
  ck_assert(good == (error.message[0] == '\0'));
  ck_assert(good == (chapter.count > 0));
  ck_assert(good || strncmp(error.message, "once.md:", 8) == 0);
  parsed_chapter_free(&chapter);
  return good;
}

// `head` followed by `count` copies of `piece`.
static char *repeat(const char *head, const char *piece, size_t count, size_t *size)
{
  size_t start = strlen(head), step = strlen(piece);
  char *bytes = malloc(start + step * count + 1);
  ck_assert_ptr_nonnull(bytes);
  memcpy(bytes, head, start);
  for (size_t i = 0; i < count; ++i) memcpy(bytes + start + i * step, piece, step);
  *size = start + step * count;
  return bytes;
}

static void refuses(const char *head, const char *piece, size_t count, const char *says)
{
  size_t size = 0;
  char *bytes = repeat(head, piece, count, &size);
  ParsedChapter chapter;
  ParseError error;
  ck_assert(!parse_exact("once.md", bytes, size, &chapter, &error));
  ck_assert_msg(strstr(error.message, says) != NULL, "expected \"%s\", actual: %s", says,
                error.message);
  free(bytes);
}

TEST_GROUP(hostile, .timeout = 60);

TEST(too_long)
{
  static const char open[] = "# T\n### ONCE-1 · A\nMUST · since 0.1.5 · core · x\n\n";
  refuses("# T\n", "prose\n", CHAPTER_BYTES_MAX / 6 + 1, "the chapter is too long");
  refuses(open, "word ", CLAUSE_STRING_MAX / 5 + 1, "the text of a clause is too long");
  refuses(open, "word\n", CLAUSE_STRING_MAX / 5 + 1, "the text of a clause is too long");
  refuses("# T\n### ONCE-1 · ", "A", CLAUSE_STRING_MAX + 1, "the title is too long");
  refuses("# ", "A", CLAUSE_STRING_MAX + 1, "the title is too long");
  refuses("# T\n### ONCE-1", "1", 100000, "bad heading");
  refuses("# T\n### ONCE-1 · A\nMUST", " · ", 100000, "bad attribute line");
}

TEST(long_but_allowed)
{
  size_t size = 0;
  char *bytes = repeat(GOOD_CLAUSE("ONCE-1") "## Prose\n", "prose\n", 100000, &size);
  ck_assert(parse(bytes, size));
  free(bytes);
}

TEST(as_many_clauses_as_there_are_numbers)
{
  char *bytes = malloc(CHAPTER_BYTES_MAX);
  size_t size = (size_t)sprintf(bytes, "# T\n");
  for (int i = 1; i <= CHAPTER_CLAUSES_MAX; ++i)
    size += (size_t)sprintf(bytes + size, "### ONCE-%d · A\nUNSPECIFIED · core\n\nText.\n", i);
  ck_assert(parse(bytes, size));
  size += (size_t)sprintf(bytes + size, "### ONCE-1 · A\nUNSPECIFIED · core\n\nText.\n");
  ck_assert(!parse(bytes, size));
  free(bytes);
}

TEST(cut_off_anywhere)
{
  size_t size = 0;
  char *bytes = read_whole(SPEC_FOLDER "/once.md", &size);
  unsigned good = 0;
  for (size_t i = 0; i <= size; ++i) good += parse(bytes, i);
  ck_assert_uint_gt(good, 0);
  ck_assert_uint_lt(good, size);
  free(bytes);
}

TEST(any_byte_replaced)
{
  static const char bytes_to_try[] = {'\0', '\n', ' ', '#', '>', '`', '-', '9', '\xc2', '\xff'};
  size_t size = 0;
  char *bytes = read_whole(SPEC_FOLDER "/once.md", &size);
  for (size_t i = 0; i < size; ++i) {
    char kept = bytes[i];
    bytes[i] = bytes_to_try[i % sizeof bytes_to_try];
    parse(bytes, size);
    bytes[i] = kept;
  }
  ck_assert(parse(bytes, size));
  free(bytes);
}

TEST(rubbish)
{
  uint32_t state = 1;
  char bytes[512];
  for (int round = 0; round < 2000; ++round) {
    size_t head = round % 2 ? (size_t)sprintf(bytes, "# T\n### ONCE-1 · ") : 0;
    for (size_t i = head; i < sizeof bytes; ++i) {
      state = state * 1664525u + 1013904223u;
      bytes[i] = (char)(round % 4 < 2 ? state >> 24 : 32 + (state >> 24) % 95);
    }
    ck_assert(!parse(bytes, sizeof bytes));
  }
}
