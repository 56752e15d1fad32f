// SPDX-License-Identifier: Apache-2.0
// A whole load of what stands behind `__tvm_ffi__library_bin`, with a registered loader: the tree
// that comes out is the one that the bytes say, and of one that cannot be made nothing is left.
#include <string.h>
#include <tvm/ffi/extra/c_module.h>

#include "container/sequence.h"
#include "library_bin.h"
#include "module/library.h"
#include "module/module.h"
#include "module/module_tree.h"
#include "runtime.h"

enum { MODULES_MAX = 512 };

static TVMFFIObject *made[MODULES_MAX];  // borrow: what the loaders gave, in their order
static size_t made_count, living;

static void end_node(void *self)
{
  (void)self;
  --living;
}

static const tvmffi_module_kind node_kind = {
    .size = sizeof node_kind, .name = "k", .deleter = end_node};

// A value that begins with '!' cannot be loaded; one with '?' gives no module; '=' the last one
// again.
static int load_node(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)handle;
  FUZZ_CHECK(num_args == 1);
  TVMFFIByteArray value = runtime_content(&args[0]);
  char order = value.size == 0 ? 0 : value.data[0];
  TVMFFIObjectHandle module = NULL;
  if (order == '!' || made_count == MODULES_MAX) {
    TVMFFIErrorSetRaisedFromCStr("ValueError", "the loader had to");
    return -1;
  }
  if (order == '?') return 0;
  if (order == '=' && made_count != 0) {
    module = made[made_count - 1];
    TVMFFIObjectIncRef(module);
  } else {
    FUZZ_CHECK(tvmffi_module_create(&node_kind, made, &module) == 0);
    ++living;
  }
  made[made_count++] = module;
  *result = (TVMFFIAny){.type_index = kTVMFFIModule, .v_obj = module};
  return 0;
}

static void register_loaders(void)
{
  static const char *const names[] = {
      "ffi.Module.load_from_bytes.k",    "ffi.Module.load_from_bytes.m",
      "ffi.Module.load_from_bytes.l",    "ffi.Module.load_from_bytes.cuda",
      "ffi.Module.load_from_bytes.blas", "ffi.Module.load_from_bytes."};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) runtime_register(names[i], load_node);
}

// Whether every module is one of its own, so that its imports are those of its entry.
static bool is_plain(const LibraryBin *tree)
{
  for (size_t i = 0; i < tree->num_modules; ++i) {
    const LibraryBinEntry *entry = &tree->entries[i];
    if (!entry->is_library && entry->value.size != 0 && entry->value.data[0] == '=') return false;
  }
  return true;
}

static void check_imports(const LibraryBin *tree, TVMFFIObject **modules, size_t place)
{
  TVMFFIObject *imports = module_imports(modules[place]);
  size_t count = (size_t)(tree->rows[place + 1] - tree->rows[place]);
  FUZZ_CHECK((imports == NULL ? 0 : (size_t)sequence_cell(imports)->size) == count);
  for (size_t i = 0; i < count; ++i) {
    TVMFFIObject *child = modules[tree->children[tree->rows[place] + i]];
    FUZZ_CHECK(sequence_values(imports)[i].v_obj == child);
  }
  if (imports != NULL) TVMFFIObjectDecRef(imports);
}

static void check_tree(const LibraryBin *tree, TVMFFIObject *library, TVMFFIObject *root)
{
  TVMFFIObject *modules[MODULES_MAX + 1] = {NULL};
  size_t next = 0;
  for (size_t i = 0; i < tree->num_modules; ++i)
    modules[i] = tree->entries[i].is_library ? library : made[next++];
  FUZZ_CHECK(next == made_count && modules[0] == root);
  if (!is_plain(tree)) return;
  for (size_t i = 0; i < tree->num_modules; ++i) {
    // What the root does not lead to is gone.
    bool reached = i == 0;
    for (size_t k = 0; k < tree->num_children; ++k) reached |= tree->children[k] == i;
    if (!reached) return;
  }
  for (size_t i = 0; i < tree->num_modules; ++i) check_imports(tree, modules, i);
}

// The runtime is told no size: nbytes alone bounds what it reads.
static bool is_covered(const uint8_t *data, size_t size)
{
  uint64_t stated;
  if (size < sizeof stated) return false;
  memcpy(&stated, data, sizeof stated);
  return stated <= size - sizeof stated;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static const TVMFFIByteArray prefix = {"fuzz", 4};
  static bool ready;
  if (!ready) register_loaders();
  ready = true;
  if (!is_covered(data, size)) return 0;
  made_count = living = 0;
  LibraryBin tree;
  LibraryBinProblem problem;
  bool readable = library_bin_read(data, size, &tree, &problem);
  TVMFFIObject *library = library_new_system(&prefix), *root = NULL;
  FUZZ_CHECK(library != NULL);
  int code = module_tree_load(library, "fuzz", data, &root);
  FUZZ_CHECK(code == 0 ? readable : !readable || made_count <= tree.num_modules);
  if (code != 0) FUZZ_CHECK(living == 0);
  if (code != 0) runtime_has_raised(NULL);
  if (code == 0) check_tree(&tree, library, root);
  if (code == 0) TVMFFIObjectDecRef(root);
  TVMFFIObjectDecRef(library);
  FUZZ_CHECK(living == 0);
  if (readable) library_bin_free(&tree);
  return 0;
}
