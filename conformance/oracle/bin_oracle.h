// SPDX-License-Identifier: Apache-2.0
// What the chapter on library_bin requires of a payload, for verdicts.
//
// Written from the grammar and the clauses of spec/library_bin.md alone. It shares no code and no
// structure with the reader in library_bin/, which tools and the reference use: that one stops at
// the first mistake, this one lays out all fields and then checks rule after rule. A test compares
// both, and the reader in Python, on vectors and on mutated payloads.
#ifndef TVMFFI_CONFORMANCE_ORACLE_BIN_ORACLE_H_
#define TVMFFI_CONFORMANCE_ORACLE_BIN_ORACLE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// X(constant, name, clause, verdict): the rules, in the order in which the schema of the vectors
// names them. The clause is the number of the BIN clause.
#define BIN_ORACLE_RULES(X)                         \
  X(SIZE_CUT, "size-cut", 38, OPEN)                 \
  X(SIZE_TOO_LARGE, "size-too-large", 38, OPEN)     \
  X(COUNT_CUT, "count-cut", 22, REFUSE)             \
  X(COUNT_TOO_LARGE, "count-too-large", 23, REFUSE) \
  X(NO_ROWS, "no-rows", 25, REFUSE)                 \
  X(FIRST_ROW, "first-row", 26, REFUSE)             \
  X(ROW_FALLS, "row-falls", 27, REFUSE)             \
  X(LAST_ROW, "last-row", 28, REFUSE)               \
  X(CHILD_RANGE, "child-range", 29, REFUSE)         \
  X(CYCLE, "cycle", 30, REFUSE)                     \
  X(KIND_CUT, "kind-cut", 22, REFUSE)               \
  X(KIND_TOO_LARGE, "kind-too-large", 31, REFUSE)   \
  X(VALUE_CUT, "value-cut", 22, REFUSE)             \
  X(VALUE_TOO_LARGE, "value-too-large", 32, REFUSE) \
  X(TRAILING, "trailing", 33, REFUSE)               \
  X(LIBRARY_TWICE, "library-twice", 35, OPEN)       \
  X(EMPTY_KIND, "empty-kind", 36, OPEN)

typedef enum BinOracleRule {
#define X(constant, name, clause, verdict) BIN_ORACLE_##constant,
  BIN_ORACLE_RULES(X)
#undef X
      BIN_ORACLE_NUM_RULES
} BinOracleRule;

typedef enum BinOracleVerdict {
  BIN_ORACLE_ACCEPT,
  BIN_ORACLE_OPEN,  // the spec leaves it open
  BIN_ORACLE_REFUSE
} BinOracleVerdict;

typedef struct BinOracleBytes {
  const uint8_t *data;  // borrow: in the payload
  size_t size;
} BinOracleBytes;

typedef struct BinOracleModule {
  bool is_library;
  BinOracleBytes kind, value;  // the library has no value
  const uint64_t *imports;     // numbers of modules, in order
  size_t num_imports;
} BinOracleModule;

typedef struct BinOracle {
  BinOracleVerdict verdict;
  bool broken[BIN_ORACLE_NUM_RULES];  // all rules that the payload breaks
  size_t
      offset[BIN_ORACLE_NUM_RULES];  // where the first field begins that breaks it; not of cycles
  bool row_beyond;                   // of LAST_ROW: more than there are children
  // The tree, if the payload is not refused and its size is known; else no modules.
  size_t num_modules;
  BinOracleModule *modules;
  void *memory;  // own: bin_oracle_free
} BinOracle;

// Judges the payload at `bytes`, which begins with nbytes; no byte behind `size` is read. The
// answer points into the payload. False for want of memory: then nothing was judged, and nothing
// is to be freed.
bool bin_oracle_judge(const void *bytes, size_t size, BinOracle *oracle);
void bin_oracle_free(BinOracle *oracle);

// The first rule that is broken, those first that require a refusal; BIN_ORACLE_NUM_RULES if none
// is.
BinOracleRule bin_oracle_rule(const BinOracle *oracle);

// Whether the payload has a tree that every reader may take: no rule is broken, or only the one about
// kinds without a name.
bool bin_oracle_is_tree(const BinOracle *oracle);

// The name of a rule, as in the schema of the vectors, and the number of its BIN clause.
const char *bin_oracle_name(BinOracleRule rule);
int bin_oracle_clause(BinOracleRule rule);

#endif  // TVMFFI_CONFORMANCE_ORACLE_BIN_ORACLE_H_
