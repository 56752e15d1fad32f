// SPDX-License-Identifier: Apache-2.0
// Two passes. The first follows the grammar as an automaton and notes every field with its role and
// place, until the grammar ends or a field is cut short. The second asks each rule about the
// fields; no rule depends on another.
#include "oracle/bin_oracle.h"

#include <stdlib.h>
#include <string.h>

enum { NUMBER = 8 };

// What a field of the grammar is.
typedef enum Role {
  ROWS,
  ROW,
  CHILDREN,
  CHILD,
  KIND_LENGTH,
  KIND,
  VALUE_LENGTH,
  VALUE,
  END,
  CUT
} Role;

// Which rule is broken where the payload ends within the field, and where it ends before what the
// number of the field announces, in units of so many bytes. (Rows and children are there once their
// count was checked, and announce nothing.)
static const struct {
  BinOracleRule cut, too_large;
  size_t unit;
} roles[] = {[ROWS] = {BIN_ORACLE_COUNT_CUT, BIN_ORACLE_COUNT_TOO_LARGE, NUMBER},
             [CHILDREN] = {BIN_ORACLE_COUNT_CUT, BIN_ORACLE_COUNT_TOO_LARGE, NUMBER},
             [KIND_LENGTH] = {BIN_ORACLE_KIND_CUT, BIN_ORACLE_KIND_TOO_LARGE, 1},
             [VALUE_LENGTH] = {BIN_ORACLE_VALUE_CUT, BIN_ORACLE_VALUE_TOO_LARGE, 1}};

static const struct {
  const char *name;
  int clause;
  BinOracleVerdict verdict;
} rules[BIN_ORACLE_NUM_RULES] = {
#define X(constant, name, clause, verdict) {name, clause, BIN_ORACLE_##verdict},
    BIN_ORACLE_RULES(X)
#undef X
};

// The fields as they were found.
typedef struct Layout {
  const uint8_t *bytes;
  size_t at, end;  // where the next field begins, and where the payload ends
  uint64_t *rows, *children;
  size_t rows_at, children_at;  // where the vectors begin, behind their counts
  uint64_t num_rows, num_children;
  uint64_t left;    // rows, children or entries that are to follow
  size_t entries;   // that are whole
  size_t entry_at;  // where the current one begins
  bool has_vectors, is_whole;
} Layout;

static void report(BinOracle *oracle, BinOracleRule rule, size_t offset)
{
  if (oracle->broken[rule]) return;
  oracle->broken[rule] = true;
  oracle->offset[rule] = offset;
  if (oracle->verdict < rules[rule].verdict) oracle->verdict = rules[rule].verdict;
}

static uint64_t number_at(const uint8_t *bytes)
{
  uint64_t number = 0;
  for (int i = NUMBER; i-- > 0;) number = number << 8 | bytes[i];
  return number;
}

// --- First pass: the fields ----------------------------------------------------------------------

static bool is_library_kind(BinOracleBytes kind)
{
  return kind.size == 4 && memcmp(kind.data, "_lib", 4) == 0;
}

static Role next_entry(Layout *layout)
{
  layout->entry_at = layout->at;
  return layout->left ? KIND_LENGTH : END;
}

// What the children are followed by: one entry for each module.
static Role begin_entries(Layout *layout)
{
  layout->has_vectors = true;
  layout->left = layout->num_rows ? layout->num_rows - 1 : 0;
  return next_entry(layout);
}

static Role end_entry(Layout *layout)
{
  ++layout->entries;
  --layout->left;
  return next_entry(layout);
}

// A count or length, and what it announces.
static Role after_number(Layout *layout, Role role, uint64_t number)
{
  switch (role) {
    case ROWS:
      layout->rows_at = layout->at;
      layout->num_rows = layout->left = number;
      return number ? ROW : CHILDREN;
    case ROW:
      layout->rows[layout->num_rows - layout->left] = number;
      return --layout->left ? ROW : CHILDREN;
    case CHILDREN:
      layout->children_at = layout->at;
      layout->num_children = layout->left = number;
      return number ? CHILD : begin_entries(layout);
    case CHILD:
      layout->children[layout->num_children - layout->left] = number;
      return --layout->left ? CHILD : begin_entries(layout);
    default:
      return role == KIND_LENGTH ? KIND : VALUE;
  }
}

