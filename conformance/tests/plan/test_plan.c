// SPDX-License-Identifier: Apache-2.0
// The battery as it is declared, and which cases are chosen from it.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "plan/plan.h"
#include "signature/signature.h"
#include "unit/unit.h"

// The project promises at least so many.
enum { CASES_LEAST = 150 };

static const CaseInstance *all;
static size_t total;

static void prepare(void)
{
  all = case_registry(&total);
}

static size_t count_clauses(const Case *test)
{
  size_t count = 0;
  while (count < CASE_CLAUSES_MAX && test->clauses[count] != CLAUSE_NONE) ++count;
  return count;
}

// --- The battery ---------------------------------------------------------------------------------

TEST_GROUP(battery, .setup = prepare);

TEST(the_battery_is_not_small)
{
  ck_assert_uint_ge(total, CASES_LEAST);
  ck_assert_uint_ne(case_registry_digest(), 0);
}

static int compare_ids(const void *left, const void *right)
{
  const CaseInstance *const *a = left, *const *b = right;
  return strcmp((*a)->id, (*b)->id);
}

// The chapter of an id is the file of the specification, with dashes between its words.
static bool begins_with_chapter(const char *id, const char *chapter)
{
  while (*chapter && *id == (*chapter == '_' ? '-' : *chapter)) ++id, ++chapter;
  return !*chapter && *id == '.' && isalpha((unsigned char)id[1]);
}

TEST(ids_are_words_and_unique)
{
  const CaseInstance **sorted = calloc(total, sizeof *sorted);
  for (size_t i = 0; i < total; ++i) {
    const char *id = all[i].id;
    ck_assert_msg(strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789.-") == strlen(id),
                  "%s: only a-z, 0-9, . and - make an id", id);
    ck_assert_msg(begins_with_chapter(id, all[i].test->chapter),
                  "%s: an id is its chapter, a dot, and words", id);
    ck_assert_msg(!strstr(id, "..") && !strstr(id, "--") && !strstr(id, ".-") &&
                      !strstr(id, "-.") && isalnum((unsigned char)id[strlen(id) - 1]),
                  "%s: a word is missing between two signs", id);
    sorted[i] = &all[i];
  }
  qsort(sorted, total, sizeof *sorted, compare_ids);
  for (size_t i = 1; i < total; ++i)
    ck_assert_msg(strcmp(sorted[i - 1]->id, sorted[i]->id) != 0, "%s: twice, in %s:%d and %s:%d",
                  sorted[i]->id, sorted[i - 1]->test->file, sorted[i - 1]->test->line,
                  sorted[i]->test->file, sorted[i]->test->line);
  free(sorted);
}

TEST(every_case_says_what_it_is_about)
{
  for (size_t i = 0; i < total; ++i) {
    const Case *test = all[i].test;
    ck_assert_msg(test->title && test->title[0] && !isspace((unsigned char)test->title[0]),
                  "%s: no title", all[i].id);
    ck_assert_msg(test->title[strlen(test->title) - 1] != '.', "%s: a title has no full stop",
                  all[i].id);
    ck_assert_msg(test->body != NULL, "%s: no body", all[i].id);
    ck_assert_msg(test->patience <= 20, "%s: too patient", all[i].id);
    ck_assert_msg(count_clauses(test) > 0, "%s: no clause", all[i].id);
  }
}

TEST(every_case_cites_clauses_that_can_be_judged)
{
  for (size_t i = 0; i < total; ++i) {
    const Case *test = all[i].test;
    for (size_t c = 0; c < count_clauses(test); ++c) {
      const Clause *clause = clause_get(test->clauses[c]);
      ck_assert_msg(clause != NULL, "%s: no such clause", all[i].id);
      ck_assert_msg(clause->level != CLAUSE_UNSPECIFIED, "%s: %s leaves it unspecified", all[i].id,
                    clause->id);
      ck_assert_msg(!clause->untestable, "%s: %s says that no case can judge it", all[i].id,
                    clause->id);
      for (size_t other = 0; other < c; ++other)
        ck_assert_msg(test->clauses[other] != test->clauses[c], "%s: %s twice", all[i].id,
                      clause->id);
    }
  }
}

