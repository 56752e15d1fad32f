// SPDX-License-Identifier: Apache-2.0
#include "judge/waivers.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/json_file.h"
#include "plan/plan.h"

// What is being read, for messages.
typedef struct Reading {
  const char *path, *today;
  char *error;
  size_t error_size;
  size_t index;  // of the entry
} Reading;

__attribute__((format(printf, 2, 3))) static bool complain(Reading *reading, const char *format,
                                                           ...)
{
  char message[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  snprintf(reading->error, reading->error_size, "%s: %s", reading->path, message);
  return false;
}

// --- Which cases an entry names ------------------------------------------------------------------

// Length of the part before ".*", or 0 if the text does not end so.
static size_t rows_of(const char *case_id)
{
  size_t length = strlen(case_id);
  return length > 2 && strcmp(case_id + length - 2, ".*") == 0 ? length - 2 : 0;
}

// Length of the id of the case that the instance is a row of, or 0.
static size_t base_length(const CaseInstance *instance)
{
  if (!instance->row) return 0;
  const char *row_name = *(const char *const *)instance->row;
  return strlen(instance->id) - strlen(row_name) - 1;
}

bool waivers_names(const Waiver *waiver, const char *case_id)
{
  size_t base = rows_of(waiver->case_id), function = strcspn(case_id, "@");
  // Without a function it names the case for each of them.
  if (base == 0 && strncmp(waiver->case_id, case_id, function) == 0 && !waiver->case_id[function])
    return true;
  if (base == 0) return strcmp(waiver->case_id, case_id) == 0;
  if (strncmp(waiver->case_id, case_id, base) != 0 || case_id[base] != '.') return false;
  const CaseInstance *instance = case_find(case_id);
  return instance && base_length(instance) == base;
}

static bool names_a_case(const char *case_id)
{
  size_t base = rows_of(case_id), count;
  if (base == 0) return case_find(case_id) != NULL;
  const CaseInstance *all = case_registry(&count);
  for (size_t i = 0; i < count; ++i)
    if (base_length(&all[i]) == base && strncmp(all[i].id, case_id, base) == 0) return true;
  return false;
}

static bool in_force(const Waiver *waiver, uint32_t version)
{
  return waiver->since <= version && version <= waiver->until;
}

const Waiver *waivers_find(const WaiverSet *set, const char *case_id, uint32_t version)
{
  const Waiver *by_rows = NULL;
  for (size_t i = 0; set && i < set->count; ++i) {
    const Waiver *waiver = &set->items[i];
    if (!in_force(waiver, version) || !waivers_names(waiver, case_id)) continue;
    if (rows_of(waiver->case_id) == 0) return waiver;
    by_rows = waiver;
  }
  return by_rows;
}

// --- Members of an entry -------------------------------------------------------------------------

static bool complain_of_unknown_case(Reading *reading, const char *case_id)
{
  const char *nearest[8];
  char names[3 * (CASE_ID_MAX + 2)] = "", shown[JSON_FILE_QUOTE_SIZE];
  const Clause *clause = clause_find(case_id);
  if (clause)
    return complain(reading, "waivers[%zu].case is the clause %s, not a case", reading->index,
                    clause->id);
  size_t found = plan_nearest(case_id, nearest, 8), length = 0;
  for (size_t i = 0, cases = 0; i < found && cases < 3; ++i) {
    if (!case_find(nearest[i])) continue;  // a clause; waivers name cases
    length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", cases ? ", " : "",
                               nearest[i]);
    ++cases;
  }
  return complain(reading, "waivers[%zu].case is unknown: \"%s\"%s%s%s", reading->index,
                  json_file_quote(case_id, shown), length ? " (nearest: " : "", names,
                  length ? ")" : "");
}

static bool is_blank(const char *text)
{
  return text[strspn(text, " \t\r\n")] == '\0';
}

static bool two_digits(const char *text, int least, int most)
{
  int value = (text[0] - '0') * 10 + (text[1] - '0');
  return isdigit((unsigned char)text[0]) && isdigit((unsigned char)text[1]) && value >= least &&
         value <= most;
}

