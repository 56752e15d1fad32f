// SPDX-License-Identifier: Apache-2.0
// Rules about the file as the loader sees it: segments, hash tables, versions.
#include <string.h>

#include "inspect/inspect_hash.h"
#include "inspect/inspect_rules.h"

enum { MOST_LOOKED_UP = 4096 };

static const ElfText no_symbol = {"", 0};

static void add(const InspectCase *file, InspectFindingId id)
{
  inspect_findings_add(file->findings, id, no_symbol, "%s", "");
}

// Where a file that does not say gets an executable stack.
static bool default_stack_is_executable(unsigned machine)
{
  switch (machine) {
    case EM_X86_64:
    case EM_386:
    case EM_ARM:
    case EM_PPC:
    case EM_S390:
    case EM_68K:
    case EM_SPARC:
    case EM_SPARCV9:
      return true;
    default:
      return false;
  }
}

static void check_memory(const InspectCase *file)
{
  const InspectFacts *facts = file->facts;
  if (facts->text_relocations) add(file, INSPECT_FINDING_TEXTREL);
  if (facts->writable_code) add(file, INSPECT_FINDING_WRITABLE_CODE);
  if (facts->stack == INSPECT_STACK_EXECUTABLE) add(file, INSPECT_FINDING_EXECUTABLE_STACK);
  if (facts->stack == INSPECT_STACK_UNMARKED &&
      default_stack_is_executable(facts->file.header.e_machine)) {
    add(file, INSPECT_FINDING_STACK_UNMARKED);
  }
  if (facts->absolute_relocations > 0) {
    inspect_findings_add(file->findings, INSPECT_FINDING_NOT_PIC, no_symbol, "%zu of them",
                         facts->absolute_relocations);
  }
}

static void check_hash(const InspectCase *file)
{
  const InspectFacts *facts = file->facts;
  size_t exports = 0, looked_up = 0;
  for (size_t i = 0; i < facts->symbol_count; ++i) {
    const InspectEntry *entry = &facts->symbols[i];
    if (!inspect_facts_exports(entry)) continue;
    ++exports;
    if (entry->role == INSPECT_ROLE_NONE || looked_up++ >= MOST_LOOKED_UP) continue;
    if (inspect_hash_finds(facts, entry->name)) continue;
    inspect_findings_add(file->findings, INSPECT_FINDING_HASH_MISSES, entry->name, "%s", "");
  }
  bool has_own_table = facts->file.header.e_machine == EM_MIPS;  // DT_MIPS_XHASH
  if (exports > 0 && !facts->hash && !facts->gnu_hash && !has_own_table) {
    inspect_findings_add(file->findings, INSPECT_FINDING_NO_HASH, no_symbol, "%zu symbols",
                         exports);
  }
}

static bool is_needed(const InspectFacts *facts, ElfText library)
{
  for (size_t i = 0; i < facts->needed_count; ++i) {
    if (binary_text_same(facts->needed[i], library)) return true;
  }
  return false;
}

static void check_version_libraries(const InspectCase *file)
{
  const InspectFacts *facts = file->facts;
  ElfText last = no_symbol;
  for (size_t i = 0; i < facts->version_count; ++i) {
    ElfText library = facts->versions[i].library;
    if (library.size == 0 || library.data == last.data) continue;  // they stand together
    last = library;
    if (is_needed(facts, library)) continue;
    inspect_findings_add(file->findings, INSPECT_FINDING_VERSION_LIBRARY, library, "%s", "");
  }
}

static void check_versions(const InspectCase *file)
{
  const InspectFacts *facts = file->facts;
  if (facts->broken_versions) {
    add(file, INSPECT_FINDING_BROKEN_VERSIONS);
    return;
  }
  check_version_libraries(file);
  for (size_t i = 0; i < facts->symbol_count; ++i) {
    const InspectEntry *entry = &facts->symbols[i];
    if (entry->version < 2 || inspect_facts_version(facts, entry)) continue;
    inspect_findings_add(file->findings, INSPECT_FINDING_UNDEFINED_VERSION, entry->name,
                         "version index %u", entry->version);
  }
}

void inspect_rules_elf(const InspectCase *file)
{
  if (file->facts->kind == INSPECT_KIND_EXECUTABLE) add(file, INSPECT_FINDING_NOT_SHARED);
  check_memory(file);
  if (file->facts->kind != INSPECT_KIND_SHARED) return;
  check_hash(file);
  check_versions(file);
}

bool inspect_rules_is_known(const InspectFacts *facts, const InspectApi *api)
{
  return facts->profile != INSPECT_PROFILE_NONE || api->linking != INSPECT_LINKING_NONE ||
         facts->cxx_symbol.size > 0 || facts->cxx_import.size > 0 || facts->hidden_count > 0;
}

static void check_format(const InspectCase *file)
{
  // What is wrong with a library of another system is of interest only where it uses the ABI.
  bool known = inspect_rules_is_known(file->facts, file->api);
  if (file->facts->format == INSPECT_FORMAT_ELF) inspect_rules_elf(file);
  if (file->facts->format == INSPECT_FORMAT_MACHO && known) inspect_rules_macho(file);
  if (file->facts->format == INSPECT_FORMAT_PE && known) inspect_rules_pe(file);
}

void inspect_rules_apply(const InspectCase *file)
{
  check_format(file);
  inspect_rules_wheel(file);
  if (!inspect_rules_is_known(file->facts, file->api)) {
    inspect_rules_strangers(file);
    inspect_findings_sort(file->findings);
    return;
  }
  inspect_rules_symbols(file);
  inspect_rules_data(file);
  inspect_rules_links(file);
  inspect_findings_sort(file->findings);
}
