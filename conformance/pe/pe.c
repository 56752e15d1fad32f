// SPDX-License-Identifier: Apache-2.0
#include "pe/pe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pe/pe_parts.h"

enum {
  OFFSET_OF_HEADER = 0x3c,  // where a DOS header has the place of the other
  SIGNATURE = 0x4550,
  FILE_HEADER_SIZE = 24,  // with the signature
  SECTION_SIZE = 40,
  DEBUG_SIZE = 28,
  DEBUG_CODEVIEW = 2,
  MOST_DEBUG = 64,
  SECTOR = 512,  // the loader rounds the places of sections down to it
};

bool pe_is(const unsigned char *data, uint64_t size)
{
  const BinaryBytes bytes = {data, size, false, NULL};
  return size >= 64 && data[0] == 'M' && data[1] == 'Z' &&
         binary_number(&bytes, binary_number(&bytes, OFFSET_OF_HEADER, 4), 4) == SIGNATURE;
}

// --- Places --------------------------------------------------------------------------------------

const PeSection *pe_section_of(const PeFile *file, uint64_t address)
{
  for (size_t i = 0; i < file->section_count; ++i) {
    const PeSection *section = &file->sections[i];
    if (address >= section->address && address - section->address < section->size) return section;
  }
  return NULL;
}

bool pe_at_address(const PeFile *file, uint64_t address, uint64_t *offset, uint64_t *available)
{
  const PeSection *section = pe_section_of(file, address);
  if (!section) {
    uint64_t most = file->header_size < file->bytes.size ? file->header_size : file->bytes.size;
    if (address >= most) return false;
    *offset = address;
    *available = most - address;
    return true;
  }
  uint64_t within = address - section->address;
  if (within >= section->file_size) return false;
  *offset = section->offset + within;
  *available = section->file_size - within;
  return true;
}

BinaryText pe_text(const PeFile *file, uint64_t address)
{
  uint64_t offset, available;
  if (!pe_at_address(file, address, &offset, &available)) return (BinaryText){"", 0};
  return binary_text(&file->bytes, offset, offset + available);
}

uint64_t pe_number(const PeFile *file, uint64_t address, unsigned width)
{
  uint64_t offset, available;
  if (!pe_at_address(file, address, &offset, &available) || available < width) return 0;
  return binary_number(&file->bytes, offset, width);
}

// --- Headers -------------------------------------------------------------------------------------

static bool add_section(PeFile *file, uint64_t at)
{
  const BinaryBytes *bytes = &file->bytes;
  PeSection *section = &file->sections[file->section_count];
  uint64_t memory = binary_number(bytes, at + 8, 4), raw = binary_number(bytes, at + 16, 4);
  *section = (PeSection){
      .name = binary_text(bytes, at, at + 8),
      .address = binary_number(bytes, at + 12, 4),
      .size = memory ? memory : raw,
      .offset = binary_number(bytes, at + 20, 4),
      .flags = (uint32_t)binary_number(bytes, at + 36, 4),
  };
  if (file->section_alignment >= SECTOR) section->offset &= ~(uint64_t)(SECTOR - 1);
  section->file_size = raw < section->size ? raw : section->size;
  ++file->section_count;
  return section->file_size == 0 ||
         binary_needs(bytes, section->offset, section->file_size, "the bytes of a section");
}

static bool read_sections(PeFile *file, uint64_t at, uint64_t count)
{
  const BinaryBytes *bytes = &file->bytes;
  if (count > PE_MOST_SECTIONS) return binary_broken(bytes, "has more than 96 sections");
  if (!binary_needs(bytes, at, count * SECTION_SIZE, "the headers of its sections")) return false;
  file->sections = calloc(count ? count : 1, sizeof *file->sections);
  if (!file->sections) return binary_no_memory(bytes->problem);
  for (uint64_t i = 0; i < count; ++i) {
    if (!add_section(file, at + i * SECTION_SIZE)) return false;
  }
  return true;
}

