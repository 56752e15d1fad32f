// SPDX-License-Identifier: Apache-2.0
#include "inspect/inspect_symbols.h"

#include <stdlib.h>

typedef struct Candidate {
  InspectSymbol symbol;
  bool local;
} Candidate;

// By address. Of several names for one address the best comes first: one that others can link to,
// then the one that covers most. The place in the string table decides the rest, so that the order
// is always the same.
static int compare(const void *left, const void *right)
{
  const Candidate *a = left, *b = right;
  if (a->symbol.address != b->symbol.address) {
    return a->symbol.address < b->symbol.address ? -1 : 1;
  }
  if (a->local != b->local) return a->local ? 1 : -1;
  if (a->symbol.size != b->symbol.size) return a->symbol.size > b->symbol.size ? -1 : 1;
  return (a->symbol.name > b->symbol.name) - (a->symbol.name < b->symbol.name);
}

static bool is_function(const ElfSymbols *symbols, const ElfNames *names, size_t index,
                        Candidate *candidate)
{
  GElf_Sym symbol;
  if (!gelf_getsym(symbols->records, (int)index, &symbol)) return false;
  unsigned type = GELF_ST_TYPE(symbol.st_info);
  if ((type != STT_FUNC && type != STT_GNU_IFUNC) || symbol.st_shndx == SHN_UNDEF) return false;
  const char *name = elffile_name(names, symbol.st_name);
  if (!name || !*name || symbol.st_value == 0) return false;
  candidate->symbol = (InspectSymbol){symbol.st_value, symbol.st_size, name};
  candidate->local = GELF_ST_BIND(symbol.st_info) == STB_LOCAL;
  return true;
}

// One symbol for each address; one without a size (assembly) reaches up to the next.
static void keep_best(const Candidate *candidates, size_t count, InspectReport *report)
{
  size_t kept = 0;
  for (size_t i = 0; i < count; ++i) {
    InspectSymbol symbol = candidates[i].symbol;
    if (kept > 0 && report->symbols[kept - 1].address == symbol.address) continue;
    if (kept > 0 && report->symbols[kept - 1].size == 0) {
      report->symbols[kept - 1].size = symbol.address - report->symbols[kept - 1].address;
    }
    report->symbols[kept++] = symbol;
  }
  report->symbol_count = kept;
}

bool inspect_symbols_sort(const ElfSymbols *symbols, const ElfNames *names, InspectReport *report)
{
  Candidate next;
  size_t count = 0;
  for (size_t i = 1; i < symbols->count; ++i) count += is_function(symbols, names, i, &next);
  if (count == 0) return true;
  Candidate *candidates = malloc(count * sizeof *candidates);
  report->symbols = malloc(count * sizeof *report->symbols);
  if (candidates && report->symbols) {
    size_t filled = 0;
    for (size_t i = 1; i < symbols->count && filled < count; ++i) {
      filled += is_function(symbols, names, i, &candidates[filled]);
    }
    qsort(candidates, filled, sizeof *candidates, compare);
    keep_best(candidates, filled, report);
  }
  bool done = candidates && report->symbols;
  free(candidates);
  return done;
}

const InspectSymbol *inspect_symbol_at(const InspectReport *report, uint64_t address)
{
  size_t low = 0,
         high = report->symbol_count;  // the symbols before `low` begin at or before the address
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (report->symbols[middle].address <= address) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  // Mostly the one before, but a function may lie within another one.
  while (low-- > 0) {
    const InspectSymbol *symbol = &report->symbols[low];
    if (address - symbol->address < symbol->size) return symbol;
  }
  return NULL;
}
