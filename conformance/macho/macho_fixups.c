// SPDX-License-Identifier: Apache-2.0
// Imports, from chained fixups: a table of all symbols, which places in memory refer to by index.
#include <stdlib.h>

#include "macho/macho_parts.h"

enum { FORMAT_PLAIN = 1, FORMAT_ADDEND = 2, FORMAT_ADDEND_64 = 3 };

// The upper values of an ordinal of `bits` are the negative ones.
static int32_t ordinal_of(uint64_t number, unsigned bits)
{
  uint64_t least = (UINT64_C(1) << bits) - 16;
  return number > least ? -(int32_t)((UINT64_C(1) << bits) - number) : (int32_t)number;
}

static MachoImport import_at(const MachoFile *file, uint64_t at, unsigned format, uint64_t names)
{
  uint64_t end = file->fixups.offset + file->fixups.size;
  if (format == FORMAT_ADDEND_64) {
    uint64_t number = binary_number(&file->bytes, at, 8);
    return (MachoImport){binary_text(&file->bytes, names + (number >> 32), end),
                         ordinal_of(number & 0xffff, 16), number >> 16 & 1};
  }
  uint64_t number = binary_number(&file->bytes, at, 4);
  return (MachoImport){binary_text(&file->bytes, names + (number >> 9), end),
                       ordinal_of(number & 0xff, 8), number >> 8 & 1};
}

static int compare_exports(const void *one, const void *other)
{
  const BinaryText *left = one, *right = other;
  return binary_text_compare(*left, *right);
}

// Drops what is looked up in the whole process and defined here, too: no other file has to have it.
static bool drop_own(MachoFile *file)
{
  size_t kept = 0;
  if (file->export_count == 0) return true;
  BinaryText *names = calloc(file->export_count, sizeof *names);
  if (!names) return binary_no_memory(file->bytes.problem);
  for (size_t i = 0; i < file->export_count; ++i) names[i] = file->exports[i].name;
  qsort(names, file->export_count, sizeof *names, compare_exports);
  for (size_t i = 0; i < file->import_count; ++i) {
    const MachoImport *import = &file->imports[i];
    bool own = import->ordinal == MACHO_WEAK_LOOKUP &&
               bsearch(&import->name, names, file->export_count, sizeof *names, compare_exports);
    if (!own) file->imports[kept++] = *import;
  }
  file->import_count = kept;
  free(names);
  return true;
}

bool macho_fixups_read(MachoFile *file)
{
  static const unsigned sizes[] = {0, 4, 8, 16};
  const BinaryBytes *bytes = &file->bytes;
  uint64_t begin = file->fixups.offset, end = begin + file->fixups.size;
  if (file->fixups.size == 0) return true;
  if (file->fixups.size < 28) return binary_broken(bytes, "the header of its fixups is cut off");
  uint64_t table = begin + binary_number(bytes, begin + 8, 4);
  uint64_t names = begin + binary_number(bytes, begin + 12, 4);
  uint64_t count = binary_number(bytes, begin + 16, 4);
  uint64_t format = binary_number(bytes, begin + 20, 4);
  if (binary_number(bytes, begin + 24, 4) != 0) {
    return binary_broken(bytes, "the names of its fixups are compressed");
  }
  if (count == 0) return true;
  if (format < FORMAT_PLAIN || format > FORMAT_ADDEND_64) {
    return binary_broken(bytes, "the imports of its fixups are in an unknown format");
  }
  if (table > end || count > (end - table) / sizes[format]) {
    return binary_broken(bytes, "the imports of its fixups do not lie within these");
  }
  if (count > MACHO_MOST_SYMBOLS) {
    file->imports_omitted = (size_t)count - MACHO_MOST_SYMBOLS;
    count = MACHO_MOST_SYMBOLS;
  }
  for (uint64_t i = 0; i < count; ++i) {
    MachoImport import = import_at(file, table + i * sizes[format], (unsigned)format, names);
    if (import.name.size == 0) {
      return binary_broken(bytes, "the name of an import does not lie within its fixups");
    }
    if (!macho_add_import(file, &import)) return false;
  }
  return drop_own(file);
}
