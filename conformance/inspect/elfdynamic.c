// SPDX-License-Identifier: Apache-2.0
#include "inspect/elfdynamic.h"

bool elfdynamic_value(const ElfDynamic *dynamic, int64_t tag, size_t nth, uint64_t *value)
{
  for (size_t i = 0; i < dynamic->entry_count; ++i) {
    GElf_Dyn entry;
    if (!gelf_getdyn(dynamic->entries, (int)i, &entry)) return false;
    if (entry.d_tag != tag || nth-- != 0) continue;
    *value = entry.d_un.d_val;
    return true;
  }
  return false;
}

static void count_entries(const ElfFile *file, ElfDynamic *dynamic)
{
  size_t limit = dynamic->entries->d_size / elffile_record_size(file, ELF_T_DYN);
  if (limit > INT32_MAX) limit = INT32_MAX;  // gelf_getdyn takes an int
  GElf_Dyn entry;
  for (; dynamic->entry_count < limit; ++dynamic->entry_count) {
    if (!gelf_getdyn(dynamic->entries, (int)dynamic->entry_count, &entry)) return;
    if (entry.d_tag == DT_NULL) return;
    if (entry.d_tag == DT_NEEDED) ++dynamic->needed_count;
    if (entry.d_tag == DT_FLAGS_1) dynamic->flags_1 = entry.d_un.d_val;
  }
}

static bool find_names(const ElfFile *file, ElfDynamic *dynamic)
{
  uint64_t address, length, available;
  if (!elfdynamic_value(dynamic, DT_STRTAB, 0, &address) ||
      !elfdynamic_value(dynamic, DT_STRSZ, 0, &length)) {
    return elffile_broken(file, "its dynamic section names no string table");
  }
  if (!elffile_at_address(file, address, &dynamic->names_offset, &available) ||
      length > available) {
    return elffile_broken(file, "its dynamic string table is not within a loaded segment");
  }
  dynamic->names_size = length;
  return true;
}

bool elfdynamic_open(const ElfFile *file, ElfDynamic *dynamic)
{
  *dynamic = (ElfDynamic){0};
  GElf_Phdr segment, loaded;
  if (!elffile_segment(file, PT_DYNAMIC, &segment) || !elffile_segment(file, PT_LOAD, &loaded) ||
      segment.p_filesz == 0) {
    return inspect_problem(
        file->problem, INSPECT_NOT_SHARED,
        "has no dynamic section (give the library itself, not its separate debug information)");
  }
  dynamic->entries = elffile_records(file, segment.p_offset, segment.p_filesz, ELF_T_DYN,
                                     "the entries of its dynamic section");
  if (!dynamic->entries) return false;
  count_entries(file, dynamic);
  return find_names(file, dynamic);
}

bool elfdynamic_read(const ElfFile *file, ElfDynamic *dynamic)
{
  return elfdynamic_open(file, dynamic) &&
         elffile_names(file, dynamic->names_offset, dynamic->names_size, &dynamic->names);
}

// The number of entries in DT_HASH's chain is that of the symbols. 64-bit s390 has entries of 8
// bytes.
static uint64_t count_by_hash(const ElfFile *file, const ElfDynamic *dynamic)
{
  uint64_t address, offset, available;
  if (!elfdynamic_value(dynamic, DT_HASH, 0, &address) ||
      !elffile_at_address(file, address, &offset, &available)) {
    return 0;
  }
  bool wide = file->header.e_machine == EM_S390 && file->header.e_ident[EI_CLASS] == ELFCLASS64;
  unsigned width = wide ? 8 : 4;
  return elffile_number(file, offset + width, width);
}

// DT_GNU_HASH holds no number of symbols, but each bucket holds its first symbol, symbols of a
// bucket follow one another, and the last of them is marked in the chain. Symbols before `first`
// are not hashed.
static uint64_t count_by_gnu_hash(const ElfFile *file, const ElfDynamic *dynamic)
{
  uint64_t address, table, available;
  if (!elfdynamic_value(dynamic, DT_GNU_HASH, 0, &address) ||
      !elffile_at_address(file, address, &table, &available) || available < 16) {
    return 0;
  }
  uint64_t buckets = elffile_number(file, table, 4);
  uint64_t first = elffile_number(file, table + 4, 4);
  uint64_t blooms = elffile_number(file, table + 8, 4);
  uint64_t bloom_size = file->header.e_ident[EI_CLASS] == ELFCLASS64 ? 8 : 4;
  uint64_t bucket_at = table + 16 + blooms * bloom_size;
  uint64_t chain_at = bucket_at + buckets * 4;
  uint64_t end = table + available;
  if (chain_at > end) return 0;
  uint64_t last = 0;
  for (uint64_t i = 0; i < buckets; ++i) {
    uint64_t symbol = elffile_number(file, bucket_at + 4 * i, 4);
    if (symbol > last) last = symbol;
  }
  if (last < first) return first;
  for (; chain_at + 4 * (last - first) + 4 <= end; ++last) {
    if (elffile_number(file, chain_at + 4 * (last - first), 4) & 1) return last + 1;
  }
  return 0;
}

