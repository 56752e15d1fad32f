// SPDX-License-Identifier: Apache-2.0
#include "cli/complain.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

int complain_of_output(const char *what)
{
  if (fflush(stdout) == 0 && !ferror(stdout)) return EXIT_CONFORMS;
  complain("the %s can't be written: %s", what, strerror(errno));
  return EXIT_USAGE;
}

// "a.b, a.c, A-1": what the id, or the glob, may have been meant to be.
static void put_nearest(FILE *out, const char *id)
{
  const char *nearest[4];
  size_t count = plan_nearest(id, nearest, 4);
  for (size_t i = 0; i < count; ++i) fprintf(out, "%s%s", i ? ", " : "", nearest[i]);
}

void complain_of_id(const char *what, const char *id)
{
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (out) {
    put_nearest(out, id);
    fclose(out);
  }
  complain("there is no %s %s\nNearest ids: %s", what, *id ? id : "''", text ? text : "");
  free(text);
}

// --- Selections ----------------------------------------------------------------------------------

// Whether the filters pick something that the other options then leave out.
static bool filters_match(const Options *options)
{
  size_t total;
  const CaseInstance *all = case_registry(&total);
  Selection selection = options->selection;
  selection.exclude_count = 0;
  selection.level = CLAUSE_SHOULD;
  for (size_t i = 0; i < total; ++i)
    if (plan_selects(&selection, &all[i])) return true;
  return false;
}

static void put_selection(FILE *out, const Options *options, const char *what)
{
  const Selection *selection = &options->selection;
  if (selection->filter_count == 0 || filters_match(options)) {
    fprintf(out, "nothing selected: --level, --exclude and --shard leave no %s%s", what,
            selection->filter_count ? " of those that --filter picks" : "");
    return;
  }
  fprintf(out, "nothing selected: no %s matches", what);
  for (size_t i = 0; i < selection->filter_count; ++i)
    fprintf(out, " --filter '%s'", options->filters[i]);
  fprintf(out, "\nNearest ids: ");
  put_nearest(out, options->filters[0]);
  fprintf(out, "\n`tvmffi-conform list` and `list --clauses` show them all.");
}

char *complain_selection_text(const Options *options, const char *what)
{
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (!out) return NULL;
  put_selection(out, options, what);
  if (fclose(out) == 0) return text;
  free(text);
  return NULL;
}

void complain_of_selection(const Options *options, const char *what)
{
  char *text = complain_selection_text(options, what);
  complain("%s", text ? text : "out of memory");
  free(text);
}
