// SPDX-License-Identifier: Apache-2.0
#include "inspect/elffile.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// A hostile file may have ten thousand note segments that are each the whole of it.
enum { MOST_NOTE_SEGMENTS = 16, LONGEST_NOTES = 1 << 16, MOST_SECTIONS = 1 << 18 };

bool elffile_broken(const ElfFile *file, const char *what)
{
  return inspect_problem(file->problem, INSPECT_BROKEN, "%s (build or copy it again)", what);
}

static bool truncated(const ElfFile *file, const char *what, uint64_t offset, uint64_t length)
{
  return inspect_problem(file->problem, INSPECT_BROKEN,
                         "is truncated or damaged: %s (%" PRIu64 " bytes at %" PRIu64
                         ") end behind the file's %" PRIu64 " bytes (build or copy it again)",
                         what, length, offset, file->size);
}

bool elffile_holds(const ElfFile *file, uint64_t offset, uint64_t length)
{
  return offset <= file->size && length <= file->size - offset;
}

size_t elffile_record_size(const ElfFile *file, Elf_Type type)
{
  return gelf_fsize(file->elf, type, 1, EV_CURRENT);
}

static uint64_t header_number(const unsigned char *bytes, size_t offset, size_t width)
{
  bool little = bytes[EI_DATA] == ELFDATA2LSB;
  uint64_t number = 0;
  for (size_t i = 0; i < width; ++i) {
    number = number << 8 | bytes[offset + (little ? width - 1 - i : i)];
  }
  return number;
}

// Whether the number of sections that the first section header gives is one that an object file may
// have.
static bool has_many_sections(const unsigned char *bytes, uint64_t size, bool wide)
{
  size_t word = wide ? sizeof(Elf64_Off) : sizeof(Elf32_Off);
  size_t type = wide ? offsetof(Elf64_Ehdr, e_type) : offsetof(Elf32_Ehdr, e_type);
  size_t at = wide ? offsetof(Elf64_Ehdr, e_shoff) : offsetof(Elf32_Ehdr, e_shoff);
  size_t count_at = wide ? offsetof(Elf64_Shdr, sh_size) : offsetof(Elf32_Shdr, sh_size);
  size_t record = wide ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
  if (header_number(bytes, type, 2) != ET_REL) return false;
  uint64_t table = header_number(bytes, at, word);
  if (table > size || size - table < record) return false;
  uint64_t count = header_number(bytes, (size_t)table + count_at, word);
  return count <= MOST_SECTIONS && count <= (size - table) / record;
}

// e_shnum is 0 and e_shoff is not where the number of sections is in the first section header. Only
// relocatable files have that many, and libelf would allocate for whatever number stands there.
static void hide_extended_sections(unsigned char *bytes, uint64_t size, bool wide)
{
  size_t count = wide ? offsetof(Elf64_Ehdr, e_shnum) : offsetof(Elf32_Ehdr, e_shnum);
  if (bytes[count] || bytes[count + 1] || has_many_sections(bytes, size, wide)) return;
  if (wide) {
    memset(bytes + offsetof(Elf64_Ehdr, e_shoff), 0, sizeof(Elf64_Off));
  } else {
    memset(bytes + offsetof(Elf32_Ehdr, e_shoff), 0, sizeof(Elf32_Off));
  }
}

static bool open_header(ElfFile *file)
{
  if (file->size < EI_NIDENT) return truncated(file, "the ELF header", 0, sizeof(Elf32_Ehdr));
  unsigned char class = file->bytes[EI_CLASS], order = file->bytes[EI_DATA];
  if ((class != ELFCLASS32 && class != ELFCLASS64) ||
      (order != ELFDATA2LSB && order != ELFDATA2MSB)) {
    return elffile_broken(file, "its ELF header gives no valid word size and byte order");
  }
  size_t header_size = class == ELFCLASS64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr);
  if (file->size < header_size) return truncated(file, "the ELF header", 0, header_size);
  hide_extended_sections(file->bytes, file->size, class == ELFCLASS64);
  elf_version(EV_CURRENT);
  file->elf = elf_memory((char *)file->bytes, (size_t)file->size);
  if (!file->elf || !gelf_getehdr(file->elf, &file->header))
    return elffile_broken(file, elf_errmsg(-1));
  if (file->header.e_version != EV_CURRENT) return elffile_broken(file, "its ELF version is not 1");
  return true;
}

