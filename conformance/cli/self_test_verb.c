// SPDX-License-Identifier: Apache-2.0
// `self-test`: the suite is tested by mutants. The reference has to pass everything, and every
// mutant has to be killed by a case that cites the clause it breaks. With --abi 2025-09, the
// reference of that generation and the mutants of the clauses that hold there.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/complain.h"
#include "cli/places.h"
#include "cli/session.h"
#include "cli/style.h"

enum { MUTANTS_MAX = 4096, DESCRIPTION_MAX = 512 };

typedef struct Mutant {
  char *name;       // own; file name without ".so"
  char clause[24];  // "ANY_4" as in the source, "" if the file describes nothing
  char title[DESCRIPTION_MAX];
} Mutant;

typedef struct SelfTest {
  const Options *options;
  const char *reference, *folder;  // of the generation that is tried
  Mutant *mutants;
  size_t count, killed, untried;
  uint32_t version;            // what the reference reports
  bool sanitized;              // the reference is built with a sanitizer, and so are its mutants
  bool applies[CLAUSE_COUNT];  // a case of it is no skipped one for the reference
  bool covered[CLAUSE_COUNT];  // a mutant of the clause was killed
  bool has_case[CLAUSE_COUNT];
} SelfTest;

// --- The mutants on disk -------------------------------------------------------------------------

static int compare_mutants(const void *left, const void *right)
{
  const Mutant *a = left, *b = right;
  return strcmp(a->name, b->name);
}

static void mutant_path(const SelfTest *test, const Mutant *mutant, char out[4400])
{
  snprintf(out, 4400, "%s/%s.so", test->folder, mutant->name);
}

// Reads what MUTANT wrote into the file: the clause, a NUL, the title.
static void describe(const SelfTest *test, Mutant *mutant)
{
  char path[4400], text[DESCRIPTION_MAX + 1] = "";
  size_t size = 0;
  mutant_path(test, mutant, path);
  if (!inspect_symbol_bytes(path, "tvmffi_mutant", text, DESCRIPTION_MAX, &size)) return;
  size_t clause = strlen(text);
  if (clause >= sizeof mutant->clause || clause + 1 >= size) return;
  memcpy(mutant->clause, text, clause + 1);
  snprintf(mutant->title, sizeof mutant->title, "%s", text + clause + 1);
}

// A mutant is asked for by its name, or by the clause that it breaks.
static bool is_meant(const Mutant *mutant, const char *word)
{
  const Clause *clause = clause_find(word);
  return strcmp(word, mutant->name) == 0 || (clause && clause == clause_find(mutant->clause));
}

static bool is_asked_for(const Options *options, const Mutant *mutant)
{
  for (size_t i = 0; i < options->operand_count; ++i)
    if (is_meant(mutant, options->operands[i])) return true;
  return options->operand_count == 0;
}

static bool find_mutants(SelfTest *test)
{
  DIR *folder = test->folder[0] ? opendir(test->folder) : NULL;
  if (!folder) {
    complain(
        "cannot find the mutants, which packages are without: build the project with `make`, and run "
        "build/dev/bin/tvmffi-conform self-test (`cmake --install BUILD --component mutants` "
        "installs them)");
    return false;
  }
  test->mutants = calloc(MUTANTS_MAX, sizeof *test->mutants);
  for (struct dirent *entry;
       test->mutants && (entry = readdir(folder)) && test->count < MUTANTS_MAX;) {
    size_t length = strlen(entry->d_name);
    if (length < 4 || strcmp(entry->d_name + length - 3, ".so") != 0) continue;
    Mutant *mutant = &test->mutants[test->count];
    memset(mutant, 0, sizeof *mutant);
    mutant->name = strndup(entry->d_name, length - 3);
    if (!mutant->name) continue;
    describe(test, mutant);
    if (is_asked_for(test->options, mutant))
      ++test->count;
    else
      free(mutant->name);
  }
  closedir(folder);
  if (test->mutants) qsort(test->mutants, test->count, sizeof *test->mutants, compare_mutants);
  if (test->count == 0 && test->options->operand_count == 0)
    complain("%s: contains no mutants", test->folder);
  return test->count > 0 || test->options->operand_count > 0;
}

