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

#include "audit/claim.h"
#include "audit/kernel.h"
#include "audit/library.h"
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

// --- Libraries -----------------------------------------------------------------------------------

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

static bool read_library(struct link_map *map, Library *library)
{
  bool is_program = !map->l_name[0];
  return library_read(map, is_program ? program_headers : NULL, program_header_count, library);
}

// --- Redirection ---------------------------------------------------------------------------------

static Library layer;
static LayerLink *layer_link;

static void *layer_function(const char *prefix, unsigned number, const char *behind_number)
{
  char name[128], *end = put_number(put(name, prefix), number);
  if (behind_number) put(put(end, "_"), behind_number);
  return (void *)library_find(&layer, name, STT_FUNC);
}

static unsigned function_of(const char *symbol)
{
  const char *name = behind(symbol, "TVMFFI");
  for (unsigned i = 0; name && i < ABI_FUNCTION_COUNT; ++i)
    if (library_equal(name, function_names[i])) return i;
  return ABI_FUNCTION_COUNT;
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
  unsigned number = claim_entry(layer_link, (TVMFFISafeCallType)real);
  if (number >= LAYER_ENTRIES_MAX) return NULL;
  return layer_function(LAYER_ENTRY_PREFIX, number, NULL);
}

// A runtime of this generation: it reports a version, and can call functions.
static bool is_runtime(const Library *library)
{
  return library_find(library, "TVMFFIGetVersion", STT_FUNC) &&
         library_find(library, "TVMFFIFunctionCall", STT_FUNC);
}

static bool concerns(const Library *library, const ElfW(Sym) * symbol, bool runtime)
{
  const char *name = library_defined_name(library, symbol, STT_FUNC);
  const char *entry = behind(name, "__tvm_ffi_");
  return (runtime && function_of(name) < ABI_FUNCTION_COUNT) ||
         (entry && entry[0] && entry[0] != '_');
}

// Has the library's symbols be written to. Returns how they were protected; -1 if they can't be.
static int open_symbols(const Library *library)
{
  uintptr_t table = (uintptr_t)library->symbols;
  size_t size = library->symbol_count * sizeof *library->symbols;
  int protection = library_segment(library, table, size)->protection;
  if (kernel_protect(table, size, PROT_READ | PROT_WRITE)) return protection;
  atomic_fetch_add(&layer_link->unwritable, 1);
  return -1;
}

static void close_symbols(const Library *library, int protection)
{
  kernel_protect((uintptr_t)library->symbols, library->symbol_count * sizeof *library->symbols,
                 protection);
}

static void redirect(Library *library)
{
  bool runtime = is_runtime(library), any = false;
  for (size_t i = 0; i < library->symbol_count && !any; ++i)
    any = concerns(library, &library->symbols[i], runtime);
  if (!any) return;
  const int protection = open_symbols(library);
  if (protection < 0) return;
  unsigned number = LAYER_RUNTIMES_MAX;
  if (runtime) number = claim_runtime(layer_link, library->image.start, library->image.end);
  for (size_t i = 0; i < library->symbol_count; ++i) {
    ElfW(Sym) *symbol = &library->symbols[i];
    if (!concerns(library, symbol, runtime)) continue;
    uintptr_t base = library->map->l_addr;
    void *other = redirection_of(library_defined_name(library, symbol, STT_FUNC),
                                 base + symbol->st_value, number);
    if (other) symbol->st_value = (uintptr_t)other - base;
  }
  claim_is_filled(layer_link, number);
  close_symbols(library, protection);
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
  if (library_read_symbols(library)) redirect(library);
}

// The layer comes behind the program itself, which may be a runtime, too.
static struct link_map *program;

static void take_layer(const Library *library)
{
  layer = *library;
  layer_link = (LayerLink *)(library_read_symbols(&layer)
                                 ? library_find(&layer, LAYER_LINK_SYMBOL, STT_OBJECT)
                                 : 0);
  Library first;
  if (layer_link && program && read_library(program, &first)) take(&first);
}

// The library of the other way (preload.c) is not needed: what it exports is not found any more.
static void hide(Library *library)
{
  if (!library_read_symbols(library)) return;
  const int protection = open_symbols(library);
  if (protection < 0) return;
  for (size_t i = 0; i < library->symbol_count; ++i)
    if (library_defined_name(library, &library->symbols[i], STT_FUNC)[0])
      library->symbols[i].st_value = 0;
  close_symbols(library, protection);
}

static bool is_named(const char *path, const char *wanted)
{
  const char *name = path;
  for (; *path; ++path)
    if (*path == '/') name = path + 1;
  return library_equal(name, wanted);
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
  if (!layer_link && is_named(map->l_name, "libtvmffi_conform_layer.so"))
    take_layer(&library);
  else if (layer_link && is_named(map->l_name, "libtvmffi_conform_preload.so"))
    hide(&library);
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
