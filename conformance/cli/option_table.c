// SPDX-License-Identifier: Apache-2.0
// What the options of the verbs mean. Of an option that means something else to some verbs, each
// meaning has a row of its own.
#include "cli/option_table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "bench/bench.h"

// Each returns NULL, or what the value should have been.

static const char *apply_profile(Options *options, const char *value)
{
  if (strcmp(value, "auto") == 0)
    options->profile = INSPECT_PROFILE_NONE;
  else if (strcmp(value, "runtime") == 0)
    options->profile = INSPECT_PROFILE_RUNTIME;
  else if (strcmp(value, "module") == 0)
    options->profile = INSPECT_PROFILE_MODULE;
  else
    return "auto, runtime or module";
  return NULL;
}

static const char *apply_abi(Options *options, const char *value)
{
  options->abi = value;
  bool known = !strcmp(value, "auto") || !strcmp(value, "0.1") || !strcmp(value, "2025-09");
  return known ? NULL : "auto, 0.1 or 2025-09";
}

static const char *apply_runtime(Options *options, const char *value)
{
  options->runtime = value;
  return NULL;
}

static const char *apply_worker(Options *options, const char *value)
{
  options->worker = value;
  return NULL;
}

static const char *apply_signatures(Options *options, const char *value)
{
  options->signatures = value;
  return NULL;
}

static bool parse_unsigned(const char *text, unsigned long long least, unsigned long long most,
                           unsigned long long *out)
{
  char *end;
  errno = 0;
  if (*text < '0' || *text > '9') return false;
  *out = strtoull(text, &end, 10);
  return errno == 0 && *end == '\0' && *out >= least && *out <= most;
}

static const char *apply_device(Options *options, const char *value)
{
  unsigned long long number = 0;
  options->device = value;
  options->cuda = 0;
  if (strcmp(value, "fake") == 0) return NULL;
  bool numbered = strncmp(value, "cuda:", 5) == 0 && parse_unsigned(value + 5, 0, 63, &number);
  if (!numbered && strcmp(value, "cuda") != 0) return "fake, or cuda:N with N from 0 to 63";
  options->cuda = (uint32_t)number + 1;
  return NULL;
}

static const char *apply_filter(Options *options, const char *value)
{
  if (options->selection.filter_count == OPTION_LIST_MAX) return "given at most 64 times";
  options->filters[options->selection.filter_count++] = value;
  return NULL;
}

static const char *apply_exclude(Options *options, const char *value)
{
  if (options->selection.exclude_count == OPTION_LIST_MAX) return "given at most 64 times";
  options->excludes[options->selection.exclude_count++] = value;
  return NULL;
}

static const char *apply_level(Options *options, const char *value)
{
  if (strcasecmp(value, "must") == 0)
    options->selection.level = CLAUSE_MUST;
  else if (strcasecmp(value, "should") == 0)
    options->selection.level = CLAUSE_SHOULD;
  else
    return "must or should";
  return NULL;
}

static const char *apply_strict(Options *options, const char *value)
{
  (void)value;
  options->strict = true;
  return NULL;
}

static const char *apply_jobs(Options *options, const char *value)
{
  unsigned long long number;
  if (!parse_unsigned(value, 1, 64, &number)) return "a number from 1 to 64";
  options->jobs = (unsigned)number;
  return NULL;
}

static const char *apply_timeout(Options *options, const char *value)
{
  char *end;
  double seconds = strtod(value, &end);
  if (strcmp(end, "ms") == 0)
    seconds /= 1000;
  else if (strcmp(end, "s") != 0 && *end != '\0')
    return "a time such as 2s or 500ms";
  if (!(seconds >= 0.001 && seconds <= 86400)) return "a time from 1ms to 86400s, such as 2s";
  options->timeout_ns = (uint64_t)(seconds * 1e9);
  return NULL;
}

static const char *apply_timeout_scale(Options *options, const char *value)
{
  char *end;
  double scale = strtod(value, &end);
  if (*end || !(scale >= 0.01 && scale <= 10000)) return "a factor from 0.01 to 10000";
  options->timeout_scale = scale;
  return NULL;
}

static const char *apply_isolation(Options *options, const char *value)
{
  if (strcmp(value, "fork") == 0)
    options->isolation = RUN_ISOLATION_FORK;
  else if (strcmp(value, "exec") == 0)
    options->isolation = RUN_ISOLATION_EXEC;
  else
    return "fork or exec";
  return NULL;
}

