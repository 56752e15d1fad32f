// SPDX-License-Identifier: Apache-2.0
#include "plan/plan.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "plan/random.h"

// fnmatch, which takes its time even for globs that are none.
static bool matches(const char *glob, const char *text)
{
  if (!strpbrk(glob, "*?[\\")) return strcasecmp(glob, text) == 0;
  return fnmatch(glob, text, FNM_CASEFOLD) == 0;
}

// A glob matches a case by its id, with or without the function that it is bound to, by that
// function ("@add_*"), by one of its clauses, or by the id of the case that it is a row of. An alias
// of a case matches it, too.
static bool glob_matches(const char *glob, const CaseInstance *instance)
{
  glob = case_current_id(glob);
  if (matches(glob, instance->id)) return true;
  char base[CASE_ID_MAX];
  size_t function = strcspn(instance->id, "@");
  if (instance->id[function]) {
    if (matches(glob, instance->id + function)) return true;
    snprintf(base, sizeof base, "%.*s", (int)function, instance->id);
    if (matches(glob, base)) return true;
  }
  if (instance->row && matches(glob, case_base_id(instance, base))) return true;
  for (int i = 0; i < CASE_CLAUSES_MAX && instance->clauses[i] != CLAUSE_NONE; ++i)
    if (matches(glob, clause_get(instance->clauses[i])->id)) return true;
  return false;
}

static bool any_glob_matches(const char **globs, size_t count, const CaseInstance *instance)
{
  for (size_t i = 0; i < count; ++i)
    if (glob_matches(globs[i], instance)) return true;
  return false;
}

bool plan_selects(const Selection *selection, const CaseInstance *instance)
{
  if (instance->level > selection->level) return false;
  if (selection->filter_count &&
      !any_glob_matches(selection->filters, selection->filter_count, instance))
    return false;
  return !any_glob_matches(selection->excludes, selection->exclude_count, instance);
}

bool plan_selects_clause(const Selection *selection, ClauseId id)
{
  const Clause *clause = clause_get(id);
  const Case bare = {.chapter = clause->chapter};
  const CaseInstance stand_in = {.test = &bare, .clauses = {id}, .level = clause->level};
  Selection wide = *selection;
  if (wide.level == CLAUSE_HARDENING) wide.level = CLAUSE_UNSPECIFIED;
  return plan_selects(&wide, &stand_in);
}

bool plan_glob_matches(const Plan *plan, const char *glob)
{
  size_t total;
  const CaseInstance *all = case_registry(&total);
  for (size_t i = 0; i < total; ++i)
    if (glob_matches(glob, &all[i])) return true;
  for (size_t i = 0; plan && i < plan->bound_count; ++i)
    if (glob_matches(glob, &plan->bound[i])) return true;
  return false;
}

static unsigned profile_bit(InspectProfile profile)
{
  return profile == INSPECT_PROFILE_MODULE ? CLAUSE_PROFILE_MODULE : CLAUSE_PROFILE_RUNTIME;
}

// Why a selected case can't be judged on this library; leaves `skip` empty if it can.
static void write_skip(PlanItem *item, const Selection *selection, InspectProfile profile,
                       uint32_t version)
{
  char text[16];
  unsigned scope = item->instance->scope;
  if (!(scope & profile_bit(profile)))
    snprintf(item->skip, sizeof item->skip, "for the %s profile",
             profile == INSPECT_PROFILE_MODULE ? "runtime" : "module");
  else if (profile == INSPECT_PROFILE_RUNTIME && selection->scopes && !(scope & selection->scopes))
    snprintf(
        item->skip, sizeof item->skip, "scope %s: %s", clause_scope_name(scope),
        selection->scopes_found ? "the library shows no sign of it" : "not selected (--scope)");
  else if (item->instance->since > version && version == ABI_VERSION_2025_09)
    snprintf(item->skip, sizeof item->skip, "generation 0.1 only: added in version %s",
             abi_version_text(item->instance->since, text));
  else if (item->instance->since > version)
    snprintf(item->skip, sizeof item->skip, "added in version %s",
             abi_version_text(item->instance->since, text));
  else if (item->instance->until == ABI_VERSION_2025_09 && version != ABI_VERSION_2025_09)
    snprintf(item->skip, sizeof item->skip, "generation 2025-09 only");
  else if (item->instance->until < version)
    snprintf(item->skip, sizeof item->skip, "removed after version %s",
             abi_version_text(item->instance->until, text));
}

