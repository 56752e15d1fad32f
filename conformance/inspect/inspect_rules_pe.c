// SPDX-License-Identifier: Apache-2.0
// Rules about PE files, as the loader of Windows sees them.
#include <string.h>
#include <strings.h>

#include "inspect/inspect_crt.h"
#include "inspect/inspect_rules.h"

static const ElfText no_symbol = {"", 0};

static void add(const InspectCase *file, InspectFindingId id)
{
  inspect_findings_add(file->findings, id, no_symbol, "%s", "");
}

// --- Imports -------------------------------------------------------------------------------------

static void check_ordinals(const InspectCase *file)
{
  const PeFile *pe = file->facts->pe;
  for (size_t i = 0; i < pe->import_count; ++i) {
    const PeImport *symbol = &pe->imports[i];
    if (symbol->name.size > 0) continue;
    BinaryText library = pe->libraries[symbol->library].name;
    if (!inspect_format_is_runtime(INSPECT_FORMAT_PE, library)) continue;
    inspect_findings_add(file->findings, INSPECT_FINDING_PE_ORDINAL, library, "number %u",
                         symbol->ordinal);
  }
}

static void check_delayed(const InspectCase *file)
{
  const PeFile *pe = file->facts->pe;
  for (size_t i = 0; i < pe->library_count; ++i) {
    if (!pe->libraries[i].delayed) continue;
    if (!inspect_format_is_runtime(INSPECT_FORMAT_PE, pe->libraries[i].name)) continue;
    inspect_findings_add(file->findings, INSPECT_FINDING_PE_DELAYED, pe->libraries[i].name, "%s",
                         "");
  }
}

static void check_runtime_libraries(const InspectCase *file)
{
  InspectCrt crt;
  inspect_crt_read(file->facts->pe, &crt);
  if (crt.debug.size > 0) {
    inspect_findings_add(file->findings, INSPECT_FINDING_PE_DEBUG_CRT, crt.debug, "%s", "");
  }
  if (crt.universal.size > 0 && crt.old.size > 0) {
    inspect_findings_add(file->findings, INSPECT_FINDING_PE_TWO_CRTS, crt.old, "beside %.*s",
                         (int)crt.universal.size, crt.universal.data);
  }
}

bool inspect_rules_is_error_class(const InspectEntry *entry)
{
  static const char constructor[] = "??0Error@ffi@tvm@@", destructor[] = "??1Error@ffi@tvm@@",
                    member[] = "@Error@ffi@tvm@@", space[] = "@ffi@tvm@@";
  ElfText name = entry->name;
  if (binary_text_begins(name, constructor) || binary_text_begins(name, destructor)) return true;
  if (!binary_text_begins(name, "?") || binary_text_begins(name, "??")) return false;
  // The class that it is a member of is named first.
  const char *first = memmem(name.data, name.size, space, strlen(space));
  const char *error = memmem(name.data, name.size, member, strlen(member));
  return error && error + strlen("@Error") == first;
}

static void check_error_class(const InspectCase *file)
{
  size_t count = 0;
  ElfText first = no_symbol;
  const InspectFacts *facts = file->facts;
  for (size_t i = 0; i < facts->symbol_count; ++i) {
    const InspectEntry *entry = &facts->symbols[i];
    if (entry->section != SHN_UNDEF || !inspect_rules_is_error_class(entry)) continue;
    if (!inspect_rules_is_of_runtime(file, entry)) continue;
    if (count++ == 0) first = entry->name;
  }
  if (count == 0) return;
  inspect_findings_add(file->findings, INSPECT_FINDING_PE_ERROR_CLASS, first, "%zu member%s", count,
                       count == 1 ? "" : "s");
}

// --- The file ------------------------------------------------------------------------------------

static void check_exports(const InspectCase *file)
{
  const PeFile *pe = file->facts->pe;
  if (!pe->names_sorted) {
    inspect_findings_add(file->findings, INSPECT_FINDING_PE_UNSORTED, pe->first_unsorted, "%s", "");
  }
}

static void check_loading(const InspectCase *file)
{
  const PeFile *pe = file->facts->pe;
  if (pe->flags & PE_FILE_RELOCATIONS_STRIPPED || !(pe->dll_flags & PE_DLL_DYNAMIC_BASE)) {
    add(file, INSPECT_FINDING_PE_FIXED_ADDRESS);
  }
  if (!(pe->dll_flags & PE_DLL_NX_COMPATIBLE)) add(file, INSPECT_FINDING_PE_NO_NX);
}

void inspect_rules_pe(const InspectCase *file)
{
  const InspectFacts *facts = file->facts;
  if (facts->writable_code) add(file, INSPECT_FINDING_PE_WRITABLE_CODE);
  if (facts->kind == INSPECT_KIND_EXECUTABLE) add(file, INSPECT_FINDING_PE_EXECUTABLE);
  if (facts->kind != INSPECT_KIND_SHARED) return;
  check_exports(file);
  check_error_class(file);
  check_ordinals(file);
  check_delayed(file);
  check_runtime_libraries(file);
  check_loading(file);
}
