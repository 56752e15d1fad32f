// SPDX-License-Identifier: Apache-2.0
// The table of options, for what is made from it: help, manual, completions and documentation.
#ifndef TVMFFI_CONFORMANCE_CLI_OPTION_TABLE_H_
#define TVMFFI_CONFORMANCE_CLI_OPTION_TABLE_H_

#include <stddef.h>

#include "cli/options.h"

// The bit of a verb in a set of them: V(run) | V(list).
#define V(symbol) (1u << VERB_##symbol)

enum { OPTION_ROWS_MAX = 96 };

// Takes the value of an option. Returns NULL, or what the value should have been.
typedef const char *OptionTake(Options *options, const char *value);

// What a value is.
typedef enum OptionKind {
  OPTION_FLAG,      // bool: set, without a value
  OPTION_TEXT,      // const char *: any
  OPTION_WORD,      // const char *: one of the words of `argument`
  OPTION_CHOICE,    // an enum: the word's place among those of `argument`, counted from `least`
  OPTION_UNSIGNED,  // unsigned: from `least` to `most`
  OPTION_UINT64,    // uint64_t: the same
  OPTION_TAKEN_BY,  // `take` reads it
} OptionKind;

// Where a value goes.
typedef struct OptionTarget {
  OptionKind kind;
  size_t offset;  // in Options
  uint64_t least, most;
  OptionTake *take;
} OptionTarget;

typedef struct Option {
  const char *name;      // several rows may have it, for different verbs
  char letter;           // 0: none
  const char *argument;  // NULL: a switch; "a|b": one of these; else a word such as FILE
  const char *text;
  unsigned verbs;  // bits V(...)
  OptionTarget target;
} Option;

typedef struct OptionTable {
  const Option *rows;
  size_t count;
} OptionTable;

extern const OptionTable option_table;

// The name of the index-th kind of report that the verb writes, or NULL.
const char *options_report_kind(const Verb *verb, size_t index);

#endif  // TVMFFI_CONFORMANCE_CLI_OPTION_TABLE_H_
