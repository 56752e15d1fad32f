// SPDX-License-Identifier: Apache-2.0
#include "cli/inspect_confined.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/signal_name.h"
#include "sandbox/reader.h"

// --- In the child --------------------------------------------------------------------------------

static void put_name(FILE *out, const char *name)
{
  fwrite(name, strlen(name) + 1, 1, out);
}

// The report, and behind it what it points to, in the order of its members: of each list the numbers,
// then the names.
static void put_report(void *context, FILE *out)
{
  const char *path = context;
  InspectReport *report = inspect_file(path);
  size_t needed = 0;
  if (!report) return;
  while (report->needed && report->needed[needed]) ++needed;
  fwrite(report, sizeof *report, 1, out);
  fwrite(&needed, sizeof needed, 1, out);
  for (size_t i = 0; i < needed; ++i) put_name(out, report->needed[i]);
  fwrite(report->functions, sizeof *report->functions, report->module_functions, out);
  for (size_t i = 0; i < report->module_functions; ++i) put_name(out, report->functions[i].name);
  fwrite(report->symbols, sizeof *report->symbols, report->symbol_count, out);
  for (size_t i = 0; i < report->symbol_count; ++i) put_name(out, report->symbols[i].name);
}

// --- Beside it: nothing that the child says is believed ------------------------------------------

// Room for a list of `count` items of this size, and behind them for the names, as many, that follow
// the items; the items are filled in. `names` is where the first name is.
static void *get_list(ReaderRest *rest, size_t count, size_t item_size, bool has_items,
                      char **names)
{
  size_t items = has_items ? item_size : 0;
  if (rest->lacks || count > rest->size || (items && count > rest->size / items)) {
    rest->lacks = true;
    return NULL;
  }
  const char *first = rest->at + count * items;
  size_t left = rest->size - count * items, used = 0;
  for (size_t i = 0; i < count; ++i) {
    size_t length = strnlen(first + used, left - used);
    if (length == left - used) {
      rest->lacks = true;
      return NULL;
    }
    used += length + 1;
  }
  char *list = calloc(1, (count + 1) * item_size + used);
  rest->lacks |= !list;
  if (!list) return NULL;
  *names = list + (count + 1) * item_size;
  reader_take(rest, list, count * items);
  reader_take(rest, *names, used);
  return list;
}

static const char *next_name(char **names)
{
  const char *name = *names;
  *names += strlen(name) + 1;
  return name;
}

static void get_lists(ReaderRest *rest, InspectReport *report)
{
  size_t needed = 0;
  char *names = NULL;
  reader_take(rest, &needed, sizeof needed);
  report->needed = get_list(rest, needed, sizeof *report->needed, false, &names);
  for (size_t i = 0; report->needed && i < needed; ++i)
    report->needed[i] = (char *)(uintptr_t)next_name(&names);
  report->functions =
      get_list(rest, report->module_functions, sizeof *report->functions, true, &names);
  for (size_t i = 0; report->functions && i < report->module_functions; ++i) {
    unsigned char metadata;
    memcpy(&metadata, &report->functions[i].has_metadata, 1);
    report->functions[i].has_metadata = metadata != 0;
    report->functions[i].name = next_name(&names);
  }
  report->symbols = get_list(rest, report->symbol_count, sizeof *report->symbols, true, &names);
  for (size_t i = 0; report->symbols && i < report->symbol_count; ++i)
    report->symbols[i].name = next_name(&names);
}

static void make_bools(bool *flags)
{
  unsigned char bytes[ABI_FUNCTION_COUNT];
  memcpy(bytes, flags, sizeof bytes);
  for (size_t i = 0; i < ABI_FUNCTION_COUNT; ++i) flags[i] = bytes[i] != 0;
}

static void end_texts(InspectReport *report)
{
  report->message[sizeof report->message - 1] = '\0';
  report->sha256[sizeof report->sha256 - 1] = '\0';
  report->build_id[sizeof report->build_id - 1] = '\0';
  report->soname[sizeof report->soname - 1] = '\0';
  report->machine[sizeof report->machine - 1] = '\0';
}

static InspectReport *get_report(const ReaderAnswer *answer, const char *path)
{
  ReaderRest rest = {answer->bytes, answer->size, false};
  InspectReport *report = calloc(1, sizeof *report);
  if (!report) return NULL;
  reader_take(&rest, report, sizeof *report);
  report->path = strdup(path);
  report->backing = NULL;
  report->needed = NULL;
  report->functions = NULL;
  report->symbols = NULL;
  end_texts(report);
  make_bools(report->exports);
  make_bools(report->former_exports);
  get_lists(&rest, report);
  if (!rest.lacks && rest.size == 0 && report->path && report->profile <= INSPECT_PROFILE_MODULE)
    return report;
  inspect_free(report);
  return NULL;
}

static InspectReport *lost(const char *path, int number)
{
  char name[SIGNAL_NAME_MAX];
  InspectReport *report = calloc(1, sizeof *report);
  if (!report) return NULL;
  report->status = INSPECT_BROKEN;
  report->path = strdup(path);
  snprintf(report->message, sizeof report->message,
           "%.300s: could not be read: the reader died (%s)", path, signal_name(number, name));
  return report;
}

InspectReport *inspect_confined(const char *path, SandboxMode mode)
{
  ReaderAnswer answer;
  SandboxPolicy paths = {.paths = NULL};
  if (mode == SANDBOX_OFF) return inspect_file(path);
  policy_add_path(&paths, path, SANDBOX_READ);
  bool done = reader_run(&paths, put_report, (void *)(uintptr_t)path, &answer);
  policy_free(&paths);
  if (!done) return NULL;
  InspectReport *report = answer.signal ? lost(path, answer.signal) : get_report(&answer, path);
  free(answer.bytes);
  return report;
}