static bool read_optional(PeFile *file, uint64_t at, uint64_t size)
{
  const BinaryBytes *bytes = &file->bytes;
  uint64_t magic = binary_number(bytes, at, 2);
  file->wide = magic == PE_MAGIC_64;
  if (magic != PE_MAGIC_32 && magic != PE_MAGIC_64) {
    return binary_broken(bytes, "its optional header is of an unknown kind");
  }
  uint64_t directories = file->wide ? 112 : 96;
  if (size < directories) return binary_broken(bytes, "its optional header is too short");
  file->linker_major = (uint16_t)binary_number(bytes, at + 2, 1);
  file->linker_minor = (uint16_t)binary_number(bytes, at + 3, 1);
  file->base = binary_number(bytes, at + (file->wide ? 24 : 28), file->wide ? 8 : 4);
  file->section_alignment = (uint32_t)binary_number(bytes, at + 32, 4);
  file->system_major = (uint16_t)binary_number(bytes, at + 48, 2);
  file->system_minor = (uint16_t)binary_number(bytes, at + 50, 2);
  file->header_size = binary_number(bytes, at + 60, 4);
  file->dll_flags = (uint32_t)binary_number(bytes, at + 70, 2);
  uint64_t count = binary_number(bytes, at + directories - 4, 4);
  if (count > PE_DIRECTORY_COUNT) count = PE_DIRECTORY_COUNT;
  if (count > (size - directories) / 8) count = (size - directories) / 8;
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t entry = at + directories + 8 * i;
    file->directories[i] = (PeDirectory){(uint32_t)binary_number(bytes, entry, 4),
                                         (uint32_t)binary_number(bytes, entry + 4, 4)};
  }
  return true;
}

static bool read_headers(PeFile *file)
{
  const BinaryBytes *bytes = &file->bytes;
  uint64_t at = binary_number(bytes, OFFSET_OF_HEADER, 4);
  if (!pe_is(bytes->data, bytes->size)) return binary_broken(bytes, "is not a PE file");
  if (!binary_needs(bytes, at, FILE_HEADER_SIZE, "its header")) return false;
  file->machine = (uint32_t)binary_number(bytes, at + 4, 2);
  file->flags = (uint32_t)binary_number(bytes, at + 22, 2);
  uint64_t sections = binary_number(bytes, at + 6, 2), size = binary_number(bytes, at + 20, 2);
  at += FILE_HEADER_SIZE;
  return binary_needs(bytes, at, size, "its optional header") && read_optional(file, at, size) &&
         read_sections(file, at + size, sections);
}

// --- Debug information ---------------------------------------------------------------------------

// What names the file of debug information that belongs to this build.
static void read_guid(PeFile *file)
{
  PeDirectory directory = file->directories[PE_DIRECTORY_DEBUG];
  uint32_t count = directory.size / DEBUG_SIZE;
  for (uint32_t i = 0; i < count && i < MOST_DEBUG && !file->has_guid; ++i) {
    uint64_t entry = (uint64_t)directory.address + (uint64_t)i * DEBUG_SIZE;
    uint64_t at = pe_number(file, entry + 24, 4);
    if (pe_number(file, entry + 12, 4) != DEBUG_CODEVIEW) continue;
    if (!binary_holds(&file->bytes, at, 24)) continue;
    if (memcmp(file->bytes.data + at, "RSDS", 4) != 0) continue;
    memcpy(file->guid, file->bytes.data + at + 4, sizeof file->guid);
    file->age = (uint32_t)binary_number(&file->bytes, at + 20, 4);
    file->has_guid = true;
  }
}

// --- The file ------------------------------------------------------------------------------------

PeFile *pe_open(const unsigned char *data, uint64_t size, BinaryProblem *problem)
{
  PeFile *file = calloc(1, sizeof *file);
  if (!file) {
    binary_no_memory(problem);
    return NULL;
  }
  file->bytes = (BinaryBytes){data, size, false, problem};
  if (read_headers(file) && pe_exports_read(file) && pe_imports_read(file)) {
    read_guid(file);
    return file;
  }
  pe_close(file);
  return NULL;
}

void pe_close(PeFile *file)
{
  if (!file) return;
  free(file->sections);
  free(file->exports);
  free(file->libraries);
  free(file->imports);
  free(file);
}

void pe_machine_name(const PeFile *file, char *out, size_t capacity)
{
  static const struct {
    uint32_t machine;
    const char *name;
  } names[] = {
      {PE_MACHINE_AMD64, "x86-64"},    {PE_MACHINE_I386, "i386"},     {PE_MACHINE_ARM64, "aarch64"},
      {PE_MACHINE_ARM64EC, "arm64ec"}, {PE_MACHINE_ARM64X, "arm64x"}, {PE_MACHINE_ARMNT, "arm"},
      {PE_MACHINE_RISCV64, "riscv64"}, {PE_MACHINE_IA64, "ia64"},
  };
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
    if (names[i].machine != file->machine) continue;
    snprintf(out, capacity, "%s", names[i].name);
    return;
  }
  snprintf(out, capacity, "machine %u", (unsigned)file->machine);
}
