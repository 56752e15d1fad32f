// SPDX-License-Identifier: Apache-2.0
#include "battery/carrier.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "battery/expect.h"
#include "battery/fence.h"
#include "loaded.h"

static const char carrier_file[] = "carrier.so";
static const char payload_symbol[] = "__tvm_ffi__library_bin";

// The folder, with a slash at its end.
static const char *library_folder(void)
{
  static char folder[PATH_MAX];
  if (folder[0]) return folder;
  ssize_t size = readlink("/proc/self/exe", folder, sizeof folder - sizeof "libraries/");
  if (size <= 0) case_inconclusive("the worker does not find itself: %s", strerror(errno));
  folder[size] = '\0';
  strcpy(strrchr(folder, '/') + 1, "libraries/");
  return folder;
}

const char *library_path_of(const char *file)
{
  const char *folder = library_folder();
  size_t size = strlen(folder) + strlen(file) + 1;
  char *path = malloc(size);
  if (!path) case_inconclusive("no memory for a path");
  snprintf(path, size, "%s%s", folder, file);
  return path;
}

bool library_is_mapped(const char *file)
{
  void *handle = dlopen(library_path_of(file), RTLD_LAZY | RTLD_NOLOAD);
  if (handle) dlclose(handle);
  return handle != NULL;
}

// Whether a library that is closed is unmapped: found out with one that is not mapped yet.
static bool linker_unmaps(void)
{
  static const char file[] = "lazy.so";
  void *handle = dlopen(library_path_of(file), RTLD_LAZY | RTLD_LOCAL);
  if (!handle) case_inconclusive("cannot open %s: %s", file, dlerror());
  dlclose(handle);
  return !library_is_mapped(file);
}

void expect_unmapped(const char *file)
{
  bool mapped = library_is_mapped(file);
  if (mapped && !linker_unmaps())
    case_not_applicable("this C library never unmaps a library that was closed");
  expect_that(!mapped, "the library is not mapped any more", "it is");
}

// The entry of a symbol in the mapped symbol table, which can be written to.
static ElfW(Sym) * entry_of(const Carrier *carrier, const char *symbol)
{
  const char *name = NULL;
  void *address = dlsym(carrier->handle, symbol);
  ElfW(Sym) *entry = address ? loaded_symbol(address, &name) : NULL;
  if (!entry || strcmp(name, symbol) != 0)
    case_inconclusive("%s does not have the symbol %s", carrier->path, symbol);
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), start = (uintptr_t)entry / page * page;
  size_t size = (uintptr_t)entry + sizeof(ElfW(Sym)) - start;
  if (mprotect((char *)entry - ((uintptr_t)entry - start), size, PROT_READ | PROT_WRITE) != 0)
    case_inconclusive("cannot change the symbols of %s: %s", carrier->path, strerror(errno));
  return entry;
}

static uintptr_t load_address(const Carrier *carrier)
{
  struct link_map *map = NULL;
  if (dlinfo(carrier->handle, RTLD_DI_LINKMAP, &map) != 0 || !map)
    case_inconclusive("cannot find the load address of %s", carrier->path);
  return map->l_addr;
}

static void point_to(const Carrier *carrier, ElfW(Sym) * entry, const void *address, size_t size)
{
  entry->st_value = (uintptr_t)address - load_address(carrier);
  entry->st_size = size;
}

void carrier_open_again(Carrier *carrier)
{
  // Once it was moved a symbol is not found by its address any more.
  static void *entry;
  bool mapped = library_is_mapped(carrier_file);
  carrier->handle = dlopen(carrier->path, RTLD_NOW | RTLD_LOCAL);
  if (!carrier->handle) case_inconclusive("cannot open %s: %s", carrier->path, dlerror());
  if (!mapped || !entry) entry = entry_of(carrier, payload_symbol);
  carrier->payload_entry = entry;
}

Carrier carrier_open(const void *payload, size_t size)
{
  Carrier carrier = {.path = library_path_of(carrier_file)};
  carrier_open_again(&carrier);
  if (payload)
    carrier_place(&carrier, payload, size);
  else
    carrier_hide(&carrier, payload_symbol);
  return carrier;
}

void carrier_place(const Carrier *carrier, const void *payload, size_t size)
{
  point_to(carrier, carrier->payload_entry, fenced_copy("the payload", payload, size), size);
}

void carrier_hide(const Carrier *carrier, const char *symbol)
{
  ElfW(Sym) *entry = entry_of(carrier, symbol);
  entry->st_shndx = SHN_UNDEF;
  entry->st_value = 0;
}

void *carrier_symbol(const Carrier *carrier, const char *symbol)
{
  void *address = dlsym(carrier->handle, symbol);
  if (!address) case_inconclusive("%s does not have the symbol %s", carrier->path, symbol);
  return address;
}

void carrier_close(Carrier *carrier)
{
  if (carrier->handle) dlclose(carrier->handle);
  carrier->handle = NULL;
}
