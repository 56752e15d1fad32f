// SPDX-License-Identifier: Apache-2.0
// Rules about Mach-O files, as dyld sees them.
#include <string.h>

#include "inspect/inspect_rules.h"

static const ElfText no_symbol = {"", 0};

static void add(const InspectCase *file, InspectFindingId id)
{
  inspect_findings_add(file->findings, id, no_symbol, "%s", "");
}

// --- Folders -------------------------------------------------------------------------------------

static bool is_relative(ElfText path)
{
  return inspect_text_begins(path, "@loader_path") || inspect_text_begins(path, "@executable_path");
}

// What comes with the system, on every machine at the same place.
static bool is_of_the_system(ElfText path)
{
  return inspect_text_begins(path, "/usr/lib/") || inspect_text_begins(path, "/System/");
}

static void check_rpaths(const InspectCase *file)
{
  const MachoFile *macho = file->facts->macho;
  for (size_t i = 0; i < macho->rpath_count; ++i) {
    if (is_relative(macho->rpaths[i]) || is_of_the_system(macho->rpaths[i])) continue;
    inspect_findings_add(file->findings, INSPECT_FINDING_RPATH, macho->rpaths[i], "in LC_RPATH");
  }
}

static void check_libraries(const InspectCase *file)
{
  const MachoFile *macho = file->facts->macho;
  for (size_t i = 0; i < macho->library_count; ++i) {
    const MachoLibrary *library = &macho->libraries[i];
    if (library->name.data[0] == '/' && !is_of_the_system(library->name)) {
      inspect_findings_add(file->findings, INSPECT_FINDING_MACHO_FIXED_LIBRARY, library->name, "%s",
                           library->kind == MACHO_LOAD_WEAK ? "it may be missing" : "");
    }
    if (inspect_text_begins(library->name, "@rpath/") && macho->rpath_count == 0) {
      inspect_findings_add(file->findings, INSPECT_FINDING_MACHO_NO_RPATH, library->name, "%s", "");
    }
  }
}

static void check_name(const InspectCase *file)
{
  const MachoFile *macho = file->facts->macho;
  if (file->facts->profile != INSPECT_PROFILE_RUNTIME || macho->type != MACHO_DYLIB) return;
  if (macho->id.size > 0 && macho->id.data[0] == '@') return;
  if (is_of_the_system(macho->id)) return;
  inspect_findings_add(file->findings, INSPECT_FINDING_MACHO_INSTALL_NAME, macho->id, "%s",
                       macho->id.size ? "" : "it has none");
}

// --- Imports -------------------------------------------------------------------------------------

static void check_flat(const InspectCase *file)
{
  size_t count = 0;
  const InspectFacts *facts = file->facts;
  if (facts->kind != INSPECT_KIND_SHARED || facts->profile == INSPECT_PROFILE_RUNTIME) return;
  for (size_t i = 0; i < facts->symbol_count; ++i) {
    const InspectEntry *entry = &facts->symbols[i];
    count += entry->section == SHN_UNDEF && entry->role == INSPECT_ROLE_API &&
             entry->library == INSPECT_LIBRARY_ANY;
  }
  if (count == 0) return;
  inspect_findings_add(file->findings, INSPECT_FINDING_MACHO_FLAT, no_symbol, "%zu function%s",
                       count, count == 1 ? "" : "s");
}

static void check_ordinals(const InspectCase *file)
{
  const MachoFile *macho = file->facts->macho;
  for (size_t i = 0; i < macho->import_count; ++i) {
    const MachoImport *symbol = &macho->imports[i];
    bool known = symbol->ordinal >= MACHO_WEAK_LOOKUP &&
                 (symbol->ordinal < 0 || (size_t)symbol->ordinal <= macho->library_count);
    if (known) continue;
    inspect_findings_add(file->findings, INSPECT_FINDING_MACHO_ORDINAL, symbol->name,
                         "library %d of %zu", symbol->ordinal, macho->library_count);
  }
}

// --- The signature -------------------------------------------------------------------------------

static bool needs_signature(const MachoFile *macho)
{
  return macho->cpu == (MACHO_CPU_ARM | MACHO_CPU_64) &&
         (macho->platform == MACHO_PLATFORM_MACOS || macho->platform == 0);
}

void inspect_rules_macho(const InspectCase *file)
{
  const InspectFacts *facts = file->facts;
  if (facts->writable_code) add(file, INSPECT_FINDING_MACHO_WRITABLE_CODE);
  if (facts->kind == INSPECT_KIND_EXECUTABLE) add(file, INSPECT_FINDING_MACHO_EXECUTABLE);
  if (facts->kind != INSPECT_KIND_SHARED) return;
  check_libraries(file);
  check_rpaths(file);
  check_name(file);
  check_flat(file);
  check_ordinals(file);
  if (facts->macho->signature.size == 0 && needs_signature(facts->macho)) {
    add(file, INSPECT_FINDING_MACHO_UNSIGNED);
  }
}
