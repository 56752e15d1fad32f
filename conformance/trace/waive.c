// SPDX-License-Identifier: Apache-2.0
#include "trace/waive.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/json_file.h"
#include "judge/waivers.h"

enum { FILE_SIZE_MAX = 1 << 20 };

typedef struct Waived {
  CheckId check;
  const char *library, *symbol, *reason;  // borrowed from the root; NULL: any
} Waived;

struct TraceWaivers {
  json_t *root;
  Waived *items;
  size_t count;
};

// What is being read, for messages.
typedef struct Reading {
  const char *path, *today;
  char *error;
  size_t error_size, index;
} Reading;

#define COMPLAIN(reading, ...) \
  (snprintf((reading)->error, (reading)->error_size, __VA_ARGS__), false)

enum { CHECK_NAME, LIBRARY, SYMBOL, REASON, URL, EXPIRES, MEMBERS };
static const char *const members[MEMBERS] = {"check",  "library", "symbol",
                                             "reason", "url",     "expires"};

static bool find_members(Reading *reading, json_t *entry, const char *texts[MEMBERS])
{
  const char *key;
  json_t *value;
  char shown[JSON_FILE_QUOTE_SIZE];
  if (!json_is_object(entry))
    return COMPLAIN(reading, "%s: waivers[%zu] must be an object with \"check\" and \"reason\"",
                    reading->path, reading->index);
  json_object_foreach(entry, key, value)
  {
    int member = 0;
    while (member < MEMBERS && strcmp(members[member], key) != 0) ++member;
    if (member == MEMBERS)
      return COMPLAIN(reading,
                      "%s: waivers[%zu].%s is unknown (known: check, library, symbol, reason, url, "
                      "expires)",
                      reading->path, reading->index, json_file_quote(key, shown));
    if (!json_is_string(value))
      return COMPLAIN(reading, "%s: waivers[%zu].%s must be a string", reading->path,
                      reading->index, key);
    texts[member] = json_string_value(value);
  }
  return true;
}

static bool fill(Reading *reading, json_t *entry, Waived *out)
{
  const char *texts[MEMBERS] = {NULL};
  char shown[JSON_FILE_QUOTE_SIZE];
  if (!find_members(reading, entry, texts)) return false;
  size_t check = 0;
  while (texts[CHECK_NAME] && check < CHECK_COUNT &&
         strcmp(checks[check].name, texts[CHECK_NAME]) != 0)
    ++check;
  if (!texts[CHECK_NAME])
    return COMPLAIN(reading, "%s: waivers[%zu] lacks \"check\", the name of a check", reading->path,
                    reading->index);
  if (check == CHECK_COUNT)
    return COMPLAIN(reading, "%s: waivers[%zu].check is unknown: \"%s\" (reports name checks)",
                    reading->path, reading->index, json_file_quote(texts[CHECK_NAME], shown));
  if (!texts[REASON] || !texts[REASON][strspn(texts[REASON], " \t\r\n")])
    return COMPLAIN(reading, "%s: waivers[%zu] for %s lacks \"reason\", why it may be found",
                    reading->path, reading->index, texts[CHECK_NAME]);
  if (texts[EXPIRES] && !waivers_is_date(texts[EXPIRES]))
    return COMPLAIN(reading,
                    "%s: waivers[%zu].expires is not a date: \"%s\" (write it as \"2027-01-31\")",
                    reading->path, reading->index, json_file_quote(texts[EXPIRES], shown));
  if (texts[EXPIRES] && strcmp(texts[EXPIRES], reading->today) < 0)
    return COMPLAIN(
        reading, "%s: waivers[%zu] for %s expired on %s (fix what is found, or set a later date)",
        reading->path, reading->index, texts[CHECK_NAME], texts[EXPIRES]);
  *out = (Waived){(CheckId)check, texts[LIBRARY], texts[SYMBOL], texts[REASON]};
  return true;
}

static bool fill_all(Reading *reading, TraceWaivers *waivers)
{
  json_t *list = json_object_get(waivers->root, "waivers");
  if (!json_is_array(list) || json_object_size(waivers->root) != 1)
    return COMPLAIN(reading, "%s: must be an object with one member, the list \"waivers\"",
                    reading->path);
  waivers->items = calloc(json_array_size(list) + 1, sizeof *waivers->items);
  if (!waivers->items) return COMPLAIN(reading, "%s: out of memory", reading->path);
  for (; reading->index < json_array_size(list); ++reading->index)
    if (!fill(reading, json_array_get(list, reading->index), &waivers->items[waivers->count++]))
      return false;
  return true;
}

TraceWaivers *trace_waivers_read(const char *path, const char *today, char *error,
                                 size_t error_size)
{
  size_t size;
  Reading reading = {path, today, error, error_size, 0};
  TraceWaivers *waivers = calloc(1, sizeof *waivers);
  char *text = json_file_load(path, FILE_SIZE_MAX, &size, error, error_size);
  if (waivers && text) waivers->root = json_file_parse(path, text, size, NULL, error, error_size);
  free(text);
  if (!waivers) snprintf(error, error_size, "out of memory");
  if (waivers && waivers->root && fill_all(&reading, waivers)) return waivers;
  trace_waivers_free(waivers);
  return NULL;
}

void trace_waivers_free(TraceWaivers *waivers)
{
  if (!waivers) return;
  json_decref(waivers->root);
  free(waivers->items);
  free(waivers);
}

// --- Findings ------------------------------------------------------------------------------------

static bool is_at(const Waived *waived, const TracePlace *place)
{
  const char *slash = strrchr(place->library, '/');
  const char *name = slash ? slash + 1 : place->library;
  return (!waived->library || fnmatch(waived->library, name, 0) == 0) &&
         (!waived->symbol || fnmatch(waived->symbol, place->symbol ? place->symbol : "", 0) == 0);
}

static bool concerns(const Waived *waived, const TraceFinding *finding)
{
  const TracePlace *blamed = trace_blamed(finding);
  if (waived->check != finding->check) return false;
  return blamed ? is_at(waived, blamed)
                : is_at(waived, &finding->caller) || is_at(waived, &finding->callee);
}

bool trace_waives_check(const TraceWaivers *waivers, CheckId check)
{
  for (size_t i = 0; i < waivers->count; ++i)
    if (waivers->items[i].check == check) return true;
  return false;
}

const char *trace_waives(const TraceWaivers *waivers, const TraceFinding *finding)
{
  for (size_t i = 0; i < waivers->count; ++i)
    if (concerns(&waivers->items[i], finding)) return waivers->items[i].reason;
  return NULL;
}

void trace_waive(Trace *trace, const TraceWaivers *waivers)
{
  for (size_t i = 0; i < waivers->count; ++i) {
    size_t found = 0;
    for (size_t j = 0; j < trace->finding_count; ++j) {
      TraceFinding *finding = &trace->findings[j];
      if (!concerns(&waivers->items[i], finding)) continue;
      ++found;
      if (!finding->waived) finding->waived = waivers->items[i].reason;
    }
    trace->unused_waivers += found == 0;
  }
}

TraceCounts trace_count(const Trace *trace)
{
  TraceCounts counts = {0, 0, 0};
  for (size_t i = 0; i < trace->finding_count; ++i) {
    const TraceFinding *finding = &trace->findings[i];
    ++*(finding->waived                 ? &counts.waived
        : checks[finding->check].advice ? &counts.advice
                                        : &counts.errors);
  }
  return counts;
}
