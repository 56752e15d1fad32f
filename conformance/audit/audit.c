// SPDX-License-Identifier: Apache-2.0
// What has a traced program call the layer: a library for LD_AUDIT. When the loader has mapped a
// library, and before it is relocated, the values of TVMFFI* and __tvm_ffi_* in the table of its
// dynamic symbols become those of the layer's functions, so that whatever looks a symbol up, then
// or later, finds these.
//
// It runs in a namespace of its own, on threads that know nothing of that, so it uses no library at
// all: a second C library would have thread-local storage that these threads lack. Every table of
// the library is looked at within the segments that are mapped.
#include <elf.h>
#include <link.h>
#include <stdbool.h>

#include "audit/kernel.h"
#include "layer/link.h"

#define EXPORTED __attribute__((visibility("default")))

static const char function_names[ABI_FUNCTION_COUNT][48] = {
#define ABI_FUNCTION(chapter, since, result, name, parameters) #name,
#include "abi/functions.def"
};

// The compiler calls these for copies of structs.
void *memcpy(void *restrict out, const void *restrict in, size_t size)
{
  for (size_t i = 0; i < size; ++i) ((char *)out)[i] = ((const char *)in)[i];
  return out;
}

void *memset(void *out, int byte, size_t size)
{
  for (size_t i = 0; i < size; ++i) ((char *)out)[i] = (char)byte;
  return out;
}

// --- Text ----------------------------------------------------------------------------------------

static bool equal(const char *a, const char *b)
{
  while (*a && *a == *b) ++a, ++b;
  return *a == *b;
}

// What follows the prefix, or NULL.
static const char *behind(const char *text, const char *prefix)
{
  while (*prefix)
    if (*text++ != *prefix++) return NULL;
  return text;
}

static char *put(char *out, const char *text)
{
  while (*text) *out++ = *text++;
  *out = '\0';
  return out;
}

static char *put_number(char *out, unsigned number)
{
  if (number > 9) out = put_number(out, number / 10);
  *out++ = (char)('0' + number % 10);
  *out = '\0';
  return out;
}

// --- A library in memory -------------------------------------------------------------------------

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

// The program's headers, from the auxiliary vector.
static const ElfW(Phdr) * program_headers;
static size_t program_header_count;

__attribute__((constructor)) static void find_program_headers(int argc, char **argv,
                                                              char **environment)
{
  (void)argc, (void)argv;
  char **end = environment;
  while (*end) ++end;
  for (const ElfW(auxv_t) *entry = (const void *)(end + 1); entry->a_type != AT_NULL; ++entry) {
    if (entry->a_type == AT_PHDR) program_headers = (const void *)entry->a_un.a_val;
    if (entry->a_type == AT_PHNUM) program_header_count = entry->a_un.a_val;
  }
}

static const Segment *segment_of(const Library *library, uintptr_t start, size_t size)
{
  for (unsigned i = 0; i < library->segment_count; ++i) {
    const Segment *segment = &library->segments[i];
    if (start >= segment->start && start < segment->end && size <= segment->end - start)
      return segment;
  }
  return NULL;
}

static void take_segments(Library *library, const ElfW(Phdr) * headers, size_t count)
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
static bool read_segments(Library *library)
{
  uintptr_t base = library->map->l_addr;
  if (!library->map->l_name[0] && program_headers) {
    take_segments(library, program_headers, program_header_count);
    return library->segment_count > 0;
  }
  const ElfW(Ehdr) *header = (const void *)base;
  if (!base || !kernel_is_mapped(base) || *(const uint32_t *)base != *(const uint32_t *)ELFMAG)
    return false;
  if (header->e_phentsize != sizeof(ElfW(Phdr)) || header->e_phoff > 4096 - sizeof(ElfW(Phdr)))
    return false;
  if (header->e_phnum > (4096 - header->e_phoff) / sizeof(ElfW(Phdr))) return false;
  take_segments(library, (const void *)(base + header->e_phoff), header->e_phnum);
  return library->segment_count > 0;
}

static size_t count_by_gnu_hash(const Library *library, const uint32_t *table)
{
  if (!segment_of(library, (uintptr_t)table, 16)) return 0;
  uint32_t buckets_count = table[0], offset = table[1], words = table[2], last = 0;
  const uint32_t *buckets = table + 4 + (size_t)words * (sizeof(ElfW(Addr)) / 4);
  if (!segment_of(library, (uintptr_t)buckets, (size_t)buckets_count * 4)) return 0;
  for (uint32_t i = 0; i < buckets_count; ++i)
    if (buckets[i] > last) last = buckets[i];
  if (last < offset) return 0;
  const uint32_t *chains = buckets + buckets_count;
  for (;; ++last) {
    const uint32_t *link = &chains[last - offset];
    if (!segment_of(library, (uintptr_t)link, 4)) return 0;
    if (*link & 1) return (size_t)last + 1;
  }
}