TEST(every_chapter_is_one_of_the_spec)
{
  for (size_t i = 0; i < total; ++i) {
    bool known = false;
    for (unsigned id = 1; id < CLAUSE_COUNT; ++id)
      known |= strcmp(clause_get((ClauseId)id)->chapter, all[i].test->chapter) == 0;
    ck_assert_msg(known, "%s: there is no chapter %s", all[i].id, all[i].test->chapter);
  }
}

// They bind whoever calls, and the suite judges libraries.
TEST(no_case_cites_a_duty_of_callers)
{
  for (size_t i = 0; i < total; ++i)
    for (int c = 0; c < CASE_CLAUSES_MAX && all[i].test->clauses[c] != CLAUSE_NONE; ++c)
      ck_assert_msg(clause_get(all[i].test->clauses[c])->scopes != CLAUSE_SCOPE_CALLER, "%s",
                    all[i].id);
}

TEST(level_and_versions_come_from_the_clauses)
{
  for (size_t i = 0; i < total; ++i) {
    ClauseLevel strongest = CLAUSE_UNSPECIFIED;
    uint32_t since = 0, until = UINT32_MAX;
    unsigned looked_at = all[i].test->about_module ? CLAUSE_PROFILE_MODULE : CLAUSE_PROFILE_RUNTIME;
    unsigned scopes = 0;
    for (size_t c = 0; c < count_clauses(all[i].test); ++c) {
      const Clause *clause = clause_get(all[i].test->clauses[c]);
      if (clause->level < strongest) strongest = clause->level;
      if (clause->since_number > since) since = clause->since_number;
      if (clause->until_number < until) until = clause->until_number;
      ck_assert_msg((clause->scopes & looked_at) != 0, "%s: %s does not hold there", all[i].id,
                    clause->id);
      scopes |= clause->scopes & looked_at;
    }
    ck_assert_int_eq(all[i].level, strongest);
    ck_assert_uint_eq(all[i].since, since);
    ck_assert_uint_eq(all[i].until, until);
    ck_assert_msg(all[i].scope <= scopes && scopes < 2 * all[i].scope,
                  "%s: a clause of it has a wider scope than %s", all[i].id,
                  clause_scope_name(all[i].scope));
    ck_assert_msg(since <= until, "%s: no version keeps all of its clauses", all[i].id);
  }
}

static unsigned chapter_rank(const CaseInstance *instance)
{
  unsigned id = 1;
  while (strcmp(clause_get((ClauseId)id)->chapter, instance->test->chapter) != 0) ++id;
  return id;
}

TEST(chapters_follow_the_spec)
{
  for (size_t i = 1; i < total; ++i) {
    const CaseInstance *a = &all[i - 1], *b = &all[i];
    ck_assert_uint_le(chapter_rank(a), chapter_rank(b));
    if (chapter_rank(a) != chapter_rank(b) || strcmp(a->test->file, b->test->file) != 0) continue;
    ck_assert_int_le(a->test->line, b->test->line);
    if (a->test == b->test) ck_assert((const char *)a->row + a->test->row_size == b->row);
  }
}

TEST(a_case_is_found_by_its_id_only)
{
  for (size_t i = 0; i < total; ++i) ck_assert_ptr_eq(case_find(all[i].id), &all[i]);
  ck_assert_ptr_null(case_find(""));
  ck_assert_ptr_null(case_find("any"));
  ck_assert_ptr_null(case_find("any.no-such-case"));
}

// --- Selecting -----------------------------------------------------------------------------------

typedef struct Globs {
  const char *texts[8];
} Globs;

static Selection selection_of(Globs *filters, Globs *excludes)
{
  Selection selection = {.level = CLAUSE_HARDENING, .filters = filters->texts};
  while (filters->texts[selection.filter_count]) ++selection.filter_count;
  if (!excludes) return selection;
  selection.excludes = excludes->texts;
  while (excludes->texts[selection.exclude_count]) ++selection.exclude_count;
  return selection;
}

