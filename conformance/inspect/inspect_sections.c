// SPDX-License-Identifier: Apache-2.0
#include "inspect/inspect_sections.h"

#include <inttypes.h>

enum { MOST_RELOCATIONS = 1 << 24 };

// Relocations that the linker refuses in a shared library, or turns into text relocations.
static const struct {
  unsigned machine, first, last;
  bool in_code_only;
} absolute_relocations[] = {
    {EM_X86_64, R_X86_64_32, R_X86_64_8, false},
    {EM_386, R_386_32, R_386_32, true},
    {EM_AARCH64, R_AARCH64_MOVW_UABS_G0, R_AARCH64_MOVW_UABS_G3, false},
    {EM_ARM, R_ARM_ABS32, R_ARM_ABS32, true},
    {EM_ARM, R_ARM_MOVW_ABS_NC, R_ARM_MOVT_ABS, false},
    {EM_RISCV, R_RISCV_HI20, R_RISCV_LO12_S, false},
};

// The name of a section; empty if it has none.
static ElfText name_of(const InspectFacts *facts, const GElf_Shdr *section)
{
  ElfText name = {"", 0};
  GElf_Shdr strings;
  size_t index = facts->file.header.e_shstrndx;
  if (index == SHN_XINDEX) {
    if (!gelf_getshdr(elf_getscn(facts->file.elf, 0), &strings)) return name;
    index = strings.sh_link;
  }
  if (!gelf_getshdr(elf_getscn(facts->file.elf, index), &strings)) return name;
  if (strings.sh_type != SHT_STRTAB) return name;
  elffile_text(&facts->file, strings.sh_offset, strings.sh_size, section->sh_name, &name);
  return name;
}

static bool is_device_code(ElfText name)
{
  return binary_text_is(name, ".nv_fatbin") || binary_text_is(name, ".hip_fatbin") ||
         binary_text_is(name, "__nv_relfatbin") || binary_text_is(name, ".llvm.offloading");
}

static bool is_absolute(const InspectFacts *facts, const GElf_Shdr *target, uint32_t type)
{
  for (size_t i = 0; i < sizeof absolute_relocations / sizeof absolute_relocations[0]; ++i) {
    if (absolute_relocations[i].machine != facts->file.header.e_machine) continue;
    if (type < absolute_relocations[i].first || type > absolute_relocations[i].last) continue;
    // A PC-relative kind lies between the absolute ones.
    if (facts->file.header.e_machine == EM_X86_64 && type == R_X86_64_PC16) continue;
    if (!absolute_relocations[i].in_code_only || target->sh_flags & SHF_EXECINSTR) return true;
  }
  return false;
}

static uint32_t relocation_type(const Elf_Data *records, bool with_addend, int index)
{
  GElf_Rela rela;
  GElf_Rel rel;
  if (with_addend) {
    if (!gelf_getrela((Elf_Data *)records, index, &rela)) return 0;
    return (uint32_t)GELF_R_TYPE(rela.r_info);
  }
  if (!gelf_getrel((Elf_Data *)records, index, &rel)) return 0;
  return (uint32_t)GELF_R_TYPE(rel.r_info);
}

// `budget` is for a hostile file whose thousands of tables are each the whole of it.
static void count_absolute(InspectFacts *facts, const GElf_Shdr *section, size_t *budget)
{
  GElf_Shdr target;
  bool with_addend = section->sh_type == SHT_RELA;
  Elf_Type type = with_addend ? ELF_T_RELA : ELF_T_REL;
  if (!gelf_getshdr(elf_getscn(facts->file.elf, section->sh_info), &target)) return;
  if (!(target.sh_flags & SHF_ALLOC)) return;
  size_t count = (size_t)(section->sh_size / elffile_record_size(&facts->file, type));
  if (count > *budget) count = *budget;
  *budget -= count;
  if (count == 0) return;
  Elf_Data *records =
      elffile_records(&facts->file, section->sh_offset, section->sh_size, type, "its relocations");
  for (size_t i = 0; records && i < count; ++i) {
    uint32_t kind = relocation_type(records, with_addend, (int)i);
    facts->absolute_relocations += is_absolute(facts, &target, kind);
  }
}

static bool check_section(const InspectFacts *facts, const GElf_Shdr *section, size_t index)
{
  if (section->sh_type == SHT_NULL || section->sh_type == SHT_NOBITS) return true;
  if (elffile_holds(&facts->file, section->sh_offset, section->sh_size)) return true;
  return inspect_problem(facts->file.problem, INSPECT_BROKEN,
                         "is truncated or damaged: its section %zu (%" PRIu64 " bytes at %" PRIu64
                         ") ends behind the file's %" PRIu64 " bytes (build or copy it again)",
                         index, section->sh_size, section->sh_offset, facts->file.size);
}

static void note_object_section(InspectFacts *facts, const GElf_Shdr *section, ElfText name,
                                size_t *budget)
{
  if (binary_text_is(name, ".note.GNU-stack")) {
    facts->stack =
        section->sh_flags & SHF_EXECINSTR ? INSPECT_STACK_EXECUTABLE : INSPECT_STACK_PLAIN;
  }
  uint64_t flags = section->sh_flags & (SHF_ALLOC | SHF_WRITE | SHF_EXECINSTR);
  if (flags == (SHF_ALLOC | SHF_WRITE | SHF_EXECINSTR)) facts->writable_code = true;
  if (section->sh_type == SHT_REL || section->sh_type == SHT_RELA) {
    count_absolute(facts, section, budget);
  }
}

