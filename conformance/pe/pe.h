// SPDX-License-Identifier: Apache-2.0
// A PE file (a DLL or a program of Windows) in memory, as the loader sees it: sections, exports by
// name and ordinal, imports, delayed imports. The file is untrusted input: every length is checked
// before it is used, and what is stored is bounded.
#ifndef TVMFFI_CONFORMANCE_PE_PE_H_
#define TVMFFI_CONFORMANCE_PE_PE_H_

#include "binary/binary.h"
#include "pe/pe_format.h"

enum {
  PE_MOST_SYMBOLS = 1 << 19,  // exports, and imports, that are stored; further ones are counted
  PE_MOST_LIBRARIES = 1 << 12,
  PE_MOST_SECTIONS = 96,  // the loader takes no more
};

typedef struct PeSection {
  BinaryText name;
  uint64_t address, size;      // in memory, from the image's base
  uint64_t offset, file_size;  // in the file
  uint32_t flags;
} PeSection;

typedef struct PeDirectory {
  uint32_t address, size;
} PeDirectory;

typedef struct PeExport {
  BinaryText name;       // empty: by ordinal only
  uint32_t ordinal;      // with the base added
  uint32_t address;      // from the image's base; 0 of a forwarder
  BinaryText forwarder;  // "other.Function", "other.#7"; empty: none
} PeExport;

typedef struct PeLibrary {
  BinaryText name;
  bool delayed;  // loaded at the first call
} PeLibrary;

typedef struct PeImport {
  BinaryText name;   // empty: by ordinal
  uint32_t library;  // index into libraries
  uint16_t ordinal;
} PeImport;

typedef struct PeFile {
  BinaryBytes bytes;
  bool wide;  // PE32+
  uint32_t machine;
  uint32_t flags, dll_flags;
  uint16_t system_major, system_minor;  // the oldest version of Windows, as its header gives it
  uint16_t linker_major, linker_minor;
  uint64_t base;  // where it would like to be in memory
  uint64_t header_size;
  uint32_t section_alignment;
  PeDirectory directories[PE_DIRECTORY_COUNT];
  PeSection *sections;  // own, as are the arrays below
  size_t section_count;
  BinaryText name;  // by its table of exports, empty if there is none
  PeExport *exports;
  size_t export_count, exports_omitted;
  size_t unnamed_exports;     // by ordinal only
  bool names_sorted;          // as GetProcAddress() needs them
  BinaryText first_unsorted;  // the name that is out of order
  PeLibrary *libraries;
  size_t library_count;
  PeImport *imports;
  size_t import_count, imports_omitted;  // omitted: so many or more
  unsigned char guid[16];                // of the debug information
  uint32_t age;
  bool has_guid;
} PeFile;

// Reads what begins at `data`. Returns the file (own, by pe_close), or NULL with the problem
// recorded. `data` and `problem` must outlive the file.
PeFile *pe_open(const unsigned char *data, uint64_t size, BinaryProblem *problem);
void pe_close(PeFile *file);

// Whether the bytes are those of such a file: they begin as a program for DOS does, which leads to
// the header.
bool pe_is(const unsigned char *data, uint64_t size);

// Where the bytes at an address (from the image's base) lie in the file, and how many of their
// section follow there. False if the file has none.
bool pe_at_address(const PeFile *file, uint64_t address, uint64_t *offset, uint64_t *available);

// The section of an address, or NULL.
const PeSection *pe_section_of(const PeFile *file, uint64_t address);

// "x86-64", "aarch64", "arm64ec", ..., or "machine 4711".
void pe_machine_name(const PeFile *file, char *out, size_t capacity);

#endif  // TVMFFI_CONFORMANCE_PE_PE_H_