static uint64_t count_by_section(const ElfFile *file, uint64_t address)
{
  GElf_Shdr section;
  for (Elf_Scn *scn = NULL; (scn = elf_nextscn(file->elf, scn));) {
    if (!gelf_getshdr(scn, &section) || section.sh_type != SHT_DYNSYM) continue;
    if (section.sh_addr != address) continue;
    return section.sh_size / elffile_record_size(file, ELF_T_SYM);
  }
  return 0;
}

// The symbols reach up to the next table at most, and linkers leave no gap. This is what is left
// for a library without section headers that exports nothing.
static uint64_t count_by_gap(const ElfFile *file, const ElfDynamic *dynamic, uint64_t address)
{
  static const int64_t tables[] = {DT_STRTAB, DT_HASH, DT_GNU_HASH, DT_VERSYM, DT_VERNEED,
                                   DT_VERDEF, DT_RELA, DT_REL,      DT_JMPREL, DT_INIT};
  uint64_t next = 0, table;
  for (size_t i = 0; i < sizeof tables / sizeof tables[0]; ++i) {
    if (!elfdynamic_value(dynamic, tables[i], 0, &table) || table <= address) continue;
    if (next == 0 || table < next) next = table;
  }
  return next == 0 ? 0 : (next - address) / elffile_record_size(file, ELF_T_SYM);
}

// A hash table that tells of no symbol but the empty first one may leave out all that are imported.
static uint64_t count_symbols(const ElfFile *file, const ElfDynamic *dynamic, uint64_t address)
{
  uint64_t count = count_by_hash(file, dynamic);
  if (count <= 1) count = count_by_gnu_hash(file, dynamic);
  if (count <= 1) count = count_by_section(file, address);
  if (count <= 1) count = count_by_gap(file, dynamic, address);
  return count;
}

bool elfdynamic_symbols(const ElfFile *file, const ElfDynamic *dynamic, ElfSymbols *symbols)
{
  *symbols = (ElfSymbols){0};
  uint64_t address, offset, available;
  if (!elfdynamic_value(dynamic, DT_SYMTAB, 0, &address)) {
    return elffile_broken(file, "its dynamic section names no symbol table");
  }
  if (!elffile_at_address(file, address, &offset, &available)) {
    return elffile_broken(file, "its dynamic symbol table is not within a loaded segment");
  }
  size_t size = elffile_record_size(file, ELF_T_SYM);
  uint64_t count = count_symbols(file, dynamic, address);
  if (count == 0)
    return elffile_broken(file, "nothing in it tells how many dynamic symbols it has");
  if (count > available / size) {
    return elffile_broken(file, "it claims to have more dynamic symbols than fit where they are");
  }
  symbols->records = elffile_records(file, offset, count * size, ELF_T_SYM, "its dynamic symbols");
  symbols->count = (size_t)count;
  return symbols->records != NULL;
}

static bool read_full_symbols(const ElfFile *file, const GElf_Shdr *table, ElfSymbols *symbols,
                              ElfNames *names)
{
  GElf_Shdr strings;
  size_t size = elffile_record_size(file, ELF_T_SYM);
  if (table->sh_size < size || !elffile_holds(file, table->sh_offset, table->sh_size)) return false;
  if (!gelf_getshdr(elf_getscn(file->elf, table->sh_link), &strings)) return false;
  if (strings.sh_type != SHT_STRTAB || !elffile_holds(file, strings.sh_offset, strings.sh_size)) {
    return false;
  }
  symbols->count = (size_t)(table->sh_size / size);
  symbols->records =
      elffile_records(file, table->sh_offset, table->sh_size, ELF_T_SYM, "its full symbol table");
  return symbols->records && elffile_names(file, strings.sh_offset, strings.sh_size, names);
}

bool elfdynamic_full_symbols(const ElfFile *file, ElfSymbols *symbols, ElfNames *names)
{
  *symbols = (ElfSymbols){0};
  *names = (ElfNames){0};
  GElf_Shdr section;
  for (Elf_Scn *scn = NULL; (scn = elf_nextscn(file->elf, scn));) {
    if (gelf_getshdr(scn, &section) && section.sh_type == SHT_SYMTAB) {
      return read_full_symbols(file, &section, symbols, names);
    }
  }
  return false;
}
