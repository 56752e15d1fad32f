// SPDX-License-Identifier: Apache-2.0
// Rules about the data that loaders write and read: context symbols, library_ctx, library_bin.
#include <stdlib.h>

#include "inspect/inspect_rules.h"

typedef struct PointerFindings {
  InspectFindingId type, size, read_only;
} PointerFindings;

// A loader stores a pointer at this symbol.
static bool check_pointer(const InspectCase *file, const InspectEntry *entry,
                          const PointerFindings *ids)
{
  if (entry->type == STT_FUNC || entry->type == STT_GNU_IFUNC || entry->type == STT_TLS) {
    inspect_findings_add(file->findings, ids->type, entry->name, "it is %s",
                         entry->type == STT_TLS ? "a variable of each thread" : "a function");
    return false;
  }
  if (entry->size != 0 && entry->size != file->facts->word_size) {
    inspect_findings_add(file->findings, ids->size, entry->name, "it has %llu bytes, a pointer %u",
                         (unsigned long long)entry->size, file->facts->word_size);
  }
  if (!inspect_facts_is_writable(file->facts, entry)) {
    inspect_findings_add(file->findings, ids->read_only, entry->name, "%s", "");
  }
  return true;
}

static void check_slot(const InspectCase *file, const InspectEntry *entry)
{
  static const PointerFindings ids = {INSPECT_FINDING_SLOT_TYPE, INSPECT_FINDING_SLOT_SIZE,
                                      INSPECT_FINDING_SLOT_READ_ONLY};
  const char *filled_by;
  inspect_api_of_slot(entry->name, &filled_by);
  if (!filled_by) {
    inspect_findings_add(file->findings, INSPECT_FINDING_SLOT_UNKNOWN, entry->name, "%s", "");
  } else if (!*filled_by) {
    inspect_findings_add(file->findings, INSPECT_FINDING_SLOT_NEVER_FILLED, entry->name, "%s", "");
  } else {
    inspect_findings_add(file->findings, INSPECT_FINDING_SLOT_NEEDS_TVM, entry->name,
                         "filled by %s", filled_by);
  }
  check_pointer(file, entry, &ids);
}

static void check_library_ctx(const InspectCase *file, const InspectEntry *entry)
{
  static const PointerFindings ids = {INSPECT_FINDING_CTX_TYPE, INSPECT_FINDING_CTX_SIZE,
                                      INSPECT_FINDING_CTX_READ_ONLY};
  if (!check_pointer(file, entry, &ids) || entry->section == SHN_COMMON) return;
  if (entry->value % file->facts->word_size != 0) {
    inspect_findings_add(file->findings, INSPECT_FINDING_CTX_MISALIGNED, entry->name,
                         "its address is %#llx", (unsigned long long)entry->value);
  }
}

static void check_library_bin(const InspectCase *file, const InspectEntry *entry)
{
  if (entry->type == STT_FUNC || entry->type == STT_GNU_IFUNC || entry->type == STT_TLS) {
    inspect_findings_add(file->findings, INSPECT_FINDING_BIN_TYPE, entry->name, "it is %s",
                         entry->type == STT_TLS ? "a variable of each thread" : "a function");
  }
}

// --- The tree ------------------------------------------------------------------------------------

// Marks what the root leads to; the order of work is a list of modules, so that depth costs
// nothing.
static bool mark_reachable(const LibraryBin *tree, unsigned char *reached, uint64_t *work)
{
  size_t count = 0;
  work[count++] = 0;
  reached[0] = 1;
  while (count > 0) {
    uint64_t module = work[--count];
    for (uint64_t i = tree->rows[module]; i < tree->rows[module + 1]; ++i) {
      uint64_t child = tree->children[i];
      if (reached[child]) continue;
      reached[child] = 1;
      work[count++] = child;
    }
  }
  return true;
}

