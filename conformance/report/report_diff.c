// SPDX-License-Identifier: Apache-2.0
#include "report/report_diff.h"

#include <stdlib.h>
#include <string.h>

#include "report/facts.h"
#include "report/json_build.h"

// "regression", "fix", "new", "gone", "racing".
static const char *kind_name(DiffKind kind)
{
  static const char *const names[DIFF_KINDS] = {"regression", "fix", "new", "gone", "racing"};
  return names[kind];
}

static bool ran(const ReadCase *one)
{
  return one && report_read_rank(one->verdict) >= 0;
}

static void note(ReportDiff *diff, const ReadCase *was, const ReadCase *now, DiffKind kind)
{
  diff->changes[diff->count++] = (DiffChange){kind, was, now};
  ++diff->by_kind[kind];
}

static void compare_verdicts(ReportDiff *diff, const ReadCase *was, const ReadCase *now)
{
  int step = report_read_rank(now->verdict) - report_read_rank(was->verdict);
  if (step == 0)
    ++diff->same;
  else if (was->races || now->races)
    note(diff, was, now, DIFF_RACING);
  else
    note(diff, was, now, step > 0 ? DIFF_REGRESSION : DIFF_FIX);
}

static void compare_case(ReportDiff *diff, const ReadCase *was, const ReadCase *now)
{
  if (ran(was) && ran(now)) {
    compare_verdicts(diff, was, now);
  } else if (ran(now)) {
    // Nobody knows what it would have said before: bad news is bad.
    note(diff, was, now, report_read_counts(now) ? DIFF_REGRESSION : DIFF_NEW);
  } else if (ran(was)) {
    note(diff, was, now, DIFF_GONE);
  }
}

bool report_diff(const ReadReport *old, const ReadReport *new, ReportDiff *out)
{
  *out = (ReportDiff){.old = old, .new = new};
  out->changes = calloc(old->case_count + new->case_count + 1, sizeof *out->changes);
  if (!out->changes) return false;
  size_t i = 0, j = 0;
  while (i < old->case_count || j < new->case_count) {
    const ReadCase *was = i < old->case_count ? &old->cases[i] : NULL;
    const ReadCase *now = j < new->case_count ? &new->cases[j] : NULL;
    int order = !was ? 1 : !now ? -1 : strcmp(was->id, now->id);
    compare_case(out, order <= 0 ? was : NULL, order >= 0 ? now : NULL);
    i += order <= 0;
    j += order >= 0;
  }
  return true;
}

void report_diff_free(ReportDiff *diff)
{
  free(diff->changes);
  diff->changes = NULL;
}

// --- JSON ----------------------------------------------------------------------------------------

static json_t *side_object(JsonBuild *build, const ReadReport *report)
{
  json_t *object = json_object(), *library = json_object_get(report->root, "library");
  json_put(build, object, "name", json_clean_string(report->library));
  json_put(build, object, "sha256",
           json_clean_string(json_string_value(json_object_get(library, "sha256"))));
  json_put(build, object, "reported_version", json_clean_or_null(report->version));
  json_put(build, object, "profile", json_clean_string(report->profile));
  json_put(
      build, object, "standing",
      report->has_standing ? json_string(verdict_standing_name(report->standing)) : json_null());
  json_put(build, object, "cases", json_unsigned(report->case_count));
  json_put(build, object, "partial", json_boolean(report->partial));
  return object;
}

static json_t *verdict_or_null(const ReadCase *one)
{
  return one ? json_string(judge_verdict_name(one->verdict)) : json_null();
}

static json_t *change_object(JsonBuild *build, const DiffChange *change)
{
  const ReadCase *shown = change->now ? change->now : change->was;
  json_t *object = json_object();
  json_put(build, object, "id", json_clean_string(shown->id));
  json_put(build, object, "kind", json_string(kind_name(change->kind)));
  json_put(build, object, "level", json_string(clause_level_name(shown->level)));
  // Ids of clauses are plain: the reader has seen to that.
  json_put(build, object, "clauses", json_deep_copy(json_object_get(shown->raw, "clauses")));
  json_put(build, object, "old", verdict_or_null(change->was));
  json_put(build, object, "new", verdict_or_null(change->now));
  return object;
}

static json_t *counts_object(JsonBuild *build, const ReportDiff *diff)
{
  json_t *object = json_object();
  for (int kind = 0; kind < DIFF_KINDS; ++kind)
    json_put(build, object, kind_name((DiffKind)kind), json_unsigned(diff->by_kind[kind]));
  json_put(build, object, "same", json_unsigned(diff->same));
  return object;
}

static json_t *document(JsonBuild *build, const ReportDiff *diff)
{
  json_t *root = json_object(), *changes = json_array();
  for (size_t i = 0; i < diff->count; ++i)
    json_add(build, changes, change_object(build, &diff->changes[i]));
  json_put(build, root, "format", json_string("tvmffi-conform-diff/1"));
  json_put(build, root, "old", side_object(build, diff->old));
  json_put(build, root, "new", side_object(build, diff->new));
  json_put(build, root, "counts", counts_object(build, diff));
  json_put(build, root, "changes", changes);
  return root;
}

int report_diff_json(const ReportDiff *diff, const char *path, char *error, size_t error_size)
{
  JsonBuild build = {.failed = false};
  json_t *root = document(&build, diff);
  return json_save(root, build.failed, "the JSON report", path, error, error_size);
}