// Where a dynamic entry points: the loader has added the base to some of them.
static uintptr_t address_of(const Library *library, uintptr_t value)
{
  return segment_of(library, value, 1) ? value : value + library->map->l_addr;
}

static bool read_symbols(Library *library)
{
  const uint32_t *hash = NULL, *gnu_hash = NULL;
  for (const ElfW(Dyn) *entry = library->map->l_ld;
       segment_of(library, (uintptr_t)entry, sizeof *entry); ++entry) {
    uintptr_t address = address_of(library, entry->d_un.d_ptr);
    if (entry->d_tag == DT_NULL) break;
    if (entry->d_tag == DT_SYMTAB) library->symbols = (void *)address;
    if (entry->d_tag == DT_STRTAB) library->strings = (const void *)address;
    if (entry->d_tag == DT_STRSZ) library->strings_size = entry->d_un.d_val;
    if (entry->d_tag == DT_HASH) hash = (const void *)address;
    if (entry->d_tag == DT_GNU_HASH) gnu_hash = (const void *)address;
  }
  if (gnu_hash) library->symbol_count = count_by_gnu_hash(library, gnu_hash);
  if (!library->symbol_count && hash && segment_of(library, (uintptr_t)hash, 8))
    library->symbol_count = hash[1];
  return library->symbol_count > 0 && library->strings_size > 0 &&
         segment_of(library, (uintptr_t)library->strings, library->strings_size) &&
         library->strings[library->strings_size - 1] == '\0' &&
         library->symbol_count <= SIZE_MAX / sizeof *library->symbols &&
         segment_of(library, (uintptr_t)library->symbols,
                    library->symbol_count * sizeof *library->symbols);
}

static bool read_library(struct link_map *map, Library *library)
{
  *library = (Library){.map = map, .image = {.base = map->l_addr, .path = map->l_name}};
  return read_segments(library);
}

// A function or object that the library defines; "" for any other symbol.
static const char *defined_name(const Library *library, const ElfW(Sym) * symbol, unsigned type)
{
  if (symbol->st_shndx == SHN_UNDEF || (symbol->st_info & 15) != type ||
      symbol->st_name >= library->strings_size)
    return "";
  return library->strings + symbol->st_name;
}

static uintptr_t find_symbol(const Library *library, const char *name, unsigned type)
{
  for (size_t i = 0; i < library->symbol_count; ++i)
    if (equal(defined_name(library, &library->symbols[i], type), name))
      return library->map->l_addr + library->symbols[i].st_value;
  return 0;
}

// --- Redirection ---------------------------------------------------------------------------------

static Library layer;
static LayerLink *layer_link;

static void *layer_function(const char *prefix, unsigned number, const char *behind_number)
{
  char name[128], *end = put_number(put(name, prefix), number);
  if (behind_number) put(put(end, "_"), behind_number);
  return (void *)find_symbol(&layer, name, STT_FUNC);
}

static unsigned function_of(const char *symbol)
{
  const char *name = behind(symbol, "TVMFFI");
  for (unsigned i = 0; name && i < ABI_FUNCTION_COUNT; ++i)
    if (equal(name, function_names[i])) return i;
  return ABI_FUNCTION_COUNT;
}

// The first place that none has, or none any more.
static unsigned free_entry(void)
{
  unsigned number = 0, count = atomic_load(&layer_link->entry_count);
  while (number < count && atomic_load(&layer_link->entries[number].real)) ++number;
  return number;
}

static unsigned free_runtime(void)
{
  unsigned number = 0, count = atomic_load(&layer_link->runtime_count);
  while (number < count && atomic_load(&layer_link->runtimes[number].start)) ++number;
  return number;
}

// What a symbol stands for, and the layer's function in its place. NULL: it stays as it is.
static void *redirection_of(const char *symbol, uintptr_t real, unsigned runtime)
{
  unsigned function = function_of(symbol);
  if (function < ABI_FUNCTION_COUNT) {
    if (runtime >= LAYER_RUNTIMES_MAX) return NULL;
    ((void **)&layer_link->runtimes[runtime].real)[function] = (void *)real;
    return layer_function(LAYER_FUNCTION_PREFIX, runtime, function_names[function]);
  }
  const char *name = behind(symbol, "__tvm_ffi_");
  if (!name || name[0] == '_' || !name[0]) return NULL;
  unsigned number = free_entry();
  if (number == LAYER_ENTRIES_MAX) {
    atomic_fetch_add(&layer_link->lost_entries, 1);
    return NULL;
  }
  atomic_store(&layer_link->entries[number].real, (TVMFFISafeCallType)real);
  if (number == atomic_load(&layer_link->entry_count))
    atomic_store(&layer_link->entry_count, number + 1);
  return layer_function(LAYER_ENTRY_PREFIX, number, NULL);
}