bool inspect_sections_read(InspectFacts *facts)
{
  bool object = facts->kind == INSPECT_KIND_OBJECT;
  size_t index = 0, budget = MOST_RELOCATIONS;
  for (Elf_Scn *scn = NULL; (scn = elf_nextscn(facts->file.elf, scn));) {
    GElf_Shdr section;
    ++index;
    if (!gelf_getshdr(scn, &section)) break;
    if (object && !check_section(facts, &section, index)) return false;
    ElfText name = name_of(facts, &section);
    bool inside = elffile_holds(&facts->file, section.sh_offset, section.sh_size);
    if (inside && section.sh_type != SHT_NOBITS && is_device_code(name)) {
      facts->device_code += section.sh_size;
      inspect_device_note(&facts->devices, &facts->file, section.sh_offset, section.sh_size);
    }
    if (object) note_object_section(facts, &section, name, &budget);
  }
  return facts->file.problem->status == INSPECT_OK;
}

static bool open_symbols(const InspectFacts *facts, const GElf_Shdr *section,
                         InspectSymbolTable *table)
{
  GElf_Shdr strings;
  const ElfFile *file = &facts->file;
  size_t size = elffile_record_size(file, ELF_T_SYM);
  if (section->sh_size < size || !elffile_holds(file, section->sh_offset, section->sh_size) ||
      !gelf_getshdr(elf_getscn(file->elf, section->sh_link), &strings) ||
      strings.sh_type != SHT_STRTAB || !elffile_holds(file, strings.sh_offset, strings.sh_size)) {
    return false;
  }
  table->records =
      elffile_records(file, section->sh_offset, section->sh_size, ELF_T_SYM, "its symbol table");
  uint64_t count = section->sh_size / size;
  table->count = count > INT32_MAX ? INT32_MAX : (size_t)count;
  table->names_offset = strings.sh_offset;
  table->names_size = strings.sh_size;
  return table->records != NULL;
}

bool inspect_sections_symbols(const InspectFacts *facts, InspectSymbolTable *table)
{
  GElf_Shdr section;
  *table = (InspectSymbolTable){0};
  for (Elf_Scn *scn = NULL; (scn = elf_nextscn(facts->file.elf, scn));) {
    if (!gelf_getshdr(scn, &section) || section.sh_type != SHT_SYMTAB) continue;
    if (open_symbols(facts, &section, table)) return true;
    if (facts->kind == INSPECT_KIND_OBJECT) {
      inspect_problem(facts->file.problem, INSPECT_BROKEN,
                      "its symbol table or the names of it are not within the file (build or "
                      "copy it again)");
    }
    return false;
  }
  return false;
}

// --- Where a symbol is ---------------------------------------------------------------------------

static bool section_of(const InspectFacts *facts, const InspectEntry *entry, GElf_Shdr *section)
{
  if (entry->section == SHN_UNDEF || entry->section >= SHN_LORESERVE) return false;
  return gelf_getshdr(elf_getscn(facts->file.elf, entry->section), section) != NULL;
}

bool inspect_facts_place(const InspectFacts *facts, const InspectEntry *entry, uint64_t *offset,
                         uint64_t *available)
{
  GElf_Shdr section;
  if (entry->section == SHN_UNDEF) return false;
  if (facts->macho) return macho_at_address(facts->macho, entry->value, offset, available);
  if (facts->pe) return pe_at_address(facts->pe, entry->value, offset, available);
  if (facts->kind != INSPECT_KIND_OBJECT) {
    return elffile_at_address(&facts->file, entry->value, offset, available);
  }
  if (!section_of(facts, entry, &section) || section.sh_type == SHT_NOBITS) return false;
  if (entry->value >= section.sh_size) return false;
  *offset = section.sh_offset + entry->value;
  *available = section.sh_size - entry->value;
  return elffile_holds(&facts->file, section.sh_offset, section.sh_size);
}

static bool segment_covers(const GElf_Phdr *segment, uint64_t address)
{
  return address >= segment->p_vaddr && address - segment->p_vaddr < segment->p_memsz;
}

static bool is_writable_macho(const MachoFile *macho, const InspectEntry *entry)
{
  const MachoSegment *segment = macho_segment_of(macho, entry->value);
  return segment && segment->protection & MACHO_WRITE &&
         !(segment->flags & MACHO_SEGMENT_READ_ONLY);
}

static bool is_writable_pe(const PeFile *pe, const InspectEntry *entry)
{
  const PeSection *section = pe_section_of(pe, entry->value);
  return section && section->flags & PE_SECTION_WRITE;
}

bool inspect_facts_is_writable(const InspectFacts *facts, const InspectEntry *entry)
{
  GElf_Shdr section;
  if (facts->macho) return is_writable_macho(facts->macho, entry);
  if (facts->pe) return is_writable_pe(facts->pe, entry);
  if (facts->kind == INSPECT_KIND_OBJECT) {
    // Common symbols, and those of sections that are not known, are in writable memory.
    if (!section_of(facts, entry, &section)) return true;
    ElfText name = name_of(facts, &section);
    return section.sh_flags & SHF_WRITE && !binary_text_begins(name, ".data.rel.ro");
  }
  bool writable = false;
  for (int i = 0; i < facts->file.header.e_phnum; ++i) {
    GElf_Phdr segment;
    if (!gelf_getphdr(facts->file.elf, i, &segment)) break;
    if (!segment_covers(&segment, entry->value)) continue;
    if (segment.p_type == PT_LOAD) writable = segment.p_flags & PF_W;
    if (segment.p_type == PT_GNU_RELRO) return false;
  }
  return writable;
}
