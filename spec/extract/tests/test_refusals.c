// SPDX-License-Identifier: Apache-2.0
// Every kind of invalid chapter, with the line and the words that the message must contain.
#include "chapter_text.h"

#define CLAUSE(id) "### " id " · A\nMUST · since 0.1.0 · core · x\n\nText.\n"
#define ATTRIBUTES(line) "# T\n### ANY-1 · A\n" line "\n\nText.\n"
#define BODY(text) "# T\n### ANY-1 · A\nMUST · since 0.1.0 · core · x\n" text

static const struct {
  const char *text;
  int line;
  const char *says;
} bad[] = {
    // The chapter as a whole
    {"", 1, "expected a chapter that begins with \"# Title\""},
    {"Prose first\n# T\n" CLAUSE("ANY-1"), 1, "begins with \"# Title\"; actual: \"Prose first\""},
    {"\n\n## T\n" CLAUSE("ANY-1"), 3, "begins with \"# Title\""},
    {"# \n" CLAUSE("ANY-1"), 1, "begins with \"# Title\""},
    {"# T\nProse only.\n", 2, "no clause"},
    {"# T\n" CLAUSE("ANY-1") "# Second\n", 6, "a second title"},
    {"# T\n```\n### ANY-1 · A\n", 2, "the code block has no end"},
    // Headings and ids
    {"# T\n###ANY-1 · A\n", 2, "bad heading"},
    {"# T\n## ANY-1 · A\n", 2, "bad heading"},
    {"# T\n" CLAUSE("ANY-1") "#### ANY-2 · A\n", 6, "bad heading"},
    {"# T\n### ANY-1 - A\n", 2, "with spaces around the middle dot"},
    {"# T\n### ANY-1·A\n", 2, "with spaces around the middle dot"},
    {"# T\n### ANY-1 · \n", 2, "bad heading"},
    {"# T\n### ANY-1 · A.\nMUST · since 0.1.0 · core · x\n\nText.\n", 2, "ends with a full stop"},
    {"# T\n### Any-1 · A\n", 2, "not an id; expected capitals, a hyphen and a number"},
    {"# T\n### ANY · A\n", 2, "not an id"},
    {"# T\n### ANY-0 · A\n", 2, "not an id"},
    {"# T\n### ANY-01 · A\n", 2, "not an id"},
    {"# T\n### ANY-1000 · A\n", 2, "not an id"},
    {"# T\n### ANY-1x · A\n", 2, "not an id"},
    {"# T\n### ANY_1 · A\n", 2, "not an id"},
    {"# T\n### -1 · A\n", 2, "does not belong to this chapter"},
    {"# T\n### OBJ-1 · A\n", 2, "does not belong to this chapter"},
    {"# T\n### AN-1 · A\n", 2, "does not belong to this chapter"},
    {"# T\n### ANYX-1 · A\n", 2, "does not belong to this chapter"},
    {"# T\n" CLAUSE("ANY-1") CLAUSE("ANY-2") CLAUSE("ANY-1"), 10,
     "the id ANY-1 is already used in line 2"},
    // The attribute line
    {"# T\n### ANY-1 · A\n", 2, "no attribute line; expected one right below the heading of ANY-1"},
    {"# T\n### ANY-1 · A\n\nMUST · since 0.1.0 · core · x\n\nText.\n", 2, "no attribute line"},
    {ATTRIBUTES("must · since 0.1.0 · core · x"), 3, "unknown level; expected MUST, SHOULD, HARD"},
    {ATTRIBUTES("MAY · since 0.1.0 · core · x"), 3, "actual: \"MAY\""},
    {ATTRIBUTES("Text without any level."), 3, "unknown level"},
    {ATTRIBUTES("MUST"), 3, "bad attribute line"},
    {ATTRIBUTES("MUST · since 0.1.0 · core"), 3,
     "bad attribute line; expected LEVEL · since VERSION"},
    {ATTRIBUTES("MUST · since 0.1.0 · core · x · y"), 3, "bad attribute line"},
    {ATTRIBUTES("MUST · since 0.1.0 · core ·"), 3, "bad attribute line"},
    {ATTRIBUTES("MUST · since 0.1.0 · core · x · y · z · w"), 3, "bad attribute line"},
    {ATTRIBUTES("MUST · since 0.1.0 · core ·  · x"), 3, "bad attribute line"},
    {ATTRIBUTES("MUST • since 0.1.0 • core • x"), 3, "unknown level"},
    {ATTRIBUTES("MUST · 0.1.0 · core · x"), 3, "expected \"since VERSION\""},
    {ATTRIBUTES("MUST · since · core · x"), 3, "expected \"since VERSION\""},
    {ATTRIBUTES("MUST · since 0.1.0 till 0.1.2 · core · x"), 3, "expected \"since VERSION\""},
    {ATTRIBUTES("MUST · since 0.1.0 until · core · x"), 3, "expected \"since VERSION\""},
    {ATTRIBUTES("MUST · since 0.1 · core · x"), 3, "unknown version; expected 2025-09 or three"},
    {ATTRIBUTES("MUST · since 0.1.0.0 · core · x"), 3, "unknown version"},
    {ATTRIBUTES("MUST · since v0.1.0 · core · x"), 3, "unknown version"},
    {ATTRIBUTES("MUST · since 0.1.01 · core · x"), 3, "unknown version"},
    {ATTRIBUTES("MUST · since 0.1. · core · x"), 3, "unknown version"},
    {ATTRIBUTES("MUST · since 0.1.1024 · core · x"), 3, "unknown version"},
    {ATTRIBUTES("MUST · since 0.1.99999999999 · core · x"), 3, "unknown version"},
    {ATTRIBUTES("MUST · since 2025-10 · core · x"), 3, "unknown version"},
    {ATTRIBUTES("MUST · since 0.1.0 until 0.1.2 0.1.3 · core · x"), 3, "unknown version"},
    {ATTRIBUTES("MUST · since 0.1.2 until 0.1.1 · core · x"), 3, "is earlier than"},
    {ATTRIBUTES("MUST · since 0.1.0 until 2025-09 · core · x"), 3, "is earlier than"},
    {ATTRIBUTES("MUST · since 0.1.0 · kernel · x"), 3, "unknown scope; expected core, frontend"},
    {ATTRIBUTES("MUST · since 0.1.0 · core, · x"), 3, "unknown scope"},
    {ATTRIBUTES("MUST · since 0.1.0 · core, core · x"), 3, "duplicate scope"},
    {ATTRIBUTES("MUST · since 0.1.0 · core, headers · x"), 3, "a second scope of runtimes"},
    {ATTRIBUTES("MUST · since 0.1.0 · caller, core · x"), 3, "caller stands with another scope"},
    {ATTRIBUTES("UNSPECIFIED"), 3, "bad attribute line; expected UNSPECIFIED · scopes"},
    {ATTRIBUTES("UNSPECIFIED · since 0.1.0 · core"), 3, "an unspecified clause has no \"since\""},
    {ATTRIBUTES("UNSPECIFIED · core · x · y"), 3, "bad attribute line"},
    {ATTRIBUTES("UNSPECIFIED · kernel"), 3, "unknown scope"},
    // Text and notes
    {BODY(""), 2, "ANY-1 has no text"},
    {BODY("\n\n"), 2, "ANY-1 has no text"},
    {BODY("\n> Why: no text.\n"), 2, "ANY-1 has no text"},
    {BODY("\n" CLAUSE("ANY-2")), 2, "ANY-1 has no text"},
    {BODY("Text.\n"), 4, "expected an empty line below the attribute line"},
    {BODY("\nText.\n```\ncode\n```\n"), 6, "a code block in a clause"},
    {BODY("\nText.\n\n> Note: x\n"), 7, "unknown note; expected \"> Why: ...\""},
    {BODY("\nText.\n\n> On 32 bit machines: x\n"), 7, "\"> On 32-bit machines: ...\" or"},
    {BODY("\nText.\n\n> On 32-bit machine: x\n"), 7, "unknown note"},
    {BODY("\nText.\n\n> on big-endian machines: x\n"), 7, "or \"> On big-endian machines: ...\""},
    {BODY("\nText.\n\n> On big-endian machines:\n"), 7, "the note is empty"},
    {BODY("\nText.\n\n> On 32-bit machines: a.\n\n> On 32-bit machines: b.\n"), 9,
     "a second note of this kind"},
    {BODY("\nText.\n\n> Why:\n"), 7, "the note is empty"},
    {BODY("\nText.\n\n> Why: a.\n\n> Why: b.\n"), 9, "a second note of this kind"},
    {BODY("\nText.\n\n> Why: a.\nand b.\n"), 8, "text after a note"},
    {BODY("\nText.\n###ANY-2 · B\n"), 6, "bad heading"},
    {ATTRIBUTES("UNSPECIFIED · core") "\n> Not testable: x.\n", 7, "expected no \"Not testable\""},
    // Bytes that are not text
    {"# T\n\xff\n", 2, "an invalid byte"},
    {"# T\n\nA bell\a\n", 3, "an invalid byte"},
    {"# T\rx\n", 1, "an invalid byte"},
    {"# T \xc0\xaf\n", 1, "an invalid byte"},
    {"# T \xed\xa0\x80\n", 1, "an invalid byte"},
    {"# T \xf4\x90\x80\x80\n", 1, "an invalid byte"},
    {"# T\n\n\n\xe2\x80", 4, "an invalid byte"},
};

