// SPDX-License-Identifier: Apache-2.0
// What a report says of the functions of a module besides its cases: what was known of each, what
// was tried, what could not be judged, and which line of a signature file would change that.
#ifndef TVMFFI_CONFORMANCE_REPORT_FUNCTIONS_H_
#define TVMFFI_CONFORMANCE_REPORT_FUNCTIONS_H_

#include <stdbool.h>
#include <stddef.h>

#include "judge/judge.h"

enum { FUNCTION_LINE_MAX = 160, FUNCTION_FACT_MAX = 160, FUNCTION_TRIED_MAX = 48 };

// What one line would have judged, or what could not be judged for one reason.
typedef struct FunctionUnjudged {
  char why[200];                 // not clean; with a line the first reason
  char line[FUNCTION_LINE_MAX];  // of the signature file; "": no file changes it
  size_t count;                  // cases, or calls
} FunctionUnjudged;

typedef struct FunctionFacts {
  const Kernel *kernel;        // borrowed
  const Signature *signature;  // borrowed, or NULL
  EvidenceTried *tried;        // own; those that are alike joined
  size_t tried_count;          // at most FUNCTION_TRIED_MAX
  size_t tried_more;
  FunctionUnjudged *unjudged;  // own
  size_t unjudged_count;
  // Cases: passed; count against the library, since they failed, or gave no verdict; did either, and do not count.
  size_t passed, failed, inconclusive, warned;
  const CaseResult *worst;  // borrowed; the first that counts, else that failed; or NULL
} FunctionFacts;

// Of each function of the module (own), in the order of report->kernels. NULL if there are none, or
// memory is out.
FunctionFacts *functions_of(const RunReport *report);
void functions_free(FunctionFacts *functions, const RunReport *report);

// Where what is known of the function comes from, the best of it: "file", "metadata", "arity error",
// "message", "probing", "nobody".
const char *functions_origin(const FunctionFacts *facts);

// How many facts there are: of the parameters, of the arguments behind them, of the result.
uint32_t functions_fact_count(const FunctionFacts *facts);

// One of them: "tensor float32[n, 4], out". What it is of and where it comes from go to `of` and
// `from`.
void functions_fact(const FunctionFacts *facts, uint32_t index, char what[FUNCTION_FACT_MAX],
                    char of[64], const char **from);

// "f(x: tensor float32[n], k: int) -> none", cut to the capacity.
void functions_signature(const FunctionFacts *facts, char *text, size_t capacity);

// Words of the report: "promised", "right".
const char *functions_promise_name(const EvidenceTried *tried);
const char *functions_end_name(const EvidenceTried *tried);

// Whether what came of it is what the signature asks for, is not, or nobody can tell.
typedef enum FunctionTriedMark { TRIED_IS_GOOD, TRIED_IS_OPEN, TRIED_IS_BAD } FunctionTriedMark;
FunctionTriedMark functions_mark(const EvidenceTried *tried);

#endif  // TVMFFI_CONFORMANCE_REPORT_FUNCTIONS_H_
