// SPDX-License-Identifier: Apache-2.0
// What the section headers of a file tell. An object file can't do without them, a shared library
// can: what they say of it is for people.
#ifndef TVMFFI_CONFORMANCE_INSPECT_INSPECT_SECTIONS_H_
#define TVMFFI_CONFORMANCE_INSPECT_INSPECT_SECTIONS_H_

#include "inspect/inspect_facts.h"

typedef struct InspectSymbolTable {
  Elf_Data *records;  // borrow; lives as long as the file
  size_t count;
  uint64_t names_offset, names_size;
} InspectSymbolTable;

// Fills facts->device_code, and of an object file facts->stack, absolute_relocations and
// writable_code. Refused with INSPECT_BROKEN: a section of an object file that is not in the file.
bool inspect_sections_read(InspectFacts *facts);

// The full symbol table. False if there is none that can be read; a problem is recorded if an
// object file's is damaged.
bool inspect_sections_symbols(const InspectFacts *facts, InspectSymbolTable *table);

#endif  // TVMFFI_CONFORMANCE_INSPECT_INSPECT_SECTIONS_H_
