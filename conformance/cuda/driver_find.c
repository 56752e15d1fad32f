// SPDX-License-Identifier: Apache-2.0
// The stand-in for the driver: functions by name, and those that it lacks. One of these can be
// looked up and linked; a call of it ends what is judged, as nothing is known of what the module
// would do after it.
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "cuda/driver.h"
#include "cuda/state.h"

#define LACKING(name)                  \
  CUDA_EXPORT int name(void)           \
  {                                    \
    return tvmffi_cuda_lacking(#name); \
  }
#include "cuda/driver_lacking.def"
#undef LACKING

// Tables of functions that nobody documents: the CUDA runtime that is linked statically into a
// module asks for them.
CUDA_EXPORT int cuGetExportTable(const void **table, const void *id)
{
  (void)id;
  if (table) *table = NULL;
  return tvmffi_cuda_lacking(
      "the undocumented tables of cuGetExportTable, which a CUDA runtime that is linked statically "
      "needs (nvcc -cudart shared links it dynamically)");
}

// The newest version of a function is meant where the name has none.
static void *find(const char *name)
{
  static const char *const endings[] = {"_v3", "_v2", ""};
  char symbol[160];
  static const char within;
  Dl_info self;
  if (!dladdr(&within, &self)) return NULL;
  void *handle = dlopen(self.dli_fname, RTLD_LAZY | RTLD_NOLOAD), *found = NULL;
  if (!handle) return NULL;
  for (size_t i = 0; !found && i < sizeof endings / sizeof *endings; ++i) {
    snprintf(symbol, sizeof symbol, "%s%s", name, endings[i]);
    found = dlsym(handle, symbol);
  }
  dlclose(handle);
  return found;
}

CUDA_EXPORT int cuGetProcAddress_v2(const char *name, void **function, int version, uint64_t flags,
                                    int *status)
{
  enum { FOUND = 0, SYMBOL_NOT_FOUND = 1 };
  (void)version, (void)flags;
  if (!name || !function || strncmp(name, "cu", 2) != 0) return INVALID_VALUE;
  *function = find(name);
  if (status) *status = *function ? FOUND : SYMBOL_NOT_FOUND;
  return *function || status ? OK : NOT_FOUND;
}

CUDA_EXPORT int cuGetProcAddress(const char *name, void **function, int version, uint64_t flags)
{
  return cuGetProcAddress_v2(name, function, version, flags, NULL);
}
