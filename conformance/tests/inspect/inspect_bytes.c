// SPDX-License-Identifier: Apache-2.0
#include "inspect_bytes.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

Bytes bytes_of_file(const char *path)
{
  FILE *file = fopen(path, "rb");
  ck_assert_msg(file != NULL, "can't open %s", path);
  ck_assert_int_eq(fseek(file, 0, SEEK_END), 0);
  Bytes bytes = {.size = (size_t)ftell(file)};
  rewind(file);
  bytes.data = malloc(bytes.size);
  ck_assert_uint_eq(fread(bytes.data, 1, bytes.size, file), bytes.size);
  fclose(file);
  return bytes;
}

static void check_text(const char *text)
{
  for (; *text; ++text) ck_assert_msg(*text >= ' ' && *text < 0x7f, "byte %d in a name", *text);
}

// What every report holds, whatever the file was.
static void check_promises(const InspectReport *report)
{
  ck_assert_int_ge(report->status, INSPECT_OK);
  ck_assert_int_le(report->status, INSPECT_OTHER_MACHINE);
  ck_assert_int_eq(report->status != INSPECT_OK, report->message[0] != '\0');
  unsigned exports = 0;
  for (size_t i = 0; i < ABI_FUNCTION_COUNT; ++i) exports += report->exports[i];
  ck_assert_uint_eq(exports, report->exports_count);
  check_text(report->soname);
  for (char **name = report->needed; name && *name; ++name) check_text(*name);
  for (size_t i = 0; i < report->symbol_count; ++i) {
    check_text(report->symbols[i].name);
    if (i > 0) ck_assert_uint_gt(report->symbols[i].address, report->symbols[i - 1].address);
  }
}

InspectReport *inspect_the_path(const char *path)
{
  InspectReport *report = inspect_file(path);
  ck_assert_ptr_nonnull(report);
  ck_assert_str_eq(report->path, path);
  check_promises(report);
  return report;
}

InspectReport *inspect_the_bytes(const void *data, size_t size)
{
  int descriptor = memfd_create("inspected", MFD_CLOEXEC);
  ck_assert_int_ge(descriptor, 0);
  ck_assert_int_eq(write(descriptor, data, size), (ssize_t)size);
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  InspectReport *report = inspect_the_path(path);
  ck_assert_uint_eq(report->file_size, size);
  close(descriptor);
  return report;
}

ElfW(Ehdr) * elf_header(Bytes bytes)
{
  ck_assert_uint_ge(bytes.size, sizeof(ElfW(Ehdr)));
  return (ElfW(Ehdr) *)bytes.data;
}

ElfW(Phdr) * elf_segment(Bytes bytes, unsigned type)
{
  const ElfW(Ehdr) *header = elf_header(bytes);
  ElfW(Phdr) *segments = (ElfW(Phdr) *)(bytes.data + header->e_phoff);
  for (int i = 0; i < header->e_phnum; ++i) {
    if (segments[i].p_type == type) return &segments[i];
  }
  ck_abort_msg("no segment of type %u", type);
  return NULL;
}

ElfW(Dyn) * elf_dynamic(Bytes bytes, long tag)
{
  ElfW(Dyn) *entry = (ElfW(Dyn) *)(bytes.data + elf_segment(bytes, PT_DYNAMIC)->p_offset);
  for (; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == tag) return entry;
  }
  ck_abort_msg("no dynamic entry with tag %ld", tag);
  return NULL;
}

unsigned char *elf_at(Bytes bytes, uint64_t address)
{
  const ElfW(Ehdr) *header = elf_header(bytes);
  const ElfW(Phdr) *segments = (const ElfW(Phdr) *)(bytes.data + header->e_phoff);
  for (int i = 0; i < header->e_phnum; ++i) {
    if (segments[i].p_type == PT_LOAD && address >= segments[i].p_vaddr &&
        address - segments[i].p_vaddr < segments[i].p_filesz) {
      return bytes.data + segments[i].p_offset + (address - segments[i].p_vaddr);
    }
  }
  ck_abort_msg("no byte at %#llx", (unsigned long long)address);
  return NULL;
}

// A segment that may become another one.
static ElfW(Phdr) * spare_segment(Bytes bytes)
{
  static const unsigned types[] = {PT_GNU_STACK, PT_GNU_EH_FRAME, PT_NOTE};
  const ElfW(Ehdr) *header = elf_header(bytes);
  ElfW(Phdr) *segments = (ElfW(Phdr) *)(bytes.data + header->e_phoff);
  for (size_t kind = 0; kind < sizeof types / sizeof types[0]; ++kind) {
    for (int i = 0; i < header->e_phnum; ++i) {
      if (segments[i].p_type == types[kind]) return &segments[i];
    }
  }
  ck_abort_msg("no segment to spare");
  return NULL;
}

