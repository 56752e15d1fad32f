// SPDX-License-Identifier: Apache-2.0
// Mach-O files, and universal ones: what is read lies within the file, however it was found.
#include <string.h>

#include "fuzz_target.h"
#include "macho/macho.h"

// It has no NUL in it; a sanitizer sees where its bytes lie.
static void check_text(BinaryText text)
{
  FUZZ_CHECK(text.size <= BINARY_LONGEST_TEXT);
  FUZZ_CHECK(text.size == 0 || strnlen(text.data, text.size) == text.size);
}

static void check_place(const MachoFile *file, uint64_t address)
{
  uint64_t offset, available;
  if (!macho_at_address(file, address, &offset, &available)) return;
  FUZZ_CHECK(available > 0);
  FUZZ_CHECK(offset <= file->bytes.size && available <= file->bytes.size - offset);
}

static void check_exports(const MachoFile *file)
{
  FUZZ_CHECK(file->export_count <= MACHO_MOST_SYMBOLS);
  for (size_t i = 0; i < file->export_count; ++i) {
    check_text(file->exports[i].name);
    check_place(file, file->exports[i].address);
  }
}

static void check_imports(const MachoFile *file)
{
  for (size_t i = 0; i < file->import_count; ++i) {
    const MachoImport *symbol = &file->imports[i];
    check_text(symbol->name);
    FUZZ_CHECK(symbol->name.size > 0);
    if (i == 0) continue;
    int order = binary_text_compare(symbol[-1].name, symbol->name);
    FUZZ_CHECK(order < 0 || (order == 0 && symbol[-1].ordinal < symbol->ordinal));
  }
}

static void check_symbols(const MachoFile *file)
{
  for (size_t i = 0; i < macho_symbol_count(file); ++i) {
    MachoSymbol symbol;
    if (macho_symbol(file, i, &symbol)) check_text(symbol.name);
  }
}

static void check_rest(const MachoFile *file)
{
  char name[24];
  for (size_t i = 0; i < file->library_count; ++i) {
    check_text(file->libraries[i].name);
    FUZZ_CHECK(file->libraries[i].name.size > 0);
  }
  for (size_t i = 0; i < file->rpath_count; ++i) check_text(file->rpaths[i]);
  for (size_t i = 0; i < file->section_count; ++i) check_place(file, file->sections[i].address);
  check_text(file->id);
  macho_cpu_name(file->cpu, file->subtype, name, sizeof name);
  fuzz_is_line(name);
  macho_platform_name(file->platform, name, sizeof name);
  fuzz_is_line(name);
}

static void read_file(const uint8_t *data, size_t size)
{
  BinaryProblem problem = {0};
  MachoFile *file = macho_open(data, size, &problem);
  fuzz_is_line(problem.text);
  FUZZ_CHECK((file == NULL) == (problem.text[0] != '\0'));
  if (file != NULL) {
    check_exports(file);
    check_imports(file);
    check_symbols(file);
    check_rest(file);
  }
  macho_close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  // A copy of just this size: a sanitizer sees what lies behind it.
  uint8_t *own = malloc(size != 0 ? size : 1);
  if (own == NULL) abort();
  if (size != 0) memcpy(own, data, size);
  BinaryProblem problem = {0};
  MachoSlice slice;
  for (size_t i = 0; macho_slice(own, size, i, &slice, &problem); ++i) {
    FUZZ_CHECK(slice.offset <= size && slice.size <= size - slice.offset);
    if (slice.size <= 1 << 16) read_file(own + slice.offset, slice.size);
  }
  fuzz_is_line(problem.text);
  if (!macho_is_universal(own, size)) read_file(own, size);
  free(own);
  return 0;
}
