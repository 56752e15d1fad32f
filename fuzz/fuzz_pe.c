// SPDX-License-Identifier: Apache-2.0
// PE files: what is read lies within the file, however it was found.
#include <string.h>

#include "fuzz_target.h"
#include "pe/pe.h"

// It has no NUL in it; a sanitizer sees where its bytes lie.
static void check_text(BinaryText text)
{
  FUZZ_CHECK(text.size <= BINARY_LONGEST_TEXT);
  FUZZ_CHECK(text.size == 0 || strnlen(text.data, text.size) == text.size);
}

static void check_place(const PeFile *file, uint64_t address)
{
  uint64_t offset, available;
  if (!pe_at_address(file, address, &offset, &available)) return;
  FUZZ_CHECK(available > 0);
  FUZZ_CHECK(offset <= file->bytes.size && available <= file->bytes.size - offset);
}

static void check_exports(const PeFile *file)
{
  size_t unnamed = 0;
  for (size_t i = 0; i < file->export_count; ++i) {
    const PeExport *symbol = &file->exports[i];
    check_text(symbol->name);
    check_text(symbol->forwarder);
    check_place(file, symbol->address);
    FUZZ_CHECK(symbol->address == 0 || symbol->forwarder.size == 0);
    unnamed += symbol->name.size == 0;
  }
  FUZZ_CHECK(unnamed <= file->unnamed_exports);
  check_text(file->first_unsorted);
  FUZZ_CHECK(file->names_sorted == (file->first_unsorted.size == 0));
}

static void check_imports(const PeFile *file)
{
  for (size_t i = 0; i < file->import_count; ++i) {
    check_text(file->imports[i].name);
    FUZZ_CHECK(file->imports[i].library < file->library_count);
  }
  for (size_t i = 0; i < file->library_count; ++i) {
    check_text(file->libraries[i].name);
    FUZZ_CHECK(file->libraries[i].name.size > 0);
  }
}

static void check_rest(const PeFile *file)
{
  char name[24];
  FUZZ_CHECK(file->section_count <= PE_MOST_SECTIONS);
  for (size_t i = 0; i < file->section_count; ++i) {
    check_text(file->sections[i].name);
    check_place(file, file->sections[i].address);
  }
  check_text(file->name);
  pe_machine_name(file, name, sizeof name);
  fuzz_is_line(name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  // A copy of just this size: a sanitizer sees what lies behind it.
  uint8_t *own = malloc(size != 0 ? size : 1);
  if (own == NULL) abort();
  if (size != 0) memcpy(own, data, size);
  BinaryProblem problem = {0};
  PeFile *file = pe_open(own, size, &problem);
  fuzz_is_line(problem.text);
  FUZZ_CHECK((file == NULL) == (problem.text[0] != '\0'));
  if (file != NULL) {
    check_exports(file);
    check_imports(file);
    check_rest(file);
  }
  pe_close(file);
  free(own);
  return 0;
}