static void check_reachable(const InspectCase *file)
{
  const LibraryBin *tree = &file->blob->tree;
  unsigned char *reached = calloc(tree->num_modules, 1);
  uint64_t *work = calloc(tree->num_modules, sizeof *work);
  if (reached && work) {
    mark_reachable(tree, reached, work);
    for (size_t i = 0; i < tree->num_modules; ++i) {
      if (reached[i]) continue;
      const LibraryBinBytes *kind = &tree->entries[i].kind;
      inspect_findings_add(file->findings, INSPECT_FINDING_BIN_UNREACHABLE, file->blob->symbol,
                           "module %zu, of kind %.*s", i, kind->size < 64 ? (int)kind->size : 64,
                           kind->data);
    }
  } else {
    file->findings->no_memory = true;
  }
  free(reached);
  free(work);
}

// Of a sound tree, whose bytes are all there: the sum does not overflow.
static void check_size(const InspectCase *file)
{
  const InspectBlob *blob = file->blob;
  if (blob->symbol_size == 0) return;
  if (blob->symbol_size == blob->nbytes + 8) return;
  inspect_findings_add(file->findings, INSPECT_FINDING_BIN_SIZE, blob->symbol,
                       "the symbol has %llu bytes, 8 + nbytes are %llu",
                       (unsigned long long)blob->symbol_size, (unsigned long long)blob->nbytes + 8);
}

static const char *const bin_clauses[kLibraryBinNumRules] = {
    [kLibraryBinSizeCut] = "BIN-38",      [kLibraryBinSizeTooLarge] = "BIN-38",
    [kLibraryBinCountCut] = "BIN-22",     [kLibraryBinCountTooLarge] = "BIN-23",
    [kLibraryBinNoRows] = "BIN-25",       [kLibraryBinFirstRow] = "BIN-26",
    [kLibraryBinRowFalls] = "BIN-27",     [kLibraryBinLastRow] = "BIN-28",
    [kLibraryBinChildRange] = "BIN-29",   [kLibraryBinCycle] = "BIN-30",
    [kLibraryBinKindCut] = "BIN-22",      [kLibraryBinKindTooLarge] = "BIN-31",
    [kLibraryBinValueCut] = "BIN-22",     [kLibraryBinValueTooLarge] = "BIN-32",
    [kLibraryBinLibraryTwice] = "BIN-35", [kLibraryBinTrailing] = "BIN-33",
};

static void check_broken(const InspectCase *file)
{
  const InspectBlob *blob = file->blob;
  char sentence[200];
  library_bin_explain(&blob->problem, sentence, sizeof sentence);
  inspect_findings_add(file->findings, INSPECT_FINDING_BIN_BROKEN, blob->symbol, "%s, %s: %s",
                       library_bin_rule_name(blob->problem.rule), bin_clauses[blob->problem.rule],
                       sentence);
}

static void check_tree(const InspectCase *file)
{
  const InspectBlob *blob = file->blob;
  ElfText symbol = blob->symbol;
  switch (blob->state) {
    case INSPECT_BLOB_NONE:
      return;
    case INSPECT_BLOB_NO_BYTES:
      inspect_findings_add(file->findings, INSPECT_FINDING_BIN_NO_BYTES, symbol, "%s", "");
      return;
    case INSPECT_BLOB_OLD:
      inspect_findings_add(file->findings, INSPECT_FINDING_BIN_OLD, symbol, "%s", "");
      return;
    case INSPECT_BLOB_TOO_LARGE:
      inspect_findings_add(file->findings, INSPECT_FINDING_BIN_TOO_LARGE, symbol, "%s", "");
      return;
    case INSPECT_BLOB_BROKEN:
      check_broken(file);
      return;
    case INSPECT_BLOB_SOUND:
      check_size(file);
      check_reachable(file);
      return;
  }
}

void inspect_rules_data(const InspectCase *file)
{
  const InspectFacts *facts = file->facts;
  for (size_t i = 0; i < facts->symbol_count; ++i) {
    const InspectEntry *entry = &facts->symbols[i];
    if (entry->role == INSPECT_ROLE_NONE || !inspect_facts_exports(entry)) continue;
    if (entry->role == INSPECT_ROLE_SLOT) check_slot(file, entry);
    if (entry->role == INSPECT_ROLE_LIBRARY_CTX) check_library_ctx(file, entry);
    if (entry->role == INSPECT_ROLE_LIBRARY_BIN) check_library_bin(file, entry);
  }
  check_tree(file);
}