static void shuffle(Plan *plan, uint64_t seed)
{
  for (size_t i = plan->count; i > 1; --i) {
    size_t other = random_below(&seed, i);
    PlanItem held = plan->items[i - 1];
    plan->items[i - 1] = plan->items[other];
    plan->items[other] = held;
  }
}

// --- Making a plan -------------------------------------------------------------------------------

typedef struct Making {
  const Selection *selection;
  InspectProfile profile;
  uint32_t version;
  Plan *plan;
  size_t selected;
  const KernelList *kernels;
  bool *chosen;      // own; of each bound instance, whether it is selected
  size_t *ranks;     // own; of each function, how many before it are selected
  size_t functions;  // that are selected
} Making;

// Whether one of the functions that are tried in full: all of a few, of many some, evenly spread.
static bool is_in_full(const Making *making, size_t kernel)
{
  const size_t share = making->selection->in_full;
  if (making->plan->sharing == 0) return true;
  const size_t at = making->ranks[kernel] * share;
  return at / making->functions != (at + share) / making->functions;
}

// What a case finds out of a function of which nothing else is tried.
static bool is_basic(const CaseInstance *instance)
{
  return instance->level == CLAUSE_MUST && !instance->test->explores;
}

// Puts the instance, the `index`-th of the registry, into the plan; one that is about a function, if it
// is tried in full, or that needs no more.
static void take_instance(Making *making, const CaseInstance *instance, size_t index, bool in_full)
{
  const Selection *selection = making->selection;
  bool of_profile = instance->scope & profile_bit(making->profile);
  if (!of_profile && selection->filter_count == 0) return;
  if (selection->shards && making->selected++ % selection->shards != selection->shard - 1) return;
  for (unsigned turn = 0; turn < (selection->repeat ? selection->repeat : 1); ++turn) {
    PlanItem *item = &making->plan->items[making->plan->count++];
    item->instance = instance;
    item->index = (unsigned)index;
    item->shares = !in_full;
    write_skip(item, selection, making->profile, making->version);
    item->not_applicable = item->skip[0] != '\0';
    if (!item->skip[0] && instance->kernel)
      item->not_applicable = kernel_meets(instance->kernel, instance->test->needs, item->skip,
                                          sizeof item->skip) == KERNEL_NOT_APPLICABLE;
    if (!item->skip[0] && !in_full && !is_basic(instance))
      snprintf(item->skip, sizeof item->skip,
               "the time is shared: %u of %zu functions are tried in full (--in-full)",
               selection->in_full, making->functions);
    making->plan->applicable += item->skip[0] == '\0';
  }
}

static size_t count_per_kernel(const CaseInstance *all, size_t total)
{
  size_t count = 0;
  for (size_t i = 0; i < total; ++i) count += all[i].test->per_kernel;
  return count;
}

const Kernel *plan_subject(const CaseInstance *instance, const KernelList *kernels, size_t k)
{
  bool about_call = instance->test->needs & KERNEL_NEEDS_LOST_CALL;
  bool lost = kernels->lost_calls && kernels->items[k].lost == KERNEL_LOST_ENDED;
  if (about_call && lost) return &kernels->lost_calls[k];
  return instance->test->needs & KERNEL_NEEDS_OTHER && kernels->drafts ? &kernels->drafts[k]
                                                                       : &kernels->items[k];
}

