// SPDX-License-Identifier: Apache-2.0
// What a Mach-O file shows, in the terms that all formats share: C names without their leading
// underscore, undefined symbols with the library that they come from.
#include <stdlib.h>
#include <string.h>

#include "inspect/inspect_facts_parts.h"
#include "inspect/inspect_read.h"

// Compilers put an underscore before the names of C and C++. A name without one can be referred to
// by none of the ABI's names.
static InspectEntry entry_of(BinaryText name)
{
  bool of_c = name.size > 0 && name.data[0] == '_';
  InspectEntry entry = {.name = of_c ? (ElfText){name.data + 1, name.size - 1} : name};
  if (of_c) entry.role = (uint8_t)inspect_facts_role(entry.name);
  return entry;
}

static bool is_code(const MachoSection *section)
{
  return section->flags & (MACHO_SECTION_INSTRUCTIONS | MACHO_SECTION_PURE_INSTRUCTIONS);
}

static bool is_thread_local(const MachoSection *section)
{
  uint32_t type = section->flags & MACHO_SECTION_TYPE;
  return type == MACHO_SECTION_THREAD_VARIABLES;
}

// Fills what follows from where a definition is.
static void place(const MachoFile *macho, uint64_t address, InspectEntry *entry)
{
  const MachoSection *section = macho_section_of(macho, address);
  entry->value = address;
  entry->section = section ? (uint32_t)(section - macho->sections) + 1 : SHN_ABS;
  if (!section) return;
  entry->type = is_code(section) ? STT_FUNC : is_thread_local(section) ? STT_TLS : STT_OBJECT;
}

static bool add_exports(InspectFacts *facts)
{
  const MachoFile *macho = facts->macho;
  for (size_t i = 0; i < macho->export_count; ++i) {
    const MachoExport *symbol = &macho->exports[i];
    InspectEntry entry = entry_of(symbol->name);
    entry.binding = symbol->flags & MACHO_EXPORT_WEAK ? STB_WEAK : STB_GLOBAL;
    entry.section = SHN_ABS;
    if (!(symbol->flags & MACHO_EXPORT_REEXPORT)) {
      bool local = (symbol->flags & MACHO_EXPORT_KIND) == MACHO_EXPORT_THREAD_LOCAL;
      place(macho, symbol->address, &entry);
      if (local) entry.type = STT_TLS;
    } else if (symbol->ordinal <= facts->needed_count) {
      entry.library = (int32_t)symbol->ordinal;
    }
    if (!inspect_facts_add(facts, &entry)) return false;
  }
  facts->omitted += macho->exports_omitted + macho->imports_omitted;
  return true;
}

static bool add_imports(InspectFacts *facts)
{
  const MachoFile *macho = facts->macho;
  for (size_t i = 0; i < macho->import_count; ++i) {
    const MachoImport *symbol = &macho->imports[i];
    InspectEntry entry = entry_of(symbol->name);
    entry.section = SHN_UNDEF;
    entry.binding = symbol->weak ? STB_WEAK : STB_GLOBAL;
    if (symbol->ordinal > 0 && (size_t)symbol->ordinal <= facts->needed_count) {
      entry.library = symbol->ordinal;
    } else if (symbol->ordinal == MACHO_FLAT_LOOKUP || symbol->ordinal == MACHO_WEAK_LOOKUP) {
      entry.library = INSPECT_LIBRARY_ANY;
    }
    if (!inspect_facts_add(facts, &entry)) return false;
  }
  return true;
}

// Definitions that stay inside. All of them may tell of the headers they were compiled with.
static void note_locals(InspectFacts *facts)
{
  const MachoFile *macho = facts->macho;
  for (size_t i = 0; i < macho_symbol_count(macho); ++i) {
    MachoSymbol symbol;
    if (!macho_symbol(macho, i, &symbol) || symbol.type & MACHO_N_STAB) continue;
    if ((symbol.type & MACHO_N_TYPE) != MACHO_N_SECT) continue;
    InspectEntry entry = entry_of(symbol.name);
    bool hidden = !(symbol.type & MACHO_N_EXT) || symbol.type & MACHO_N_PEXT;
    if (!hidden || entry.role != INSPECT_ROLE_NONE) place(macho, symbol.value, &entry);
    inspect_facts_note_definition(facts, &entry, hidden && entry.role != INSPECT_ROLE_NONE);
  }
}

static bool note_libraries(InspectFacts *facts)
{
  const MachoFile *macho = facts->macho;
  if (macho->library_count == 0) return true;
  facts->needed = calloc(macho->library_count, sizeof *facts->needed);
  if (!facts->needed) return inspect_problem_no_memory(facts->file.problem);
  for (size_t i = 0; i < macho->library_count; ++i) {
    facts->needed[facts->needed_count++] = macho->libraries[i].name;
  }
  return true;
}

static bool note_kind(InspectFacts *facts)
{
  const char *what = "of an unknown type";
  switch (facts->macho->type) {
    case MACHO_DYLIB:
    case MACHO_BUNDLE:
      facts->kind = INSPECT_KIND_SHARED;
      return true;
    case MACHO_OBJECT:
      facts->kind = INSPECT_KIND_OBJECT;
      return true;
    case MACHO_EXECUTE:
      facts->kind = INSPECT_KIND_EXECUTABLE;
      return true;
    case MACHO_DSYM:
      what = "debug information without code (a dSYM)";
      break;
    case MACHO_DYLIB_STUB:
      what = "a library for the linker, without code";
      break;
    case MACHO_CORE:
      what = "a core dump";
      break;
    case MACHO_KEXT_BUNDLE:
      what = "a kernel extension";
      break;
    default:
      break;
  }
  return inspect_problem(facts->file.problem, INSPECT_NOT_SHARED,
                         "is %s (give a shared library, an object file or an archive)", what);
}

static void note_identity(InspectFacts *facts)
{
  const MachoFile *macho = facts->macho;
  macho_cpu_name(macho->cpu, macho->subtype, facts->machine, sizeof facts->machine);
  if (macho->has_uuid) inspect_read_hex(macho->uuid, sizeof macho->uuid, facts->build_id);
  facts->word_size = macho->wide ? 8 : 4;
  facts->little_endian = !macho->bytes.big_endian;
  facts->soname = macho->id;
  for (size_t i = 0; i < macho->segment_count; ++i) {
    const uint32_t both = MACHO_WRITE | MACHO_EXECUTE_MEMORY;
    if (facts->kind != INSPECT_KIND_OBJECT && (macho->segments[i].protection & both) == both) {
      facts->writable_code = true;
    }
  }
}

bool inspect_facts_read_macho(InspectFacts *facts)
{
  facts->macho = macho_open(facts->file.bytes, facts->file.size, &facts->binary);
  if (!facts->macho) return inspect_facts_refuse_binary(facts);
  if (!note_kind(facts)) return false;
  note_identity(facts);
  if (!note_libraries(facts) || !add_exports(facts) || !add_imports(facts)) return false;
  note_locals(facts);
  return true;
}
