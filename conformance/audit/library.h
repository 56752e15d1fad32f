// SPDX-License-Identifier: Apache-2.0
// A library in memory, and what it exports, without any library: every table is looked at within the
// segments that are mapped.
#ifndef TVMFFI_CONFORMANCE_AUDIT_LIBRARY_H_
#define TVMFFI_CONFORMANCE_AUDIT_LIBRARY_H_

#include <elf.h>
#include <link.h>
#include <stdbool.h>

#include "audit/kernel.h"
#include "layer/link.h"

static inline bool library_equal(const char *a, const char *b)
{
  while (*a && *a == *b) ++a, ++b;
  return *a == *b;
}

typedef struct Segment {
  uintptr_t start, end;
  int protection;
} Segment;

enum { SEGMENTS_MAX = 32 };

typedef struct Library {
  struct link_map *map;
  LayerImage image;
  Segment segments[SEGMENTS_MAX];
  unsigned segment_count;
  ElfW(Sym) * symbols;
  const char *strings;
  size_t symbol_count, strings_size;
} Library;

static inline const Segment *library_segment(const Library *library, uintptr_t start, size_t size)
{
  for (unsigned i = 0; i < library->segment_count; ++i) {
    const Segment *segment = &library->segments[i];
    if (start >= segment->start && start < segment->end && size <= segment->end - start)
      return segment;
  }
  return NULL;
}

static inline void library_take_segments(Library *library, const ElfW(Phdr) * headers, size_t count)
{
  for (size_t i = 0; i < count && library->segment_count < SEGMENTS_MAX; ++i) {
    const ElfW(Phdr) *header = &headers[i];
    if (header->p_type != PT_LOAD) continue;
    uintptr_t start = library->map->l_addr + header->p_vaddr, end = start + header->p_memsz;
    int protection = (header->p_flags & PF_R ? PROT_READ : 0) |
                     (header->p_flags & PF_W ? PROT_WRITE : 0) |
                     (header->p_flags & PF_X ? PROT_EXEC : 0);
    library->segments[library->segment_count++] = (Segment){start, end, protection};
    if (!library->image.end || start < library->image.start) library->image.start = start;
    if (end > library->image.end) library->image.end = end;
  }
}

// A library's ELF header is where it was loaded, unless something is unusual about it: then it is
// left alone.
static inline bool library_read_segments(Library *library)
{
  uintptr_t base = library->map->l_addr;
  const ElfW(Ehdr) *header = (const void *)base;
  if (!base || !kernel_is_mapped(base) || *(const uint32_t *)base != *(const uint32_t *)ELFMAG)
    return false;
  if (header->e_phentsize != sizeof(ElfW(Phdr)) || header->e_phoff > 4096 - sizeof(ElfW(Phdr)))
    return false;
  if (header->e_phnum > (4096 - header->e_phoff) / sizeof(ElfW(Phdr))) return false;
  library_take_segments(library, (const void *)(base + header->e_phoff), header->e_phnum);
  return library->segment_count > 0;
}

static inline size_t library_count_symbols(const Library *library, const uint32_t *table)
{
  if (!library_segment(library, (uintptr_t)table, 16)) return 0;
  uint32_t buckets_count = table[0], offset = table[1], words = table[2], last = 0;
  const uint32_t *buckets = table + 4 + (size_t)words * (sizeof(ElfW(Addr)) / 4);
  if (!library_segment(library, (uintptr_t)buckets, (size_t)buckets_count * 4)) return 0;
  for (uint32_t i = 0; i < buckets_count; ++i)
    if (buckets[i] > last) last = buckets[i];
  if (last < offset) return 0;
  const uint32_t *chains = buckets + buckets_count;
  for (;; ++last) {
    const uint32_t *link = &chains[last - offset];
    if (!library_segment(library, (uintptr_t)link, 4)) return 0;
    if (*link & 1) return (size_t)last + 1;
  }
}

// Where a dynamic entry points: the loader has added the base to some of them.
static inline uintptr_t library_address(const Library *library, uintptr_t value)
{
  return library_segment(library, value, 1) ? value : value + library->map->l_addr;
}

static inline bool library_read_symbols(Library *library)
{
  const uint32_t *hash = NULL, *gnu_hash = NULL;
  for (const ElfW(Dyn) *entry = library->map->l_ld;
       library_segment(library, (uintptr_t)entry, sizeof *entry); ++entry) {
    uintptr_t address = library_address(library, entry->d_un.d_ptr);
    if (entry->d_tag == DT_NULL) break;
    if (entry->d_tag == DT_SYMTAB) library->symbols = (void *)address;
    if (entry->d_tag == DT_STRTAB) library->strings = (const void *)address;
    if (entry->d_tag == DT_STRSZ) library->strings_size = entry->d_un.d_val;
    if (entry->d_tag == DT_HASH) hash = (const void *)address;
    if (entry->d_tag == DT_GNU_HASH) gnu_hash = (const void *)address;
  }
  if (gnu_hash) library->symbol_count = library_count_symbols(library, gnu_hash);
  if (!library->symbol_count && hash && library_segment(library, (uintptr_t)hash, 8))
    library->symbol_count = hash[1];
  return library->symbol_count > 0 && library->strings_size > 0 &&
         library_segment(library, (uintptr_t)library->strings, library->strings_size) &&
         library->strings[library->strings_size - 1] == '\0' &&
         library->symbol_count <= SIZE_MAX / sizeof *library->symbols &&
         library_segment(library, (uintptr_t)library->symbols,
                         library->symbol_count * sizeof *library->symbols);
}

// With these program headers, or (NULL) with those where it was loaded.
static inline bool library_read(struct link_map *map, const ElfW(Phdr) * headers, size_t count,
                                Library *library)
{
  *library = (Library){.map = map, .image = {.base = map->l_addr, .path = map->l_name}};
  if (!headers) return library_read_segments(library);
  library_take_segments(library, headers, count);
  return library->segment_count > 0;
}

// A function or object that the library defines; "" for any other symbol.
static inline const char *library_defined_name(const Library *library, const ElfW(Sym) * symbol,
                                               unsigned type)
{
  if (symbol->st_shndx == SHN_UNDEF || (symbol->st_info & 15) != type ||
      symbol->st_name >= library->strings_size)
    return "";
  return library->strings + symbol->st_name;
}

static inline uintptr_t library_find(const Library *library, const char *name, unsigned type)
{
  for (size_t i = 0; i < library->symbol_count; ++i)
    if (library_equal(library_defined_name(library, &library->symbols[i], type), name))
      return library->map->l_addr + library->symbols[i].st_value;
  return 0;
}

#endif  // TVMFFI_CONFORMANCE_AUDIT_LIBRARY_H_
