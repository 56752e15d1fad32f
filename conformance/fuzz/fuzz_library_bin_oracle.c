// SPDX-License-Identifier: Apache-2.0
// What a payload is about: the word of the reference's strict reader, and of the clauses on loaders
// of embedded modules.
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz_library_bin.h"
#include "fuzz/fuzz_tree.h"

enum { MANY_PATHS = 4096 };

const FuzzAspect fuzz_bin_aspects[FUZZ_BIN_ASPECTS] = {
#define X(constant, name, clause, due, sized, what) {name, clause, FUZZ_DUE_##due, what, sized},
    FUZZ_BIN_ASPECT_LIST(X)
#undef X
};

// Trees of more modules than there are nodes for are not run.
static bool is_too_large(const FuzzInput *input)
{
  uint64_t rows = 0;
  if (input->size >= 16) memcpy(&rows, input->bytes + 8, sizeof rows);
  return rows > FUZZ_TREE_MODULES + 1 && rows <= input->size / 8;
}

bool fuzz_bin_repair(FuzzInput *input)
{
  if (input->size < 8 || is_too_large(input)) return false;
  uint64_t follow = input->size - 8;
  memcpy(input->bytes, &follow, sizeof follow);
  return true;
}

static unsigned aspect_of_problem(const LibraryBinProblem *problem)
{
  static const struct {
    LibraryBinRule rule;
    FuzzBinAspect aspect;
  } rules[] = {{kLibraryBinCountCut, FUZZ_BIN_COUNT_CUT},
               {kLibraryBinCountTooLarge, FUZZ_BIN_COUNT_TOO_LARGE},
               {kLibraryBinNoRows, FUZZ_BIN_NO_ROWS},
               {kLibraryBinFirstRow, FUZZ_BIN_FIRST_ROW},
               {kLibraryBinRowFalls, FUZZ_BIN_ROW_FALLS},
               {kLibraryBinLastRow, FUZZ_BIN_ROW_SHORT},
               {kLibraryBinChildRange, FUZZ_BIN_CHILD_RANGE},
               {kLibraryBinCycle, FUZZ_BIN_CYCLE},
               {kLibraryBinKindCut, FUZZ_BIN_KIND_CUT},
               {kLibraryBinKindTooLarge, FUZZ_BIN_KIND_TOO_LARGE},
               {kLibraryBinValueCut, FUZZ_BIN_VALUE_CUT},
               {kLibraryBinValueTooLarge, FUZZ_BIN_VALUE_TOO_LARGE},
               {kLibraryBinTrailing, FUZZ_BIN_TRAILING}};
  if (problem->rule == kLibraryBinLastRow && problem->seen > problem->limit)
    return FUZZ_BIN_ROW_BEYOND;
  for (size_t i = 0; i < sizeof rules / sizeof rules[0]; ++i)
    if (rules[i].rule == problem->rule) return rules[i].aspect;
  return FUZZ_BIN_TWICE;  // and what can't be judged for want of memory
}

// The first entry whose loader does not give a module decides.
static unsigned aspect_of_kinds(const LibraryBin *tree)
{
  static const struct {
    const char *kind;
    FuzzBinAspect aspect;
  } known[] = {{fuzz_kind_short, FUZZ_BIN_WHOLE},
               {fuzz_kind_long, FUZZ_BIN_WHOLE},
               {fuzz_kind_fails, FUZZ_BIN_FAILS},
               {fuzz_kind_none, FUZZ_BIN_NO_MODULE}};
  enum { KNOWN = sizeof known / sizeof known[0] };
  for (size_t i = 0; i < tree->num_modules; ++i) {
    const LibraryBinBytes *kind = &tree->entries[i].kind;
    size_t k = 0;
    if (tree->entries[i].is_library) continue;
    while (k < KNOWN && (kind->size != strlen(known[k].kind) ||
                         memcmp(kind->data, known[k].kind, kind->size) != 0))
      ++k;
    if (k == KNOWN) return kind->size ? FUZZ_BIN_STRANGER : FUZZ_BIN_NO_KIND;
    if (known[k].aspect != FUZZ_BIN_WHOLE) return known[k].aspect;
  }
  return FUZZ_BIN_WHOLE;
}

static bool has_empty_value(const LibraryBin *tree)
{
  for (size_t i = 0; i < tree->num_modules; ++i)
    if (!tree->entries[i].is_library && tree->entries[i].value.size == 0) return true;
  return false;
}

// Goes every way from the root, until they are too many. Says which modules were reached.
static bool has_many_paths(const LibraryBin *tree, bool *reached)
{
  static uint64_t ways[MANY_PATHS];
  size_t end = 0;
  memset(reached, 0, tree->num_modules * sizeof *reached);
  ways[end++] = 0;
  reached[0] = true;
  for (size_t i = 0; i < end; ++i)
    for (uint64_t k = tree->rows[ways[i]]; k < tree->rows[ways[i] + 1]; ++k) {
      if (end == MANY_PATHS) return true;
      reached[tree->children[k]] = true;
      ways[end++] = tree->children[k];
    }
  return false;
}

static unsigned aspect_of_tree(const LibraryBin *tree)
{
  static bool reached[FUZZ_TREE_MODULES];
  unsigned aspect = aspect_of_kinds(tree);
  if (has_empty_value(tree))
    return aspect == FUZZ_BIN_WHOLE ? FUZZ_BIN_EMPTY_VALUE : FUZZ_BIN_MIXED;
  if (aspect != FUZZ_BIN_WHOLE) return aspect;
  if (has_many_paths(tree, reached)) return FUZZ_BIN_PATHS;
  for (size_t i = 0; i < tree->num_modules; ++i)
    if (!reached[i]) return FUZZ_BIN_UNREACHED;
  return FUZZ_BIN_WHOLE;
}

unsigned fuzz_bin_aspect(const FuzzInput *input)
{
  LibraryBin tree;
  LibraryBinProblem problem;
  if (!library_bin_read(input->bytes, input->size, &tree, &problem))
    return aspect_of_problem(&problem);
  unsigned aspect = aspect_of_tree(&tree);
  library_bin_free(&tree);
  return aspect;
}
