// SPDX-License-Identifier: Apache-2.0
// The chapters of this project, and the table that is generated from them.
#include "chapter_text.h"
#include "clause.h"

static const char *const chapter_names[] = {SPEC_CHAPTERS};

enum { CHAPTER_COUNT = sizeof chapter_names / sizeof chapter_names[0] };

static ParsedChapter parse_chapter(const char *name)
{
  char file[512];
  size_t size = 0;
  snprintf(file, sizeof file, "%s/%s.md", SPEC_FOLDER, name);
  char *bytes = read_whole(file, &size);
  ParsedChapter chapter = parse_good(file, bytes);
  free(bytes);
  return chapter;
}

static void expect_same(const char *seen, const char *wanted)
{
  ck_assert_ptr_eq(seen == NULL ? (void *)1 : NULL, wanted == NULL ? (void *)1 : NULL);
  if (wanted) ck_assert_str_eq(seen, wanted);
}

static void expect_clause(const Clause *clause, const ParsedChapter *chapter,
                          const ParsedClause *parsed)
{
  ck_assert_str_eq(clause->id, parsed->id);
  ck_assert_str_eq(clause->chapter, chapter->stem);
  ck_assert_str_eq(clause->chapter_title, chapter->title);
  expect_same(clause->title, parsed->title);
  expect_same(clause->text, parsed->text);
  expect_same(clause->on_32_bit, parsed->on_32_bit);
  expect_same(clause->on_big_endian, parsed->on_big_endian);
  expect_same(clause->rationale, parsed->rationale);
  expect_same(clause->untestable, parsed->untestable);
  expect_same(clause->source, parsed->source);
  expect_same(clause->since, parsed->since);
  expect_same(clause->until, parsed->until);
  ck_assert_uint_eq(clause->since_number, parsed->since_number);
  ck_assert_uint_eq(clause->until_number, parsed->until_number);
  ck_assert_int_eq(clause->level, parsed->level);
  ck_assert_uint_eq(clause->scopes, parsed->scopes);
  ck_assert_uint_eq(clause->digest, parsed->digest);
}

TEST(the_table_holds_every_clause_of_every_chapter_in_order)
{
  unsigned id = CLAUSE_NONE;
  for (size_t i = 0; i < CHAPTER_COUNT; ++i) {
    ParsedChapter chapter = parse_chapter(chapter_names[i]);
    for (size_t j = 0; j < chapter.count; ++j) {
      const Clause *clause = clause_get((ClauseId)++id);
      ck_assert_ptr_nonnull(clause);
      expect_clause(clause, &chapter, &chapter.clauses[j]);
    }
    parsed_chapter_free(&chapter);
  }
  ck_assert_uint_eq(id, clause_total);
  ck_assert_uint_eq(id + 1, CLAUSE_COUNT);
}

TEST(every_id_is_found_and_leads_to_its_own_clause)
{
  ck_assert_uint_gt(clause_total, 0);
  for (unsigned id = 1; id <= clause_total; ++id) {
    const Clause *clause = clause_get((ClauseId)id);
    ck_assert_msg(clause_find(clause->id) == clause, "%s is in the table twice", clause->id);
  }
}

TEST(an_id_may_be_written_in_three_ways)
{
  const Clause *clause = clause_get(ANY_13);
  ck_assert_str_eq(clause->id, "ANY-13");
  ck_assert_ptr_eq(clause_find("ANY-13"), clause);
  ck_assert_ptr_eq(clause_find("any-13"), clause);
  ck_assert_ptr_eq(clause_find("ANY_13"), clause);
  ck_assert_ptr_eq(clause_find("any-1"), clause_get(ANY_1));
}

TEST(what_is_no_id_is_not_found)
{
  static const char *const others[] = {"",        "ANY",     "ANY-",    "ANY-999",
                                       "ANY-013", "ANY-13 ", " ANY-13", "ANY13"};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i)
    ck_assert_ptr_null(clause_find(others[i]));
  ck_assert_ptr_null(clause_find(NULL));
  ck_assert_ptr_null(clause_get(CLAUSE_NONE));
  ck_assert_ptr_null(clause_get(CLAUSE_COUNT));
  ck_assert_ptr_null(clause_get((ClauseId)-1));
}

TEST(the_digest_of_the_set_is_stable)
{
  ck_assert_uint_ne(clause_set_digest(), 0);
  ck_assert_uint_eq(clause_set_digest(), clause_set_digest());
}

// Appends the words of `text` to `label`, with single blanks between them.
static void join_words(FILE *out, char *text)
{
  for (char *word = strtok(text, " \n>"); word; word = strtok(NULL, " \n>"))
    fprintf(out, "%s ", word);
}

// The list in the README of the clauses that have a note on such machines.
static char *list_of_notes(const char *label, const char *(*note_of)(const Clause *clause))
{
  char *list = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&list, &size);
  ck_assert_ptr_nonnull(out);
  const char *before = label;
  for (unsigned id = 1; id <= clause_total; ++id) {
    const Clause *clause = clause_get((ClauseId)id);
    if (!note_of(clause)) continue;
    fprintf(out, "%s %s", before, clause->id);
    before = ",";
  }
  fputc('.', out);
  fclose(out);
  ck_assert_msg(strchr(list, '-') != NULL, "%s no clause", label);
  return list;
}

static const char *on_32_bit(const Clause *clause)
{
  return clause->on_32_bit;
}

static const char *on_big_endian(const Clause *clause)
{
  return clause->on_big_endian;
}

TEST(the_readme_lists_the_clauses_that_differ_between_machines)
{
  size_t size = 0;
  char *words = NULL, *text = read_whole(SPEC_FOLDER "/README.md", &size);
  FILE *out = open_memstream(&words, &size);
  ck_assert_ptr_nonnull(out);
  join_words(out, text);
  fclose(out);
  char *lists[] = {list_of_notes("On 32-bit machines:", on_32_bit),
                   list_of_notes("On big-endian machines:", on_big_endian)};
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; ++i) {
    ck_assert_msg(strstr(words, lists[i]) != NULL, "spec/README.md has to say: %s", lists[i]);
    free(lists[i]);
  }
  free(words);
  free(text);
}