static size_t count_selected(Globs filters, Globs excludes)
{
  size_t count = 0;
  Selection selection = selection_of(&filters, &excludes);
  for (size_t i = 0; i < total; ++i) count += plan_selects(&selection, &all[i]);
  return count;
}

// Another way to the same number: cases whose id begins with this.
static size_t count_prefix(const char *prefix)
{
  size_t count = 0;
  for (size_t i = 0; i < total; ++i) count += strncmp(all[i].id, prefix, strlen(prefix)) == 0;
  return count;
}

static size_t count_citing(const char *clause)
{
  size_t count = 0;
  for (size_t i = 0; i < total; ++i)
    for (size_t c = 0; c < count_clauses(all[i].test); ++c)
      count += strcmp(clause_get(all[i].test->clauses[c])->id, clause) == 0;
  return count;
}

#define PLAIN "any.own-plain-value-keeps-all-bytes"

TEST(globs_pick_by_id_row_and_clause)
{
  ck_assert_uint_eq(count_selected((Globs){{NULL}}, (Globs){{NULL}}), total);
  ck_assert_uint_eq(count_selected((Globs){{PLAIN ".int-min"}}, (Globs){{NULL}}), 1);
  ck_assert_uint_eq(count_selected((Globs){{"any.*"}}, (Globs){{NULL}}), count_prefix("any."));
  ck_assert_uint_gt(count_prefix(PLAIN "."), 10);
  ck_assert_uint_eq(count_selected((Globs){{PLAIN}}, (Globs){{NULL}}), count_prefix(PLAIN "."));
  ck_assert_uint_eq(count_selected((Globs){{"ANY-4"}}, (Globs){{NULL}}), count_citing("ANY-4"));
  ck_assert_uint_eq(count_selected((Globs){{"any-4"}}, (Globs){{NULL}}), count_citing("ANY-4"));
  ck_assert_uint_gt(count_citing("ANY-4"), 0);
  ck_assert_uint_eq(count_selected((Globs){{PLAIN ".int-m[ai][nx]"}}, (Globs){{NULL}}), 2);
  ck_assert_uint_eq(count_selected((Globs){{"any"}}, (Globs){{NULL}}), 0);
  ck_assert_uint_eq(count_selected((Globs){{""}}, (Globs){{NULL}}), 0);
}

TEST(filters_add_and_excludes_take_away)
{
  size_t both = count_prefix("any.") + count_prefix("object.");
  ck_assert_uint_eq(count_selected((Globs){{"any.*", "object.*"}}, (Globs){{NULL}}), both);
  ck_assert_uint_eq(count_selected((Globs){{"any.*", "any.*"}}, (Globs){{NULL}}),
                    count_prefix("any."));
  ck_assert_uint_eq(count_selected((Globs){{NULL}}, (Globs){{"any.*", "object.*"}}), total - both);
  ck_assert_uint_eq(count_selected((Globs){{"any.*"}}, (Globs){{PLAIN}}),
                    count_prefix("any.") - count_prefix(PLAIN "."));
  ck_assert_uint_eq(count_selected((Globs){{"any.*"}}, (Globs){{"*"}}), 0);
}

TEST(the_level_bounds_what_is_picked)
{
  Selection musts = {.level = CLAUSE_MUST}, both = {.level = CLAUSE_HARDENING};
  size_t must_count = 0;
  for (size_t i = 0; i < total; ++i) {
    ck_assert_int_eq(plan_selects(&musts, &all[i]), all[i].level == CLAUSE_MUST);
    ck_assert(plan_selects(&both, &all[i]));
    must_count += all[i].level == CLAUSE_MUST;
  }
  ck_assert_uint_gt(must_count, 0);
  ck_assert_uint_lt(must_count, total);
}

// --- Plans ---------------------------------------------------------------------------------------

// Asked for by a filter, cases of the other profile are in a plan, too.
static const char *every_id[] = {"*"};

