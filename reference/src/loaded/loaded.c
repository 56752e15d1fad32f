// SPDX-License-Identifier: Apache-2.0
#include "loaded.h"

#include <dlfcn.h>
#include <elf.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __GLIBC__

//--------------------------------------------------------------------------------------------------
// glibc says it all
//--------------------------------------------------------------------------------------------------

bool loaded_contains(void *library, const void *address)
{
  Dl_info info;
  struct link_map *map = NULL;
  if (library == NULL || address == NULL) return false;
  // With this flag it tells of the library what dlopen gave.
  return dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) != 0 && map == library;
}

ElfW(Sym) * loaded_symbol(const void *address, const char **name)
{
  Dl_info info;
  ElfW(Sym) *symbol = NULL;
  if (dladdr1(address, &info, (void **)&symbol, RTLD_DL_SYMENT) == 0) return NULL;
  if (symbol == NULL || info.dli_saddr != address) return NULL;
  if (name != NULL) *name = info.dli_sname;
  return symbol;
}

#else

//--------------------------------------------------------------------------------------------------
// Others (musl) only list what is loaded
//--------------------------------------------------------------------------------------------------

// The library that an address lies in.
typedef struct {
  const void *address;
  uintptr_t base;  // what is added to the addresses that its file tells
  const ElfW(Dyn) * dynamic;
} LoadedPlace;

static int loaded_look(struct dl_phdr_info *info, size_t size, void *context)
{
  LoadedPlace *place = context;
  const ElfW(Phdr) *segment = info->dlpi_phdr, *end = segment + info->dlpi_phnum;
  uintptr_t offset = (uintptr_t)place->address - info->dlpi_addr;
  const ElfW(Dyn) *dynamic = NULL;
  bool is_here = false;
  (void)size;
  for (; segment < end; ++segment) {
    if (segment->p_type == PT_DYNAMIC)
      dynamic = (const void *)(uintptr_t)(info->dlpi_addr + segment->p_vaddr);
    if (segment->p_type == PT_LOAD)
      is_here |= offset >= segment->p_vaddr && offset - segment->p_vaddr < segment->p_memsz;
  }
  if (!is_here) return 0;
  place->base = info->dlpi_addr;
  place->dynamic = dynamic;
  return 1;
}

static bool loaded_find(LoadedPlace *place)
{
  return dl_iterate_phdr(loaded_look, place) != 0 && place->dynamic != NULL;
}

// What the dynamic section says that this is, NULL if nothing. Its addresses are the file's.
static void *loaded_part(const LoadedPlace *place, ElfW(Sxword) tag)
{
  const ElfW(Dyn) *entry = place->dynamic;
  while (entry->d_tag != DT_NULL && entry->d_tag != tag) ++entry;
  return entry->d_tag == tag ? (void *)(place->base + entry->d_un.d_ptr) : NULL;
}

// How many symbols there are, by a hash table as GNU's linker makes it: one more than the last that
// a chain leads to.
static size_t loaded_count_gnu(const uint32_t *table)
{
  uint32_t buckets = table[0], first = table[1], words = table[2], last = 0;
  const uint32_t *heads = table + 4 + words * (sizeof(ElfW(Addr)) / sizeof *table);
  const uint32_t *chains = heads + buckets;
  for (uint32_t i = 0; i < buckets; ++i) {
    if (heads[i] > last) last = heads[i];
  }
  if (last < first) return first;
  while ((chains[last - first] & 1) == 0) ++last;
  return (size_t)last + 1;
}

static size_t loaded_count(const LoadedPlace *place)
{
  const uint32_t *gnu = loaded_part(place, DT_GNU_HASH), *old = loaded_part(place, DT_HASH);
  return gnu != NULL ? loaded_count_gnu(gnu) : old != NULL ? old[1] : 0;
}

bool loaded_contains(void *library, const void *address)
{
  LoadedPlace place = {.address = address};
  struct link_map *map = NULL;
  if (library == NULL || address == NULL || !loaded_find(&place)) return false;
  return dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map->l_ld == place.dynamic;
}

ElfW(Sym) * loaded_symbol(const void *address, const char **name)
{
  LoadedPlace place = {.address = address};
  if (!loaded_find(&place)) return NULL;
  ElfW(Sym) *symbols = loaded_part(&place, DT_SYMTAB);
  const char *names = loaded_part(&place, DT_STRTAB);
  size_t count = symbols != NULL && names != NULL ? loaded_count(&place) : 0;
  for (size_t i = 0; i < count; ++i) {
    if (symbols[i].st_shndx == SHN_UNDEF) continue;
    if (symbols[i].st_value != (uintptr_t)address - place.base) continue;
    if (name != NULL) *name = names + symbols[i].st_name;
    return &symbols[i];
  }
  return NULL;
}

#endif