// A runtime of this generation: it reports a version, and can call functions.
static bool is_runtime(const Library *library)
{
  return find_symbol(library, "TVMFFIGetVersion", STT_FUNC) &&
         find_symbol(library, "TVMFFIFunctionCall", STT_FUNC);
}

static bool concerns(const Library *library, const ElfW(Sym) * symbol, bool runtime)
{
  const char *name = defined_name(library, symbol, STT_FUNC);
  const char *entry = behind(name, "__tvm_ffi_");
  return (runtime && function_of(name) < ABI_FUNCTION_COUNT) ||
         (entry && entry[0] && entry[0] != '_');
}

static void redirect(Library *library)
{
  bool runtime = is_runtime(library), any = false;
  for (size_t i = 0; i < library->symbol_count && !any; ++i)
    any = concerns(library, &library->symbols[i], runtime);
  if (!any) return;
  uintptr_t table = (uintptr_t)library->symbols;
  size_t size = library->symbol_count * sizeof *library->symbols;
  int protection = segment_of(library, table, size)->protection;
  if (!kernel_protect(table, size, PROT_READ | PROT_WRITE)) {
    atomic_fetch_add(&layer_link->unwritable, 1);
    return;
  }
  unsigned number = LAYER_RUNTIMES_MAX;
  if (runtime) number = free_runtime();
  if (runtime && number >= LAYER_RUNTIMES_MAX) atomic_fetch_add(&layer_link->lost_runtimes, 1);
  if (number < LAYER_RUNTIMES_MAX) {
    layer_link->runtimes[number].real = (AbiApi){0};
    layer_link->runtimes[number].start = library->image.start;
    layer_link->runtimes[number].end = library->image.end;
  }
  for (size_t i = 0; i < library->symbol_count; ++i) {
    ElfW(Sym) *symbol = &library->symbols[i];
    if (!concerns(library, symbol, runtime)) continue;
    uintptr_t base = library->map->l_addr;
    void *other =
        redirection_of(defined_name(library, symbol, STT_FUNC), base + symbol->st_value, number);
    if (other) symbol->st_value = (uintptr_t)other - base;
  }
  if (number < LAYER_RUNTIMES_MAX && number == atomic_load(&layer_link->runtime_count))
    atomic_store(&layer_link->runtime_count, number + 1);
  kernel_protect(table, size, protection);
}

static void tell(const Library *library)
{
  void (*on_open)(const LayerImage *image) = atomic_load(&layer_link->on_open);
  if (on_open) {
    on_open(&library->image);
    return;
  }
  unsigned number = atomic_load(&layer_link->early_count);
  if (number >= LAYER_EARLY_MAX) return;
  layer_link->early[number] = library->image;
  atomic_store(&layer_link->early_count, number + 1);
}

static void take(Library *library)
{
  tell(library);
  if (read_symbols(library)) redirect(library);
}

// The layer comes behind the program itself, which may be a runtime, too.
static struct link_map *program;

static void take_layer(const Library *library)
{
  layer = *library;
  layer_link =
      (LayerLink *)(read_symbols(&layer) ? find_symbol(&layer, LAYER_LINK_SYMBOL, STT_OBJECT) : 0);
  Library first;
  if (layer_link && program && read_library(program, &first)) take(&first);
}

static bool is_layer(const char *path)
{
  const char *name = path;
  for (; *path; ++path)
    if (*path == '/') name = path + 1;
  return equal(name, "libtvmffi_conform_layer.so");
}

// --- What the loader calls -----------------------------------------------------------------------

EXPORTED unsigned la_version(unsigned version)
{
  return version;
}

EXPORTED unsigned la_objopen(struct link_map *map, Lmid_t namespace_id, uintptr_t *cookie)
{
  // Its low bits are free, and tell what is not of the first namespace.
  *cookie = map->l_addr | (namespace_id != LM_ID_BASE);
  Library library;
  if (!layer_link && !map->l_name[0]) program = map;
  if (!read_library(map, &library)) return 0;
  if (!layer_link && is_layer(map->l_name))
    take_layer(&library);
  else if (layer_link)
    take(&library);
  return 0;
}

EXPORTED unsigned la_objclose(uintptr_t *cookie)
{
  void (*on_close)(uintptr_t base, int namespace_id) =
      layer_link ? atomic_load(&layer_link->on_close) : NULL;
  if (on_close) on_close(*cookie & ~(uintptr_t)1, (int)(*cookie & 1));
  return 0;
}
