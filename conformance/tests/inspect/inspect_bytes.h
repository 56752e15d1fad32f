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

// Room for more in a library: the bytes grow by `size` zeros, which the loader would have at the
// address that is returned, 8-aligned. Each time a segment is used up that nothing here looks for.
// Pointers into the bytes are no longer good.
uint64_t elf_room(Bytes *bytes, size_t size);

// More names: the table of dynamic names is moved to room of its own, with these `size` bytes
// behind it. Returns what DT_NEEDED, st_name and their like have to be for the first of them.
uint32_t elf_more_names(Bytes *bytes, const char *names, size_t size);

// `count` entries more in the dynamic section, which is moved to room of its own.
void elf_more_entries(Bytes *bytes, long tag, uint64_t value, size_t count);

// A dynamic symbol of a library with section headers.
ElfW(Sym) * elf_symbol(Bytes bytes, const char *name);

// The first section header of this type.
ElfW(Shdr) * elf_section(Bytes bytes, unsigned type);

// Takes the section headers away, as sstrip does.
void elf_remove_sections(Bytes bytes);

#endif  // TVMFFI_CONFORMANCE_TESTS_INSPECT_BYTES_H_
