// SPDX-License-Identifier: Apache-2.0
// `inspect`: what ABI files need, told without running them.
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "cli/style.h"
#include "inspect/archive.h"
#include "inspect/inspect_map.h"
#include "report/inspect_report.h"
#include "report/text_layout.h"

typedef struct Inspection {
  const Options *options;
  FILE *out;
  TextStyle style;
  InspectTotals totals;
  int code;      // the worst so far
  size_t known;  // files of the present operand that have to do with the ABI
} Inspection;

static void worsen(Inspection *inspection, int code)
{
  if (code > inspection->code) inspection->code = code;
}

static void refuse(Inspection *inspection, const char *name, const char *text)
{
  ++inspection->totals.unreadable;
  worsen(inspection, EXIT_CANNOT_LOAD);
  inspect_text_unreadable(stderr, &inspection->style, name, text);
}

// What is wrong with the suite itself, memory for one, is no fault of the file.
static bool refuse_problem(Inspection *inspection, const char *name, const InspectProblem *problem)
{
  if (problem->no_memory) {
    fprintf(stderr, "tvmffi-conform: out of memory\n");
    worsen(inspection, EXIT_SUITE_FAULT);
  } else {
    refuse(inspection, name, problem->text);
  }
  return false;
}

static void take(Inspection *inspection, const InspectSubject *subject)
{
  const InspectFindings *findings = &subject->findings;
  size_t errors = inspect_findings_at(findings, INSPECT_LEVEL_ERROR);
  size_t warnings = inspect_findings_at(findings, INSPECT_LEVEL_WARNING);
  ++inspection->totals.files;
  inspection->totals.errors += errors;
  inspection->totals.warnings += warnings;
  inspection->totals.notes += inspect_findings_at(findings, INSPECT_LEVEL_NOTE);
  if (errors > 0 || (inspection->options->strict && warnings > 0)) {
    worsen(inspection, EXIT_DOES_NOT_CONFORM);
  }
  if (inspect_subject_is_known(subject)) {
    ++inspection->known;
  } else {
    ++inspection->totals.unknown;
  }
  inspect_text_file(inspection->out, &inspection->style, subject);
}

// One ELF image; `map` is the file that it lies in, if it does.
static bool inspect_image(Inspection *inspection, const char *name, unsigned char *bytes,
                          uint64_t size, const InspectMap *map)
{
  InspectProblem problem = {0};
  InspectSubject *subject =
      inspect_subject_read(name, bytes, size, inspection->options->report_count > 0, &problem);
  bool good = subject && (!map || inspect_map_is_whole(map, &problem));
  if (good) {
    take(inspection, subject);
  } else {
    refuse_problem(inspection, name, &problem);
  }
  inspect_subject_free(subject);
  return good;
}

static bool on_member(void *context, const ArchiveMember *member)
{
  inspect_image(context, member->path, member->bytes, member->size, NULL);
  return true;
}

static void on_problem(void *context, const char *path, const char *text)
{
  refuse(context, path, text);
}

static void inspect_map(Inspection *inspection, const char *path, InspectMap *map)
{
  InspectProblem problem = {0};
  if (archive_kind(map->data, map->size) == ARCHIVE_KIND_NONE) {
    inspect_image(inspection, path, map->data, map->size, map);
    return;
  }
  ArchiveVisitor visitor = {inspection, on_member, on_problem};
  archive_visit(path, map->data, map->size, NULL, &visitor);
  if (!inspect_map_is_whole(map, &problem)) refuse_problem(inspection, path, &problem);
}

static void inspect_path(Inspection *inspection, const char *path)
{
  InspectMap map;
  InspectProblem problem = {0};
  size_t unreadable = inspection->totals.unreadable;
  inspection->known = 0;
  if (!inspect_map_open(path, &map, &problem)) {
    refuse_problem(inspection, path, &problem);
    return;
  }
  inspect_map(inspection, path, &map);
  inspect_map_close(&map);
  if (inspection->known > 0 || inspection->totals.unreadable > unreadable) return;
  // A wheel without a library that knows the ABI is as much a mistake as a file that does not.
  fputs("tvmffi-conform: ", stderr);
  text_print(stderr, &inspection->style, path, strlen(path));
  fputs(" has nothing to do with the ABI: it neither exports nor needs of it\n", stderr);
  worsen(inspection, EXIT_CANNOT_LOAD);
}

int verb_inspect(const Options *options)
{
  setlocale(LC_CTYPE, "");
  Inspection inspection = {.options = options, .out = stdout};
  for (size_t i = 0; i < options->report_count; ++i) {
    if (strcmp(options->reports[i].path, "-") == 0) inspection.out = stderr;
  }
  inspection.style = style_for(inspection.out, options);
  for (size_t i = 0; i < options->operand_count; ++i) {
    inspect_path(&inspection, options->operands[i]);
  }
  inspect_text_totals(inspection.out, &inspection.style, &inspection.totals);
  return inspection.code;
}