bool waivers_is_date(const char *text)
{
  if (strlen(text) != 10 || text[4] != '-' || text[7] != '-') return false;
  if (!two_digits(text, 0, 99) || !two_digits(text + 2, 0, 99)) return false;
  if (!two_digits(text + 5, 1, 12)) return false;
  static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  int year = atoi(text), month = atoi(text + 5);
  bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return two_digits(text + 8, 1, days[month - 1] + (month == 2 && leap));
}

static bool parse_version(const char *text, uint32_t *version)
{
  uint32_t parts[3];
  for (int i = 0; i < 3; ++i) {
    size_t digits = strspn(text, "0123456789");
    if (digits < 1 || digits > 4) return false;
    parts[i] = (uint32_t)strtoul(text, NULL, 10);
    text += digits;
    if (parts[i] > 1023 || *text != (i < 2 ? '.' : '\0')) return false;
    text += i < 2;
  }
  *version = ABI_VERSION(parts[0], parts[1], parts[2]);
  return true;
}

static bool read_version(Reading *reading, const char *member, const char *text, uint32_t *version)
{
  char shown[JSON_FILE_QUOTE_SIZE];
  if (!text || parse_version(text, version)) return true;
  return complain(reading, "waivers[%zu].%s is not a version: \"%s\" (write it as \"0.1.9\")",
                  reading->index, member, json_file_quote(text, shown));
}

static bool check_expiry(Reading *reading, const Waiver *waiver)
{
  char shown[JSON_FILE_QUOTE_SIZE];
  if (!waiver->expires) return true;
  if (!waivers_is_date(waiver->expires))
    return complain(reading,
                    "waivers[%zu].expires is not a date: \"%s\" (write it as \"2027-01-31\")",
                    reading->index, json_file_quote(waiver->expires, shown));
  if (strcmp(waiver->expires, reading->today) < 0)
    return complain(reading,
                    "waivers[%zu] for %s expired on %s (fix the deviation, or set a later date)",
                    reading->index, waiver->case_id, waiver->expires);
  return true;
}

// --- Entries -------------------------------------------------------------------------------------

enum {
  MEMBER_CASE,
  MEMBER_REASON,
  MEMBER_URL,
  MEMBER_EXPIRES,
  MEMBER_SINCE,
  MEMBER_UNTIL,
  MEMBER_EXCEPT,
  MEMBER_COUNT
};

static const char *const members[MEMBER_COUNT] = {"case",  "reason", "url",   "expires",
                                                  "since", "until",  "except"};

// Finds the texts of an entry (borrowed from it); refuses members that are unknown or no text.
static bool find_members(Reading *reading, json_t *entry, const char *texts[MEMBER_COUNT])
{
  const char *key;
  json_t *value;
  char shown[JSON_FILE_QUOTE_SIZE];
  if (!json_is_object(entry))
    return complain(reading, "waivers[%zu] must be an object with \"case\" and \"reason\"",
                    reading->index);
  json_object_foreach(entry, key, value)
  {
    int member = 0;
    while (member < MEMBER_COUNT && strcmp(members[member], key) != 0) ++member;
    if (member == MEMBER_COUNT)
      return complain(
          reading,
          "waivers[%zu].%s is unknown (known: case, reason, url, expires, since, until, except)",
          reading->index, json_file_quote(key, shown));
    if (!json_is_string(value))
      return complain(reading, "waivers[%zu].%s must be a string", reading->index, key);
    texts[member] = json_string_value(value);
  }
  return true;
}

static bool copy_text(char **copy, const char *text)
{
  if (!text) return true;
  *copy = strdup(text);
  return *copy != NULL;
}