// Binds each case about a function to each of them, and finds out which functions are selected.
static void bind_all(Making *making, const CaseInstance *all, size_t total)
{
  const KernelList *kernels = making->kernels;
  Plan *plan = making->plan;
  for (size_t i = 0; i < total; ++i)
    for (size_t k = 0; all[i].test->per_kernel && k < kernels->count; ++k) {
      CaseInstance *bound = &plan->bound[plan->bound_count];
      *bound =
          case_bind(&all[i], plan_subject(&all[i], kernels, k), kernel_list_signature(kernels, k));
      if (all[i].test->needs & KERNEL_NEEDS_OTHER) bound->module = kernels;
      making->chosen[plan->bound_count++] = plan_selects(making->selection, bound);
      making->ranks[k] |= making->chosen[plan->bound_count - 1];
    }
  for (size_t k = 0; k < kernels->count; ++k) {
    const size_t selected = making->ranks[k];
    making->ranks[k] = making->functions;
    making->functions += selected;
  }
  const size_t share = making->selection->in_full;
  plan->sharing = share > 0 && making->functions > share ? making->functions : 0;
}

// A case about functions, whose rows are those from `first` up to `behind`, and bound from `at` on. The rows of a
// function that is not tried in full come one after the other, so that a process can run several.
static void take_rows(Making *making, size_t first, size_t behind, size_t at)
{
  const size_t functions = making->kernels->count;
  const bool regroup = making->plan->sharing && behind - first > 1;
  for (size_t i = first; i < behind; ++i)
    for (size_t k = 0; k < functions; ++k) {
      const size_t bound = at + (i - first) * functions + k;
      const bool in_full = is_in_full(making, k);
      if (making->chosen[bound] && (in_full || !regroup))
        take_instance(making, &making->plan->bound[bound], i, in_full);
    }
  for (size_t k = 0; k < functions && regroup; ++k)
    for (size_t i = first; i < behind; ++i) {
      const size_t bound = at + (i - first) * functions + k;
      if (making->chosen[bound] && !is_in_full(making, k))
        take_instance(making, &making->plan->bound[bound], i, false);
    }
}

static void take_all(Making *making, const CaseInstance *all, size_t total)
{
  size_t at = 0;
  for (size_t i = 0, behind; i < total; i = behind) {
    for (behind = i + 1; behind < total && all[behind].test == all[i].test;) ++behind;
    if (making->kernels && all[i].test->per_kernel) {
      take_rows(making, i, behind, at);
      at += (behind - i) * making->kernels->count;
      continue;
    }
    for (size_t row = i; row < behind; ++row)
      if (plan_selects(making->selection, &all[row])) take_instance(making, &all[row], row, true);
  }
}

static Plan *make(const Selection *selection, InspectProfile profile, uint32_t version,
                  const KernelList *kernels)
{
  size_t total;
  const CaseInstance *all = case_registry(&total);
  unsigned repeat = selection->repeat ? selection->repeat : 1;
  Plan *plan = calloc(1, sizeof *plan);
  if (!plan) return NULL;
  size_t bound_count = kernels ? count_per_kernel(all, total) * kernels->count : 0;
  plan->items = calloc((total + bound_count + 1) * (size_t)repeat, sizeof *plan->items);
  plan->bound = calloc(bound_count + 1, sizeof *plan->bound);
  Making making = {.selection = selection,
                   .profile = profile,
                   .version = version,
                   .plan = plan,
                   .kernels = kernels,
                   .chosen = calloc(bound_count + 1, sizeof *making.chosen),
                   .ranks = calloc(kernels ? kernels->count + 1 : 1, sizeof *making.ranks)};
  if (plan->items && plan->bound && making.chosen && making.ranks) {
    if (kernels) bind_all(&making, all, total);
    take_all(&making, all, total);
    if (selection->shuffle) shuffle(plan, selection->shuffle);
  } else {
    plan_free(plan);
    plan = NULL;
  }
  free(making.chosen);
  free(making.ranks);
  return plan;
}

