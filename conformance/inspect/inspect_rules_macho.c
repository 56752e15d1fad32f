// SPDX-License-Identifier: Apache-2.0
// Rules about Mach-O files, as dyld sees them.
#include <stdio.h>
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
  return binary_text_begins(path, "@loader_path") || binary_text_begins(path, "@executable_path");
}

// What comes with the system, on every machine at the same place.
static bool is_of_the_system(ElfText path)
{
  return binary_text_begins(path, "/usr/lib/") || binary_text_begins(path, "/System/");
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
    if (binary_text_begins(library->name, "@rpath/") && macho->rpath_count == 0) {
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

// --- The wheel -----------------------------------------------------------------------------------

// Whether a tag's end is for the processor that the file is for.
static bool is_for(const char *architecture, const char *machine)
{
  static const struct {
    const char *tag, *machine;
  } names[] = {{"arm64", "arm64"},
               {"x86_64", "x86-64"},
               {"universal2", "arm64"},
               {"universal2", "x86-64"},
               {"intel", "x86-64"}};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
    size_t length = strlen(names[i].tag);
    bool ends = architecture[length] == '\0' || architecture[length] == '.';
    if (strncmp(architecture, names[i].tag, length) != 0 || !ends) continue;
    if (strcmp(machine, names[i].machine) == 0) return true;
  }
  return false;
}

// The oldest macOS that the wheel's tags promise for this processor, as in the file; 0: none is
// named. There is none before 11.0 for arm64.
static uint32_t promised(const char *tags, const char *machine)
{
  uint32_t least = 0;
  for (const char *at = tags; (at = strstr(at, "macosx_")); ++at) {
    unsigned major, minor;
    int length = 0;
    if (sscanf(at, "macosx_%3u_%3u_%n", &major, &minor, &length) != 2 || length == 0) continue;
    if (!is_for(at + length, machine)) continue;
    uint32_t version = major << 16 | minor << 8;
    if (strcmp(machine, "arm64") == 0 && major < 11) version = 11 << 16;
    if (least == 0 || version < least) least = version;
  }
  return least;
}

static void check_tag(const InspectCase *file)
{
  if (!file->place) return;
  const MachoFile *macho = file->facts->macho;
  const InspectWheel *wheel = inspect_set_find_wheel(file->place->set, file->place->package);
  if (!wheel || macho->platform != MACHO_PLATFORM_MACOS) return;
  uint32_t least = promised(wheel->tags, file->facts->machine), needs = macho->minimum_system;
  if (least == 0 || needs <= least) return;
  inspect_findings_add(file->findings, INSPECT_FINDING_MACHO_ABOVE_TAG, no_symbol,
                       "it needs macOS %u.%u, the tag %s promises %u.%u", needs >> 16,
                       needs >> 8 & 0xff, wheel->tags, least >> 16, least >> 8 & 0xff);
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
  check_tag(file);
  if (facts->macho->signature.size == 0 && needs_signature(facts->macho)) {
    add(file, INSPECT_FINDING_MACHO_UNSIGNED);
  }
}