static const char *apply_waivers(Options *options, const char *value)
{
  options->waivers = value;
  return NULL;
}

static const char *apply_write_waivers(Options *options, const char *value)
{
  options->write_waivers = value;
  return NULL;
}

// The kinds of reports, and the verbs that write them.
static const struct {
  const char *name;
  unsigned verbs;
} report_kinds[] = {{"json", V_RUN | V_BENCH | V_INSPECT | V_DIFF},
                    {"junit", V_RUN},
                    {"tap", V_RUN},
                    {"sarif", V_INSPECT}};

const char *options_report_kind(const Verb *verb, size_t index)
{
  for (size_t i = 0; i < sizeof report_kinds / sizeof report_kinds[0]; ++i)
    if ((report_kinds[i].verbs & verb->letter) && index-- == 0) return report_kinds[i].name;
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

static const char *apply_report(Options *options, const char *value)
{
  const char *colon = strchr(value, ':'), *kind;
  if (options->report_count == OPTION_REPORTS_MAX) return "given at most 16 times";
  for (size_t i = 0; colon && colon[1] && (kind = options_report_kind(options->verb, i)); ++i) {
    size_t length = strlen(kind);
    if (length != (size_t)(colon - value) || strncmp(kind, value, length) != 0) continue;
    options->reports[options->report_count++] = (ReportRequest){kind, colon + 1};
    return NULL;
  }
  return expected_report(options->verb);
}

static const char *apply_shard(Options *options, const char *value)
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

static const char *apply_shuffle(Options *options, const char *value)
{
  unsigned long long seed;
  if (!parse_unsigned(value, 1, UINT64_MAX, &seed)) return "a seed, a whole number from 1";
  options->selection.shuffle = seed;
  return NULL;
}

static const char *apply_repeat(Options *options, const char *value)
{
  unsigned long long times;
  if (!parse_unsigned(value, 1, 10000, &times)) return "a number from 1 to 10000";
  options->selection.repeat = (unsigned)times;
  return NULL;
}

static const char *apply_fail_fast(Options *options, const char *value)
{
  (void)value;
  options->fail_fast = true;
  return NULL;
}

static const char *apply_valgrind(Options *options, const char *value)
{
  (void)value;
  options->valgrind = true;
  return NULL;
}

static const char *apply_clauses(Options *options, const char *value)
{
  (void)value;
  options->clauses = true;
  return NULL;
}

static const char *apply_against(Options *options, const char *value)
{
  options->against = value;
  return NULL;
}

static const char *apply_rounds(Options *options, const char *value)
{
  unsigned long long rounds;
  if (!parse_unsigned(value, 1, BENCH_ROUNDS_MAX, &rounds)) return "a number from 1 to 1001";
  options->rounds = (unsigned)rounds;
  return NULL;
}

static const char *apply_callgrind(Options *options, const char *value)
{
  (void)value;
  options->callgrind = true;
  return NULL;
}

static const char *apply_pins(Options *options, const char *value)
{
  (void)value;
  options->pins = true;
  return NULL;
}

static const char *apply_force(Options *options, const char *value)
{
  (void)value;
  options->force = true;
  return NULL;
}

static const char *apply_policy(Options *options, const char *value)
{
  options->policy = value;
  return NULL;
}

static const char *apply_baseline(Options *options, const char *value)
{
  options->baseline = value;
  return NULL;
}

static const char *apply_write_policy(Options *options, const char *value)
{
  options->write_policy = value;
  return NULL;
}

static const char *apply_surface(Options *options, const char *value)
{
  options->surface = value;
  return NULL;
}

static const char *apply_seed(Options *options, const char *value)
{
  unsigned long long seed;
  if (!parse_unsigned(value, 0, UINT64_MAX, &seed)) return "a whole number";
  options->seed = seed;
  return NULL;
}

static const char *apply_runs(Options *options, const char *value)
{
  unsigned long long runs;
  if (!parse_unsigned(value, 1, UINT64_MAX, &runs)) return "a whole number from 1";
  options->runs = runs;
  return NULL;
}

static const char *apply_time(Options *options, const char *value)
{
  char *end;
  double seconds = strtod(value, &end);
  double scale = !strcmp(end, "h") ? 3600 : !strcmp(end, "m") ? 60 : 1;
  if (*end && scale == 1 && strcmp(end, "s") != 0) return "a time such as 90s, 5m or 2h";
  if (!(seconds * scale >= 0.1 && seconds * scale <= 1e7)) return "a time such as 90s, 5m or 2h";
  options->time_ns = (uint64_t)(seconds * scale * 1e9);
  return NULL;
}

static const char *apply_replay(Options *options, const char *value)
{
  options->replay = value;
  return NULL;
}

static const char *apply_output(Options *options, const char *value)
{
  options->output = value;
  return NULL;
}

static const char *apply_rate(Options *options, const char *value)
{
  (void)value;
  options->rate = true;
  return NULL;
}

static const char *apply_color(Options *options, const char *value)
{
  if (strcmp(value, "auto") == 0)
    options->color = COLOR_AUTO;
  else if (strcmp(value, "always") == 0)
    options->color = COLOR_ALWAYS;
  else if (strcmp(value, "never") == 0)
    options->color = COLOR_NEVER;
  else
    return "auto, always or never";
  return NULL;
}

static const char *apply_quiet(Options *options, const char *value)
{
  (void)value;
  options->verbosity = -1;
  return NULL;
}

static const char *apply_verbose(Options *options, const char *value)
{
  (void)value;
  ++options->verbosity;
  return NULL;
}

// --- The table -----------------------------------------------------------------------------------

static const Option table[] = {
    {"profile", 0, "auto|runtime|module", "What the library is judged as; auto asks its symbols",
     V_RUN, apply_profile},
    {"abi", 0, "auto|0.1|2025-09", "The generation of the ABI; auto finds out",
     V_RUN | V_REPRO | V_FUZZ, apply_abi},
    {"abi", 0, "auto|0.1|2025-09", "The generation of the ABI that is tried; auto is 0.1",
     V_SELF_TEST, apply_abi},
    {"runtime", 0, "FILE.so", "The runtime that a module is loaded into",
     V_RUN | V_REPRO | V_SIGNATURES, apply_runtime},
    {"worker", 0, "FILE",
     "The worker that loads the library, where that needs another C library than this program",
     V_FUZZ | V_RUN | V_REPRO | V_SIGNATURES | V_BENCH, apply_worker},
    {"signatures", 0, "FILE", "How the functions of a module are called (JSON)", V_RUN | V_REPRO,
     apply_signatures},
    {"signatures", 0, "FILE", "What is known already (JSON); the rest is found out", V_SIGNATURES,
     apply_signatures},
    {"device", 0, "fake|cuda:0",
     "Memory and streams of devices: pretended to a module (the default), or of the N-th CUDA "
     "device",
     V_RUN | V_REPRO, apply_device},
    {"filter", 0, "GLOB", "Only these cases: a glob over case ids or clauses (repeatable)", V_RUN,
     apply_filter},
    {"filter", 0, "GLOB", "Only these: a glob over case ids or clauses (repeatable)", V_LIST,
     apply_filter},
    {"exclude", 0, "GLOB", "Not these cases (repeatable)", V_RUN, apply_exclude},
    {"exclude", 0, "GLOB", "Not these (repeatable)", V_LIST, apply_exclude},
    {"level", 0, "must|should", "must: only the clauses that a library has to keep", V_RUN | V_LIST,
     apply_level},
    {"strict", 0, NULL, "A SHOULD that does not hold counts like a MUST", V_RUN, apply_strict},
    {"strict", 0, NULL, "A warning counts like an error", V_INSPECT, apply_strict},
    {"clauses", 0, NULL, "List the clauses of the spec instead of the cases", V_LIST,
     apply_clauses},
    {"pins", 0, NULL, "List each case with the digests of the sentences it was written against",
     V_LIST, apply_pins},
    {"jobs", 'j', "N", "Cases at the same time (default: one for every processor)",
     V_RUN | V_SELF_TEST, apply_jobs},
    {"jobs", 'j', "N", "Inputs at the same time (default: one for every processor)", V_FUZZ,
     apply_jobs},
    {"timeout", 0, "TIME", "Time limit of a case (default: 2s)", V_RUN | V_SELF_TEST,
     apply_timeout},
    {"timeout", 0, "TIME", "Time limit of an input (default: 2s)", V_FUZZ, apply_timeout},
    {"timeout-scale", 0, "N", "Multiply every time limit, for slow machines",
     V_FUZZ | V_RUN | V_SELF_TEST, apply_timeout_scale},
    {"isolation", 0, "fork|exec",
     "fork: cases run in forks of one process that loaded the library; exec: each loads it anew",
     V_RUN, apply_isolation},
    {"waivers", 0, "FILE", "Known deviations, with their reasons (JSON)", V_RUN, apply_waivers},
    {"write-waivers", 0, "FILE", "Write the waivers that the failures of this run need", V_RUN,
     apply_write_waivers},
    {"report", 0, "KIND:PATH", "Write a report: json, junit or tap (repeatable; - is stdout)",
     V_RUN, apply_report},
    {"report", 0, "KIND:PATH", "Write a report: json or sarif (repeatable; - is stdout)", V_INSPECT,
     apply_report},
    {"report", 0, "KIND:PATH", "Write a report: json (- is stdout)", V_BENCH | V_DIFF,
     apply_report},
    {"policy", 0, "FILE", "What the files may need and have to export (JSON)", V_INSPECT,
     apply_policy},
    {"baseline", 0, "OLD.json",
     "An earlier JSON report: floors may not rise, exports not go, findings not come", V_INSPECT,
     apply_baseline},
    {"write-policy", 0, "FILE", "Write a policy that today's files satisfy", V_INSPECT,
     apply_write_policy},
    {"shard", 0, "I/N", "Run the I-th of N equal parts", V_RUN, apply_shard},
    {"shuffle", 0, "SEED", "Run in an order drawn from this seed", V_RUN, apply_shuffle},
    {"repeat", 0, "N", "Run every case N times", V_RUN, apply_repeat},
    {"fail-fast", 0, NULL, "Stop at the first failure that counts", V_RUN, apply_fail_fast},
    {"valgrind", 0, NULL, "Run the library under Valgrind; what it finds fails the case", V_RUN,
     apply_valgrind},
    {"against", 0, "B.so", "The library to compare with", V_BENCH, apply_against},
    {"rounds", 0, "N", "Measure each operation N times, for 2 ms each (default: 21)", V_BENCH,
     apply_rounds},
    {"callgrind", 0, NULL,
     "Count instructions with Valgrind's Callgrind instead, for busy machines", V_BENCH,
     apply_callgrind},
    {"force", 0, NULL, "Replace files that hold something else", V_VECTORS, apply_force},
    {"surface", 0, "NAME", "The part of the C API that is fuzzed", V_FUZZ, apply_surface},
    {"seed", 0, "N",
     "Draw all inputs from this number (default: 0); the same ones are run with the same --runs "
     "and "
     "-j",
     V_FUZZ, apply_seed},
    {"time", 0, "TIME", "Stop after this time, such as 90s, 5m or 2h", V_FUZZ, apply_time},
    {"runs", 0, "N", "Stop after this many inputs", V_FUZZ, apply_runs},
    {"replay", 0, "DIR", "Run the findings in this folder again, and nothing else", V_FUZZ,
     apply_replay},
    {"output", 'o', "DIR", "The folder that findings go into (default: findings)", V_FUZZ,
     apply_output},
    {"rate", 0, NULL, "Only measure how many sound inputs are run in a second", V_FUZZ, apply_rate},
    {"color", 0, "auto|always|never",
     "Colours in the text; NO_COLOR in the environment is honoured",
     V_FUZZ | V_RUN | V_SELF_TEST | V_BENCH | V_INSPECT | V_DIFF, apply_color},
    {"quiet", 'q', NULL, "Only the summary", V_RUN | V_DIFF, apply_quiet},
    {"quiet", 'q', NULL, "Only errors and warnings, a line each, and the summary", V_INSPECT,
     apply_quiet},
    {"quiet", 'q', NULL, "Only what is found, and the summary", V_FUZZ, apply_quiet},
    {"verbose", 'v', NULL, "Also what passed and what was skipped, with reasons", V_RUN,
     apply_verbose},
    {"verbose", 'v', NULL, "All functions, modules and symbols, however many", V_INSPECT,
     apply_verbose},
    {"verbose", 'v', NULL, "All cases that are new or gone, however many", V_DIFF, apply_verbose},
    {"verbose", 'v', NULL, "Also what was seen once and not again", V_FUZZ, apply_verbose},
    {"verbose", 'v', NULL, "Also which case killed each mutant", V_SELF_TEST, apply_verbose},
};
enum { TABLE_SIZE = sizeof table / sizeof table[0] };
_Static_assert(sizeof table / sizeof table[0] <= OPTION_ROWS_MAX,
               "the parser has room for all rows");
const OptionTable option_table = {table, TABLE_SIZE};