uint64_t elf_room(Bytes *bytes, size_t size)
{
  const ElfW(Ehdr) *header = elf_header(*bytes);
  const ElfW(Phdr) *segments = (const ElfW(Phdr) *)(bytes->data + header->e_phoff);
  uint64_t end = 0;
  for (int i = 0; i < header->e_phnum; ++i) {
    uint64_t its = segments[i].p_vaddr + segments[i].p_memsz;
    if (segments[i].p_type == PT_LOAD && its > end) end = its;
  }
  uint64_t address = (end + 0xffff) & ~UINT64_C(0xffff);
  size_t offset = (bytes->size + 15) & ~(size_t)15;
  bytes->data = realloc(bytes->data, offset + size);
  ck_assert_ptr_nonnull(bytes->data);
  memset(bytes->data + bytes->size, 0, offset + size - bytes->size);
  bytes->size = offset + size;
  ElfW(Phdr) *room = spare_segment(*bytes);
  *room = (ElfW(Phdr)){.p_type = PT_LOAD, .p_flags = PF_R, .p_align = 16};
  room->p_offset = (ElfW(Off))offset;
  room->p_vaddr = room->p_paddr = (ElfW(Addr))address;
  room->p_filesz = room->p_memsz = size;
  return address;
}

uint32_t elf_more_names(Bytes *bytes, const char *names, size_t size)
{
  size_t old = elf_dynamic(*bytes, DT_STRSZ)->d_un.d_val;
  uint64_t from = elf_dynamic(*bytes, DT_STRTAB)->d_un.d_ptr, to = elf_room(bytes, old + size);
  memcpy(elf_at(*bytes, to), elf_at(*bytes, from), old);
  memcpy(elf_at(*bytes, to) + old, names, size);
  elf_dynamic(*bytes, DT_STRTAB)->d_un.d_ptr = (ElfW(Addr))to;
  elf_dynamic(*bytes, DT_STRSZ)->d_un.d_val = old + size;
  return (uint32_t)old;
}

void elf_more_entries(Bytes *bytes, long tag, uint64_t value, size_t count)
{
  size_t old = 0, size = sizeof(ElfW(Dyn));
  size_t from = elf_segment(*bytes, PT_DYNAMIC)->p_offset;
  while (((ElfW(Dyn) *)(bytes->data + from))[old].d_tag != DT_NULL) ++old;
  uint64_t address = elf_room(bytes, (old + count + 1) * size);
  ElfW(Dyn) *entries = (ElfW(Dyn) *)elf_at(*bytes, address);
  memcpy(entries, bytes->data + from, old * size);
  for (size_t i = old; i < old + count; ++i) {
    entries[i].d_tag = (ElfW(Sxword))tag;
    entries[i].d_un.d_val = (ElfW(Xword))value;
  }
  ElfW(Phdr) *segment = elf_segment(*bytes, PT_DYNAMIC);
  segment->p_offset = (ElfW(Off))((unsigned char *)entries - bytes->data);
  segment->p_vaddr = (ElfW(Addr))address;
  segment->p_filesz = segment->p_memsz = (old + count + 1) * size;
}

ElfW(Sym) * elf_symbol(Bytes bytes, const char *name)
{
  ElfW(Sym) *symbols = (ElfW(Sym) *)elf_at(bytes, elf_dynamic(bytes, DT_SYMTAB)->d_un.d_ptr);
  const char *names = (const char *)elf_at(bytes, elf_dynamic(bytes, DT_STRTAB)->d_un.d_ptr);
  size_t count = elf_section(bytes, SHT_DYNSYM)->sh_size / sizeof *symbols;
  for (size_t i = 1; i < count; ++i) {
    if (strcmp(names + symbols[i].st_name, name) == 0) return &symbols[i];
  }
  ck_abort_msg("no dynamic symbol %s", name);
  return NULL;
}

ElfW(Shdr) * elf_section(Bytes bytes, unsigned type)
{
  const ElfW(Ehdr) *header = elf_header(bytes);
  ElfW(Shdr) *sections = (ElfW(Shdr) *)(bytes.data + header->e_shoff);
  for (int i = 0; i < header->e_shnum; ++i) {
    if (sections[i].sh_type == type) return &sections[i];
  }
  ck_abort_msg("no section of type %u", type);
  return NULL;
}

void elf_remove_sections(Bytes bytes)
{
  ElfW(Ehdr) *header = elf_header(bytes);
  header->e_shoff = 0;
  header->e_shnum = 0;
  header->e_shstrndx = 0;
}