static Plan *plan_of(const Selection *selection, uint32_t version)
{
  Plan *plan = plan_make(selection, INSPECT_PROFILE_RUNTIME, version);
  ck_assert_ptr_nonnull(plan);
  return plan;
}

TEST(a_plan_is_the_battery_in_order)
{
  Selection everything = {.level = CLAUSE_HARDENING, .filters = every_id, .filter_count = 1};
  Plan *plan = plan_of(&everything, ABI_VERSION(0, 1, 15));
  size_t applicable = 0;
  ck_assert_uint_eq(plan->count, total);
  for (size_t i = 0; i < total; ++i) {
    ck_assert_ptr_eq(plan->items[i].instance, &all[i]);
    ck_assert_uint_eq(plan->items[i].index, i);
    applicable += plan->items[i].skip[0] == '\0';
  }
  ck_assert_uint_eq(plan->applicable, applicable);
  plan_free(plan);
}

TEST(shards_are_a_partition)
{
  for (unsigned shards = 1; shards <= 7; ++shards) {
    unsigned *seen = calloc(total, sizeof *seen);
    size_t least = total, most = 0;
    for (unsigned shard = 1; shard <= shards; ++shard) {
      Selection selection = {.level = CLAUSE_HARDENING,
                             .shard = shard,
                             .shards = shards,
                             .filters = every_id,
                             .filter_count = 1};
      Plan *plan = plan_of(&selection, UINT32_MAX);
      for (size_t i = 0; i < plan->count; ++i) ++seen[plan->items[i].index];
      if (plan->count < least) least = plan->count;
      if (plan->count > most) most = plan->count;
      plan_free(plan);
    }
    for (size_t i = 0; i < total; ++i)
      ck_assert_msg(seen[i] == 1, "%s is in %u of %u shards", all[i].id, seen[i], shards);
    ck_assert_uint_le(most - least, 1);
    free(seen);
  }
}

TEST(shards_are_parts_of_what_is_filtered)
{
  Globs filters = {{"any.*"}};
  size_t sum = 0;
  for (unsigned shard = 1; shard <= 3; ++shard) {
    Selection selection = selection_of(&filters, NULL);
    selection.shard = shard;
    selection.shards = 3;
    Plan *plan = plan_of(&selection, UINT32_MAX);
    ck_assert_uint_ge(plan->count, count_prefix("any.") / 3);
    sum += plan->count;
    plan_free(plan);
  }
  ck_assert_uint_eq(sum, count_prefix("any."));
}

TEST(a_shuffle_is_a_permutation_that_the_seed_decides)
{
  Selection selection = {
      .level = CLAUSE_HARDENING, .shuffle = 7, .filters = every_id, .filter_count = 1};
  Plan *first = plan_of(&selection, UINT32_MAX), *again = plan_of(&selection, UINT32_MAX);
  selection.shuffle = 8;
  Plan *other = plan_of(&selection, UINT32_MAX);
  unsigned *seen = calloc(total, sizeof *seen);
  size_t moved = 0, differing = 0;
  for (size_t i = 0; i < total; ++i) {
    ++seen[first->items[i].index];
    ck_assert_uint_eq(first->items[i].index, again->items[i].index);
    ck_assert_ptr_eq(first->items[i].instance, &all[first->items[i].index]);
    moved += first->items[i].index != i;
    differing += first->items[i].index != other->items[i].index;
  }
  for (size_t i = 0; i < total; ++i) ck_assert_uint_eq(seen[i], 1);
  ck_assert_uint_gt(moved, total / 2);
  ck_assert_uint_gt(differing, total / 2);
  free(seen);
  plan_free(first);
  plan_free(again);
  plan_free(other);
}

TEST(repetition_repeats_each_case)
{
  Globs filters = {{PLAIN}};
  Selection selection = selection_of(&filters, NULL);
  selection.repeat = 3;
  Plan *plan = plan_of(&selection, UINT32_MAX);
  ck_assert_uint_eq(plan->count, 3 * count_prefix(PLAIN "."));
  ck_assert_uint_eq(plan->applicable, plan->count);
  for (size_t i = 0; i < plan->count; ++i)
    ck_assert_ptr_eq(plan->items[i].instance, plan->items[i / 3 * 3].instance);
  plan_free(plan);
}

