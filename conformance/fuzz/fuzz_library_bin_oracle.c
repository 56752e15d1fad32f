// SPDX-License-Identifier: Apache-2.0
// What a payload is about: the verdict of the oracle, and of the clauses on loaders of embedded
// modules.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz_library_bin.h"
#include "fuzz/fuzz_tree.h"

enum { MANY_PATHS = 4096, FEW = 8 };

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

static unsigned aspect_of_rule(const BinOracle *oracle)
{
  static const struct {
    BinOracleRule rule;
    FuzzBinAspect aspect;
  } rules[] = {{BIN_ORACLE_COUNT_CUT, FUZZ_BIN_COUNT_CUT},
               {BIN_ORACLE_COUNT_TOO_LARGE, FUZZ_BIN_COUNT_TOO_LARGE},
               {BIN_ORACLE_NO_ROWS, FUZZ_BIN_NO_ROWS},
               {BIN_ORACLE_FIRST_ROW, FUZZ_BIN_FIRST_ROW},
               {BIN_ORACLE_ROW_FALLS, FUZZ_BIN_ROW_FALLS},
               {BIN_ORACLE_LAST_ROW, FUZZ_BIN_ROW_SHORT},
               {BIN_ORACLE_CHILD_RANGE, FUZZ_BIN_CHILD_RANGE},
               {BIN_ORACLE_CYCLE, FUZZ_BIN_CYCLE},
               {BIN_ORACLE_KIND_CUT, FUZZ_BIN_KIND_CUT},
               {BIN_ORACLE_KIND_TOO_LARGE, FUZZ_BIN_KIND_TOO_LARGE},
               {BIN_ORACLE_VALUE_CUT, FUZZ_BIN_VALUE_CUT},
               {BIN_ORACLE_VALUE_TOO_LARGE, FUZZ_BIN_VALUE_TOO_LARGE},
               {BIN_ORACLE_TRAILING, FUZZ_BIN_TRAILING}};
  BinOracleRule rule = bin_oracle_rule(oracle);
  if (rule == BIN_ORACLE_LAST_ROW && oracle->row_beyond) return FUZZ_BIN_ROW_BEYOND;
  for (size_t i = 0; i < sizeof rules / sizeof rules[0]; ++i)
    if (rules[i].rule == rule) return rules[i].aspect;
  return FUZZ_BIN_TWICE;  // and what the spec leaves open besides
}

// Separators are alike, and so are capitals.
static bool is_like(const uint8_t *one, const char *other, size_t size)
{
  for (size_t i = 0; i < size; ++i) {
    bool separators = one[i] < 0x80 && ispunct(one[i]) && ispunct((unsigned char)other[i]);
    if (!separators && tolower(one[i]) != tolower((unsigned char)other[i])) return false;
  }
  return true;
}

bool fuzz_bin_is_near(const BinOracleBytes *kind)
{
  static const char *const others[] = {fuzz_kind_short, fuzz_kind_long, "_lib"};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i) {
    size_t size = strlen(others[i]), less = kind->size < size ? kind->size : size;
    if (is_like(kind->data, others[i], less) ||
        is_like(kind->data + kind->size - less, others[i] + size - less, less))
      return true;
  }
  return false;
}

// What the kind of an entry that is not the library is about.
static unsigned aspect_of_kind(const BinOracleBytes *kind)
{
  static const struct {
    const char *kind;
    FuzzBinAspect aspect;
  } known[] = {{fuzz_kind_short, FUZZ_BIN_WHOLE},        {fuzz_kind_long, FUZZ_BIN_WHOLE},
               {fuzz_kind_fails, FUZZ_BIN_FAILS},        {fuzz_kind_none, FUZZ_BIN_NO_MODULE},
               {fuzz_kind_thing, FUZZ_BIN_NO_MODULE},    {fuzz_kind_keeps, FUZZ_BIN_KEEPS},
               {fuzz_kind_keeps_fails, FUZZ_BIN_FAILS},  {fuzz_kind_loads, FUZZ_BIN_NESTS},
               {fuzz_kind_threads, FUZZ_BIN_THREADS},    {fuzz_kind_laps, FUZZ_BIN_THREADS},
               {fuzz_kind_library_x, FUZZ_BIN_ODD_KIND}, {fuzz_kind_longer, FUZZ_BIN_ODD_KIND},
               {fuzz_kind_odd, FUZZ_BIN_ODD_KIND},       {fuzz_kind_capital, FUZZ_BIN_ODD_KIND},
               {fuzz_kind_private, FUZZ_BIN_ODD_KIND},   {fuzz_kind_fails_1, FUZZ_BIN_FAILS},
               {fuzz_kind_number, FUZZ_BIN_NO_MODULE}};
  for (size_t k = 0; k < sizeof known / sizeof known[0]; ++k)
    if (kind->size == strlen(known[k].kind) && memcmp(kind->data, known[k].kind, kind->size) == 0)
      return known[k].aspect;
  if (kind->size == 0) return FUZZ_BIN_NO_KIND;
  return fuzz_bin_is_near(kind) ? FUZZ_BIN_NEAR_KIND : FUZZ_BIN_STRANGER;
}

