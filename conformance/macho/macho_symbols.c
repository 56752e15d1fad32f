// SPDX-License-Identifier: Apache-2.0
// The symbol table. The loader looks into it only where newer tables are missing.
#include "macho/macho_parts.h"

size_t macho_symbol_count(const MachoFile *file)
{
  return (size_t)(file->symbol_table.size / (file->wide ? 16 : 12));
}

bool macho_symbol(const MachoFile *file, size_t index, MachoSymbol *symbol)
{
  const BinaryBytes *bytes = &file->bytes;
  uint64_t at = file->symbol_table.offset + index * (file->wide ? 16 : 12);
  uint64_t name = binary_number(bytes, at, 4);
  *symbol = (MachoSymbol){
      .value = binary_number(bytes, at + 8, file->wide ? 8 : 4),
      .type = (uint8_t)binary_number(bytes, at + 4, 1),
      .section = (uint8_t)binary_number(bytes, at + 5, 1),
      .description = (uint16_t)binary_number(bytes, at + 6, 2),
  };
  if (name >= file->names.size) return name == 0;
  symbol->name =
      binary_text(bytes, file->names.offset + name, file->names.offset + file->names.size);
  return true;
}

static bool name_outside(const MachoFile *file, size_t index)
{
  return binary_problem(file->bytes.problem,
                        "the name of its symbol %zu lies outside the string table (build or copy "
                        "it again)",
                        index);
}

static bool is_exported(const MachoSymbol *symbol)
{
  unsigned kind = symbol->type & MACHO_N_TYPE;
  return !(symbol->type & (MACHO_N_STAB | MACHO_N_PEXT)) && symbol->type & MACHO_N_EXT &&
         (kind == MACHO_N_SECT || kind == MACHO_N_ABS || kind == MACHO_N_INDR);
}

bool macho_symbols_exports(MachoFile *file)
{
  for (size_t i = 0; i < macho_symbol_count(file); ++i) {
    MachoSymbol symbol;
    bool named = macho_symbol(file, i, &symbol);
    if (!is_exported(&symbol)) continue;
    if (!named) return name_outside(file, i);
    unsigned kind = symbol.type & MACHO_N_TYPE;
    const MachoExport found = {
        .name = symbol.name,
        .address = kind == MACHO_N_INDR ? 0 : symbol.value,
        .flags = (symbol.description & MACHO_N_WEAK_DEF ? MACHO_EXPORT_WEAK : 0u) |
                 (kind == MACHO_N_INDR ? MACHO_EXPORT_REEXPORT : 0u) |
                 (kind == MACHO_N_ABS ? MACHO_EXPORT_ABSOLUTE : 0u),
    };
    if (!macho_add_export(file, &found)) return false;
  }
  return true;
}

// The library stands in the upper byte, with values of its own for what is looked up elsewhere.
static int32_t ordinal_of(const MachoFile *file, const MachoSymbol *symbol)
{
  unsigned ordinal = symbol->description >> 8;
  if (!(file->flags & MACHO_FLAG_TWO_LEVEL) || ordinal == 0xfe) return MACHO_FLAT_LOOKUP;
  return ordinal == 0xff ? MACHO_MAIN_EXECUTABLE : (int32_t)ordinal;
}

bool macho_symbols_imports(MachoFile *file)
{
  for (size_t i = 0; i < macho_symbol_count(file); ++i) {
    MachoSymbol symbol;
    bool named = macho_symbol(file, i, &symbol);
    unsigned kind = symbol.type & MACHO_N_TYPE;
    if (symbol.type & MACHO_N_STAB || !(symbol.type & MACHO_N_EXT)) continue;
    if (kind != MACHO_N_PBUD && (kind != MACHO_N_UNDF || symbol.value != 0)) continue;
    if (!named) return name_outside(file, i);
    const MachoImport found = {symbol.name, ordinal_of(file, &symbol),
                               symbol.description & MACHO_N_WEAK_REF};
    if (found.name.size > 0 && !macho_add_import(file, &found)) return false;
  }
  return true;
}