TEST(nothing_selected_is_an_empty_plan)
{
  Globs filters = {{"no-such-case"}};
  Selection selection = selection_of(&filters, NULL);
  Plan *plan = plan_of(&selection, UINT32_MAX);
  ck_assert_uint_eq(plan->count, 0);
  ck_assert_uint_eq(plan->applicable, 0);
  plan_free(plan);
}

// What came with a later version, or went with an earlier one, is in the plan, and it says why it
// is not run.
TEST(what_does_not_apply_says_why)
{
  const uint32_t versions[] = {ABI_VERSION(0, 1, 0), ABI_VERSION(0, 1, 9), ABI_VERSION(0, 1, 15),
                               ABI_VERSION(1, 0, 0)};
  Selection everything = {.level = CLAUSE_HARDENING, .filters = every_id, .filter_count = 1};
  size_t skipped = 0;
  for (size_t v = 0; v < sizeof versions / sizeof versions[0]; ++v) {
    Plan *plan = plan_of(&everything, versions[v]);
    ck_assert_uint_eq(plan->count, total);
    for (size_t i = 0; i < total; ++i) {
      const CaseInstance *instance = plan->items[i].instance;
      bool applies = instance->since <= versions[v] && versions[v] <= instance->until &&
                     (instance->scope & CLAUSE_PROFILE_RUNTIME);
      ck_assert_msg(applies == (plan->items[i].skip[0] == '\0'), "%s: \"%s\"", instance->id,
                    plan->items[i].skip);
      skipped += !applies;
      if (instance->since > versions[v] && (instance->scope & CLAUSE_PROFILE_RUNTIME))
        ck_assert_ptr_nonnull(strstr(plan->items[i].skip, "added in version "));
    }
    plan_free(plan);
  }
  ck_assert_uint_gt(skipped, 0);
  Plan *module = plan_make(&everything, INSPECT_PROFILE_MODULE, ABI_VERSION(0, 1, 15));
  for (size_t i = 0; i < total; ++i)
    if (!(all[i].scope & CLAUSE_PROFILE_MODULE))
      ck_assert_str_eq(module->items[i].skip, "for the runtime profile");
  ck_assert_uint_lt(module->applicable, total);
  plan_free(module);
}

// Cases of other scopes are in the plan, with the reason; what is found out is told from what is asked for.
TEST(scopes_select)
{
  for (int found = 0; found <= 1; ++found) {
    Selection core = {
        .level = CLAUSE_HARDENING, .scopes = CLAUSE_SCOPE_CORE, .scopes_found = found};
    Plan *plan = plan_of(&core, ABI_VERSION(0, 1, 15));
    size_t outside = 0;
    for (size_t i = 0; i < plan->count; ++i) {
      const PlanItem *item = &plan->items[i];
      bool applies = item->instance->scope == CLAUSE_SCOPE_CORE;
      outside += !applies;
      if (applies) continue;
      ck_assert(item->not_applicable);
      ck_assert_ptr_nonnull(
          strstr(item->skip, found ? ": the library shows no sign of it" : ": not selected (--sc"));
    }
    ck_assert_uint_gt(outside, 0);
    ck_assert_uint_lt(outside, plan->count);
    plan_free(plan);
  }
}