// False, after a message, if a mutant that is asked for is not there.
static bool has_asked_for(const SelfTest *test)
{
  for (size_t i = 0; i < test->options->operand_count; ++i) {
    const char *word = test->options->operands[i];
    size_t m = 0;
    while (m < test->count && !is_meant(&test->mutants[m], word)) ++m;
    if (m < test->count) continue;
    complain("unknown mutant or clause \"%s\": no such mutant in %s", word, test->folder);
    return false;
  }
  return true;
}

// --- Judging -------------------------------------------------------------------------------------

// A mutant is killed by a case that fails and whose clauses contain the broken one.
static const CaseResult *find_killer(const RunReport *report, const Clause *clause)
{
  for (size_t i = 0; i < report->result_count; ++i) {
    const CaseResult *result = &report->results[i];
    if (result->verdict != VERDICT_FAIL) continue;
    const ClauseId *cited = result->instance->clauses;
    for (int c = 0; c < CASE_CLAUSES_MAX && cited[c] != CLAUSE_NONE; ++c)
      if (clause_get(cited[c]) == clause) return result;
  }
  return NULL;
}

// A sanitizer takes the place of what some cases need: want of memory can't be had from it. A
// clause that this leaves without a case has no mutants to be killed; in a plain build all have.
static bool is_out_of_reach(const SelfTest *test, unsigned clause)
{
  return test->sanitized && !test->applies[clause];
}

static bool try_mutant(SelfTest *test, const Mutant *mutant)
{
  char path[4400];
  const char *filter[1];
  const Clause *clause = clause_find(mutant->clause);
  unsigned number = 1;
  Options options = *test->options;
  options.sandbox = SANDBOX_OFF;  // of libraries that are our own
  Session session;
  if (!clause) {
    printf("BROKEN    %s: the file names no clause\n", mutant->name);
    return false;
  }
  while (clause_get((ClauseId)number) != clause) ++number;
  if (is_out_of_reach(test, number)) {
    ++test->untried;
    return false;
  }
  mutant_path(test, mutant, path);
  filter[0] = clause->id;
  options.selection.filters = filter;
  options.selection.filter_count = 1;
  options.profile = INSPECT_PROFILE_RUNTIME;
  int code = session_judge(&session, path, &options, NULL);
  const CaseResult *killer = find_killer(&session.report, clause);
  if (!killer && !session_interrupted())
    printf("SURVIVED  %s: %s\n          %s\n", mutant->name, mutant->title,
           code >= EXIT_USAGE ? session.error : "every case that cites the clause passes");
  else if (killer && options.verbosity > 0)
    printf("killed    %-44s by %s\n", mutant->name, killer->instance->id);
  if (killer) test->covered[number] = true;
  session_free(&session);
  return killer != NULL;
}

// Marks the clauses that can be judged of the reference, and so of its mutants.
static void find_applicable(SelfTest *test, const RunReport *report)
{
  for (size_t i = 0; i < report->result_count; ++i) {
    const ClauseId *cited = report->results[i].instance->clauses;
    if (report->results[i].verdict == VERDICT_SKIP) continue;
    for (int c = 0; c < CASE_CLAUSES_MAX && cited[c] != CLAUSE_NONE; ++c)
      test->applies[cited[c]] = true;
  }
}

static bool judge_reference(SelfTest *test)
{
  Session session;
  if (!test->reference[0]) {
    complain("cannot find the bundled reference runtime (install it together with this program)");
    return false;
  }
  Options options = *test->options;
  options.sandbox = SANDBOX_OFF;  // of libraries that are our own
  options.gate = CLAUSE_HARDENING;
  int code = session_judge(&session, test->reference, &options, NULL);
  TextStyle style = style_for(stdout, test->options);
  test->version = session.report.reported_version;
  test->sanitized = session.library && session.library->sanitizers;
  find_applicable(test, &session.report);
  if (code >= EXIT_USAGE && code != EXIT_INCONCLUSIVE)
    complain("%s", session.error);
  else if (code != EXIT_CONFORMS)
    report_text_results(stdout, &style, &session.report);
  else
    printf("reference: %u cases passed, none failed\n",
           session.report.totals.by_verdict[VERDICT_PASS]);
  session_free(&session);
  return code == EXIT_CONFORMS;
}

