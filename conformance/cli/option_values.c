// SPDX-License-Identifier: Apache-2.0
#include "cli/option_values.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool parse_unsigned(const char *text, unsigned long long least, unsigned long long most,
                           unsigned long long *out)
{
  char *end;
  errno = 0;
  if (*text < '0' || *text > '9') return false;
  *out = strtoull(text, &end, 10);
  return errno == 0 && *end == '\0' && *out >= least && *out <= most;
}

// --- Values of one kind --------------------------------------------------------------------------

// The number of the word among those of "a|b|c", or -1.
static int find_word(const char *words, const char *value)
{
  size_t length = strlen(value);
  for (int i = 0;; ++i) {
    size_t size = strcspn(words, "|");
    if (size == length && memcmp(words, value, size) == 0) return i;
    if (!words[size]) return -1;
    words += size + 1;
  }
}

// "a, b or c" for "a|b|c".
static const char *expected_word(const char *words)
{
  static char text[128];
  char *out = text;
  const char *last = strrchr(words, '|');
  for (; *words && out < text + sizeof text - 8; ++words) {
    if (*words == '|')
      out = stpcpy(out, words == last ? " or " : ", ");
    else
      *out++ = *words;
  }
  *out = '\0';
  return text;
}

static const char *expected_number(const OptionTarget *target)
{
  static char text[64];
  if (target->most < UINT64_MAX)
    snprintf(text, sizeof text, "a number from %llu to %llu", (unsigned long long)target->least,
             (unsigned long long)target->most);
  else
    snprintf(text, sizeof text, "a whole number from %llu", (unsigned long long)target->least);
  return text;
}

static const char *take_number(const OptionTarget *target, void *member, const char *value)
{
  unsigned long long number;
  if (!parse_unsigned(value, target->least, target->most, &number)) return expected_number(target);
  if (target->kind == OPTION_UNSIGNED)
    *(unsigned *)member = (unsigned)number;
  else
    *(uint64_t *)member = number;
  return NULL;
}

static const char *take_word(const Option *option, void *member, const char *value)
{
  int number = find_word(option->argument, value);
  if (number < 0) return expected_word(option->argument);
  unsigned chosen = (unsigned)(option->target.least + (uint64_t)number);
  if (option->target.kind == OPTION_WORD)
    *(const char **)member = value;
  else
    memcpy(member, &chosen, sizeof chosen);  // an enum
  return NULL;
}

const char *option_take(const Option *option, Options *options, const char *value)
{
  void *member = (char *)options + option->target.offset;
  switch (option->target.kind) {
    case OPTION_FLAG:
      *(bool *)member = true;
      return NULL;
    case OPTION_TEXT:
      *(const char **)member = value;
      return NULL;
    case OPTION_WORD:
    case OPTION_CHOICE:
      return take_word(option, member, value);
    case OPTION_UNSIGNED:
    case OPTION_UINT64:
      return take_number(&option->target, member, value);
    case OPTION_TAKEN_BY:
      break;
  }
  return option->target.take(options, value);
}

// --- Values of their own form --------------------------------------------------------------------

const char *option_take_device(Options *options, const char *value)
{
  unsigned long long number = 0;
  options->device = value;
  options->cuda = 0;
  if (strcmp(value, "fake") == 0 || strcmp(value, "stand-in") == 0) return NULL;
  bool numbered = strncmp(value, "cuda:", 5) == 0 && parse_unsigned(value + 5, 0, 63, &number);
  if (!numbered && strcmp(value, "cuda") != 0)
    return "stand-in, fake, or cuda:N with N from 0 to 63";
  options->cuda = (uint32_t)number + 1;
  return NULL;
}

const char *option_take_filter(Options *options, const char *value)
{
  if (options->selection.filter_count == OPTION_LIST_MAX) return "at most 64 of them";
  options->filters[options->selection.filter_count++] = value;
  return NULL;
}

const char *option_take_read(Options *options, const char *value)
{
  if (options->read_count == OPTION_LIST_MAX) return "at most 64 of them";
  options->reads[options->read_count++] = value;
  return NULL;
}

const char *option_take_exclude(Options *options, const char *value)
{
  if (options->selection.exclude_count == OPTION_LIST_MAX) return "at most 64 of them";
  options->excludes[options->selection.exclude_count++] = value;
  return NULL;
}

const char *option_take_level(Options *options, const char *value)
{
  if (strcasecmp(value, "must") == 0)
    options->selection.level = CLAUSE_MUST;
  else if (strcasecmp(value, "should") == 0)
    options->selection.level = CLAUSE_SHOULD;
  else if (strcasecmp(value, "hardening") == 0)
    options->selection.level = CLAUSE_HARDENING;
  else
    return "must, should or hardening";
  return NULL;
}

const char *option_take_gate(Options *options, const char *value)
{
  int level = find_word("must|should|hardening", value);
  size_t length = strlen(value);
  bool is_file = length > 5 && strcmp(value + length - 5, ".json") == 0;
  if (level < 0 && !is_file) return "must, should, hardening, or a file that ends in .json";
  options->gate_file = level < 0 ? value : NULL;
  if (level >= 0) options->gate = (ClauseLevel)level;
  return NULL;
}

