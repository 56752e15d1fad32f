// SPDX-License-Identifier: Apache-2.0
// What counts against a library: broken clauses of a level and of stricter ones, and, by the rules of a file that
// somebody checks in, other levels for some clauses. tvmffi-conform run --gate takes either.
#ifndef TVMFFI_CONFORMANCE_JUDGE_GATE_H_
#define TVMFFI_CONFORMANCE_JUDGE_GATE_H_

#include <stdbool.h>
#include <stddef.h>

#include "plan/case.h"

typedef struct GateRule {
  char *clauses;      // own; a glob over the ids of clauses, or NULL
  char *chapter;      // own; a glob over chapters, or NULL; one of the two is there
  bool nothing;       // none of these clauses counts, whatever its level
  ClauseLevel level;  // otherwise: those of this level and of stricter ones
  char *reason;       // own, never empty
} GateRule;

// A zeroed one is the default: MUST.
typedef struct Gate {
  ClauseLevel level;  // for what no rule is about
  GateRule *rules;    // own
  size_t rule_count;
  char *name;    // "must", or the path of the file; NULL: the name of the level
  char *reason;  // why, as the file has it; NULL for a plain level
} Gate;

// Whether a broken `clause` counts. Of the rules about it the last one decides.
bool gate_counts_clause(const Gate *gate, const Clause *clause);

// Whether a case that failed, or gave no verdict, counts: one of its clauses does.
bool gate_counts_case(const Gate *gate, const CaseInstance *instance);

// "must", "should", "hardening", or the path of the file. Borrowed.
const char *gate_name(const Gate *gate);

bool gate_rule_is_about(const GateRule *rule, const Clause *clause);

// Reads a gate file (reports/gate.schema.json). False with "PATH:LINE: what: what is wrong" in
// `error`: a file that can't be read, malformed JSON, an unknown member, a level that is none, a
// missing reason, a rule that matches no clause. gate_free has to follow a success.
bool gate_read(const char *path, Gate *gate, char *error, size_t error_size);

// The same for a text that stood in the file, which has at most so many bytes.
enum { GATE_FILE_MAX = 1 << 20 };
bool gate_read_text(const char *path, const char *text, size_t size, Gate *gate, char *error,
                    size_t error_size);

// Frees what was read; a zeroed one is allowed.
void gate_free(Gate *gate);

#endif  // TVMFFI_CONFORMANCE_JUDGE_GATE_H_
