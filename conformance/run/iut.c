// SPDX-License-Identifier: Apache-2.0
#include "run/iut.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

#include "run/expect.h"

// One stand-in a function, with its exact type; none of them returns.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define ABI_FUNCTION(chapter, since, result, name, parameters) \
  static result missing_##name parameters                      \
  {                                                            \
    case_lacks_function(FN_##name);                            \
  }
#include "abi/functions.def"
#pragma GCC diagnostic pop

// dlsym hands out functions as data pointers; POSIX guarantees that the bits are the same.
static bool resolve(void *handle, const char *symbol, void *member)
{
  void *address = dlsym(handle, symbol);
  if (address) memcpy(member, &address, sizeof address);
  return address != NULL;
}

bool iut_load(Iut *iut, const char *path, char *error, size_t error_size)
{
  memset(iut, 0, sizeof *iut);
  iut->path = path;
  iut->layout = &abi_layout_0_1;
  iut->version = UINT32_MAX;
  iut->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!iut->handle) {
    const char *text = dlerror();
    snprintf(error, error_size, "%s", text ? text : "the dynamic linker gives no reason");
    return false;
  }
  struct link_map *map = NULL;
  if (dlinfo(iut->handle, RTLD_DI_LINKMAP, &map) == 0 && map) iut->load_address = map->l_addr;
#define ABI_FUNCTION(chapter, since, result, name, parameters) \
  iut->name = missing_##name;                                  \
  iut->present[FN_##name] = resolve(iut->handle, "TVMFFI" #name, &iut->name);
#include "abi/functions.def"
  return true;
}

uint32_t iut_ask_version(const Iut *iut)
{
  if (!iut_has(iut, FN_GetVersion)) return UINT32_MAX;
  TVMFFIVersion version = {0, 0, 0};
  iut->GetVersion(&version);
  if (version.major > 1023 || version.minor > 1023 || version.patch > 1023) return UINT32_MAX;
  return ABI_VERSION(version.major, version.minor, version.patch);
}
