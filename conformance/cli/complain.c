// SPDX-License-Identifier: Apache-2.0
#include "cli/complain.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plan/plan.h"
#include "report/clean.h"

void complain(const char *format, ...)
{
  char *text = NULL, *clean = NULL;
  va_list arguments;
  va_start(arguments, format);
  if (vasprintf(&text, format, arguments) < 0) text = NULL;
  va_end(arguments);
  if (text) clean = clean_string(text, CLEAN_LINES);
  fprintf(stderr, "tvmffi-conform: %s\n", clean ? clean : "out of memory");
  free(clean);
  free(text);
}

void end_by_broken_pipe(void)
{
  sigset_t broken_pipe;
  sigemptyset(&broken_pipe);
  sigaddset(&broken_pipe, SIGPIPE);
  signal(SIGPIPE, SIG_DFL);
  sigprocmask(SIG_UNBLOCK, &broken_pipe, NULL);
  raise(SIGPIPE);
}

int complain_of_output(const char *what)
{
  static bool told;
  errno = 0;
  if (fflush(stdout) == 0 && !ferror(stdout)) return EXIT_CONFORMS;
  // What failed earlier has left no reason: a line more fails for the same one.
  bool is_over = errno == 0 && write(STDOUT_FILENO, "\n", 1) == 1;
  if (!is_over && errno == EPIPE) return EXIT_BROKEN_PIPE;
  if (!told)
    complain("cannot write the %s: %s", what, is_over ? "a part is lost" : strerror(errno));
  told = true;
  return EXIT_USAGE;
}

// "BEFORE a.b, a.c, A-1": what the id, or the glob, may have been meant to be. Nothing if none is near.
static void put_nearest(FILE *out, const char *before, const char *id)
{
  const char *nearest[4];
  size_t count = plan_nearest(id, nearest, 4);
  for (size_t i = 0; i < count; ++i) fprintf(out, "%s%s", i ? ", " : before, nearest[i]);
}

void complain_of_id(const char *what, const char *id)
{
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (out) {
    put_nearest(out, "\nNearest ids: ", id);
    fclose(out);
  }
  bool found = text && text[0];
  complain("unknown %s \"%s\"%s", what, id,
           found ? text : " (`tvmffi-conform list` shows all ids)");
  free(text);
}

// --- Selections ----------------------------------------------------------------------------------

static const char *selected_kind(const Options *options)
{
  return options->clauses ? "clause" : "case";
}

// A glob of --filter or --exclude that matches nothing, which goes unnoticed unless one says so.
typedef struct IdleGlob {
  const char *option, *glob;
} IdleGlob;

// Whether a glob matches anything, whatever the other options leave of it.
static bool glob_matches_something(const Options *options, const Plan *plan, const char **glob)
{
  if (!options->clauses) return plan_glob_matches(plan, *glob);
  const Selection alone = {.filters = glob, .filter_count = 1, .level = CLAUSE_HARDENING};
  for (unsigned id = 1; id < CLAUSE_COUNT; ++id)
    if (plan_selects_clause(&alone, (ClauseId)id)) return true;
  return false;
}

// Writes those of the globs that match nothing into `idle`. Returns how many.
static size_t find_idle(const Options *options, const Plan *plan, const char *option,
                        const char **globs, size_t count, IdleGlob *idle)
{
  size_t found = 0;
  for (size_t i = 0; i < count; ++i)
    if (!glob_matches_something(options, plan, &globs[i]))
      idle[found++] = (IdleGlob){option, globs[i]};
  return found;
}

// Writes that these globs match nothing. `all`: no filter is left that matches something.
static void put_idle(FILE *out, const char *kind, const IdleGlob *idle, size_t count, bool all)
{
  fprintf(out, "%sno %s matches", all ? "nothing selected: " : "", kind);
  for (size_t i = 0; i < count; ++i) fprintf(out, " --%s '%s'", idle[i].option, idle[i].glob);
  for (size_t i = 0; i < count; ++i) {
    char before[160] = "\nNearest ids: ";
    if (count > 1) snprintf(before, sizeof before, "\nNearest ids to '%.120s': ", idle[i].glob);
    put_nearest(out, before, idle[i].glob);
  }
  fprintf(out, "\n`tvmffi-conform list` and `tvmffi-conform list --clauses` show all ids.");
}

char *complain_of_globs(const Options *options, const Plan *plan)
{
  const Selection *selection = &options->selection;
  IdleGlob idle[2 * OPTION_LIST_MAX];
  size_t size;
  char *text = NULL;
  size_t filters =
      find_idle(options, plan, "filter", selection->filters, selection->filter_count, idle);
  size_t count = filters + find_idle(options, plan, "exclude", selection->excludes,
                                     selection->exclude_count, idle + filters);
  if (count == 0) return NULL;
  FILE *out = open_memstream(&text, &size);
  if (!out) return strdup("out of memory");
  put_idle(out, selected_kind(options), idle, count,
           filters > 0 && filters == selection->filter_count);
  fclose(out);
  return text;
}

char *complain_of_nothing(const Options *options)
{
  char *text = NULL;
  if (asprintf(&text, "nothing selected: --level, --exclude and --shard leave no %s%s",
               selected_kind(options),
               options->selection.filter_count ? " of those that --filter selects" : "") < 0)
    return NULL;
  return text;
}