// A case about a function is in the plan for a module once for each function, under its name; what
// it needs to know of the function decides whether it applies.
TEST(a_module_is_planned_by_function)
{
  Kernel kernels[2] = {{.name = "known", .source = KERNEL_FROM_METADATA}, {.name = "unknown"}};
  KernelList list = {.items = kernels, .count = 2};
  const char *about[] = {"kernel.arity-one-more"}, *second[] = {"kernel.*@unknown"};
  Selection selection = {.level = CLAUSE_HARDENING, .filters = about, .filter_count = 1};
  Plan *plan = plan_make_module(&selection, &list, ABI_VERSION(0, 1, 15));
  ck_assert_ptr_nonnull(plan);
  ck_assert_uint_eq(plan->count, 2);
  ck_assert_uint_eq(plan->applicable, 1);
  ck_assert_str_eq(plan->items[0].instance->id, "kernel.arity-one-more@known");
  ck_assert_ptr_eq(plan->items[0].instance->kernel, &kernels[0]);
  ck_assert_str_eq(plan->items[0].skip, "");
  ck_assert_str_eq(plan->items[1].skip, "its signature is unknown (--signatures)");
  ck_assert_ptr_eq(&all[plan->items[0].index], case_find("kernel.arity-one-more@known"));
  plan_free(plan);
  selection.filters = second;
  plan = plan_make_module(&selection, &list, ABI_VERSION(0, 1, 15));
  ck_assert_uint_gt(plan->count, 1);
  for (size_t i = 0; i < plan->count; ++i)
    ck_assert_ptr_eq(plan->items[i].instance->kernel, &kernels[1]);
  ck_assert(plan_glob_matches(plan, "@known"));
  ck_assert(plan_glob_matches(plan, "kernel.arity-one-more@unknown"));
  ck_assert(!plan_glob_matches(plan, "@nobody"));
  plan_free(plan);
}

// Of many functions some are tried in full, evenly spread; of the others what MUST clauses say of calls
// that are not explored.
TEST(many_functions_share_the_time)
{
  enum { FUNCTIONS = 60, FULL = 7 };
  static Kernel kernels[FUNCTIONS];
  KernelList list = {.items = kernels, .count = FUNCTIONS};
  for (int i = 0; i < FUNCTIONS; ++i) {
    kernels[i].source = KERNEL_FROM_FILE;
    snprintf(kernels[i].name, sizeof kernels[i].name, "f_%02d", i);
  }
  const char *about[] = {"kernel.refusal-raises-an-error", "kernel.error-kind",
                         "kernel.choice-is-explored"};
  const char *one[] = {"@f_30"};
  Selection selection = {
      .level = CLAUSE_HARDENING, .filters = about, .filter_count = 3, .in_full = FULL};
  Plan *plan = plan_make_module(&selection, &list, ABI_VERSION(0, 1, 15));
  ck_assert_uint_eq(plan->count, 3 * FUNCTIONS);
  ck_assert_uint_eq(plan->sharing, FUNCTIONS);
  unsigned full = 0, gap = 0;
  for (size_t i = 0; i < plan->count; ++i) {
    const PlanItem *item = &plan->items[i];
    const bool basic = strncmp(item->instance->id, "kernel.refusal-raises", 21) == 0;
    ck_assert_msg(!basic || !item->skip[0], "%s: %s", item->instance->id, item->skip);
    ck_assert(!item->not_applicable);
    if (basic) continue;
    full += !item->skip[0];
    gap = item->skip[0] ? gap + 1 : 0;
    ck_assert_uint_lt(gap, FUNCTIONS / FULL + 1);
    ck_assert(!item->skip[0] || strstr(item->skip, "7 of 60 functions"));
  }
  ck_assert_uint_eq(full, 2 * FULL);
  plan_free(plan);
  selection.filters = one;
  selection.filter_count = 1;
  plan = plan_make_module(&selection, &list, ABI_VERSION(0, 1, 15));
  ck_assert_uint_eq(plan->sharing, 0);
  for (size_t i = 0; i < plan->count; ++i) ck_assert(!strstr(plan->items[i].skip, "shared"));
  plan_free(plan);
  selection = (Selection){.level = CLAUSE_HARDENING, .filters = about, .filter_count = 3};
  plan = plan_make_module(&selection, &list, ABI_VERSION(0, 1, 15));
  ck_assert_uint_eq(plan->sharing, 0);
  ck_assert_uint_eq(plan->applicable, 3 * FUNCTIONS);
  plan_free(plan);
}

