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

void inspect_metadata_read(const InspectFacts *facts, InspectMetadata *metadata)
{
  bool has_getter = false;
  *metadata = (InspectMetadata){.count = 0};
  for (size_t i = 0; i < facts->symbol_count && !has_getter; ++i) {
    has_getter = facts->symbols[i].role == INSPECT_ROLE_METADATA;
  }
  if (!has_getter) return;
  GElf_Shdr section;
  uint64_t left = MOST_SEARCHED;
  for (Elf_Scn *scn = NULL; (scn = elf_nextscn(facts->file.elf, scn));) {
    if (!gelf_getshdr(scn, &section) || section.sh_type != SHT_PROGBITS) continue;
    if ((section.sh_flags & (SHF_ALLOC | SHF_WRITE | SHF_EXECINSTR)) != SHF_ALLOC) continue;
    if (!elffile_holds(&facts->file, section.sh_offset, section.sh_size)) continue;
    uint64_t size = section.sh_size < left ? section.sh_size : left;
    search(facts->file.bytes + section.sh_offset, size, metadata);
    left -= size;
  }
}