// A kind or value, which is there as a whole.
static Role after_text(Layout *layout, Role role, BinOracleBytes text, BinOracle *oracle)
{
  BinOracleModule *module = &oracle->modules[layout->entries];
  layout->at += text.size;
  if (role == VALUE) {
    module->value = text;
    return end_entry(layout);
  }
  module->kind = text;
  module->is_library = is_library_kind(text);
  if (text.size == 0) report(oracle, BIN_ORACLE_EMPTY_KIND, layout->entry_at);
  return module->is_library ? end_entry(layout) : VALUE_LENGTH;
}

static Role cut(BinOracle *oracle, BinOracleRule rule, size_t offset)
{
  report(oracle, rule, offset);
  return CUT;
}

// One field; END behind the last one, CUT where the payload is cut short.
static Role step(Layout *layout, Role role, uint64_t *length, BinOracle *oracle)
{
  size_t at = layout->at, left = layout->end - at;
  if (role == KIND || role == VALUE) {
    BinOracleBytes text = {layout->bytes + at, (size_t)*length};
    return after_text(layout, role, text, oracle);
  }
  if (left < NUMBER) return cut(oracle, roles[role].cut, at);
  *length = number_at(layout->bytes + at);
  if (roles[role].unit && *length > (left - NUMBER) / roles[role].unit)
    return cut(oracle, roles[role].too_large, at);
  layout->at += NUMBER;
  return after_number(layout, role, *length);
}

static void lay_out(Layout *layout, BinOracle *oracle)
{
  uint64_t length = 0;
  Role role = ROWS;
  while (role < END) role = step(layout, role, &length, oracle);
  layout->is_whole = role == END;
}

// --- Second pass: the rules ----------------------------------------------------------------------

// What a rule finds wrong with the fields; `has_vectors` holds.
typedef void Check(const Layout *layout, BinOracle *oracle);

static size_t row_offset(const Layout *layout, uint64_t row)
{
  return layout->rows_at + NUMBER * (size_t)row;
}

static void check_rows(const Layout *layout, BinOracle *oracle)
{
  if (layout->num_rows < 2) report(oracle, BIN_ORACLE_NO_ROWS, layout->rows_at - NUMBER);
}

static void check_first_row(const Layout *layout, BinOracle *oracle)
{
  if (layout->num_rows && layout->rows[0] != 0)
    report(oracle, BIN_ORACLE_FIRST_ROW, layout->rows_at);
}

static void check_order(const Layout *layout, BinOracle *oracle)
{
  for (uint64_t i = 1; i < layout->num_rows; ++i)
    if (layout->rows[i] < layout->rows[i - 1])
      report(oracle, BIN_ORACLE_ROW_FALLS, row_offset(layout, i));
}

static void check_last_row(const Layout *layout, BinOracle *oracle)
{
  if (!layout->num_rows) return;
  uint64_t last = layout->rows[layout->num_rows - 1];
  if (last == layout->num_children) return;
  oracle->row_beyond = last > layout->num_children;
  report(oracle, BIN_ORACLE_LAST_ROW, row_offset(layout, layout->num_rows - 1));
}

static void check_children(const Layout *layout, BinOracle *oracle)
{
  uint64_t num_modules = layout->num_rows ? layout->num_rows - 1 : 0;
  for (uint64_t i = 0; i < layout->num_children; ++i)
    if (layout->children[i] >= num_modules)
      report(oracle, BIN_ORACLE_CHILD_RANGE, layout->children_at + NUMBER * (size_t)i);
}

static void check_libraries(const Layout *layout, BinOracle *oracle)
{
  size_t libraries = 0;
  for (size_t i = 0; i < layout->entries; ++i)
    if (oracle->modules[i].is_library && libraries++) {
      const uint8_t *kind = oracle->modules[i].kind.data;
      report(oracle, BIN_ORACLE_LIBRARY_TWICE, (size_t)(kind - layout->bytes) - NUMBER);
    }
}

static void check_end(const Layout *layout, BinOracle *oracle)
{
  if (layout->is_whole && layout->at < layout->end) report(oracle, BIN_ORACLE_TRAILING, layout->at);
}

static Check *const checks[] = {check_rows,     check_first_row, check_order, check_last_row,
                                check_children, check_libraries, check_end};

// --- Cycles, and the tree ------------------------------------------------------------------------

// Whether rows and children can be followed.
static bool has_imports(const BinOracle *oracle)
{
  for (int rule = 0; rule <= BIN_ORACLE_CHILD_RANGE; ++rule)
    if (oracle->broken[rule]) return false;
  return true;
}

