// SPDX-License-Identifier: Apache-2.0
#include "pe/pe.h"

#include "flaw.h"

static void plant(PeFile *file)
{
  static char text[BINARY_LONGEST_TEXT + 1];
  BinaryText long_text = {text, sizeof text}, none = {"", 0};
  if (flaw("export-too-long") && file->export_count > 0) file->exports[0].name = long_text;
  if (flaw("forwarder-with-address") && file->export_count > 0) {
    file->exports[0] = (PeExport){.address = 1, .forwarder = {"x", 1}};
  }
  if (flaw("unnamed-not-counted")) file->unnamed_exports = 0;
  if (flaw("order-not-told")) file->first_unsorted = none;
  if (flaw("import-too-long") && file->import_count > 0) file->imports[0].name = long_text;
  if (flaw("import-of-no-library") && file->import_count > 0) {
    file->imports[0].library = (uint32_t)file->library_count;
  }
  if (flaw("library-without-name") && file->library_count > 0) file->libraries[0].name = none;
  if (flaw("name-too-long")) file->name = long_text;
}

WRAP(PeFile *, pe_open, const unsigned char *data, uint64_t size, BinaryProblem *problem)
{
  PeFile *file = REAL(pe_open)(data, size, problem);
  if (file == NULL && flaw("no-reason")) problem->text[0] = '\0';
  if (file == NULL && flaw("reason-of-two-lines")) strcpy(problem->text, FLAW_TEXT);
  if (file != NULL) plant(file);
  return file;
}

WRAP(bool, pe_at_address, const PeFile *file, uint64_t address, uint64_t *offset,
     uint64_t *available)
{
  if (!REAL(pe_at_address)(file, address, offset, available)) return false;
  if (flaw("place-outside")) *offset = file->bytes.size;
  if (flaw("place-too-long")) *available = file->bytes.size + 1;
  return true;
}

WRAP(void, pe_machine_name, const PeFile *file, char *out, size_t capacity)
{
  REAL(pe_machine_name)(file, out, capacity);
  if (flaw("machine-of-two-lines")) strcpy(out, FLAW_TEXT);
}
