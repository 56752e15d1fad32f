// SPDX-License-Identifier: Apache-2.0
// The load commands of a Mach-O file.
#include <string.h>

#include "macho/macho_parts.h"

enum {
  MOST_COMMANDS = 1 << 16,
  MOST_SEGMENTS = 256,
  MOST_SECTIONS = 1024,  // symbols name 255 of them
  SECTION_SIZE_32 = 68,
  SECTION_SIZE_64 = 80,
};

// One command. Its bytes are known to lie within the file.
typedef struct Command {
  uint32_t kind;
  uint64_t at, size;
} Command;

static uint32_t number(const MachoFile *file, const Command *command, unsigned offset)
{
  if (command->size < offset + 4) return 0;
  return (uint32_t)binary_number(&file->bytes, command->at + offset, 4);
}

static uint64_t wide_number(const MachoFile *file, uint64_t at)
{
  return binary_number(&file->bytes, at, file->wide ? 8 : 4);
}

// A name of 16 bytes that ends with a NUL only if it is shorter.
static BinaryText short_name(const MachoFile *file, uint64_t at)
{
  return binary_text(&file->bytes, at, at + 16);
}

// A text within the command, whose offset in the command stands at `offset`.
static BinaryText text(const MachoFile *file, const Command *command, unsigned offset)
{
  uint32_t within = number(file, command, offset);
  if (within >= command->size) return (BinaryText){"", 0};
  return binary_text(&file->bytes, command->at + within, command->at + command->size);
}

static MachoRange range(const MachoFile *file, const Command *command, unsigned offset)
{
  return (MachoRange){number(file, command, offset), number(file, command, offset + 4)};
}

static bool check_range(const MachoFile *file, MachoRange range, const char *what)
{
  return range.size == 0 || binary_needs(&file->bytes, range.offset, range.size, what);
}

// --- Segments ------------------------------------------------------------------------------------

static bool add_section(MachoFile *file, uint64_t at)
{
  const BinaryBytes *bytes = &file->bytes;
  if (file->section_count == MOST_SECTIONS) return binary_broken(bytes, "has too many sections");
  MachoSection *grown =
      binary_grow(file->sections, file->section_count, sizeof *grown, bytes->problem);
  if (!grown) return false;
  file->sections = grown;
  unsigned word = file->wide ? 8 : 4;
  uint64_t behind = at + 32 + 2 * word;
  grown[file->section_count++] = (MachoSection){
      .name = short_name(file, at),
      .segment = short_name(file, at + 16),
      .address = wide_number(file, at + 32),
      .size = wide_number(file, at + 32 + word),
      .offset = binary_number(bytes, behind, 4),
      .flags = (uint32_t)binary_number(bytes, behind + 16, 4),
  };
  return true;
}

static bool read_segment(MachoFile *file, const Command *command)
{
  const BinaryBytes *bytes = &file->bytes;
  unsigned word = file->wide ? 8 : 4, header = file->wide ? 72 : 56;
  uint64_t record = file->wide ? SECTION_SIZE_64 : SECTION_SIZE_32;
  if (command->size < header) return binary_broken(bytes, "a command for a segment is too short");
  if (file->segment_count == MOST_SEGMENTS) return binary_broken(bytes, "has too many segments");
  MachoSegment *grown =
      binary_grow(file->segments, file->segment_count, sizeof *grown, bytes->problem);
  if (!grown) return false;
  file->segments = grown;
  uint64_t at = command->at, behind = at + 24 + 4 * word;
  MachoSegment *segment = &grown[file->segment_count++];
  *segment = (MachoSegment){
      .name = short_name(file, at + 8),
      .address = wide_number(file, at + 24),
      .size = wide_number(file, at + 24 + word),
      .offset = wide_number(file, at + 24 + 2 * word),
      .file_size = wide_number(file, at + 24 + 3 * word),
      .protection = (uint32_t)binary_number(bytes, behind + 4, 4),
      .flags = (uint32_t)binary_number(bytes, behind + 12, 4),
  };
  uint64_t sections = binary_number(bytes, behind + 8, 4);
  if (!binary_needs(bytes, segment->offset, segment->file_size, "the bytes of a segment")) {
    return false;
  }
  if (sections > (command->size - header) / record) {
    return binary_broken(bytes, "a command for a segment is too short for its sections");
  }
  for (uint64_t i = 0; i < sections; ++i) {
    if (!add_section(file, at + header + i * record)) return false;
  }
  return true;
}

// --- Libraries -----------------------------------------------------------------------------------

static bool add_library(MachoFile *file, const Command *command, MachoDependency kind)
{
  const BinaryBytes *bytes = &file->bytes;
  if (file->library_count == MACHO_MOST_LIBRARIES) {
    return binary_broken(bytes, "needs more libraries than any library does");
  }
  MachoLibrary *grown =
      binary_grow(file->libraries, file->library_count, sizeof *grown, bytes->problem);
  if (!grown) return false;
  file->libraries = grown;
  MachoLibrary *library = &grown[file->library_count++];
  *library = (MachoLibrary){.name = text(file, command, 8),
                            .kind = kind,
                            .current = number(file, command, 16),
                            .compatible = number(file, command, 20)};
  return library->name.size > 0 ||
         binary_broken(bytes, "the name of a library that it needs is not in its command");
}

static bool add_rpath(MachoFile *file, const Command *command)
{
  if (file->rpath_count == MACHO_MOST_LIBRARIES) return true;
  BinaryText *grown =
      binary_grow(file->rpaths, file->rpath_count, sizeof *grown, file->bytes.problem);
  if (!grown) return false;
  file->rpaths = grown;
  grown[file->rpath_count++] = text(file, command, 8);
  return true;
}