TEST(a_chapter_that_is_wrong, .rows = ROWS(bad))
{
  ParsedChapter chapter;
  ParseError error;
  char place[64];
  snprintf(place, sizeof place, "spec/any.md:%d: ", bad[_i].line);
  ck_assert_msg(!parse_exact("spec/any.md", bad[_i].text, strlen(bad[_i].text), &chapter, &error),
                "accepted: %s", bad[_i].text);
  ck_assert_msg(strncmp(error.message, place, strlen(place)) == 0, "expected %s, actual: %s", place,
                error.message);
  ck_assert_msg(strstr(error.message, bad[_i].says) != NULL, "expected \"%s\", actual: %s",
                bad[_i].says, error.message);
  ck_assert_ptr_null(chapter.clauses);
  ck_assert_ptr_null(chapter.strings);
  ck_assert_uint_eq(chapter.count, 0);
}

TEST(a_prefix_that_changes_within_the_chapter)
{
  static const char text[] = "# T\n" CLAUSE("STR-1") CLAUSE("STRI-2");
  ParsedChapter chapter;
  ParseError error;
  ck_assert(!parse_exact("string.md", text, strlen(text), &chapter, &error));
  ck_assert_str_eq(
      error.message,
      "string.md:6: the id differs from the others; expected the prefix STR; actual: \"STRI\"");
}

