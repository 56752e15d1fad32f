// SPDX-License-Identifier: Apache-2.0
// The dynamic section of an ELF file and its symbols, found as the loader finds them: by segments,
// not by section headers, which may be missing or lie.
#ifndef TVMFFI_CONFORMANCE_INSPECT_ELFDYNAMIC_H_
#define TVMFFI_CONFORMANCE_INSPECT_ELFDYNAMIC_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "inspect/elffile.h"

typedef struct ElfDynamic {
  Elf_Data *entries;                  // borrow; lives as long as the ElfFile
  size_t entry_count;                 // without the terminating DT_NULL and what follows it
  size_t needed_count;                // DT_NEEDED entries
  uint64_t flags_1;                   // DT_FLAGS_1
  uint64_t names_offset, names_size;  // where its string table lies in the file
  ElfNames names;                     // own, by free() of its text; empty after elfdynamic_open
} ElfDynamic;

typedef struct ElfSymbols {
  Elf_Data *records;  // borrow; lives as long as the ElfFile
  size_t count;
} ElfSymbols;

// Finds the dynamic section and its string table, and copies nothing. Refused: INSPECT_NOT_SHARED
// without one, INSPECT_BROKEN if it or its string table is not in the file.
bool elfdynamic_open(const ElfFile *file, ElfDynamic *dynamic);

// The same with a copy of the names. Refused: INSPECT_NOT_SHARED without one, INSPECT_BROKEN if it
// or its string table is not in the file.
bool elfdynamic_read(const ElfFile *file, ElfDynamic *dynamic);

// The value of the `nth` (from 0) entry with this tag, or false.
bool elfdynamic_value(const ElfDynamic *dynamic, int64_t tag, size_t nth, uint64_t *value);

// The table of dynamic symbols. How many there are follows from the hash tables; where these count
// none, from the section header of the same table, or from where the next table begins. Refused
// with INSPECT_BROKEN if it is not in the file.
bool elfdynamic_symbols(const ElfFile *file, const ElfDynamic *dynamic, ElfSymbols *symbols);

// The full table of symbols (.symtab) and its names (own). False, without a problem recorded, if
// the file has none that can be read: it serves people, no loader needs it.
bool elfdynamic_full_symbols(const ElfFile *file, ElfSymbols *symbols, ElfNames *names);

#endif  // TVMFFI_CONFORMANCE_INSPECT_ELFDYNAMIC_H_
