// SPDX-License-Identifier: Apache-2.0
#include "cli/options.h"

#include <argp.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "bench/bench.h"
#include "cli/option_table.h"

enum {
  V_RUN = 1,
  V_LIST = 2,
  V_EXPLAIN = 4,
  V_REPRO = 8,
  V_SELF_TEST = 16,
  V_BENCH = 32,
  V_SIGNATURES = 64,
  V_VECTORS = 128,
  V_INSPECT = 256,
  V_DIFF = 512,
  V_FUZZ = 1024,
};

const Verb verbs[] = {
    {"run", "IMPL.so", "judge a library: every case that applies, clause by clause",
     "The verb may be left out: `tvmffi-conform IMPL.so` is the same.", V_RUN, 1, 1, verb_run},
    {"inspect", "FILE...",
     "say what ABI files need and what is wrong with them, without running them",
     "FILE is a shared library, an object file, a static archive, a wheel or a zip file, for any "
     "machine. Errors among the findings make the exit code 1, with --strict warnings, too.",
     V_INSPECT, 1, OPTION_OPERANDS_MAX, verb_inspect},
    {"list", "", "list the cases, or with --clauses the clauses; no library is needed", "", V_LIST,
     0, 0, verb_list},
    {"explain", "ID", "say what a case or clause asks, since when, and where that is written", "",
     V_EXPLAIN, 1, 1, verb_explain},
    {"repro", "ID IMPL.so", "run one case in one process, ready for a debugger", "", V_REPRO, 2, 2,
     verb_repro},
    {"signatures", "KERNEL.so",
     "write what is known of a module's functions, as a file to edit and give to --signatures", "",
     V_SIGNATURES, 1, 1, verb_signatures},
    {"bench", "A.so", "say how long each operation takes; with --against, beside another library",
     "Both are loaded into one process and measured in turn, round by round, so that whatever "
     "else the machine does meets both.",
     V_BENCH, 1, 1, verb_bench},
    {"fuzz", "IMPL.so",
     "look for inputs that a runtime does not survive, or takes for what they are not",
     "Surfaces: library_bin (the default), dtype, strings, error, any, dlpack, api_sequence. What "
     "is found is made small and written, a folder each, with a C program that shows it. Exit code "
     "1 if something was found, or with --replay if something shows still. Without --time and "
     "--runs it takes a minute.",
     V_FUZZ, 1, 1, verb_fuzz},
    {"vectors", "[DIR]", "write the test vectors and their schemas (JSON) for other languages",
     "DIR is made if it is not there (default: vectors).", V_VECTORS, 0, 1, verb_vectors},
    {"diff", "OLD.json NEW.json", "say what changed between two JSON reports of runs",
     "The exit code is 1 if a case got worse, or fails now and did not run before; 2 if a report "
     "can't be used. Which libraries they are of is not looked at.",
     V_DIFF, 2, 2, verb_diff},
    {"self-test", "[MUTANT...]",
     "prove the suite: the reference passes, and every mutant is killed by its clause's cases", "",
     V_SELF_TEST, 0, OPTION_OPERANDS_MAX, verb_self_test},
};
const size_t verb_count = sizeof verbs / sizeof verbs[0];

const Verb *verb_find(const char *name)
{
  for (size_t i = 0; i < verb_count; ++i)
    if (strcmp(verbs[i].name, name) == 0) return &verbs[i];
  return NULL;
}

// --- What the options mean -----------------------------------------------------------------------
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

static const char *apply_report(Options *options, const char *value)
{
  static const char expected[] =
      "KIND:PATH with KIND one of json, junit, tap, sarif, and PATH a file or -";
  const char *colon = strchr(value, ':');
  if (options->report_count == OPTION_REPORTS_MAX) return "given at most 16 times";
  if (!colon || !colon[1]) return expected;
  for (size_t i = 0; i < sizeof report_kinds / sizeof report_kinds[0]; ++i) {
    const char *name = report_kinds[i].name;
    if (strlen(name) == (size_t)(colon - value) &&
        strncmp(name, value, (size_t)(colon - value)) == 0) {
      options->reports[options->report_count++] = (ReportRequest){name, colon + 1};
      return NULL;
    }
  }
  return expected;
}

const char *options_report_kind(const Verb *verb, size_t index)
{
  for (size_t i = 0; i < sizeof report_kinds / sizeof report_kinds[0]; ++i)
    if ((report_kinds[i].verbs & verb->letter) && index-- == 0) return report_kinds[i].name;
  return NULL;
}

