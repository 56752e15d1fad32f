// SPDX-License-Identifier: Apache-2.0
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/judge.h"
#include "judge/save.h"

static bool set_text(json_t *entry, const char *member, const char *text)
{
  return !text || json_object_set_new(entry, member, json_string(text)) == 0;
}

static bool set_version(json_t *entry, const char *member, uint32_t version,
                        uint32_t when_not_given)
{
  char text[16];
  return version == when_not_given || set_text(entry, member, abi_version_text(version, text));
}

static bool append(json_t *list, const char *case_id, const Waiver *like)
{
  json_t *entry = json_object();
  if (entry && set_text(entry, "case", case_id) && set_text(entry, "reason", like->reason) &&
      set_text(entry, "url", like->url) && set_text(entry, "expires", like->expires) &&
      set_text(entry, "except", like->except) && set_version(entry, "since", like->since, 0) &&
      set_version(entry, "until", like->until, UINT32_MAX))
    return json_array_append_new(list, entry) == 0;
  json_decref(entry);
  return false;
}

// True if an earlier result is of the same case and verdict: the case ran more than once.
static bool was_seen(const RunReport *report, size_t index)
{
  const CaseResult *result = &report->results[index];
  for (size_t i = index; i-- > 0;)
    if (report->results[i].instance == result->instance &&
        report->results[i].verdict == result->verdict)
      return true;
  return false;
}

static bool is_disproved(const RunReport *report, const Waiver *waiver)
{
  for (size_t i = 0; i < report->result_count; ++i)
    if (report->results[i].waiver == waiver && report->results[i].verdict == VERDICT_XPASS)
      return true;
  return false;
}

// An entry that still holds, or that this run could not judge, stays; of one that covers rows of
// which some passed, an entry a row that failed.
static bool append_old(json_t *list, const RunReport *report, const Waiver *waiver)
{
  for (size_t i = 0; i < report->unmatched_count; ++i)
    if (report->unmatched[i] == waiver) return true;
  if (!is_disproved(report, waiver)) return append(list, waiver->case_id, waiver);
  for (size_t i = 0; i < report->result_count; ++i) {
    const CaseResult *result = &report->results[i];
    if (result->waiver != waiver || result->verdict != VERDICT_XFAIL || was_seen(report, i))
      continue;
    if (!append(list, result->instance->id, waiver)) return false;
  }
  return true;
}

static bool append_all(json_t *list, const RunReport *report, char *reason)
{
  for (size_t i = 0; report->waivers && i < report->waivers->count; ++i)
    if (!append_old(list, report, &report->waivers->items[i])) return false;
  const Waiver fresh = {.reason = reason, .until = UINT32_MAX};
  for (size_t i = 0; i < report->result_count; ++i) {
    const CaseResult *result = &report->results[i];
    if (result->verdict != VERDICT_FAIL || !judge_counts_against(report, result)) continue;
    if (!was_seen(report, i) && !append(list, result->instance->id, &fresh)) return false;
  }
  return true;
}

int waivers_write(const RunReport *report, const char *path, const char *today, char *error,
                  size_t error_size)
{
  char reason[80];
  snprintf(reason, sizeof reason, "recorded by --write-waivers on %s (replace with the reason)",
           today);
  char *text = NULL, *whole = NULL;
  int length = -1;
  json_t *root = json_object(), *list = json_array();
  bool good = list && append_all(list, report, reason);
  if (root && good && json_object_set(root, "waivers", list) == 0)
    text = json_dumps(root, JSON_INDENT(2));
  if (text) length = asprintf(&whole, "%s\n", text);
  int status = -1;
  if (length < 0)
    snprintf(error, error_size,
             "cannot write the waivers: %s: out of memory, or a string is not UTF-8", path);
  else
    status = save_file(path, "the waivers", whole, (size_t)length, error, error_size);
  if (length >= 0) free(whole);
  free(text);
  json_decref(list);
  json_decref(root);
  return status;
}
