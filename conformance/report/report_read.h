// SPDX-License-Identifier: Apache-2.0
// JSON reports of runs, read back. The file may have been written by anybody: it is taken whole or
// not at all.
#ifndef TVMFFI_CONFORMANCE_REPORT_REPORT_READ_H_
#define TVMFFI_CONFORMANCE_REPORT_REPORT_READ_H_

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "judge/judge.h"

// A case as the report has it. All texts are borrowed from the report and, though valid UTF-8, not
// clean.
typedef struct ReadCase {
  const char *id;
  ClauseLevel level;
  Verdict verdict;    // the worst of its repetitions
  bool races;         // its threads race: another run may end otherwise
  size_t index;       // of that one: its place, first in "cases", then in the groups
  const json_t *raw;  // its object, or that of its group
} ReadCase;

typedef struct ReadReport {
  json_t *root;         // own
  json_t *clauses;      // own; the objects of the clauses by id
  json_t *ids;          // own; of the cases that stand in groups
  ReadCase *cases;      // own; one a case, in the order of their ids
  size_t case_count;    // different ones
  const char *library;  // its file name
  const char *version;  // that it reports, or NULL
  const char *profile;
  bool has_standing;  // reports that were written before there was a verdict on the run have none
  RunStanding standing;
  bool partial;  // only a part of the battery was asked for
} ReadReport;

// How good a verdict is, 0 being best; -1 for "not applicable", which is no point on that scale.
int report_read_rank(Verdict verdict);

// Whether a verdict is one that no gate lets pass: of a MUST clause, or an unexpected pass.
bool report_read_counts(const ReadCase *one);

// Reads the report of a run. Returns it (own), or NULL with `error` saying in one line which
// file, where in it, what is wrong and what to do, printable but for the path: it can't be read, is
// larger than 64 MiB, packed, cut short or no JSON, is of another format, is not shaped like a
// report (report_shape.h), has a case whose parts contradict each other, has a group whose parts do, lists a case more often
// than it was run or a clause twice, cites a clause that it does not have, or tells of a run that
// was not completed.
ReadReport *report_read(const char *path, char *error, size_t error_size);

// The same for the `size` bytes at `text`; `path` is only for messages.
ReadReport *report_read_text(const char *path, const char *text, size_t size, char *error,
                             size_t error_size);

// NULL is allowed.
void report_read_free(ReadReport *report);

#endif  // TVMFFI_CONFORMANCE_REPORT_REPORT_READ_H_
