// SPDX-License-Identifier: Apache-2.0
#include "macho/macho.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "macho/macho_parts.h"

static uint32_t magic_of(const unsigned char *data, uint64_t size)
{
  const BinaryBytes bytes = {data, size, true, NULL};
  return (uint32_t)binary_number(&bytes, 0, 4);
}

bool macho_is(const unsigned char *data, uint64_t size)
{
  uint32_t magic = magic_of(data, size);
  return magic == MACHO_MAGIC_32 || magic == MACHO_MAGIC_64 || magic == MACHO_CIGAM_32 ||
         magic == MACHO_CIGAM_64;
}

// --- What is stored ------------------------------------------------------------------------------

bool macho_add_export(MachoFile *file, const MachoExport *symbol)
{
  if (file->export_count == MACHO_MOST_SYMBOLS) {
    ++file->exports_omitted;
    return true;
  }
  MachoExport *grown =
      binary_grow(file->exports, file->export_count, sizeof *grown, file->bytes.problem);
  if (!grown) return false;
  file->exports = grown;
  grown[file->export_count++] = *symbol;
  return true;
}

bool macho_add_import(MachoFile *file, const MachoImport *symbol)
{
  // A symbol is bound in many places, mostly in a row.
  if (file->import_count > 0) {
    const MachoImport *last = &file->imports[file->import_count - 1];
    if (last->name.data == symbol->name.data && last->ordinal == symbol->ordinal) return true;
  }
  if (file->import_count == MACHO_MOST_SYMBOLS) {
    ++file->imports_omitted;
    return true;
  }
  MachoImport *grown =
      binary_grow(file->imports, file->import_count, sizeof *grown, file->bytes.problem);
  if (!grown) return false;
  file->imports = grown;
  grown[file->import_count++] = *symbol;
  return true;
}

static int compare_imports(const void *one, const void *other)
{
  const MachoImport *left = one, *right = other;
  int order = binary_text_compare(left->name, right->name);
  if (order != 0) return order;
  if (left->ordinal != right->ordinal) return left->ordinal < right->ordinal ? -1 : 1;
  return left->weak - right->weak;
}

// One import for each name and library. One that must be there comes before one that may be
// missing, and stays.
static void unite_imports(MachoFile *file)
{
  size_t kept = 0;
  if (file->import_count == 0) return;
  qsort(file->imports, file->import_count, sizeof *file->imports, compare_imports);
  for (size_t i = 1; i < file->import_count; ++i) {
    const MachoImport *last = &file->imports[kept];
    bool same = last->ordinal == file->imports[i].ordinal &&
                binary_text_compare(last->name, file->imports[i].name) == 0;
    if (!same) file->imports[++kept] = file->imports[i];
  }
  file->import_count = kept + 1;
}

// --- The file ------------------------------------------------------------------------------------

static bool read_symbols(MachoFile *file)
{
  if (!(file->has_trie ? macho_trie_read(file) : macho_symbols_exports(file))) return false;
  bool done = false;
  switch (file->binding) {
    case MACHO_BINDING_SYMBOLS:
      done = macho_symbols_imports(file);
      break;
    case MACHO_BINDING_OPCODES:
      done = macho_binds_read(file);
      break;
    case MACHO_BINDING_CHAINED:
      done = macho_fixups_read(file);
      break;
  }
  if (done) unite_imports(file);
  return done;
}

static bool read_header(MachoFile *file)
{
  BinaryBytes *bytes = &file->bytes;
  uint32_t magic = magic_of(bytes->data, bytes->size);
  file->wide = magic == MACHO_MAGIC_64 || magic == MACHO_CIGAM_64;
  bytes->big_endian = magic == MACHO_MAGIC_32 || magic == MACHO_MAGIC_64;
  if (!macho_is(bytes->data, bytes->size)) return binary_broken(bytes, "is not a Mach-O file");
  if (!binary_needs(bytes, 0, file->wide ? 32 : 28, "its header")) return false;
  file->cpu = (uint32_t)binary_number(bytes, 4, 4);
  file->subtype = (uint32_t)binary_number(bytes, 8, 4);
  file->type = (uint32_t)binary_number(bytes, 12, 4);
  file->flags = (uint32_t)binary_number(bytes, 24, 4);
  return true;
}

// The linker's debug information has the header of the library and no bytes of it.
static bool has_bytes(const MachoFile *file)
{
  return file->type != MACHO_DSYM && file->type != MACHO_DYLIB_STUB && file->type != MACHO_CORE;
}