static bool check_tables(const ElfFile *file)
{
  const GElf_Ehdr *header = &file->header;
  if (header->e_phnum && header->e_phentsize != elffile_record_size(file, ELF_T_PHDR)) {
    return elffile_broken(file, "its program headers have a wrong size");
  }
  uint64_t length = (uint64_t)header->e_phnum * header->e_phentsize;
  if (!elffile_holds(file, header->e_phoff, length)) {
    return truncated(file, "its program headers", header->e_phoff, length);
  }
  if (header->e_shnum && header->e_shentsize != elffile_record_size(file, ELF_T_SHDR)) {
    return elffile_broken(file, "its section headers have a wrong size");
  }
  length = (uint64_t)header->e_shnum * header->e_shentsize;
  if (!elffile_holds(file, header->e_shoff, length)) {
    return truncated(file, "its section headers", header->e_shoff, length);
  }
  return true;
}

static bool check_segments(const ElfFile *file)
{
  for (int i = 0; i < file->header.e_phnum; ++i) {
    GElf_Phdr segment;
    if (!gelf_getphdr(file->elf, i, &segment))
      return elffile_broken(file, "a program header is damaged");
    if (segment.p_type != PT_LOAD && segment.p_type != PT_DYNAMIC) continue;
    if (!elffile_holds(file, segment.p_offset, segment.p_filesz)) {
      return truncated(file, segment.p_type == PT_LOAD ? "a loaded segment" : "the dynamic section",
                       segment.p_offset, segment.p_filesz);
    }
    if (segment.p_type == PT_LOAD && segment.p_filesz > segment.p_memsz) {
      return elffile_broken(file, "a loaded segment is larger in the file than in memory");
    }
  }
  return true;
}

bool elffile_open(ElfFile *file, unsigned char *bytes, uint64_t size, InspectProblem *problem)
{
  *file = (ElfFile){.bytes = bytes, .size = size, .problem = problem};
  return open_header(file) && check_tables(file) && check_segments(file);
}

void elffile_close(ElfFile *file)
{
  elf_end(file->elf);
  file->elf = NULL;
}

bool elffile_segment(const ElfFile *file, uint32_t type, GElf_Phdr *segment)
{
  for (int i = 0; i < file->header.e_phnum; ++i) {
    if (gelf_getphdr(file->elf, i, segment) && segment->p_type == type) return true;
  }
  return false;
}

bool elffile_at_address(const ElfFile *file, uint64_t address, uint64_t *offset,
                        uint64_t *available)
{
  for (int i = 0; i < file->header.e_phnum; ++i) {
    GElf_Phdr segment;
    if (!gelf_getphdr(file->elf, i, &segment) || segment.p_type != PT_LOAD) continue;
    if (address < segment.p_vaddr || address - segment.p_vaddr >= segment.p_filesz) continue;
    uint64_t inside = address - segment.p_vaddr;
    *offset = segment.p_offset + inside;
    *available = segment.p_filesz - inside;
    return elffile_holds(file, *offset, *available);
  }
  return false;
}

uint64_t elffile_mapped_size(const ElfFile *file)
{
  uint64_t size = 0;
  for (int i = 0; i < file->header.e_phnum; ++i) {
    GElf_Phdr segment;
    if (!gelf_getphdr(file->elf, i, &segment) || segment.p_type != PT_LOAD) continue;
    uint64_t end = segment.p_vaddr + segment.p_memsz;
    if (end >= segment.p_vaddr && end > size) size = end;
  }
  return size;
}

