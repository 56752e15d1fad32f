// SPDX-License-Identifier: Apache-2.0
#include "battery/iut.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

#include "battery/expect.h"

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

// --- The generation of September 2025 ------------------------------------------------------------

static TVMFFIObjectHandle (*former_error_create)(const TVMFFIByteArray *kind,
                                                 const TVMFFIByteArray *message,
                                                 const TVMFFIByteArray *traceback);

// Errors were returned, and NULL said that there is none.
static int error_create_by_former(const TVMFFIByteArray *kind, const TVMFFIByteArray *message,
                                  const TVMFFIByteArray *backtrace, TVMFFIObjectHandle *out)
{
  TVMFFIObjectHandle made = former_error_create(kind, message, backtrace);
  if (!made) return -1;
  *out = made;
  return 0;
}

static void speak_2025_09(Iut *iut)
{
#define ABI_FUNCTION(chapter, since, result, name, parameters)                    \
  if (!abi_function_symbol_2025_09(FN_##name)) {                                  \
    iut->name = missing_##name;                                                   \
    iut->present[FN_##name] = false;                                              \
  } else {                                                                        \
    iut->present[FN_##name] =                                                     \
        resolve(iut->handle, abi_function_symbol_2025_09(FN_##name), &iut->name); \
    if (!iut->present[FN_##name]) iut->name = missing_##name;                     \
  }
#include "abi/functions.def"
  if (!iut->present[FN_ErrorCreate]) return;
  memcpy(&former_error_create, &iut->ErrorCreate, sizeof former_error_create);
  iut->ErrorCreate = error_create_by_former;
}

static void speak_0_1(Iut *iut)
{
#define ABI_FUNCTION(chapter, since, result, name, parameters) \
  iut->name = missing_##name;                                  \
  iut->present[FN_##name] = resolve(iut->handle, "TVMFFI" #name, &iut->name);
#include "abi/functions.def"
}

void iut_speak(Iut *iut, AbiGeneration generation)
{
  iut->generation = generation;
  iut->layout = abi_layout(generation);
  if (generation == ABI_GENERATION_2025_09)
    speak_2025_09(iut);
  else
    speak_0_1(iut);
}

// True if it has a name that only the older generation has, and none that only 0.1 has.
static bool has_former_names(const Iut *iut)
{
  bool former = false;
  for (unsigned i = 0; i < ABI_FUNCTION_COUNT; ++i) {
    const char *then = abi_function_symbol_2025_09((AbiFunctionId)i);
    bool same = then && strcmp(then, abi_functions[i].symbol) == 0;
    if (!same && iut->present[i]) return false;
    former |= !same && then && dlsym(iut->handle, then);
  }
  return former;
}

bool iut_load(Iut *iut, const char *path, char *error, size_t error_size)
{
  memset(iut, 0, sizeof *iut);
  iut->path = path;
  iut->version = UINT32_MAX;
  iut->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!iut->handle) {
    const char *text = dlerror();
    snprintf(error, error_size, "%s", text ? text : "the dynamic linker gives no reason");
    return false;
  }
  struct link_map *map = NULL;
  if (dlinfo(iut->handle, RTLD_DI_LINKMAP, &map) == 0 && map) iut->load_address = map->l_addr;
  iut_speak(iut, ABI_GENERATION_0_1);
  if (has_former_names(iut)) iut_speak(iut, ABI_GENERATION_2025_09);
  return true;
}

uint32_t iut_ask_version(const Iut *iut)
{
  if (iut->generation == ABI_GENERATION_2025_09) return ABI_VERSION_2025_09;
  if (!iut_has(iut, FN_GetVersion)) return UINT32_MAX;
  TVMFFIVersion version = {0, 0, 0};
  iut->GetVersion(&version);
  if (version.major > 1023 || version.minor > 1023 || version.patch > 1023) return UINT32_MAX;
  return ABI_VERSION(version.major, version.minor, version.patch);
}
