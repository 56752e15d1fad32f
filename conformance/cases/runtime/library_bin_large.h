// SPDX-License-Identifier: Apache-2.0
// Trees of many modules, which a loader takes from those that were made before.
#ifndef TVMFFI_CONFORMANCE_CASES_RUNTIME_LIBRARY_BIN_LARGE_H_
#define TVMFFI_CONFORMANCE_CASES_RUNTIME_LIBRARY_BIN_LARGE_H_

#include "cases/runtime/library_bin_tree.h"

typedef enum LargeShape {
  CHAIN,   // each module imports the next one
  STAR,    // the first one imports all others
  REPEAT,  // the first one imports the second one again and again
  APART,   // nobody imports any
} LargeShape;

// The payload of `count` modules that loaders make, or of as many imports.
static inline Payload payload_of_large(LargeShape shape, size_t count)
{
  size_t modules = shape == REPEAT ? 2 : count, children = shape == APART ? 0 : count - 1;
  uint64_t *rows = calloc(modules + 1, sizeof *rows), *imports = calloc(count, sizeof *imports);
  LibraryBinEntry *entries = calloc(modules, sizeof *entries);
  if (!rows || !imports || !entries) case_inconclusive("no memory for a tree");
  for (size_t i = 0; i < children; ++i) imports[i] = shape == REPEAT ? 1 : i + 1;
  for (size_t i = 0; i < modules; ++i) {
    rows[i + 1] = shape == CHAIN ? (i < children ? i + 1 : children) : children;
    entries[i].kind = (LibraryBinBytes){node_kind, sizeof node_kind - 1};
    entries[i].value = (LibraryBinBytes){"1", 1};
  }
  Payload payload = payload_of_tree(&(LibraryBin){modules, children, rows, imports, entries});
  free(rows);
  free(imports);
  free(entries);
  return payload;
}

// Modules that were made before: what a load of them takes is the runtime's.
typedef struct ModulePool {
  Iut *iut;
  TVMFFIObjectHandle *modules;  // own, from `next` on
  size_t count, next;
  size_t largest;  // value
} ModulePool;

static inline ModulePool *module_pool(void)
{
  static ModulePool pool;
  return &pool;
}

static inline int load_from_pool(void *self, const TVMFFIAny *args, int32_t num_args,
                                 TVMFFIAny *result)
{
  ModulePool *pool = self;
  TVMFFIByteArray value = {NULL, 0};
  if (num_args == 1) value = bytes_in(pool->iut, args);
  if (value.size > pool->largest) pool->largest = value.size;
  if (pool->next == pool->count) {
    pool->iut->ErrorSetRaisedFromCStr("ValueError", "there are no more modules");
    return -1;
  }
  *result = view_of_object(pool->iut, pool->modules[pool->next++]);
  return 0;
}

// Makes sure that there are `count` modules, of which nobody has any but the pool, and enters a
// loader for the kind that hands them out.
static inline ModulePool *fill_pool(Iut *iut, const char *kind, size_t count)
{
  ModulePool *pool = module_pool();
  static size_t made;
  free(pool->modules);
  *pool = (ModulePool){.iut = iut, .count = count};
  pool->modules = calloc(count, sizeof *pool->modules);
  size_t size = strlen(kind) + 64;
  char *name = malloc(size);
  if (!pool->modules || !name) case_inconclusive("no memory for modules");
  for (size_t i = 0; i < count; ++i) {
    snprintf(name, size, "conform_pool_%zu_", made++);
    pool->modules[i] = object_of(iut, "ffi.SystemLib", VALUES(view_of_raw_string(name)));
  }
  snprintf(name, size, "ffi.Module.load_from_bytes.%s", kind);
  enter_function(iut, name, pool, load_from_pool);
  free(name);
  return pool;
}

#endif  // TVMFFI_CONFORMANCE_CASES_RUNTIME_LIBRARY_BIN_LARGE_H_
