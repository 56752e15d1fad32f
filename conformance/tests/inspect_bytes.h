// SPDX-License-Identifier: Apache-2.0
// Files for the tests of inspect/, made while they run: bytes that are changed and handed on as a
// path.
#ifndef TVMFFI_CONFORMANCE_TESTS_INSPECT_BYTES_H_
#define TVMFFI_CONFORMANCE_TESTS_INSPECT_BYTES_H_

#include <link.h>
#include <stddef.h>

#include "inspect/inspect.h"

typedef struct Bytes {
  unsigned char *data;  // own, by free()
  size_t size;
} Bytes;

// The content of a file; the test fails if it can't be read.
Bytes bytes_of_file(const char *path);

// What inspect_file says about these bytes as a file. The report is checked for its promises.
InspectReport *inspect_the_bytes(const void *data, size_t size);

// The same for a path.
InspectReport *inspect_the_path(const char *path);

// The header, a segment of this type, and a dynamic entry of a library for this machine, to be
// changed in place; the test fails if there is none.
ElfW(Ehdr) * elf_header(Bytes bytes);
ElfW(Phdr) * elf_segment(Bytes bytes, unsigned type);
ElfW(Dyn) * elf_dynamic(Bytes bytes, long tag);

// The byte that the loader would have at `address`.
unsigned char *elf_at(Bytes bytes, uint64_t address);

// A dynamic symbol of a library with DT_HASH.
ElfW(Sym) * elf_symbol(Bytes bytes, const char *name);

// The first section header of this type.
ElfW(Shdr) * elf_section(Bytes bytes, unsigned type);

// Takes the section headers away, as sstrip does.
void elf_remove_sections(Bytes bytes);

#endif  // TVMFFI_CONFORMANCE_TESTS_INSPECT_BYTES_H_