// A kind that the verb does not write, or NULL.
static const char *unwritten_report(const Verb *verb, const Options *options)
{
  for (size_t r = 0; r < options->report_count; ++r)
    for (size_t i = 0; i < sizeof report_kinds / sizeof report_kinds[0]; ++i)
      if (report_kinds[i].name == options->reports[r].kind &&
          !(report_kinds[i].verbs & verb->letter))
        return report_kinds[i].name;
  return NULL;
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

// --- The table
// ------------------------------------------------------------------------------------------------

static const Option table[] = {
    {"profile", 0, "auto|runtime|module", "What the library is judged as; auto asks its symbols",
     V_RUN, apply_profile},
    {"abi", 0, "auto|0.1|2025-09", "The generation of the ABI; auto finds out", V_RUN | V_SELF_TEST,
     apply_abi},
    {"runtime", 0, "FILE.so", "The runtime that a module is loaded into",
     V_RUN | V_REPRO | V_SIGNATURES, apply_runtime},
    {"signatures", 0, "FILE", "How the functions of a module are called (JSON)",
     V_RUN | V_REPRO | V_SIGNATURES, apply_signatures},
    {"device", 0, "fake|cuda:0",
     "Memory and streams of devices: pretended to a module (the default), or of the N-th CUDA "
     "device",
     V_RUN | V_REPRO, apply_device},
    {"filter", 0, "GLOB", "Only these cases: a glob over case ids or clauses (repeatable)",
     V_RUN | V_LIST, apply_filter},
    {"exclude", 0, "GLOB", "Not these cases (repeatable)", V_RUN | V_LIST, apply_exclude},
    {"level", 0, "must|should", "must: only the clauses that a library has to keep", V_RUN | V_LIST,
     apply_level},
    {"strict", 0, NULL, "A SHOULD that does not hold, a warning, counts like a MUST, an error",
     V_RUN | V_INSPECT, apply_strict},
    {"clauses", 0, NULL, "List the clauses of the spec instead of the cases", V_LIST,
     apply_clauses},
    {"pins", 0, NULL, "List each case with the digests of the sentences it was written against",
     V_LIST, apply_pins},
    {"jobs", 'j', "N", "Cases at the same time (default: one for every processor)",
     V_FUZZ | V_RUN | V_SELF_TEST, apply_jobs},
    {"timeout", 0, "TIME", "Time limit of a case (default: 2s)", V_FUZZ | V_RUN | V_SELF_TEST,
     apply_timeout},
    {"timeout-scale", 0, "N", "Multiply every time limit, for slow machines",
     V_FUZZ | V_RUN | V_SELF_TEST, apply_timeout_scale},
    {"isolation", 0, "fork|exec",
     "fork: cases run in forks of one process that loaded the library; exec: each loads it anew",
     V_RUN, apply_isolation},
    {"waivers", 0, "FILE", "Known deviations, with their reasons (JSON)", V_RUN, apply_waivers},
    {"write-waivers", 0, "FILE", "Write the waivers that today's failures would need", V_RUN,
     apply_write_waivers},
    {"report", 0, "KIND:PATH",
     "Write a report: json, junit, tap or sarif (repeatable; - is stdout)",
     V_RUN | V_BENCH | V_INSPECT | V_DIFF, apply_report},
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
    {"seed", 0, "N", "Draw all inputs from this number (default: 0)", V_FUZZ, apply_seed},
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
    {"quiet", 'q', NULL, "Only the summary", V_FUZZ | V_RUN | V_SELF_TEST | V_INSPECT | V_DIFF,
     apply_quiet},
    {"verbose", 'v', NULL, "Also what passed and what was skipped, with reasons",
     V_FUZZ | V_RUN | V_SELF_TEST | V_INSPECT | V_DIFF, apply_verbose},
};
enum { TABLE_SIZE = sizeof table / sizeof table[0], KEY_BASE = 0x100 };
const OptionTable option_table = {table, TABLE_SIZE};

// --- Parsing
// --------------------------------------------------------------------------------------------------

typedef struct Parsing {
  const Verb *verb;
  Options *options;
} Parsing;

static error_t on_argument(int key, char *value, struct argp_state *state)
{
  Parsing *parsing = state->input;
  if (key == ARGP_KEY_ARG) {
    if (parsing->options->operand_count >= parsing->verb->operands_max)
      argp_error(state, "one operand too many: %s", value);
    parsing->options->operands[parsing->options->operand_count++] = value;
    return 0;
  }
  if (key == ARGP_KEY_END) {
    if (parsing->options->operand_count < parsing->verb->operands_min)
      argp_error(state, "missing %s", parsing->verb->operands);
    const char *unwritten = unwritten_report(parsing->verb, parsing->options);
    if (unwritten) argp_error(state, "this verb writes no %s report", unwritten);
    return 0;
  }
  for (size_t i = 0; i < TABLE_SIZE; ++i) {
    if (key != (table[i].letter ? table[i].letter : KEY_BASE + (int)i)) continue;
    const char *expected = table[i].apply(parsing->options, value);
    if (expected)
      argp_error(state, "--%s=%s: expected %s", table[i].name, value ? value : "", expected);
    return 0;
  }
  return ARGP_ERR_UNKNOWN;
}

static void set_defaults(Options *options)
{
  memset(options, 0, sizeof *options);
  options->abi = "auto";
  options->device = "fake";
  options->selection.level = CLAUSE_SHOULD;
  options->selection.filters = options->filters;
  options->selection.excludes = options->excludes;
  options->timeout_ns = 2000000000u;
  options->timeout_scale = 1;
}

void options_parse(const Verb *verb, int argc, char **argv, Options *options)
{
  struct argp_option known[TABLE_SIZE + 1];
  size_t count = 0;
  for (size_t i = 0; i < TABLE_SIZE; ++i) {
    if (!(table[i].verbs & verb->letter)) continue;
    known[count++] =
        (struct argp_option){.name = table[i].name,
                             .key = table[i].letter ? table[i].letter : KEY_BASE + (int)i,
                             .arg = table[i].argument,
                             .doc = table[i].text};
  }
  known[count] = (struct argp_option){0};
  char doc[1024], operands[128];
  snprintf(doc, sizeof doc, "%s: %s.\v%s", verb->name, verb->summary, verb->text);
  snprintf(operands, sizeof operands, "%s", verb->operands);
  struct argp parser = {known, on_argument, operands, doc, NULL, NULL, NULL};
  Parsing parsing = {verb, options};
  set_defaults(options);
  char name[64], *saved = argv[0];
  snprintf(name, sizeof name, "tvmffi-conform %s", verb->name);
  argv[0] = name;
  argp_err_exit_status = EXIT_USAGE;
  if (argp_parse(&parser, argc, argv, 0, NULL, &parsing)) exit(EXIT_USAGE);
  argv[0] = saved;
}