Plan *plan_make(const Selection *selection, InspectProfile profile, uint32_t version)
{
  return make(selection, profile, version, NULL);
}

Plan *plan_make_module(const Selection *selection, const KernelList *kernels, uint32_t version)
{
  return make(selection, INSPECT_PROFILE_MODULE, version, kernels);
}

void plan_free(Plan *plan)
{
  if (!plan) return;
  free(plan->items);
  free(plan->bound);
  free(plan);
}

enum { NEAREST_TEXT_MAX = 127, NEAREST_SCORE = 256 };

static unsigned smallest(unsigned a, unsigned b, unsigned c)
{
  unsigned least = a < b ? a : b;
  return least < c ? least : c;
}

typedef struct Distance {
  unsigned whole;   // edits that turn one text into the other
  unsigned prefix;  // edits that turn the left text into the beginning of the right one
} Distance;

// Letters count as the same in either case; texts are cut at NEAREST_TEXT_MAX bytes.
static Distance distance(const char *left, const char *right)
{
  size_t n = strnlen(left, NEAREST_TEXT_MAX), m = strnlen(right, NEAREST_TEXT_MAX);
  unsigned row[NEAREST_TEXT_MAX + 1];
  for (size_t j = 0; j <= m; ++j) row[j] = (unsigned)j;
  for (size_t i = 1; i <= n; ++i) {
    unsigned diagonal = row[0];
    row[0] = (unsigned)i;
    for (size_t j = 1; j <= m; ++j) {
      unsigned above = row[j];
      bool same = tolower((unsigned char)left[i - 1]) == tolower((unsigned char)right[j - 1]);
      row[j] = smallest(above + 1, row[j - 1] + 1, diagonal + !same);
      diagonal = above;
    }
  }
  Distance result = {row[m], row[0]};
  for (size_t j = 1; j <= m; ++j) result.prefix = row[j] < result.prefix ? row[j] : result.prefix;
  return result;
}

typedef struct Nearest {
  const char **out;
  unsigned *scores;
  size_t count, capacity;
} Nearest;

static void consider(Nearest *nearest, const char *text, const char *candidate)
{
  // A text that occurs in an id is nearer than any number of edits; what begins alike is nearer
  // than what is as long. One letter occurs everywhere, and a text of which a third has to be
  // edited was meant to be something else.
  size_t length = strlen(text);
  Distance edits = distance(text, candidate);
  bool occurs = length > 1 && strcasestr(candidate, text);
  if (!length || (!occurs && edits.prefix > (length + 1) / 3)) return;
  unsigned score = (occurs ? 0 : edits.prefix + 1) * NEAREST_SCORE + edits.whole;
  size_t at = nearest->count;
  while (at > 0 && nearest->scores[at - 1] > score) --at;
  if (at >= nearest->capacity) return;
  if (nearest->count < nearest->capacity) ++nearest->count;
  for (size_t i = nearest->count - 1; i > at; --i) {
    nearest->out[i] = nearest->out[i - 1];
    nearest->scores[i] = nearest->scores[i - 1];
  }
  nearest->out[at] = candidate;
  nearest->scores[at] = score;
}

size_t plan_nearest(const char *text, const char *out[], size_t capacity)
{
  unsigned scores[8];
  char plain[NEAREST_TEXT_MAX + 1];
  size_t length = 0;
  Nearest nearest = {out, scores, 0, capacity < 8 ? capacity : 8};
  for (; *text && length < NEAREST_TEXT_MAX; ++text)
    if (!strchr("*?[]\\", *text)) plain[length++] = *text;
  plain[length] = '\0';
  size_t total;
  const CaseInstance *all = case_registry(&total);
  for (size_t i = 0; i < total; ++i) consider(&nearest, plain, all[i].id);
  for (unsigned id = 1; id < CLAUSE_COUNT; ++id)
    consider(&nearest, plain, clause_get((ClauseId)id)->id);
  return nearest.count;
}
