// SPDX-License-Identifier: Apache-2.0
// What a PE file shows, in the terms that all formats share.
#include <stdlib.h>
#include <string.h>

#include "inspect/inspect_facts_parts.h"
#include "inspect/inspect_read.h"

static InspectEntry entry_of(BinaryText name)
{
  InspectEntry entry = {.name = name, .binding = STB_GLOBAL};
  entry.role = (uint8_t)inspect_facts_role(entry.name);
  return entry;
}

static bool add_exports(InspectFacts *facts)
{
  const PeFile *pe = facts->pe;
  for (size_t i = 0; i < pe->export_count; ++i) {
    const PeExport *symbol = &pe->exports[i];
    if (symbol->name.size == 0) continue;
    InspectEntry entry = entry_of(symbol->name);
    const PeSection *section = pe_section_of(pe, symbol->address);
    bool here = symbol->forwarder.size == 0 && section;
    entry.value = symbol->address;
    entry.section = here ? (uint32_t)(section - pe->sections) + 1 : SHN_ABS;
    if (here) entry.type = section->flags & PE_SECTION_EXECUTE ? STT_FUNC : STT_OBJECT;
    if (!inspect_facts_add(facts, &entry)) return false;
  }
  facts->omitted += pe->exports_omitted + pe->imports_omitted;
  return true;
}

static bool add_imports(InspectFacts *facts)
{
  const PeFile *pe = facts->pe;
  for (size_t i = 0; i < pe->import_count; ++i) {
    const PeImport *symbol = &pe->imports[i];
    if (symbol->name.size == 0) continue;
    InspectEntry entry = entry_of(symbol->name);
    entry.section = SHN_UNDEF;
    entry.library = (int32_t)symbol->library + 1;
    if (!inspect_facts_add(facts, &entry)) return false;
  }
  return true;
}

static bool note_libraries(InspectFacts *facts)
{
  const PeFile *pe = facts->pe;
  if (pe->library_count == 0) return true;
  facts->needed = calloc(pe->library_count, sizeof *facts->needed);
  if (!facts->needed) return inspect_problem_no_memory(facts->file.problem);
  for (size_t i = 0; i < pe->library_count; ++i) {
    facts->needed[facts->needed_count++] = pe->libraries[i].name;
  }
  return true;
}

static void note_sections(InspectFacts *facts)
{
  for (size_t i = 0; i < facts->pe->section_count; ++i) {
    const PeSection *section = &facts->pe->sections[i];
    if (section->flags & PE_SECTION_WRITE && section->flags & PE_SECTION_EXECUTE) {
      facts->writable_code = true;
    }
    if (binary_text_is(section->name, ".nv_fatb")) facts->device_code += section->file_size;
  }
}

static void note_identity(InspectFacts *facts)
{
  const PeFile *pe = facts->pe;
  pe_machine_name(pe, facts->machine, sizeof facts->machine);
  if (pe->has_guid) inspect_read_hex(pe->guid, sizeof pe->guid, facts->build_id);
  facts->word_size = pe->wide ? 8 : 4;
  facts->little_endian = true;
  facts->kind = pe->flags & PE_FILE_DLL ? INSPECT_KIND_SHARED : INSPECT_KIND_EXECUTABLE;
  facts->soname = pe->name;
}

bool inspect_facts_read_pe(InspectFacts *facts)
{
  facts->pe = pe_open(facts->file.bytes, facts->file.size, &facts->binary);
  if (!facts->pe) return inspect_facts_refuse_binary(facts);
  note_identity(facts);
  note_sections(facts);
  return note_libraries(facts) && add_exports(facts) && add_imports(facts);
}