TEST(a_prefix_of_a_name_of_several_words)
{
  static const struct {
    const char *text, *says;
  } chapters[] = {
      {"# T\n" CLAUSE("BIN-1") CLAUSE("LIB-2"), "expected the prefix BIN; actual: \"LIB\""},
      {"# T\n" CLAUSE("OUT-1"), "the id does not belong to this chapter"},
      {"# T\n" CLAUSE("BINS-1"), "the id does not belong to this chapter"},
  };
  for (size_t i = 0; i < sizeof chapters / sizeof chapters[0]; ++i) {
    ParsedChapter chapter;
    ParseError error;
    ck_assert(!parse_exact("lib_out_bin.md", chapters[i].text, strlen(chapters[i].text), &chapter,
                           &error));
    ck_assert_ptr_nonnull(strstr(error.message, chapters[i].says));
  }
}

TEST(a_file_that_is_no_chapter)
{
  static const char *const names[] = {
      "any.txt", "any",        ".md",    "an.md",
      "Any.md",  "any.md.bak", "a b.md", "abcdefghijabcdefghijabcdefghijabcdefghij.md"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
    ParsedChapter chapter;
    ParseError error;
    ck_assert(!parse_exact(names[i], GOOD_CLAUSE("ANY-1"), strlen(GOOD_CLAUSE("ANY-1")), &chapter,
                           &error));
    ck_assert_ptr_nonnull(strstr(error.message, ":1: not a chapter name"));
  }
}

TEST(actual_text_is_cut_between_characters)
{
  ParsedChapter chapter;
  ParseError error;
  // 47 letters, then a two-byte character that no longer fits.
  static const char text[] =
      "# T\n### ANY-1 · A\nABCDEFGHIJABCDEFGHIJABCDEFGHIJABCDEFGHIJABCDEFGéXYZ\n";
  ck_assert(!parse_exact("any.md", text, strlen(text), &chapter, &error));
  ck_assert_ptr_nonnull(
      strstr(error.message, "actual: \"ABCDEFGHIJABCDEFGHIJABCDEFGHIJABCDEFGHIJABCDEFG...\""));
}