TEST(a_glob_matches_what_there_is)
{
  static const char *const known[] = {"any.*", "ANY-4", "any-?", "kernel.arity-one-more", "*"};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i)
    ck_assert_msg(plan_glob_matches(NULL, known[i]), "%s", known[i]);
  static const char *const unknown[] = {"", "anny.*", "ANY-9999", "CON-63", "@known"};
  for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; ++i)
    ck_assert_msg(!plan_glob_matches(NULL, unknown[i]), "%s", unknown[i]);
  const char *filter[] = {"CON-6[23]"};
  Selection selection = {.level = CLAUSE_HARDENING, .filters = filter, .filter_count = 1};
  ck_assert(plan_selects_clause(&selection, CON_63));
  ck_assert(!plan_selects_clause(&selection, CON_61));
  selection.level = CLAUSE_MUST;
  ck_assert(!plan_selects_clause(&selection, CON_63));
}

TEST(a_long_name_keeps_ids_apart)
{
  Kernel left = {.name = ""}, right = {.name = ""};
  memset(left.name, 'a', sizeof left.name - 1);
  memset(right.name, 'a', sizeof right.name - 1);
  right.name[sizeof right.name - 2] = 'b';
  const CaseInstance *instance = case_find("kernel.arity-one-more");
  CaseInstance a = case_bind(instance, &left, NULL), b = case_bind(instance, &right, NULL);
  ck_assert_str_ne(a.id, b.id);
  ck_assert_uint_lt(strlen(a.id), CASE_ID_MAX);
  ck_assert_ptr_eq(case_find(a.id), instance);
}

TEST(what_a_signature_file_rules_out_must_be_refused)
{
  Kernel kernel = {.name = "f", .promises = SIGNATURE_CHECKS_DTYPE};
  const CaseInstance *instance = case_find("buffer.wrong-dtype.int");
  CaseInstance bound = case_bind(instance, &kernel, NULL);
  ck_assert_int_eq(instance->level, CLAUSE_SHOULD);
  ck_assert_int_eq(bound.level, CLAUSE_MUST);
  ck_assert_int_eq(bound.clauses[0], KER_47);
  ck_assert_int_eq(bound.clauses[1], BUF_5);
  ck_assert_int_eq(bound.clauses[2], CLAUSE_NONE);
  ck_assert_uint_eq(case_promise(&bound), SIGNATURE_CHECKS_DTYPE);

  // Other checks, rows that no file is about, and functions without a file stay as they are.
  static const char *const others[] = {"buffer.rank-one-more", "buffer.wrong-dtype.handle"};
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
    bound = case_bind(case_find(others[i]), &kernel, NULL);
    ck_assert_int_eq(bound.level, CLAUSE_SHOULD);
    ck_assert_int_ne(bound.clauses[0], KER_47);
  }
  kernel.promises = 0;
  bound = case_bind(instance, &kernel, NULL);
  ck_assert_int_eq(bound.level, CLAUSE_SHOULD);
  ck_assert_int_eq(bound.clauses[0], BUF_5);
}

// Cases that are about something that the function has not are not run.
TEST(what_a_function_lacks_is_told_without_a_call)
{
  Kernel kernel = {.name = "f", .parameter_count = 1};
  static const struct {
    const char *id, *lack;
    KernelKind kind;  // of the parameter with which it is about the function; KERNEL_ANY: none
    bool unconcerned;
  } rows[] = {
      {"kernel.callback-is-not-kept", "none of its parameters is a function", KERNEL_FUNCTION,
       true},
      {"kernel.atomic-value", "it takes no tensor", KERNEL_ANY, false},
      {"kernel.repeatable", "no signature file promises it (\"promises\")", KERNEL_ANY, false},
      {"kernel.output-in-place", "no signature file describes it (--signatures)", KERNEL_ANY,
       false},
      {"argument.string-spellings.raw",
       "none of its parameters is one, or takes this spelling and another", KERNEL_STRING, false},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    const CaseInstance *instance = case_find(rows[i].id);
    ck_assert_ptr_null(case_lack(instance, true));
    kernel.parameters[0].kind = KERNEL_INT;
    CaseInstance bound = case_bind(instance, &kernel, NULL);
    ck_assert_str_eq(case_lack(&bound, true), rows[i].lack);
    ck_assert(instance->test->unconcerned == rows[i].unconcerned);
    kernel.parameters[0].kind = rows[i].kind;
    if (rows[i].kind != KERNEL_ANY) ck_assert_ptr_null(case_lack(&bound, true));
  }
  CaseInstance bound = case_bind(case_find("kernel.right-call"), &kernel, NULL);
  ck_assert_ptr_null(case_lack(&bound, true));
}

