// SPDX-License-Identifier: Apache-2.0
#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "digest.h"
#include "plan/case.h"

// Filled by the linker: one pointer for every CASE and CASE_ROWS of the program.
extern const Case *const __start_tvmffi_cases[] __attribute__((weak));
extern const Case *const __stop_tvmffi_cases[] __attribute__((weak));

static CaseInstance *instances;
static size_t instance_count;
static pthread_once_t built = PTHREAD_ONCE_INIT;

// The place of a chapter in the spec: the number of its first clause; chapters the spec lacks come
// last.
static unsigned place_of_chapter(const char *chapter)
{
  for (unsigned id = 1; id < CLAUSE_COUNT; ++id)
    if (strcmp(clause_get((ClauseId)id)->chapter, chapter) == 0) return id;
  return CLAUSE_COUNT;
}

static int compare_instances(const void *left, const void *right)
{
  const CaseInstance *a = left, *b = right;
  if (a->place != b->place) return a->place < b->place ? -1 : 1;
  int order = strcmp(a->test->file, b->test->file);
  if (order != 0) return order;
  if (a->test->line != b->test->line) return a->test->line < b->test->line ? -1 : 1;
  return a->row < b->row ? -1 : a->row > b->row;
}

static void write_id(CaseInstance *instance, const char *row_name)
{
  int length = snprintf(instance->id, sizeof instance->id, "%s.%s%s%s", instance->test->chapter,
                        instance->test->ident, row_name ? "." : "", row_name ? row_name : "");
  if (length < 0 || (size_t)length >= sizeof instance->id) {
    fprintf(stderr, "%s:%d: the id of this case is longer than %d bytes\n", instance->test->file,
            instance->test->line, CASE_ID_MAX - 1);
    abort();
  }
  for (char *c = instance->id; *c; ++c)
    if (*c == '_') *c = '-';
}

// The scope that a case with clauses of both needs: compiled C++ code builds on the functions that
// the frontends call, and these on the core.
static unsigned wider_scope(unsigned one, unsigned other)
{
  return one > other ? one : other;
}

// Level, scope and versions of a case follow from the clauses it cites.
static void derive_from_clauses(CaseInstance *instance)
{
  instance->level = CLAUSE_UNSPECIFIED;
  unsigned of_profile =
      instance->test->about_module ? CLAUSE_PROFILE_MODULE : CLAUSE_PROFILE_RUNTIME;
  bool holds_there = true;
  instance->until = UINT32_MAX;
  for (int i = 0; i < CASE_CLAUSES_MAX && instance->clauses[i] != CLAUSE_NONE; ++i) {
    const Clause *clause = clause_get(instance->clauses[i]);
    if (clause->level < instance->level) instance->level = clause->level;
    if (clause->since_number > instance->since) instance->since = clause->since_number;
    if (clause->until_number < instance->until) instance->until = clause->until_number;
    instance->scope = wider_scope(instance->scope, clause->scopes & of_profile);
    holds_there = holds_there && (clause->scopes & of_profile);
  }
  if (!holds_there) instance->scope = 0;
}

static void build(void)
{
  size_t cases = (size_t)(__stop_tvmffi_cases - __start_tvmffi_cases), total = 0;
  for (size_t i = 0; i < cases; ++i) {
    const Case *test = __start_tvmffi_cases[i];
    total += test->rows ? test->row_count : 1;
  }
  instances = calloc(total ? total : 1, sizeof *instances);
  if (!instances) abort();
  const char *chapter = "";
  unsigned place = CLAUSE_COUNT;
  for (size_t i = 0; i < cases; ++i) {
    const Case *test = __start_tvmffi_cases[i];
    // The cases of a file come one after the other.
    if (strcmp(chapter, test->chapter) != 0) place = place_of_chapter(test->chapter);
    chapter = test->chapter;
    for (size_t row = 0; row < (test->rows ? test->row_count : 1); ++row) {
      CaseInstance *instance = &instances[instance_count++];
      instance->test = test;
      instance->place = place;
      instance->row = test->rows ? (const char *)test->rows + row * test->row_size : NULL;
      memcpy(instance->clauses, test->clauses, sizeof instance->clauses);
      write_id(instance, instance->row ? *(const char *const *)instance->row : NULL);
      derive_from_clauses(instance);
    }
  }
  qsort(instances, instance_count, sizeof *instances, compare_instances);
}