static void set_imports(const Layout *layout, BinOracle *oracle)
{
  oracle->num_modules = (size_t)layout->num_rows - 1;
  for (size_t i = 0; i < oracle->num_modules; ++i) {
    oracle->modules[i].imports = layout->children + layout->rows[i];
    oracle->modules[i].num_imports = (size_t)(layout->rows[i + 1] - layout->rows[i]);
  }
}

// Takes away, again and again, a module that no module imports that is still there. What can't be
// taken away is on a cycle or behind one. `importers` and `free_ones` have room for all modules.
static bool has_cycle(const BinOracle *oracle, uint64_t *importers, uint64_t *free_ones)
{
  size_t taken = 0, found = 0;
  memset(importers, 0, oracle->num_modules * sizeof *importers);
  for (size_t i = 0; i < oracle->num_modules; ++i)
    for (size_t k = 0; k < oracle->modules[i].num_imports; ++k)
      ++importers[oracle->modules[i].imports[k]];
  for (size_t i = 0; i < oracle->num_modules; ++i)
    if (!importers[i]) free_ones[found++] = i;
  for (; taken < found; ++taken) {
    const BinOracleModule *module = &oracle->modules[free_ones[taken]];
    for (size_t k = 0; k < module->num_imports; ++k)
      if (--importers[module->imports[k]] == 0) free_ones[found++] = module->imports[k];
  }
  return taken < oracle->num_modules;
}

// --- Together ------------------------------------------------------------------------------------

// Each row, child and module takes at least one number of the payload: so much room is enough for
// all of them, whatever the counts are.
static bool make_room(size_t size, Layout *layout, BinOracle *oracle)
{
  size_t room = size / NUMBER + 1;
  char *memory = calloc(room, 4 * sizeof(uint64_t) + sizeof(BinOracleModule));
  if (!memory) return false;
  oracle->memory = memory;
  oracle->modules = (BinOracleModule *)memory;
  layout->rows = (uint64_t *)(memory + room * sizeof(BinOracleModule));
  layout->children = layout->rows + room;
  return true;
}

static void judge_fields(Layout *layout, BinOracle *oracle)
{
  uint64_t *scratch = layout->children + layout->end / NUMBER + 1;
  lay_out(layout, oracle);
  if (!layout->has_vectors) return;
  for (size_t i = 0; i < sizeof checks / sizeof checks[0]; ++i) checks[i](layout, oracle);
  if (!has_imports(oracle)) return;
  set_imports(layout, oracle);
  if (has_cycle(oracle, scratch, scratch + oracle->num_modules))
    report(oracle, BIN_ORACLE_CYCLE, 0);
}

bool bin_oracle_judge(const void *bytes, size_t size, BinOracle *oracle)
{
  Layout layout = {.bytes = bytes, .at = NUMBER};
  *oracle = (BinOracle){.verdict = BIN_ORACLE_ACCEPT};
  uint64_t follow = size < NUMBER ? 0 : number_at(bytes);
  if (size < NUMBER)
    report(oracle, BIN_ORACLE_SIZE_CUT, 0);
  else if (follow > size - NUMBER)
    report(oracle, BIN_ORACLE_SIZE_TOO_LARGE, 0);
  if (oracle->verdict != BIN_ORACLE_ACCEPT) return true;
  layout.end = NUMBER + (size_t)follow;
  if (!make_room(layout.end, &layout, oracle)) return false;
  judge_fields(&layout, oracle);
  if (oracle->verdict == BIN_ORACLE_REFUSE) oracle->num_modules = 0;
  return true;
}

void bin_oracle_free(BinOracle *oracle)
{
  free(oracle->memory);
  oracle->memory = NULL;
  oracle->modules = NULL;
  oracle->num_modules = 0;
}

BinOracleRule bin_oracle_rule(const BinOracle *oracle)
{
  for (int rule = 0; rule < BIN_ORACLE_NUM_RULES; ++rule)
    if (oracle->broken[rule] && rules[rule].verdict == oracle->verdict) return (BinOracleRule)rule;
  return BIN_ORACLE_NUM_RULES;
}

bool bin_oracle_is_tree(const BinOracle *oracle)
{
  BinOracleRule rule = bin_oracle_rule(oracle);
  return rule == BIN_ORACLE_EMPTY_KIND || rule == BIN_ORACLE_NUM_RULES;
}

const char *bin_oracle_name(BinOracleRule rule)
{
  return rule < BIN_ORACLE_NUM_RULES ? rules[rule].name : "none";
}

int bin_oracle_clause(BinOracleRule rule)
{
  return rule < BIN_ORACLE_NUM_RULES ? rules[rule].clause : 0;
}
