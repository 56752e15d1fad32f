// SPDX-License-Identifier: Apache-2.0
// A Mach-O file of any word size and byte order in memory, as dyld sees it: segments, the libraries
// that it needs, what it exports (a trie, or the symbol table) and imports (chained fixups, opcodes
// of binding, or the symbol table). The file is untrusted input: every length is checked before it
// is used, what is stored is bounded, and nothing recurses.
#ifndef TVMFFI_CONFORMANCE_MACHO_MACHO_H_
#define TVMFFI_CONFORMANCE_MACHO_MACHO_H_

#include "binary/binary.h"
#include "macho/macho_format.h"

enum {
  MACHO_MOST_SYMBOLS = 1 << 19,  // exports, and imports, that are stored; further ones are counted
  MACHO_MOST_LIBRARIES = 1 << 12,
  MACHO_MOST_SLICES = 44,  // a larger number of them makes the file one of Java's classes
};

typedef struct MachoSegment {
  BinaryText name;
  uint64_t address, size;      // in memory
  uint64_t offset, file_size;  // in the file
  uint32_t protection, flags;
} MachoSegment;

typedef struct MachoSection {
  BinaryText name, segment;
  uint64_t address, size, offset;
  uint32_t flags;
} MachoSection;

typedef enum MachoDependency {
  MACHO_LOAD,
  MACHO_LOAD_WEAK,  // may be missing
  MACHO_REEXPORT,   // what it exports, this library does, too
  MACHO_LOAD_LAZY,
  MACHO_LOAD_UPWARD,
} MachoDependency;

typedef struct MachoLibrary {
  BinaryText name;
  MachoDependency kind;
  uint32_t current, compatible;  // 0xXXXXYYZZ
} MachoLibrary;

typedef struct MachoExport {
  BinaryText name;   // with the leading underscore of C names
  uint64_t address;  // in memory; 0 of a re-export
  uint32_t flags;    // MACHO_EXPORT_*
  uint32_t ordinal;  // of a re-export: the library, from 1
} MachoExport;

// Where the loader looks a symbol up, if in no library of the list.
enum {
  MACHO_SELF = 0,
  MACHO_MAIN_EXECUTABLE = -1,
  MACHO_FLAT_LOOKUP = -2,  // in whatever is loaded
  MACHO_WEAK_LOOKUP = -3,  // one definition for the whole process
};

typedef struct MachoImport {
  BinaryText name;
  int32_t ordinal;  // the library, from 1; or one of the above
  bool weak;        // may be missing
} MachoImport;

// One of the symbol table.
typedef struct MachoSymbol {
  BinaryText name;
  uint64_t value;
  uint8_t type, section;
  uint16_t description;
} MachoSymbol;

typedef enum MachoBinding {
  MACHO_BINDING_SYMBOLS,  // relocations that refer to the symbol table: before 2009, and objects
  MACHO_BINDING_OPCODES,
  MACHO_BINDING_CHAINED,
} MachoBinding;

typedef struct MachoRange {
  uint64_t offset, size;
} MachoRange;

typedef struct MachoFile {
  BinaryBytes bytes;
  bool wide;  // 64-bit
  uint32_t cpu, subtype, type, flags;
  MachoSegment *segments;  // own, as are the arrays below
  size_t segment_count;
  MachoSection *sections;
  size_t section_count;
  MachoLibrary *libraries;
  size_t library_count;
  BinaryText *rpaths;
  size_t rpath_count;
  BinaryText id;  // the install name, empty if there is none
  uint32_t id_current, id_compatible;
  unsigned char uuid[16];
  bool has_uuid;
  uint32_t platform;               // 0: not given
  uint32_t minimum_system, sdk;    // 0xXXXXYYZZ, 0: not given
  MachoRange symbol_table, names;  // in bytes
  MachoRange signature;
  MachoRange trie, fixups, binds, lazy_binds, weak_binds;
  bool has_trie;
  MachoBinding binding;
  MachoExport *exports;
  size_t export_count, exports_omitted;
  MachoImport *imports;  // by rising name; those that differ in name or library, once each
  size_t import_count, imports_omitted;
  struct MachoText *texts;  // own; keeps names that are not in the file as such
} MachoFile;

// Reads what begins at `data`. Returns the file (own, by macho_close), or NULL with the problem
// recorded. `data` must outlive the file and `problem` must, too.
MachoFile *macho_open(const unsigned char *data, uint64_t size, BinaryProblem *problem);
void macho_close(MachoFile *file);

// Whether the bytes begin as such a file does; as a file of several ("universal").
bool macho_is(const unsigned char *data, uint64_t size);
bool macho_is_universal(const unsigned char *data, uint64_t size);

// Where the bytes at an address lie in the file, and how many of their section follow there, or of
// their segment where no section has it. False if the file has none (zeroed memory, or outside).
bool macho_at_address(const MachoFile *file, uint64_t address, uint64_t *offset,
                      uint64_t *available);

// The section or the segment of an address, or NULL.
const MachoSection *macho_section_of(const MachoFile *file, uint64_t address);
const MachoSegment *macho_segment_of(const MachoFile *file, uint64_t address);

// How many symbols the symbol table has; one of them. False if its name lies outside of the table.
size_t macho_symbol_count(const MachoFile *file);
bool macho_symbol(const MachoFile *file, size_t index, MachoSymbol *symbol);

// "x86_64", "arm64", "arm64e", ..., or "cpu 4711".
void macho_cpu_name(uint32_t cpu, uint32_t subtype, char *out, size_t capacity);

// "macOS", "iOS", ...; "platform 42".
void macho_platform_name(uint32_t platform, char *out, size_t capacity);

// One file of a universal file.
typedef struct MachoSlice {
  uint32_t cpu, subtype;
  uint64_t offset, size;
} MachoSlice;

// The slice with this index (from 0); false behind the last one, and, with the problem recorded,
// where it does not lie within the file.
bool macho_slice(const unsigned char *data, uint64_t size, size_t index, MachoSlice *slice,
                 BinaryProblem *problem);

#endif  // TVMFFI_CONFORMANCE_MACHO_MACHO_H_