// A case that makes the right call first may find that this crashes: it is run until that was seen.
TEST(what_is_lacking_behind_the_right_call_needs_that_it_is_served)
{
  static const char *const ids[] = {"buffer.inside.strides", "buffer.inside-other.rank",
                                    "argument.nul-does-not-end-a-string",
                                    "buffer.strides.rows-apart"};
  Kernel kernel = {.name = "f", .parameter_count = 1};
  for (size_t i = 0; i < sizeof ids / sizeof *ids; ++i) {
    CaseInstance bound = case_bind(case_find(ids[i]), &kernel, NULL);
    ck_assert_ptr_null(case_lack(&bound, false));
    ck_assert_ptr_nonnull(case_lack(&bound, true));
  }
  ck_assert(case_find("kernel.right-call")->test->sees_right_call);
  CaseInstance bound = case_bind(case_find("buffer.host-leaves-device-memory"), &kernel, NULL);
  ck_assert_ptr_nonnull(case_lack(&bound, false));
}

// No clause may have ended yet, so the test lets one end.
TEST(what_ended_with_an_earlier_version_says_so)
{
  CaseInstance *changed;
  memcpy(&changed, &(const CaseInstance *){&all[0]}, sizeof changed);
  changed->since = 0;
  changed->until = ABI_VERSION(0, 1, 5);
  Selection everything = {.level = CLAUSE_HARDENING, .filters = every_id, .filter_count = 1};
  Plan *plan = plan_of(&everything, ABI_VERSION(0, 1, 5));
  ck_assert_str_eq(plan->items[0].skip, "");
  plan_free(plan);
  plan = plan_of(&everything, ABI_VERSION(0, 1, 6));
  ck_assert_str_eq(plan->items[0].skip, "removed after version 0.1.5");
  plan_free(plan);
}

// --- Suggestions ---------------------------------------------------------------------------------

static void expect_nearest(const char *text, const char *beginning)
{
  const char *nearest[3] = {"", "", ""};
  ck_assert_uint_eq(plan_nearest(text, nearest, 3), 3);
  ck_assert_msg(strncasecmp(nearest[0], beginning, strlen(beginning)) == 0, "%s: %s, %s, %s", text,
                nearest[0], nearest[1], nearest[2]);
}

TEST(suggestions_are_near)
{
  expect_nearest("functon.*", "function.");
  expect_nearest("fucntion.call*", "function.");
  expect_nearest("objetc.*", "object.");
  expect_nearest("Eror.?*", "error.");
  expect_nearest("any.own-plain-value-keeps-all-byte.int-min", PLAIN ".int-min");
  expect_nearest("own-plain-value-keeps-all-bytes.int-min", PLAIN ".int-min");
  expect_nearest("ANY4", "ANY-4");
  expect_nearest("any-400", "ANY-4");
  expect_nearest("OBJ_7", "OBJ-7");
}

TEST(suggestions_have_bounds)
{
  const char *nearest[64];
  ck_assert_uint_eq(plan_nearest("any", nearest, 0), 0);
  ck_assert_uint_eq(plan_nearest("any", nearest, 1), 1);
  ck_assert_uint_le(plan_nearest("any", nearest, 64), 8);
}

// Nothing is near to these.
TEST(suggestions_are_not_far_fetched)
{
  static const char *const texts[] = {"nope",
                                      "",
                                      "***",
                                      "x",
                                      "no-such-case",
                                      "build/libfoo_ffi.so",
                                      "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"};
  const char *nearest[4];
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i)
    ck_assert_msg(plan_nearest(texts[i], nearest, 4) == 0, "%s: %s", texts[i], nearest[0]);
}