uint64_t elffile_number(const ElfFile *file, uint64_t offset, unsigned width)
{
  if (!elffile_holds(file, offset, width)) return 0;
  bool little = file->header.e_ident[EI_DATA] == ELFDATA2LSB;
  uint64_t number = 0;
  for (unsigned i = 0; i < width; ++i) {
    number = number << 8 | file->bytes[offset + (little ? width - 1 - i : i)];
  }
  return number;
}

Elf_Data *elffile_records(const ElfFile *file, uint64_t offset, uint64_t length, Elf_Type type,
                          const char *what)
{
  if (!elffile_holds(file, offset, length)) {
    truncated(file, what, offset, length);
    return NULL;
  }
  length -= length % elffile_record_size(file, type);
  Elf_Data *data =
      length ? elf_getdata_rawchunk(file->elf, (int64_t)offset, (size_t)length, type) : NULL;
  if (!data) {
    inspect_problem(file->problem, INSPECT_BROKEN, "%s: %s (build or copy it again)", what,
                    length ? elf_errmsg(-1) : "there are none");
  }
  return data;
}

static size_t build_id_in(Elf_Data *notes, unsigned char *id, size_t capacity)
{
  GElf_Nhdr note;
  size_t name, description, next;
  for (size_t at = 0; (next = gelf_getnote(notes, at, &note, &name, &description)) > at;
       at = next) {
    const char *text = (const char *)notes->d_buf;
    if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != sizeof ELF_NOTE_GNU) continue;
    if (memcmp(text + name, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) != 0) continue;
    size_t count = note.n_descsz < capacity ? note.n_descsz : capacity;
    memcpy(id, text + description, count);
    return count;
  }
  return 0;
}

size_t elffile_build_id(const ElfFile *file, unsigned char *id, size_t capacity)
{
  int looked_at = 0;
  for (int i = 0; i < file->header.e_phnum && looked_at < MOST_NOTE_SEGMENTS; ++i) {
    GElf_Phdr segment;
    if (!gelf_getphdr(file->elf, i, &segment) || segment.p_type != PT_NOTE) continue;
    ++looked_at;
    uint64_t length = segment.p_filesz < LONGEST_NOTES ? segment.p_filesz : LONGEST_NOTES;
    if (!length || !elffile_holds(file, segment.p_offset, length)) continue;
    Elf_Data *notes = elf_getdata_rawchunk(file->elf, (int64_t)segment.p_offset, (size_t)length,
                                           segment.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR);
    size_t count = notes ? build_id_in(notes, id, capacity) : 0;
    if (count) return count;
  }
  return 0;
}

bool elffile_names(const ElfFile *file, uint64_t offset, uint64_t length, ElfNames *names)
{
  *names = (ElfNames){0};
  if (!elffile_holds(file, offset, length)) {
    return truncated(file, "its symbol names", offset, length);
  }
  names->text = malloc((size_t)length + 1);
  if (!names->text) return inspect_problem_no_memory(file->problem);
  names->size = length;
  for (uint64_t i = 0; i < length; ++i) {
    unsigned char byte = file->bytes[offset + i];
    names->text[i] = byte == '\0' || (byte >= ' ' && byte < 0x7f) ? (char)byte : '?';
  }
  names->text[length] = '\0';
  return true;
}

bool elffile_text(const ElfFile *file, uint64_t offset, uint64_t size, uint64_t at, ElfText *text)
{
  if (!elffile_holds(file, offset, size) || at >= size) return false;
  uint64_t most = size - at < ELFFILE_LONGEST_TEXT ? size - at : ELFFILE_LONGEST_TEXT;
  text->data = (const char *)file->bytes + offset + at;
  text->size = strnlen(text->data, (size_t)most);
  return true;
}

const char *elffile_name(const ElfNames *names, uint64_t offset)
{
  return offset <= names->size && names->text ? names->text + offset : NULL;
}
