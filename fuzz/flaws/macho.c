// SPDX-License-Identifier: Apache-2.0
#include "macho/macho.h"

#include "flaw.h"

static void plant(MachoFile *file)
{
  static char text[BINARY_LONGEST_TEXT + 1];
  BinaryText long_text = {text, sizeof text}, none = {"", 0};
  if (flaw("export-too-long") && file->export_count > 0) file->exports[0].name = long_text;
  if (flaw("import-too-long") && file->import_count > 0) file->imports[0].name = long_text;
  if (flaw("import-without-name") && file->import_count > 0) file->imports[0].name = none;
  if (flaw("imports-not-sorted") && file->import_count > 1) {
    file->imports[0].name = file->imports[1].name;
    file->imports[0].ordinal = file->imports[1].ordinal;
  }
  if (flaw("too-many-exports")) file->export_count = MACHO_MOST_SYMBOLS + 1;
  if (flaw("library-without-name") && file->library_count > 0) file->libraries[0].name = none;
  if (flaw("folder-too-long") && file->rpath_count > 0) file->rpaths[0] = long_text;
  if (flaw("id-too-long")) file->id = long_text;
}

WRAP(MachoFile *, macho_open, const unsigned char *data, uint64_t size, BinaryProblem *problem)
{
  MachoFile *file = REAL(macho_open)(data, size, problem);
  if (file == NULL && flaw("no-reason")) problem->text[0] = '\0';
  if (file == NULL && flaw("reason-of-two-lines")) strcpy(problem->text, FLAW_TEXT);
  if (file != NULL) plant(file);
  return file;
}

WRAP(bool, macho_at_address, const MachoFile *file, uint64_t address, uint64_t *offset,
     uint64_t *available)
{
  if (!REAL(macho_at_address)(file, address, offset, available)) return false;
  if (flaw("place-outside")) *offset = file->bytes.size;
  if (flaw("place-of-nothing")) *available = 0;
  return true;
}

WRAP(bool, macho_symbol, const MachoFile *file, size_t index, MachoSymbol *symbol)
{
  bool found = REAL(macho_symbol)(file, index, symbol);
  if (flaw("symbol-with-end")) symbol->name = (BinaryText){"", 1};
  return found;
}

WRAP(bool, macho_slice, const unsigned char *data, uint64_t size, size_t index, MachoSlice *slice,
     BinaryProblem *problem)
{
  bool found = REAL(macho_slice)(data, size, index, slice, problem);
  if (found && flaw("slice-outside")) slice->offset = size + 1;
  return found;
}

WRAP(void, macho_cpu_name, uint32_t cpu, uint32_t subtype, char *out, size_t capacity)
{
  REAL(macho_cpu_name)(cpu, subtype, out, capacity);
  if (flaw("processor-of-two-lines")) strcpy(out, FLAW_TEXT);
}

WRAP(void, macho_platform_name, uint32_t platform, char *out, size_t capacity)
{
  REAL(macho_platform_name)(platform, out, capacity);
  if (flaw("platform-of-two-lines")) strcpy(out, FLAW_TEXT);
}
