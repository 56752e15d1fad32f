// SPDX-License-Identifier: Apache-2.0
#include "cli/options.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "cli/option_table.h"
#include "cli/option_values.h"

const Verb verbs[] = {
#define VERB(symbol, name, operands, least, most, summary, text) \
  {name, operands, summary, text, V(symbol), least, most, verb_##symbol},
#include "cli/verbs.def"
};
const size_t verb_count = VERB_COUNT;

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

// A verb with a program as its operands leaves the program's options to it.
static bool runs_program(const Verb *verb)
{
  return strncmp(verb->operands, "--", 2) == 0;
}

static error_t on_argument(int key, char *value, struct argp_state *state)
{
  Parsing *parsing = state->input;
  if (key == ARGP_KEY_ARG) {
    if (parsing->options->operand_count >= parsing->verb->operands_max)
      argp_error(
          state, "unexpected operand: %s (expected %s)", value,
          parsing->verb->operands[0] ? parsing->verb->operands : "none; select with --filter");
    parsing->options->operands[parsing->options->operand_count++] = value;
    if (runs_program(parsing->verb) && state->next < state->argc)
      return on_argument(key, state->argv[state->next++], state);
    return 0;
  }
  if (key == ARGP_KEY_END) {
    if (parsing->options->operand_count < parsing->verb->operands_min)
      argp_error(state, "missing %s", operands_behind(parsing));
    return 0;
  }
  for (size_t i = 0; i < option_table.count; ++i) {
    const Option *option = &option_table.rows[i];
    if (!(option->verbs & parsing->verb->bit) || key != key_of(i)) continue;
    const char *expected = option_take(option, parsing->options, value);
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
  options->device = "stand-in";
  options->selection.level = CLAUSE_HARDENING;
  options->selection.filters = options->filters;
  options->selection.excludes = options->excludes;
  options->min_judged = 50;
  options->selection.in_full = 32;
  options->timeout_ns = 2000000000u;
  options->hang_budget_ns = 60000000000u;
  options->timeout_scale = 1;
  options->preset = PRESET_STANDARD;
  options->limit = 10;
}

void options_parse(const Verb *verb, int argc, char **argv, Options *options)
{
  struct argp_option known[OPTION_ROWS_MAX + 1];
  size_t count = 0;
  for (size_t i = 0; i < option_table.count; ++i) {
    const Option *option = &option_table.rows[i];
    if (!(option->verbs & verb->bit)) continue;
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
  if (argp_parse(&parser, argc, argv, runs_program(verb) ? ARGP_IN_ORDER : 0, NULL, &parsing))
    exit(EXIT_USAGE);
  argv[0] = saved;
}