const CaseInstance *case_registry(size_t *count)
{
  pthread_once(&built, build);
  *count = instance_count;
  return instances;
}

static const char *const aliases[][2] = {
#define CASE_ALIAS(former, current) {former, current},
#include "case_aliases.def"
    {NULL, NULL},
};

const char *case_current_id(const char *id)
{
  for (size_t i = 0; aliases[i][0]; ++i)
    if (strcmp(aliases[i][0], id) == 0) return aliases[i][1];
  return id;
}

const CaseInstance *case_find(const char *id)
{
  id = case_current_id(id);
  size_t count, length = strcspn(id, "@");
  const CaseInstance *all = case_registry(&count);
  for (size_t i = 0; i < count; ++i) {
    if (strncmp(all[i].id, id, length) != 0 || all[i].id[length]) continue;
    return id[length] && !all[i].test->per_kernel ? NULL : &all[i];
  }
  return NULL;
}

char *case_base_id(const CaseInstance *instance, char id[CASE_ID_MAX])
{
  strcpy(id, instance->id);
  id[strcspn(id, "@")] = '\0';
  // The row's name may hold dots itself.
  if (instance->row) id[strlen(id) - strlen(*(const char *const *)instance->row) - 1] = '\0';
  return id;
}

// Whether the row of the case is one that no signature file is about.
static bool is_unpromised(const CaseInstance *instance)
{
  if (!instance->row || !instance->test->unpromised) return false;
  const char *row = *(const char *const *)instance->row;
  size_t size = strlen(row);
  for (const char *at = instance->test->unpromised; *at; at += strcspn(at, " ") + 1)
    if (strncmp(at, row, size) == 0 && at[size] == ' ') return true;
  return false;
}

unsigned case_promise(const CaseInstance *instance)
{
  return is_unpromised(instance) ? 0 : instance->test->promise & instance->kernel->promises;
}

// Puts the clause in front of the others. A case that has as many as there may be loses the last.
static void judge_promise(CaseInstance *instance)
{
  const ClauseId promise = KER_47;
  if (!case_promise(instance)) return;
  memmove(&instance->clauses[1], instance->clauses, sizeof promise * (CASE_CLAUSES_MAX - 1));
  instance->clauses[0] = promise;
  if (clause_get(promise)->level < instance->level) instance->level = clause_get(promise)->level;
}

const char *case_lack(const CaseInstance *instance, bool served)
{
  const Case *test = instance->test;
  if (!instance->kernel || !test->lacks || (test->after_right_call && !served)) return NULL;
  return test->lacks(instance);
}

CaseInstance case_bind(const CaseInstance *instance, const Kernel *kernel,
                       const Signature *signature)
{
  CaseInstance bound = *instance;
  bound.kernel = kernel;
  bound.signature = signature;
  judge_promise(&bound);
  char label[KERNEL_LABEL_MAX];
  const char *name = kernel_label(kernel, label);
  size_t length = strlen(bound.id), room = sizeof bound.id - length;
  int needed = snprintf(bound.id + length, room, "@%s", name);
  if (needed > 0 && (size_t)needed < room) return bound;
  uint64_t digest = digest_bytes(DIGEST_START, name, strlen(name));
  snprintf(bound.id + sizeof bound.id - 10, 10, "~%08x", (unsigned)(digest ^ digest >> 32));
  return bound;
}

uint64_t case_registry_digest(void)
{
  size_t count;
  const CaseInstance *all = case_registry(&count);
  uint64_t digest = DIGEST_START;
  for (size_t i = 0; i < count; ++i) {
    digest = digest_bytes(digest, all[i].id, strlen(all[i].id) + 1);
    for (int c = 0; c < CASE_CLAUSES_MAX && all[i].test->clauses[c] != CLAUSE_NONE; ++c)
      digest = digest_bytes(digest, &clause_get(all[i].test->clauses[c])->digest, sizeof(uint64_t));
  }
  return digest;
}
