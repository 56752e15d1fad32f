// SPDX-License-Identifier: Apache-2.0
// What more than one writer says about a run, in the same words.
#ifndef TVMFFI_CONFORMANCE_REPORT_FACTS_H_
#define TVMFFI_CONFORMANCE_REPORT_FACTS_H_

#include <stdbool.h>
#include <stddef.h>

#include "judge/judge.h"

// The file name without its folders. Borrowed from `path`.
const char *facts_base_name(const char *path);

// False if the library could not be asked for its version.
bool facts_has_version(const RunReport *report);

// What a function of the C API is called in the library's generation and version; NULL if it is not
// part of that.
const char *facts_function_name(const RunReport *report, AbiFunctionId function);

// Of the functions of the C API that a library of this version has: how many there are, and how
// many are there.
unsigned facts_functions_known(const RunReport *report);
unsigned facts_functions_present(const RunReport *report);
bool facts_function_missing(const RunReport *report, AbiFunctionId function);

// Name of one of the INSPECT_*_SANITIZER bits: "address".
const char *facts_sanitizer_name(unsigned bit);

// How many of its failures the evidence keeps; 0 without evidence.
size_t facts_failures(const Outcome *outcome);

// The case is about a function whose signature was found out by probing: it is tentative.
bool facts_is_probed(const CaseResult *result);

// Whether reports for machines count the case with those of other functions that ended alike, in
// the place of listing it: one about a function that passed or did not apply. Of a module with many
// functions these are a hundred thousand.
bool facts_is_grouped(const CaseResult *result);

// Such cases: of one case, with one verdict, for one reason.
typedef struct FactsGroup {
  const CaseResult **results;  // borrowed from `members` of the groups
  size_t count;
} FactsGroup;

typedef struct FactsGroups {
  FactsGroup *items;  // own; in the order of the first result of each
  size_t count;
  const CaseResult **members;  // own
} FactsGroups;

// Groups the results that facts_is_grouped. False if memory is out.
bool facts_group(const RunReport *report, FactsGroups *groups);
void facts_groups_free(FactsGroups *groups);

// The function of a case about one, as the case's id has it: behind the "@".
const char *facts_function(const CaseInstance *instance);

// The id of a case about a function without that function.
char *facts_case_id(const CaseInstance *instance, char id[CASE_ID_MAX]);

// The call that failed, as a C program: its size, and the text (borrowed, unclean) in `program`. 0
// for a case that did not fail, is about no module, or made no call.
size_t facts_program(const CaseResult *result, const char **program);

// The first failure, or the reason, in one line for machines: "strong count: expected 2, seen 1".
// Own and clean; NULL if memory is out.
char *facts_headline(const CaseResult *result);

#endif  // TVMFFI_CONFORMANCE_REPORT_FACTS_H_
