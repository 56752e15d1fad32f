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

ElfW(Sym) * elf_symbol(Bytes bytes, const char *name)
{
  ElfW(Sym) *symbols = (ElfW(Sym) *)elf_at(bytes, elf_dynamic(bytes, DT_SYMTAB)->d_un.d_ptr);
  const char *names = (const char *)elf_at(bytes, elf_dynamic(bytes, DT_STRTAB)->d_un.d_ptr);
  const uint32_t *hash = (uint32_t *)elf_at(bytes, elf_dynamic(bytes, DT_HASH)->d_un.d_ptr);
  for (uint32_t i = 1; i < hash[1]; ++i) {
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
