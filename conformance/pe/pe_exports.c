// SPDX-License-Identifier: Apache-2.0
// Exports: a table of addresses by ordinal, and a table of names, by rising name, that refer to it.
#include <stdlib.h>

#include "pe/pe_parts.h"

typedef struct Tables {
  uint64_t addresses, address_count;
  uint64_t names, ordinals, name_count;
  uint32_t base;
} Tables;

static bool add(PeFile *file, const PeExport *symbol)
{
  if (file->export_count == PE_MOST_SYMBOLS) {
    ++file->exports_omitted;
    return true;
  }
  PeExport *grown =
      binary_grow(file->exports, file->export_count, sizeof *grown, file->bytes.problem);
  if (!grown) return false;
  file->exports = grown;
  grown[file->export_count++] = *symbol;
  return true;
}

// An address within the directory is that of a text: where the function really is.
static void place(const PeFile *file, uint32_t address, PeExport *symbol)
{
  PeDirectory directory = file->directories[PE_DIRECTORY_EXPORT];
  if (address >= directory.address && address - directory.address < directory.size) {
    symbol->forwarder = pe_text(file, address);
  } else {
    symbol->address = address;
  }
}

// Whether a table of `count` records lies in the file.
static bool has_table(const PeFile *file, uint64_t address, uint64_t count, unsigned record,
                      const char *what)
{
  uint64_t offset, available;
  if (count == 0) return true;
  if (pe_at_address(file, address, &offset, &available) && count <= available / record) return true;
  return binary_broken(&file->bytes, what);
}

static bool read_tables(PeFile *file, Tables *tables)
{
  uint64_t at = file->directories[PE_DIRECTORY_EXPORT].address;
  uint64_t offset, available;
  if (!pe_at_address(file, at, &offset, &available) || available < 40) {
    return binary_broken(&file->bytes, "its directory of exports is not in the file");
  }
  file->name = pe_text(file, pe_number(file, at + 12, 4));
  *tables = (Tables){
      .base = (uint32_t)pe_number(file, at + 16, 4),
      .address_count = pe_number(file, at + 20, 4),
      .name_count = pe_number(file, at + 24, 4),
      .addresses = pe_number(file, at + 28, 4),
      .names = pe_number(file, at + 32, 4),
      .ordinals = pe_number(file, at + 36, 4),
  };
  return has_table(file, tables->addresses, tables->address_count, 4,
                   "its table of exported addresses is not in the file") &&
         has_table(file, tables->names, tables->name_count, 4,
                   "its table of exported names is not in the file") &&
         has_table(file, tables->ordinals, tables->name_count, 2,
                   "its table of exported ordinals is not in the file");
}

static bool add_named(PeFile *file, const Tables *tables, unsigned char *named)
{
  BinaryText before = {"", 0};
  for (uint64_t i = 0; i < tables->name_count; ++i) {
    uint64_t index = pe_number(file, tables->ordinals + 2 * i, 2);
    if (file->export_count == PE_MOST_SYMBOLS) {
      file->exports_omitted += tables->name_count - i;
      return true;
    }
    PeExport symbol = {.name = pe_text(file, pe_number(file, tables->names + 4 * i, 4)),
                       .ordinal = tables->base + (uint32_t)index};
    if (symbol.name.size == 0)
      return binary_broken(&file->bytes, "an exported name is not in the file");
    if (index >= tables->address_count) {
      return binary_broken(&file->bytes,
                           "an exported name has an ordinal that is not in its table");
    }
    if (i > 0 && file->names_sorted && binary_text_compare(before, symbol.name) > 0) {
      file->names_sorted = false;
      file->first_unsorted = symbol.name;
    }
    before = symbol.name;
    named[index / 8] |= (unsigned char)(1u << index % 8);
    place(file, (uint32_t)pe_number(file, tables->addresses + 4 * index, 4), &symbol);
    if (!add(file, &symbol)) return false;
  }
  return true;
}

static bool add_unnamed(PeFile *file, const Tables *tables, const unsigned char *named)
{
  for (uint64_t i = 0; i < tables->address_count; ++i) {
    uint32_t address = (uint32_t)pe_number(file, tables->addresses + 4 * i, 4);
    if (address == 0 || named[i / 8] & 1u << i % 8) continue;
    ++file->unnamed_exports;
    PeExport symbol = {.ordinal = tables->base + (uint32_t)i};
    place(file, address, &symbol);
    if (!add(file, &symbol)) return false;
  }
  return true;
}

bool pe_exports_read(PeFile *file)
{
  Tables tables = {0};
  file->names_sorted = true;
  if (file->directories[PE_DIRECTORY_EXPORT].address == 0) return true;
  if (!read_tables(file, &tables)) return false;
  unsigned char *named = calloc(tables.address_count / 8 + 1, 1);
  if (!named) return binary_no_memory(file->bytes.problem);
  bool good = add_named(file, &tables, named) && add_unnamed(file, &tables, named);
  free(named);
  return good;
}
