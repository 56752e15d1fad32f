// SPDX-License-Identifier: Apache-2.0
// The table of options, for what is made from it: help, manual, completions and documentation.
#ifndef TVMFFI_CONFORMANCE_CLI_OPTION_TABLE_H_
#define TVMFFI_CONFORMANCE_CLI_OPTION_TABLE_H_

#include <stddef.h>

#include "cli/options.h"

enum {
  V_RUN = 1,
  V_LIST = 2,
  V_EXPLAIN = 4,
  V_REPRO = 8,
  V_SELF_TEST = 16,
  V_BENCH = 32,
  V_SIGNATURES = 64,
  V_VECTORS = 128,
  V_INSPECT = 256,
  V_DIFF = 512,
  V_FUZZ = 1024,
};

enum { OPTION_ROWS_MAX = 80 };

// Takes the value of an option. Returns NULL, or what the value should have been.
typedef const char *Apply(Options *options, const char *value);

typedef struct Option {
  const char *name;      // several rows may have it, for different verbs
  char letter;           // 0: none
  const char *argument;  // NULL: a switch; "a|b": one of these; else a word such as FILE
  const char *text;
  unsigned verbs;
  Apply *apply;
} Option;

typedef struct OptionTable {
  const Option *rows;
  size_t count;
} OptionTable;

extern const OptionTable option_table;

// The name of the index-th kind of report that the verb writes, or NULL.
const char *options_report_kind(const Verb *verb, size_t index);

#endif  // TVMFFI_CONFORMANCE_CLI_OPTION_TABLE_H_
