// SPDX-License-Identifier: Apache-2.0
#include "inspect/inspect_metadata.h"

#include <string.h>

// Constant data of a kernel library are mostly tables; texts stand among the first of them.
#define MOST_SEARCHED (UINT64_C(64) << 20)

static const char begin[] = "{\"type_schema\"";

static void note(const unsigned char *text, size_t left, InspectMetadata *metadata)
{
  size_t most = left < INSPECT_LONGEST_METADATA ? left : INSPECT_LONGEST_METADATA;
  size_t size = strnlen((const char *)text, most);
  if (size == most || text[size - 1] != '}') return;  // only a part of one
  if (metadata->count == INSPECT_MOST_METADATA) {
    ++metadata->unstored;
  } else {
    metadata->texts[metadata->count++] = (ElfText){(const char *)text, size};
  }
}

static void search(const unsigned char *bytes, uint64_t size, InspectMetadata *metadata)
{
  const unsigned char *at = bytes, *end = bytes + size;
  while ((at = memmem(at, (size_t)(end - at), begin, sizeof begin - 1))) {
    note(at, (size_t)(end - at), metadata);
    at += sizeof begin - 1;
  }
}

static void search_macho(const MachoFile *macho, const unsigned char *bytes, uint64_t left,
                         InspectMetadata *metadata)
{
  for (size_t i = 0; i < macho->section_count; ++i) {
    const MachoSection *section = &macho->sections[i];
    uint64_t offset, available;
    bool code = section->flags & (MACHO_SECTION_INSTRUCTIONS | MACHO_SECTION_PURE_INSTRUCTIONS);
    if (code || !macho_at_address(macho, section->address, &offset, &available)) continue;
    if (available > left) available = left;
    search(bytes + offset, available, metadata);
    left -= available;
  }
}

static void search_pe(const PeFile *pe, const unsigned char *bytes, uint64_t left,
                      InspectMetadata *metadata)
{
  for (size_t i = 0; i < pe->section_count; ++i) {
    const PeSection *section = &pe->sections[i];
    if (section->flags & (PE_SECTION_WRITE | PE_SECTION_EXECUTE)) continue;
    if (section->file_size == 0) continue;
    uint64_t size = section->file_size < left ? section->file_size : left;
    search(bytes + section->offset, size, metadata);
    left -= size;
  }
}

void inspect_metadata_read(const InspectFacts *facts, InspectMetadata *metadata)
{
  bool has_getter = false;
  *metadata = (InspectMetadata){.count = 0};
  for (size_t i = 0; i < facts->symbol_count && !has_getter; ++i) {
    has_getter = facts->symbols[i].role == INSPECT_ROLE_METADATA;
  }
  if (!has_getter) return;
  uint64_t left = MOST_SEARCHED;
  if (facts->macho) {
    search_macho(facts->macho, facts->file.bytes, left, metadata);
    return;
  }
  if (facts->pe) {
    search_pe(facts->pe, facts->file.bytes, left, metadata);
    return;
  }
  GElf_Shdr section;
  for (Elf_Scn *scn = NULL; (scn = elf_nextscn(facts->file.elf, scn));) {
    if (!gelf_getshdr(scn, &section) || section.sh_type != SHT_PROGBITS) continue;
    if ((section.sh_flags & (SHF_ALLOC | SHF_WRITE | SHF_EXECINSTR)) != SHF_ALLOC) continue;
    if (!elffile_holds(&facts->file, section.sh_offset, section.sh_size)) continue;
    uint64_t size = section.sh_size < left ? section.sh_size : left;
    search(facts->file.bytes + section.sh_offset, size, metadata);
    left -= size;
  }
}
