// SPDX-License-Identifier: Apache-2.0
// `explain`: what a case or a clause requires, or what a name of the C API stands for.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/clause_words.h"
#include "cli/complain.h"
#include "cli/explain_names.h"
#include "cli/options.h"
#include "plan/plan.h"

// Prints a text with its paragraphs wrapped to 96 columns, each line behind `margin`.
static void print_wrapped(const char *margin, const char *text)
{
  size_t column = 0;
  for (const char *word = text; *word;) {
    if (*word == '\n') {
      printf("\n%s", column ? margin : "");
      column = 0;
      ++word;
      continue;
    }
    size_t length = strcspn(word, " \n");
    if (column && column + 1 + length > 96) {
      printf("\n");
      column = 0;
    }
    printf("%s%.*s", column ? " " : margin, (int)length, word);
    column += length + (column ? 1 : 0);
    word += length;
    while (*word == ' ') ++word;
  }
  printf("\n");
}

static void print_note(const char *label, const char *note)
{
  if (!note) return;
  printf("\n  %s:\n", label);
  print_wrapped("  ", note);
}

static void print_clause(const Clause *clause)
{
  printf("%s  %s\n", clause->id, clause->title);
  printf("  %s", clause_level_name(clause->level));
  if (clause->since) printf(", since %s", clause->since);
  if (clause->until) printf(", until %s", clause->until);
  if (clause->since && clause->since_number == ABI_VERSION_2025_09)
    printf(" (generation%s)", clause->until ? " 2025-09 only" : "s 2025-09 and 0.1");
  printf(", scope%s %s\n", strchr(clause_scope_names(clause->scopes), ',') ? "s" : "",
         clause_scope_names(clause->scopes));
  if (clause->source && clause->source[0]) printf("  source: %s\n", clause->source);
  printf("\n");
  print_wrapped("  ", clause->text);
  print_note("On 32-bit machines", clause->on_32_bit);
  print_note("On big-endian machines", clause->on_big_endian);
  print_note("Why", clause->rationale);
  print_note("Not testable from outside", clause->untestable);
}

// The names of the rows that the case has, wrapped; nothing if it has none.
static void print_rows(const char *margin, const Case *test)
{
  char *text = NULL, base[CASE_ID_MAX];
  size_t total, size, shown = 0;
  const CaseInstance *all = case_registry(&total);
  FILE *out = open_memstream(&text, &size);
  if (!out) return;
  for (size_t i = 0; i < total; ++i)
    if (all[i].test == test && all[i].row)
      fprintf(out, "%s%s", shown++ ? ", ." : "rows: .",
              all[i].id + strlen(case_base_id(&all[i], base)) + 1);
  if (fclose(out) == 0 && shown) print_wrapped(margin, text);
  free(text);
}

static bool cites(const Case *test, const Clause *clause)
{
  for (int c = 0; c < CASE_CLAUSES_MAX && test->clauses[c] != CLAUSE_NONE; ++c)
    if (clause_get(test->clauses[c]) == clause) return true;
  return test->promise && clause == clause_get(KER_47);
}

static void print_cases_of(const Clause *clause)
{
  size_t total, shown = 0;
  char base[CASE_ID_MAX];
  const Case *last = NULL;
  const CaseInstance *all = case_registry(&total);
  for (size_t i = 0; i < total; ++i) {
    if (all[i].test == last || !cites(all[i].test, clause)) continue;
    last = all[i].test;
    printf("%s  %s\n", shown++ ? "" : "\nCases:\n", case_base_id(&all[i], base));
    print_wrapped("      ", last->title);
    print_rows("      ", last);
  }
}

// The first row of the case with this id, or NULL.
static const CaseInstance *find_first_row(const char *id)
{
  size_t total;
  char base[CASE_ID_MAX];
  const CaseInstance *all = case_registry(&total);
  for (size_t i = 0; i < total; ++i)
    if (all[i].row && strcasecmp(case_base_id(&all[i], base), id) == 0) return &all[i];
  return NULL;
}

// A case, or one row of it.
static void print_case(const CaseInstance *instance, bool one_row)
{
  const char *file = strrchr(instance->test->file, '/');
  char base[CASE_ID_MAX];
  printf("%s\n", one_row ? instance->id : case_base_id(instance, base));
  print_wrapped("  ", instance->test->title);
  if (!one_row) print_rows("  ", instance->test);
  printf("  %s:%d\n\n", file ? file + 1 : instance->test->file, instance->test->line);
  printf(
      "It passes when all it expects was seen and it came to its end; it fails on the first thing "
      "seen\nthat contradicts a clause below, on a crash, an exit or a hang.\n");
  if (instance->test->per_kernel)
    printf("A failure comes with its call as a C program: with -v, from repro, in reports.\n");
  for (int c = 0; c < CASE_CLAUSES_MAX && instance->test->clauses[c] != CLAUSE_NONE; ++c) {
    printf("\n");
    print_clause(clause_get(instance->test->clauses[c]));
  }
  if (!instance->test->promise) return;
  printf("\nWhere a signature file rules its calls out, it judges this clause first:\n\n");
  print_clause(clause_get(KER_47));
}

int verb_explain(const Options *options)
{
  const char *id = options->operands[0];
  const Clause *clause = clause_find(id);
  const CaseInstance *instance = case_find(id);
  if (clause) {
    print_clause(clause);
    print_cases_of(clause);
    return complain_of_output("text");
  }
  const CaseInstance *first = instance ? instance : find_first_row(id);
  if (first) {
    print_case(first, instance != NULL);
    return complain_of_output("text");
  }
  if (explain_name(id)) return complain_of_output("text");
  complain_of_id("case, clause or name of the C API", id);
  return EXIT_USAGE;
}