// Marks the clauses that some case cites.
static void find_cases(SelfTest *test)
{
  size_t total;
  const CaseInstance *all = case_registry(&total);
  for (size_t i = 0; i < total; ++i) {
    for (int c = 0; c < CASE_CLAUSES_MAX && all[i].test->clauses[c] != CLAUSE_NONE; ++c)
      test->has_case[all[i].test->clauses[c]] = true;
    test->has_case[KER_47] |= all[i].test->promise != 0;
  }
}

// Every clause has a case, every MUST clause a killed mutant besides, or there is a reason: it
// can't be judged from outside, or it holds in a generation of the ABI that the reference, and so
// its mutants, are not of.
static bool check_coverage(SelfTest *test)
{
  size_t musts = 0, untestable = 0, elsewhere = 0, uncovered = 0;
  size_t of_modules = 0, without_case = 0;
  find_cases(test);
  for (unsigned id = 1; id < CLAUSE_COUNT; ++id) {
    const Clause *clause = clause_get((ClauseId)id);
    bool must = clause->level == CLAUSE_MUST;
    bool other = clause->until_number < test->version || clause->since_number > test->version;
    if (clause->level == CLAUSE_UNSPECIFIED || clause->scopes == CLAUSE_SCOPE_CALLER) continue;
    bool lacks_case = !test->has_case[id] && !clause->untestable;
    // What only modules promise is proven by kernels that break it, not by mutants of a runtime.
    if (!(clause->scopes & CLAUSE_PROFILE_RUNTIME)) {
      ++of_modules;
      without_case += lacks_case;
      continue;
    }
    musts += must;
    untestable += must && clause->untestable;
    elsewhere += must && other;
    bool lacks_mutant =
        must && !test->covered[id] && !clause->untestable && !other && !is_out_of_reach(test, id);
    if (!lacks_case && !lacks_mutant) continue;
    printf("UNCOVERED %s: no %s\n", clause->id, lacks_case ? "case" : "killed mutant");
    ++uncovered;
  }
  printf(
      "clauses: %zu MUST of runtimes; %zu not testable from outside, %zu of another generation; "
      "%zu uncovered\n"
      "         %zu of modules, %zu of them without a case\n",
      musts, untestable, elsewhere, uncovered, of_modules, without_case);
  return uncovered == 0;
}

// Tries all mutants and says what came of it. False if one survives or a clause is uncovered.
static bool try_mutants(SelfTest *test)
{
  for (size_t i = 0; i < test->count && !session_interrupted(); ++i)
    test->killed += try_mutant(test, &test->mutants[i]);
  if (session_interrupted()) {
    printf("interrupted: %zu of %zu mutants killed so far\n", test->killed, test->count);
    return false;
  }
  printf("mutants: %zu of %zu killed", test->killed, test->count);
  if (test->untried) printf(", %zu not applicable to a build with sanitizers", test->untried);
  printf("\n");
  bool good = test->killed + test->untried == test->count;
  if (test->options->operand_count == 0) good &= check_coverage(test);
  return good;
}

int verb_self_test(const Options *options)
{
  bool older = strcmp(options->abi, abi_generation_name(ABI_GENERATION_2025_09)) == 0;
  // Said, and not found out: a mutant may break just that by which it could be.
  Options said = *options;
  said.selection.scopes = CLAUSE_PROFILE_RUNTIME;
  said.abi = abi_generation_name(older ? ABI_GENERATION_2025_09 : ABI_GENERATION_0_1);
  SelfTest test = {.options = &said,
                   .reference = older ? places()->reference_2025_09 : places()->reference,
                   .folder = older ? places()->mutants_2025_09 : places()->mutants};
  session_catch_interrupts();
  bool known = find_mutants(&test) && has_asked_for(&test);
  bool good = known && judge_reference(&test) && try_mutants(&test);
  for (size_t i = 0; i < test.count; ++i) free(test.mutants[i].name);
  free(test.mutants);
  if (!known) return EXIT_USAGE;
  if (session_interrupted()) return EXIT_INTERRUPTED;
  return good ? EXIT_CONFORMS : EXIT_DOES_NOT_CONFORM;
}
