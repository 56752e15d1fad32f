// SPDX-License-Identifier: Apache-2.0
// The result of the parser for valid chapters.
#include <stdlib.h>
#include <string.h>

#include "chapter_text.h"

TEST(one_clause_with_everything)
{
  ParsedChapter chapter = parse_good("any.md",
                                     "# Any: the value\n\nProse.\n\n"
                                     "### ANY-3 · A raw C string becomes an owned string\n"
                                     "MUST · since 0.1.5 until 0.1.12 · core, module · ABI "
                                     "overview, \"AnyView and Managed Any\"\n"
                                     "\n"
                                     "First line of `text`\nsecond  line.\n\nSecond paragraph.\n\n"
                                     "> On 32-bit machines: half\n> of it.\n"
                                     "> On big-endian machines: the other way round.\n\n"
                                     "> Why: because\n> it is so.\n>\n> More.\n\n"
                                     "> Not testable: nobody sees it.\n");
  ck_assert_str_eq(chapter.stem, "any");
  ck_assert_str_eq(chapter.title, "Any: the value");
  ck_assert_uint_eq(chapter.count, 1);
  const ParsedClause *clause = &chapter.clauses[0];
  ck_assert_str_eq(clause->id, "ANY-3");
  ck_assert_int_eq(clause->line, 5);
  ck_assert_str_eq(clause->title, "A raw C string becomes an owned string");
  ck_assert_str_eq(clause->text, "First line of `text` second line.\n\nSecond paragraph.");
  ck_assert_str_eq(clause->on_32_bit, "half of it.");
  ck_assert_str_eq(clause->on_big_endian, "the other way round.");
  ck_assert_str_eq(clause->rationale, "because it is so.\n\nMore.");
  ck_assert_str_eq(clause->untestable, "nobody sees it.");
  ck_assert_str_eq(clause->source, "ABI overview, \"AnyView and Managed Any\"");
  ck_assert_str_eq(clause->since, "0.1.5");
  ck_assert_str_eq(clause->until, "0.1.12");
  ck_assert_uint_eq(clause->since_number, 1u << 10 | 5);
  ck_assert_uint_eq(clause->until_number, 1u << 10 | 12);
  ck_assert_int_eq(clause->level, CLAUSE_MUST);
  ck_assert_uint_eq(clause->scopes, CLAUSE_SCOPE_CORE | CLAUSE_SCOPE_MODULE);
  parsed_chapter_free(&chapter);
}

TEST(what_a_clause_need_not_have_is_null)
{
  ParsedChapter chapter =
      parse_good("any.md",
                 "# T\n### ANY-1 · A\nSHOULD · since 2025-09 · module · x\n\nText.\n"
                 "### ANY-2 · B\nUNSPECIFIED · core\n\nText.\n"
                 "### ANY-4 · C\nUNSPECIFIED · core · C header\n\nText.\n");
  ck_assert_uint_eq(chapter.count, 3);
  const ParsedClause *should = &chapter.clauses[0], *open = &chapter.clauses[1];
  ck_assert_int_eq(should->level, CLAUSE_SHOULD);
  ck_assert_uint_eq(should->scopes, CLAUSE_SCOPE_MODULE);
  ck_assert_str_eq(should->since, "2025-09");
  ck_assert_uint_eq(should->since_number, 0);
  ck_assert_ptr_null(should->until);
  ck_assert_ptr_null(should->on_32_bit);
  ck_assert_ptr_null(should->on_big_endian);
  ck_assert_uint_eq(should->until_number, UINT32_MAX);
  ck_assert_ptr_null(should->rationale);
  ck_assert_ptr_null(should->untestable);
  ck_assert_int_eq(open->level, CLAUSE_UNSPECIFIED);
  ck_assert_ptr_null(open->since);
  ck_assert_uint_eq(open->until_number, UINT32_MAX);
  ck_assert_str_eq(open->source, "");
  ck_assert_str_eq(chapter.clauses[2].source, "C header");
  parsed_chapter_free(&chapter);
}

TEST(until_may_be_the_older_generation)
{
  ParsedChapter chapter = parse_good(
      "layout.md", "# T\n### LAY-3 · A\nMUST · since 2025-09 until 2025-09 · core · x\n\nText.\n");
  ck_assert_str_eq(chapter.clauses[0].until, "2025-09");
  ck_assert_uint_eq(chapter.clauses[0].until_number, 0);
  parsed_chapter_free(&chapter);
}