const char *option_take_scope(Options *options, const char *value)
{
  static const char expected[] = "core, frontend, headers, several of them with commas, or auto";
  options->selection.scopes = 0;
  if (strcmp(value, "auto") == 0) return NULL;
  for (const char *end; *value; value = end + (*end == ',')) {
    unsigned scope = CLAUSE_SCOPE_CORE;
    end = value + strcspn(value, ",");
    for (; scope & CLAUSE_PROFILE_RUNTIME; scope <<= 1) {
      const char *name = clause_scope_name(scope);
      if (strlen(name) == (size_t)(end - value) && strncmp(name, value, strlen(name)) == 0) break;
    }
    if (!(scope & CLAUSE_PROFILE_RUNTIME)) return expected;
    options->selection.scopes |= scope;
  }
  return options->selection.scopes ? NULL : expected;
}

const char *option_take_strict(Options *options, const char *value)
{
  (void)value;
  options->gate_file = NULL;
  options->gate = CLAUSE_SHOULD;
  return NULL;
}

static const char *take_seconds(const char *value, uint64_t *out)
{
  char *end;
  double seconds = strtod(value, &end);
  if (strcmp(end, "ms") == 0)
    seconds /= 1000;
  else if (strcmp(end, "s") != 0 && *end != '\0')
    return "a time such as 2s or 500ms";
  if (!(seconds >= 0.001 && seconds <= 86400)) return "a time from 1ms to 86400s, such as 2s";
  *out = (uint64_t)(seconds * 1e9);
  return NULL;
}

const char *option_take_timeout(Options *options, const char *value)
{
  return take_seconds(value, &options->timeout_ns);
}

const char *option_take_hang_budget(Options *options, const char *value)
{
  if (strcmp(value, "0") != 0) return take_seconds(value, &options->hang_budget_ns);
  options->hang_budget_ns = 0;
  return NULL;
}

const char *option_take_timeout_scale(Options *options, const char *value)
{
  char *end;
  double scale = strtod(value, &end);
  if (*end || !(scale >= 0.01 && scale <= 10000)) return "a factor from 0.01 to 10000";
  options->timeout_scale = scale;
  return NULL;
}

// The kinds of reports, and the verbs that write them.
static const struct {
  const char *name;
  unsigned verbs;
} report_kinds[] = {{"json", V(run) | V(bench) | V(inspect) | V(diff) | V(trace) | V(replay)},
                    {"junit", V(run) | V(trace)},
                    {"tap", V(run)},
                    {"sarif", V(inspect) | V(trace)},
                    {"text", V(trace)},
                    {"functions", V(trace)},
                    {"folded", V(trace)},
                    {"chrome", V(trace)}};

const char *options_report_kind(const Verb *verb, size_t index)
{
  for (size_t i = 0; i < sizeof report_kinds / sizeof report_kinds[0]; ++i)
    if ((report_kinds[i].verbs & verb->bit) && index-- == 0) return report_kinds[i].name;
  return NULL;
}

// "KIND:PATH with KIND one of json, sarif, and PATH a file or -"
static const char *expected_report(const Verb *verb)
{
  static char text[128];
  const char *kind, *separator = "";
  int used = snprintf(text, sizeof text, "KIND:PATH with KIND %s",
                      options_report_kind(verb, 1) ? "one of " : "");
  for (size_t i = 0; (kind = options_report_kind(verb, i)); ++i, separator = ", ")
    used += snprintf(text + used, sizeof text - (size_t)used, "%s%s", separator, kind);
  snprintf(text + used, sizeof text - (size_t)used, ", and PATH a file or -");
  return text;
}

const char *option_take_report(Options *options, const char *value)
{
  const char *colon = strchr(value, ':'), *kind;
  if (options->report_count == OPTION_REPORTS_MAX) return "at most 16 of them";
  for (size_t i = 0; colon && colon[1] && (kind = options_report_kind(options->verb, i)); ++i) {
    size_t length = strlen(kind);
    if (length != (size_t)(colon - value) || strncmp(kind, value, length) != 0) continue;
    options->reports[options->report_count++] = (ReportRequest){kind, colon + 1};
    return NULL;
  }
  return expected_report(options->verb);
}

const char *option_take_shard(Options *options, const char *value)
{
  char first[24];
  unsigned long long shard, shards;
  const char *slash = strchr(value, '/');
  if (!slash || (size_t)(slash - value) >= sizeof first) return "I/N, such as 1/4";
  memcpy(first, value, (size_t)(slash - value));
  first[slash - value] = '\0';
  if (!parse_unsigned(slash + 1, 1, 1000000, &shards) || !parse_unsigned(first, 1, shards, &shard))
    return "I/N with 1 <= I <= N, such as 1/4";
  options->selection.shard = (unsigned)shard;
  options->selection.shards = (unsigned)shards;
  return NULL;
}

const char *option_take_time(Options *options, const char *value)
{
  char *end;
  double seconds = strtod(value, &end);
  double scale = !strcmp(end, "h") ? 3600 : !strcmp(end, "m") ? 60 : 1;
  if (*end && scale == 1 && strcmp(end, "s") != 0) return "a time such as 90s, 5m or 2h";
  if (!(seconds * scale >= 0.1 && seconds * scale <= 1e7)) return "a time such as 90s, 5m or 2h";
  options->time_ns = (uint64_t)(seconds * scale * 1e9);
  return NULL;
}

const char *option_take_quiet(Options *options, const char *value)
{
  (void)value;
  options->verbosity = -1;
  return NULL;
}

const char *option_take_verbose(Options *options, const char *value)
{
  (void)value;
  ++options->verbosity;
  return NULL;
}