static bool fill(Reading *reading, const char *const texts[MEMBER_COUNT], Waiver *waiver)
{
  if (!texts[MEMBER_CASE])
    return complain(reading, "waivers[%zu] lacks \"case\", the id of a case", reading->index);
  if (!names_a_case(texts[MEMBER_CASE]))
    return complain_of_unknown_case(reading, texts[MEMBER_CASE]);
  if (!texts[MEMBER_REASON] || is_blank(texts[MEMBER_REASON]))
    return complain(reading, "waivers[%zu] for %s lacks \"reason\", why the case may fail",
                    reading->index, texts[MEMBER_CASE]);
  if (!copy_text(&waiver->case_id, case_current_id(texts[MEMBER_CASE])) ||
      !copy_text(&waiver->reason, texts[MEMBER_REASON]) ||
      !copy_text(&waiver->url, texts[MEMBER_URL]) ||
      !copy_text(&waiver->expires, texts[MEMBER_EXPIRES]) ||
      !copy_text(&waiver->except, texts[MEMBER_EXCEPT]))
    return complain(reading, "out of memory");
  waiver->until = UINT32_MAX;
  if (!read_version(reading, "since", texts[MEMBER_SINCE], &waiver->since) ||
      !read_version(reading, "until", texts[MEMBER_UNTIL], &waiver->until))
    return false;
  if (waiver->since > waiver->until)
    return complain(reading, "waivers[%zu] for %s ends (\"until\") before it begins (\"since\")",
                    reading->index, waiver->case_id);
  return check_expiry(reading, waiver);
}

static bool is_alone(Reading *reading, const WaiverSet *set, const Waiver *waiver)
{
  for (size_t i = 0; i < reading->index; ++i) {
    const Waiver *other = &set->items[i];
    if (strcmp(other->case_id, waiver->case_id) != 0) continue;
    if (other->since <= waiver->until && waiver->since <= other->until)
      return complain(reading, "waivers[%zu] overlaps waivers[%zu] for %s (remove one)",
                      reading->index, i, waiver->case_id);
  }
  return true;
}

static bool fill_set(Reading *reading, json_t *root, WaiverSet *set)
{
  json_t *list = json_object_get(root, "waivers");
  if (!json_is_array(list) || json_object_size(root) != 1)
    return complain(reading, "must be an object with one member, the list \"waivers\"");
  set->items = calloc(json_array_size(list) + 1, sizeof *set->items);
  if (!set->items) return complain(reading, "out of memory");
  for (reading->index = 0; reading->index < json_array_size(list); ++reading->index) {
    const char *texts[MEMBER_COUNT] = {NULL};
    Waiver *waiver = &set->items[set->count++];
    if (!find_members(reading, json_array_get(list, reading->index), texts) ||
        !fill(reading, texts, waiver) || !is_alone(reading, set, waiver))
      return false;
  }
  return true;
}

// --- The file ------------------------------------------------------------------------------------

WaiverSet *waivers_read_text(const char *path, const char *text, size_t size, const char *today,
                             char *error, size_t error_size)
{
  Reading reading = {path, today, error, error_size, 0};
  json_t *root = json_file_parse(path, text, size, NULL, error, error_size);
  if (!root) return NULL;
  WaiverSet *set = calloc(1, sizeof *set);
  bool good = false;
  if (!set || !copy_text(&set->path, path))
    complain(&reading, "out of memory");
  else
    good = fill_set(&reading, root, set);
  json_decref(root);
  if (good) return set;
  waivers_free(set);
  return NULL;
}

WaiverSet *waivers_read(const char *path, const char *today, char *error, size_t error_size)
{
  size_t size;
  char *text = json_file_load(path, WAIVERS_FILE_MAX, &size, error, error_size);
  WaiverSet *set = text ? waivers_read_text(path, text, size, today, error, error_size) : NULL;
  free(text);
  return set;
}

// Whether the name is in the list, which has commas and spaces between names.
static bool names_release(const char *list, const char *release)
{
  size_t length = strlen(release);
  for (; list && *list; list += strspn(list, ", ")) {
    size_t size = strcspn(list, ", ");
    if (size == length && strncmp(list, release, length) == 0) return true;
    list += size;
  }
  return false;
}

static void clear(Waiver *waiver)
{
  free(waiver->case_id);
  free(waiver->reason);
  free(waiver->url);
  free(waiver->expires);
  free(waiver->except);
}

void waivers_leave_out(WaiverSet *set, const char *release)
{
  size_t kept = 0;
  for (size_t i = 0; set && i < set->count; ++i) {
    if (names_release(set->items[i].except, release))
      clear(&set->items[i]);
    else
      set->items[kept++] = set->items[i];
  }
  if (set) set->count = kept;
}

void waivers_free(WaiverSet *set)
{
  if (!set) return;
  for (size_t i = 0; i < set->count; ++i) clear(&set->items[i]);
  free(set->items);
  free(set->path);
  free(set);
}