static bool read_id(MachoFile *file, const Command *command)
{
  file->id = text(file, command, 8);
  file->id_current = number(file, command, 16);
  file->id_compatible = number(file, command, 20);
  return true;
}

// --- The rest ------------------------------------------------------------------------------------

static bool read_symbol_table(MachoFile *file, const Command *command)
{
  uint64_t record = file->wide ? 16 : 12;
  file->symbol_table = (MachoRange){number(file, command, 8), number(file, command, 12) * record};
  file->names = range(file, command, 16);
  return check_range(file, file->symbol_table, "its symbol table") &&
         check_range(file, file->names, "the names of its symbols");
}

static bool read_dyld_info(MachoFile *file, const Command *command)
{
  if (file->binding != MACHO_BINDING_CHAINED) file->binding = MACHO_BINDING_OPCODES;
  file->binds = range(file, command, 16);
  file->weak_binds = range(file, command, 24);
  file->lazy_binds = range(file, command, 32);
  file->trie = range(file, command, 40);
  file->has_trie = true;
  return check_range(file, file->binds, "its opcodes for binding") &&
         check_range(file, file->weak_binds, "its opcodes for weak binding") &&
         check_range(file, file->lazy_binds, "its opcodes for lazy binding") &&
         check_range(file, file->trie, "its export trie");
}

static bool read_trie(MachoFile *file, const Command *command)
{
  file->trie = range(file, command, 8);
  file->has_trie = true;
  return check_range(file, file->trie, "its export trie");
}

static bool read_fixups(MachoFile *file, const Command *command)
{
  file->fixups = range(file, command, 8);
  file->binding = MACHO_BINDING_CHAINED;
  return check_range(file, file->fixups, "its chained fixups");
}

static bool read_signature(MachoFile *file, const Command *command)
{
  file->signature = range(file, command, 8);
  return check_range(file, file->signature, "its signature");
}

static bool read_uuid(MachoFile *file, const Command *command)
{
  file->has_uuid = command->size >= 24;
  if (file->has_uuid) memcpy(file->uuid, file->bytes.data + command->at + 8, sizeof file->uuid);
  return true;
}

static bool read_minimum(MachoFile *file, const Command *command, uint32_t platform)
{
  file->platform = platform;
  file->minimum_system = number(file, command, 8);
  file->sdk = number(file, command, 12);
  return true;
}

static bool read_build_version(MachoFile *file, const Command *command)
{
  file->platform = number(file, command, 8);
  file->minimum_system = number(file, command, 12);
  file->sdk = number(file, command, 16);
  return true;
}

static bool read_command(MachoFile *file, const Command *command)
{
  switch (command->kind & ~MACHO_LC_REQUIRED) {
    case MACHO_LC_SEGMENT:
    case MACHO_LC_SEGMENT_64:
      return read_segment(file, command);
    case MACHO_LC_SYMTAB:
      return read_symbol_table(file, command);
    case MACHO_LC_LOAD_DYLIB:
      return add_library(file, command, MACHO_LOAD);
    case MACHO_LC_LOAD_WEAK_DYLIB:
      return add_library(file, command, MACHO_LOAD_WEAK);
    case MACHO_LC_REEXPORT_DYLIB:
      return add_library(file, command, MACHO_REEXPORT);
    case MACHO_LC_LAZY_LOAD_DYLIB:
      return add_library(file, command, MACHO_LOAD_LAZY);
    case MACHO_LC_LOAD_UPWARD_DYLIB:
      return add_library(file, command, MACHO_LOAD_UPWARD);
    case MACHO_LC_ID_DYLIB:
      return read_id(file, command);
    case MACHO_LC_RPATH:
      return add_rpath(file, command);
    case MACHO_LC_UUID:
      return read_uuid(file, command);
    case MACHO_LC_CODE_SIGNATURE:
      return read_signature(file, command);
    case MACHO_LC_DYLD_INFO:
      return read_dyld_info(file, command);
    case MACHO_LC_DYLD_EXPORTS_TRIE:
      return read_trie(file, command);
    case MACHO_LC_DYLD_CHAINED_FIXUPS:
      return read_fixups(file, command);
    case MACHO_LC_BUILD_VERSION:
      return read_build_version(file, command);
    case MACHO_LC_VERSION_MIN_MACOSX:
      return read_minimum(file, command, MACHO_PLATFORM_MACOS);
    case MACHO_LC_VERSION_MIN_IPHONEOS:
      return read_minimum(file, command, MACHO_PLATFORM_IOS);
    case MACHO_LC_VERSION_MIN_TVOS:
      return read_minimum(file, command, MACHO_PLATFORM_TVOS);
    case MACHO_LC_VERSION_MIN_WATCHOS:
      return read_minimum(file, command, MACHO_PLATFORM_WATCHOS);
    default:
      return true;
  }
}

bool macho_commands_read(MachoFile *file)
{
  const BinaryBytes *bytes = &file->bytes;
  uint64_t at = file->wide ? 32 : 28;
  uint64_t count = binary_number(bytes, 16, 4), size = binary_number(bytes, 20, 4);
  if (count > MOST_COMMANDS) return binary_broken(bytes, "its header announces too many commands");
  if (!binary_needs(bytes, at, size, "its load commands")) return false;
  uint64_t end = at + size;
  for (uint64_t i = 0; i < count; ++i) {
    if (end - at < 8) return binary_broken(bytes, "its load commands end before the last one");
    Command command = {(uint32_t)binary_number(bytes, at, 4), at, binary_number(bytes, at + 4, 4)};
    if (command.size < 8 || command.size > end - at) {
      return binary_broken(bytes, "a load command is not within the others");
    }
    if (!read_command(file, &command)) return false;
    at += command.size;
  }
  return true;
}
