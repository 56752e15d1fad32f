// SPDX-License-Identifier: Apache-2.0
#include "bin_agree.h"

#include <string.h>

#include "library_bin.h"

BinOracleRule bin_agree_first_rule(const BinOracle *oracle)
{
  BinOracleRule first = BIN_ORACLE_NUM_RULES;
  for (int rule = 0; rule <= BIN_ORACLE_CYCLE; ++rule)
    if (oracle->broken[rule]) return (BinOracleRule)rule;
  for (int rule = BIN_ORACLE_KIND_CUT; rule < BIN_ORACLE_EMPTY_KIND; ++rule)
    if (oracle->broken[rule] &&
        (first == BIN_ORACLE_NUM_RULES || oracle->offset[rule] < oracle->offset[first]))
      first = (BinOracleRule)rule;
  return first;
}

static bool is_same_text(LibraryBinBytes read, BinOracleBytes due)
{
  return read.size == due.size && (const uint8_t *)read.data == due.data;
}

static bool is_same_module(const LibraryBin *tree, size_t place, const BinOracleModule *due)
{
  const LibraryBinEntry *entry = &tree->entries[place];
  const uint64_t *imports = tree->children + tree->rows[place];
  uint64_t count = tree->rows[place + 1] - tree->rows[place];
  return entry->is_library == due->is_library &&
         (due->is_library ||
          (is_same_text(entry->kind, due->kind) && is_same_text(entry->value, due->value))) &&
         count == due->num_imports &&
         (count == 0 || memcmp(imports, due->imports, count * sizeof *imports) == 0);
}

static const char *compare_trees(const LibraryBin *tree, const BinOracle *oracle)
{
  if (!bin_oracle_is_tree(oracle)) return "the reader accepts what the oracle does not";
  if (tree->num_modules != oracle->num_modules) return "other numbers of modules";
  for (size_t i = 0; i < tree->num_modules; ++i)
    if (!is_same_module(tree, i, &oracle->modules[i])) return "a module differs";
  return NULL;
}

static const char *compare_problems(const LibraryBinProblem *problem, const BinOracle *oracle)
{
  BinOracleRule due = bin_agree_first_rule(oracle);
  if (due == BIN_ORACLE_NUM_RULES) return "the reader refuses what the oracle does not";
  if (strcmp(library_bin_rule_name(problem->rule), bin_oracle_name(due)) != 0)
    return "the reader reports another rule";
  if (due != BIN_ORACLE_CYCLE && problem->offset != oracle->offset[due])
    return "the reader reports another place";
  return NULL;
}

const char *bin_agree(const void *bytes, size_t size)
{
  BinOracle oracle;
  LibraryBin tree;
  LibraryBinProblem problem = {.rule = kLibraryBinOk};
  if (!bin_oracle_judge(bytes, size, &oracle)) return NULL;  // no memory: nothing to compare
  bool read = library_bin_read(bytes, size, &tree, &problem);
  const char *difference = read ? compare_trees(&tree, &oracle)
                           : problem.rule == kLibraryBinNoMemory
                               ? NULL
                               : compare_problems(&problem, &oracle);
  if (read) library_bin_free(&tree);
  bin_oracle_free(&oracle);
  return difference;
}