// The first entry whose loader does not give a module decides, else what loaders do besides.
static unsigned aspect_of_kinds(const BinOracle *tree)
{
  unsigned aspect = FUZZ_BIN_WHOLE;
  for (size_t i = 0; i < tree->num_modules; ++i) {
    if (tree->modules[i].is_library) continue;
    unsigned of_kind = aspect_of_kind(&tree->modules[i].kind);
    if (fuzz_bin_aspects[of_kind].due != FUZZ_DUE_ACCEPT) return of_kind;
    if (of_kind > aspect) aspect = of_kind;
  }
  return aspect;
}

bool fuzz_bin_fails_otherwise(const BinOracle *tree, unsigned aspect)
{
  for (size_t i = 0; i < tree->num_modules; ++i) {
    if (tree->modules[i].is_library) continue;
    unsigned of_kind = aspect_of_kind(&tree->modules[i].kind);
    if (fuzz_bin_aspects[of_kind].due != FUZZ_DUE_ACCEPT && of_kind != aspect) return true;
  }
  return false;
}

static bool has_empty_value(const BinOracle *tree)
{
  for (size_t i = 0; i < tree->num_modules; ++i)
    if (!tree->modules[i].is_library && tree->modules[i].value.size == 0) return true;
  return false;
}

// Goes every way from the root, until they are too many. Says which modules were reached.
static bool has_many_paths(const BinOracle *tree, bool *reached)
{
  static uint64_t ways[MANY_PATHS];
  size_t end = 0;
  memset(reached, 0, tree->num_modules * sizeof *reached);
  ways[end++] = 0;
  reached[0] = true;
  for (size_t i = 0; i < end; ++i) {
    const BinOracleModule *module = &tree->modules[ways[i]];
    for (size_t k = 0; k < module->num_imports; ++k) {
      if (end == MANY_PATHS) return true;
      reached[module->imports[k]] = true;
      ways[end++] = module->imports[k];
    }
  }
  return false;
}

static bool has_many(const BinOracle *tree)
{
  bool many = tree->num_modules > FEW;
  for (size_t i = 0; i < tree->num_modules && !many; ++i) many = tree->modules[i].num_imports > FEW;
  return many;
}

static bool has_long_value(const BinOracle *tree)
{
  for (size_t i = 0; i < tree->num_modules; ++i)
    if (!tree->modules[i].is_library && tree->modules[i].value.size > FEW) return true;
  return false;
}

static bool imports_what_stands_before(const BinOracle *tree, size_t entry)
{
  const BinOracleModule *module = &tree->modules[entry];
  for (size_t k = 0; k < module->num_imports; ++k)
    if (module->imports[k] < entry) return true;
  return false;
}

static unsigned aspect_of_tree(const BinOracle *tree)
{
  static bool reached[FUZZ_TREE_MODULES];
  unsigned aspect = aspect_of_kinds(tree);
  if (has_empty_value(tree))
    return fuzz_bin_aspects[aspect].due == FUZZ_DUE_ACCEPT ? FUZZ_BIN_EMPTY_VALUE : FUZZ_BIN_MIXED;
  bool accepted = fuzz_bin_aspects[aspect].due == FUZZ_DUE_ACCEPT;
  if (accepted && has_many_paths(tree, reached)) return FUZZ_BIN_PATHS;
  if (aspect != FUZZ_BIN_WHOLE) return aspect;
  if (has_many(tree)) return FUZZ_BIN_MANY;
  if (has_long_value(tree)) return FUZZ_BIN_LONG_VALUE;
  for (size_t i = 0; i < tree->num_modules; ++i)
    if (!reached[i]) return FUZZ_BIN_UNREACHED;
  for (size_t i = 0; i < tree->num_modules; ++i)
    if (imports_what_stands_before(tree, i)) return FUZZ_BIN_ANY_ORDER;
  if (tree->modules[0].is_library) return tree->num_modules == 1 ? FUZZ_BIN_SINGLE : FUZZ_BIN_WHOLE;
  for (size_t i = 1; i < tree->num_modules; ++i)
    if (tree->modules[i].is_library) return FUZZ_BIN_LIBRARY_BEHIND;
  return FUZZ_BIN_NO_LIBRARY;
}

const BinOracle *fuzz_bin_judge(const FuzzInput *input)
{
  static uint8_t bytes[FUZZ_INPUT_MAX];
  static size_t size;
  static bool judged;
  static BinOracle oracle;
  if (judged && size == input->size && memcmp(bytes, input->bytes, size) == 0) return &oracle;
  if (judged) bin_oracle_free(&oracle);
  size = input->size;
  memcpy(bytes, input->bytes, size);
  judged = bin_oracle_judge(bytes, size, &oracle);
  return judged ? &oracle : NULL;
}

unsigned fuzz_bin_aspect(const FuzzInput *input)
{
  const BinOracle *tree = fuzz_bin_judge(input);
  if (!tree) return FUZZ_BIN_TWICE;  // can't be judged for want of memory
  return bin_oracle_is_tree(tree) ? aspect_of_tree(tree) : aspect_of_rule(tree);
}
