// SPDX-License-Identifier: Apache-2.0
#include "cli/options.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "cli/option_table.h"

const Verb verbs[] = {
    {"run", "IMPL.so", "judge a library: every case that applies, clause by clause",
     "The verb may be left out: `tvmffi-conform IMPL.so` is the same.", V_RUN, 1, 1, verb_run},
    {"inspect", "FILE...",
     "say what ABI files need and what is wrong with them, without running them",
     "FILE is a shared library, an object file, a static archive, a wheel or a zip file, for any "
     "machine. Errors among the findings make the exit code 1, with --strict warnings, too.",
     V_INSPECT, 1, OPTION_OPERANDS_MAX, verb_inspect},
    {"list", "", "list the cases, or with --clauses the clauses; no library is needed",
     "In a line: id, level, since which version, in which generations of the ABI it holds; then of "
     "a case the profile and the clauses that it cites, of a clause the title.",
     V_LIST, 0, 0, verb_list},
    {"explain", "ID", "say what a case or clause asks, since when, and where that is written",
     "ID may also be the name of a struct of the C API, such as DLTensor: where its fields are, on "
     "machines with pointers of 64 and of 32 bits.",
     V_EXPLAIN, 1, 1, verb_explain},
    {"repro", "ID IMPL.so", "run one case in one process, ready for a debugger", "", V_REPRO, 2, 2,
     verb_repro},
    {"signatures", "KERNEL.so",
     "write what is known of a module's functions, as a file to edit and give to --signatures", "",
     V_SIGNATURES, 1, 1, verb_signatures},
    {"bench", "A.so", "say how long each operation takes; with --against, beside another library",
     "Both are loaded into one process and measured in turn, round by round, so that whatever "
     "else the machine does meets both. Of an interrupted measurement (Ctrl-C) what there is until "
     "then is shown and written.",
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
     "prove the suite: the reference passes, and every mutant is killed by its clause's cases",
     "MUTANT is the name of one, or a clause: all that break it. Without any, all are tried.",
     V_SELF_TEST, 0, OPTION_OPERANDS_MAX, verb_self_test},
};
const size_t verb_count = sizeof verbs / sizeof verbs[0];

const Verb *verb_find(const char *name)
{
  for (size_t i = 0; i < verb_count; ++i)
    if (strcmp(verbs[i].name, name) == 0) return &verbs[i];
  return NULL;
}

// --- Parsing -------------------------------------------------------------------------------------

typedef struct Parsing {
  const Verb *verb;
  Options *options;
} Parsing;

static int key_of(size_t row)
{
  enum { KEY_BASE = 0x100 };  // no letter
  const Option *option = &option_table.rows[row];
  return option->letter ? option->letter : KEY_BASE + (int)row;
}

// The names of the operands that did not come.
static const char *operands_behind(const Parsing *parsing)
{
  const char *names = parsing->verb->operands;
  for (size_t i = 0; i < parsing->options->operand_count; ++i) names = strchr(names, ' ') + 1;
  return names;
}

static error_t on_argument(int key, char *value, struct argp_state *state)
{
  Parsing *parsing = state->input;
  if (key == ARGP_KEY_ARG) {
    if (parsing->options->operand_count >= parsing->verb->operands_max)
      argp_error(
          state, "one operand too many: %s; it takes %s", value,
          parsing->verb->operands[0] ? parsing->verb->operands : "none, and chooses by --filter");
    parsing->options->operands[parsing->options->operand_count++] = value;
    return 0;
  }
  if (key == ARGP_KEY_END) {
    if (parsing->options->operand_count < parsing->verb->operands_min)
      argp_error(state, "missing %s", operands_behind(parsing));
    return 0;
  }
  for (size_t i = 0; i < option_table.count; ++i) {
    const Option *option = &option_table.rows[i];
    if (!(option->verbs & parsing->verb->letter) || key != key_of(i)) continue;
    const char *expected = option->apply(parsing->options, value);
    if (expected)
      argp_error(state, "--%s=%s: expected %s", option->name, value ? value : "", expected);
    return 0;
  }
  return ARGP_ERR_UNKNOWN;
}

static void set_defaults(const Verb *verb, Options *options)
{
  memset(options, 0, sizeof *options);
  options->verb = verb;
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
  struct argp_option known[OPTION_ROWS_MAX + 1];
  size_t count = 0;
  for (size_t i = 0; i < option_table.count; ++i) {
    const Option *option = &option_table.rows[i];
    if (!(option->verbs & verb->letter)) continue;
    known[count++] = (struct argp_option){
        .name = option->name, .key = key_of(i), .arg = option->argument, .doc = option->text};
  }
  known[count] = (struct argp_option){0};
  char doc[1024], operands[128];
  snprintf(doc, sizeof doc, "%s: %s.\v%s", verb->name, verb->summary, verb->text);
  snprintf(operands, sizeof operands, "%s", verb->operands);
  struct argp parser = {known, on_argument, operands[0] ? operands : NULL, doc, NULL, NULL, NULL};
  Parsing parsing = {verb, options};
  set_defaults(verb, options);
  char name[64], *saved = argv[0];
  snprintf(name, sizeof name, "tvmffi-conform %s", verb->name);
  argv[0] = name;
  argp_err_exit_status = EXIT_USAGE;
  if (argp_parse(&parser, argc, argv, 0, NULL, &parsing)) exit(EXIT_USAGE);
  argv[0] = saved;
}