MachoFile *macho_open(const unsigned char *data, uint64_t size, BinaryProblem *problem)
{
  MachoFile *file = calloc(1, sizeof *file);
  if (!file) {
    binary_no_memory(problem);
    return NULL;
  }
  file->bytes = (BinaryBytes){data, size, false, problem};
  if (read_header(file) &&
      (!has_bytes(file) || (macho_commands_read(file) && read_symbols(file)))) {
    return file;
  }
  macho_close(file);
  return NULL;
}

void macho_close(MachoFile *file)
{
  if (!file) return;
  free(file->segments);
  free(file->sections);
  free(file->libraries);
  free(file->rpaths);
  free(file->exports);
  free(file->imports);
  macho_texts_free(file);
  free(file);
}

// --- Places --------------------------------------------------------------------------------------

const MachoSection *macho_section_of(const MachoFile *file, uint64_t address)
{
  for (size_t i = 0; i < file->section_count; ++i) {
    const MachoSection *section = &file->sections[i];
    if (address >= section->address && address - section->address < section->size) return section;
  }
  return NULL;
}

const MachoSegment *macho_segment_of(const MachoFile *file, uint64_t address)
{
  for (size_t i = 0; i < file->segment_count; ++i) {
    const MachoSegment *segment = &file->segments[i];
    if (address >= segment->address && address - segment->address < segment->size) return segment;
  }
  return NULL;
}

static bool has_no_bytes(const MachoSection *section)
{
  uint32_t type = section->flags & MACHO_SECTION_TYPE;
  return type == MACHO_SECTION_ZEROFILL || type == MACHO_SECTION_ZEROFILL_LARGE ||
         type == MACHO_SECTION_THREAD_ZEROFILL;
}

bool macho_at_address(const MachoFile *file, uint64_t address, uint64_t *offset,
                      uint64_t *available)
{
  const MachoSection *section = macho_section_of(file, address);
  if (section) {
    if (has_no_bytes(section)) return false;
    *offset = section->offset + (address - section->address);
    *available = section->size - (address - section->address);
    return section->offset <= file->bytes.size && binary_holds(&file->bytes, *offset, *available);
  }
  const MachoSegment *segment = macho_segment_of(file, address);
  if (!segment || address - segment->address >= segment->file_size) return false;
  *offset = segment->offset + (address - segment->address);
  *available = segment->file_size - (address - segment->address);
  return binary_holds(&file->bytes, *offset, *available);
}

// --- Names ---------------------------------------------------------------------------------------

void macho_cpu_name(uint32_t cpu, uint32_t subtype, char *out, size_t capacity)
{
  subtype &= MACHO_SUBTYPE_MASK;
  static const struct {
    uint32_t cpu;
    const char *name;
  } names[] = {
      {MACHO_CPU_X86 | MACHO_CPU_64, "x86-64"},      {MACHO_CPU_X86, "i386"},
      {MACHO_CPU_ARM | MACHO_CPU_64, "arm64"},       {MACHO_CPU_ARM, "arm"},
      {MACHO_CPU_ARM | MACHO_CPU_64_32, "arm64_32"}, {MACHO_CPU_POWERPC, "ppc"},
      {MACHO_CPU_POWERPC | MACHO_CPU_64, "ppc64"},
  };
  if (cpu == (MACHO_CPU_ARM | MACHO_CPU_64) && subtype == MACHO_SUBTYPE_ARM64E) {
    snprintf(out, capacity, "arm64e");
    return;
  }
  if (cpu == (MACHO_CPU_X86 | MACHO_CPU_64) && subtype == MACHO_SUBTYPE_X86_64_H) {
    snprintf(out, capacity, "x86-64h");
    return;
  }
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
    if (names[i].cpu != cpu) continue;
    snprintf(out, capacity, "%s", names[i].name);
    return;
  }
  snprintf(out, capacity, "cpu %u", (unsigned)cpu);
}

void macho_platform_name(uint32_t platform, char *out, size_t capacity)
{
  static const char *const names[] = {NULL,
                                      "macOS",
                                      "iOS",
                                      "tvOS",
                                      "watchOS",
                                      "bridgeOS",
                                      "Mac Catalyst",
                                      "iOS Simulator",
                                      "tvOS Simulator",
                                      "watchOS Simulator",
                                      "DriverKit",
                                      "visionOS",
                                      "visionOS Simulator"};
  if (platform < sizeof names / sizeof names[0] && names[platform]) {
    snprintf(out, capacity, "%s", names[platform]);
  } else {
    snprintf(out, capacity, "platform %u", (unsigned)platform);
  }
}