TEST(prose_and_code_blocks_between_clauses_are_passed_over)
{
  ParsedChapter chapter =
      parse_good("once.md",
                 "# T\n```\n### ONCE-9 · in a drawing\n# a comment\n```\n## Part one\n| a table |\n"
                 "### ONCE-2 · A\nMUST · since 0.1.5 · core · x\n\nText A.\n\n> Why: so.\n"
                 "## Part two\nProse, > not a note.\n"
                 "### ONCE-1 · B\nMUST · since 0.1.5 · core · x\n\nText B.\n#### Aside\n> Why: "
                 "a quotation.\n");
  ck_assert_uint_eq(chapter.count, 2);
  ck_assert_str_eq(chapter.clauses[0].id, "ONCE-2");
  ck_assert_str_eq(chapter.clauses[0].rationale, "so.");
  ck_assert_str_eq(chapter.clauses[1].id, "ONCE-1");
  ck_assert_str_eq(chapter.clauses[1].text, "Text B.");
  ck_assert_ptr_null(chapter.clauses[1].rationale);
  parsed_chapter_free(&chapter);
}

TEST(line_ends_of_windows_and_a_missing_last_one)
{
  ParsedChapter chapter = parse_good(
      "any.md",
      "# T\r\n\r\n### ANY-1 · A \r\nMUST · since 0.1.0 · core · x\t\r\n\r\nText\r\nends.");
  ck_assert_str_eq(chapter.title, "T");
  ck_assert_str_eq(chapter.clauses[0].title, "A");
  ck_assert_str_eq(chapter.clauses[0].source, "x");
  ck_assert_str_eq(chapter.clauses[0].text, "Text ends.");
  parsed_chapter_free(&chapter);
}

TEST(a_middle_dot_in_a_title_and_other_scripts_are_text)
{
  ParsedChapter chapter = parse_good(
      "any.md", "# Größe\n### ANY-1 · A · B · 値\nMUST · since 0.1.0 · core · “x”\n\nText – 𝛼.\n");
  ck_assert_str_eq(chapter.title, "Größe");
  ck_assert_str_eq(chapter.clauses[0].title, "A · B · 値");
  ck_assert_str_eq(chapter.clauses[0].source, "“x”");
  ck_assert_str_eq(chapter.clauses[0].text, "Text – 𝛼.");
  parsed_chapter_free(&chapter);
}

TEST(the_prefix_may_be_of_the_last_word)
{
  ParsedChapter chapter = parse_good("lib_bin.md", GOOD_CLAUSE("BIN-1"));
  ck_assert_str_eq(chapter.stem, "lib_bin");
  ck_assert_str_eq(chapter.clauses[0].id, "BIN-1");
  parsed_chapter_free(&chapter);
}

TEST(the_folder_does_not_belong_to_the_stem)
{
  ParsedChapter chapter = parse_good("/a.b/spec/string.md", GOOD_CLAUSE("STR-1"));
  ck_assert_str_eq(chapter.stem, "string");
  parsed_chapter_free(&chapter);
}

static uint64_t digest_of(const char *title, const char *rest)
{
  char text[512];
  snprintf(text, sizeof text, "# T\n### ANY-1 · %s\nMUST · since 0.1.0 · core · x\n\n%s", title,
           rest);
  ParsedChapter chapter = parse_good("any.md", text);
  uint64_t digest = chapter.clauses[0].digest;
  parsed_chapter_free(&chapter);
  return digest;
}

TEST(the_digest_is_of_the_words)
{
  uint64_t digest = digest_of("A title", "Some text in two lines.\n");
  ck_assert_uint_eq(digest, digest_of("A title", "Some text\nin   two\n\nlines.\n"));
  ck_assert_uint_eq(digest, digest_of("A title", "Some text in two lines.\n\n> Why: new.\n"));
  ck_assert_uint_ne(digest, digest_of("A title", "Some text in two line.\n"));
  ck_assert_uint_ne(digest, digest_of("A titles", "Some text in two lines.\n"));
  ck_assert_uint_ne(digest, digest_of("A title Some", "text in two lines.\n"));
}

TEST(the_digest_is_of_what_holds_on_other_machines_too)
{
#define TEXT "Some text in two lines.\n\n"
  uint64_t without = digest_of("A title", TEXT);
  uint64_t narrow = digest_of("A title", TEXT "> On 32-bit machines: it is so.\n");
  ck_assert_uint_ne(without, narrow);
  ck_assert_uint_eq(narrow, digest_of("A title", TEXT "> On 32-bit machines: it\n> is so.\n"));
  ck_assert_uint_ne(narrow, digest_of("A title", TEXT "> On 32-bit machines: it is not.\n"));
  ck_assert_uint_ne(narrow, digest_of("A title", TEXT "> On big-endian machines: it is so.\n"));
#undef TEXT
}
