// SPDX-License-Identifier: Apache-2.0
#include "module/module_tree.h"

#include <stdlib.h>
#include <string.h>

#include "container/sequence.h"
#include "core/any.h"
#include "core/bytes.h"
#include "core/raise.h"
#include "library_bin.h"
#include "loaded/loaded.h"
#include "module/library.h"
#include "module/module.h"
#include "module/module_context.h"
#include "module/module_load.h"
#include "module/module_walk.h"

// What is being made.
typedef struct {
  TVMFFIObject *library_module;  // borrow
  Library *library;
  const char *name;
  LibraryBin bin;
  TVMFFIObject **modules;  // own, all of them; NULL as long as they are not there
  const void *last_code;   // of the module that was looked at last
  bool is_plain;           // every module is another one, and none imports anything yet
} ModuleTree;

//--------------------------------------------------------------------------------------------------
// The bytes
//--------------------------------------------------------------------------------------------------

// Returns how many bytes the symbol has that begins here, as far as that is known: SIZE_MAX if not.
static size_t module_tree_size(const void *bytes)
{
  const ElfW(Sym) *symbol = loaded_symbol(bytes, NULL);
  return symbol == NULL || symbol->st_size == 0 ? SIZE_MAX : symbol->st_size;
}

static int module_tree_read(ModuleTree *tree, const void *bytes)
{
  LibraryBinProblem problem;
  char sentence[256];
  if (library_bin_read(bytes, module_tree_size(bytes), &tree->bin, &problem)) return 0;
  if (problem.rule == kLibraryBinNoMemory) return raise_out_of_memory();
  library_bin_explain(&problem, sentence, sizeof sentence);
  return raise_error("RuntimeError", tree->name, ": __tvm_ffi__library_bin, ", sentence, NULL);
}

//--------------------------------------------------------------------------------------------------
// The modules
//--------------------------------------------------------------------------------------------------

// Where a module has its code: its class, or a function of its kind, or the name of that at least.
static const void *module_tree_code(TVMFFIObject *module)
{
  const ModuleOwn *own = module_own(module);
  const void *code;
  if (own == NULL) return module_of(module)->vtable;
  if (own->kind.get_function == NULL) return own->kind.name;
  memcpy(&code, &own->kind.get_function, sizeof code);
  return code;
}

// A library that brings a kind of its own along is needed by the modules of that kind, and stays
// open.
static void module_tree_watch(ModuleTree *tree, TVMFFIObject *module)
{
  const void *code = module_tree_code(module);
  if (code == tree->last_code) return;
  tree->last_code = code;
  if (library_contains(tree->library, code)) library_keep(tree->library);
}

static int module_tree_make(ModuleTree *tree, size_t place)
{
  const LibraryBinEntry *entry = &tree->bin.entries[place];
  if (entry->is_library) {
    object_retain(tree->library_module);
    tree->modules[place] = tree->library_module;
    module_context_set(tree->library);  // BIN-14
    return 0;
  }
  const TVMFFIByteArray kind = {entry->kind.data, entry->kind.size};
  const TVMFFIByteArray value = {entry->value.data, entry->value.size};
  if (module_load_from_bytes(tree->name, place, &kind, &value, &tree->modules[place]) != 0)
    return -1;
  module_tree_watch(tree, tree->modules[place]);
  return 0;
}

// Loaders may give a module twice, or one that imports others already.
static int module_tree_look(ModuleTree *tree)
{
  ModuleSet met;
  int code = 0;
  tree->is_plain = true;
  module_set_start(&met);
  for (size_t i = 0; i < tree->bin.num_modules && tree->is_plain && code == 0; ++i) {
    int is_new = module_set_add(&met, tree->modules[i]);
    if (is_new < 0) code = -1;
    TVMFFIObject *imports = module_imports(tree->modules[i]);
    tree->is_plain = is_new > 0 && (imports == NULL || sequence_cell(imports)->size == 0);
    if (imports != NULL) object_release(imports);
  }
  module_set_end(&met);
  return code;
}

//--------------------------------------------------------------------------------------------------
// The imports
//--------------------------------------------------------------------------------------------------

static TVMFFIObject *module_tree_child(const ModuleTree *tree, uint64_t place)
{
  return tree->modules[tree->bin.children[place]];
}

// Gives a module what it imports, which cannot make a cycle.
static int module_tree_wire(const ModuleTree *tree, size_t module)
{
  uint64_t first = tree->bin.rows[module], end = tree->bin.rows[module + 1];
  if (first == end) return 0;
  TVMFFIObject *imports = sequence_new(kTVMFFIArray, (int64_t)(end - first));
  if (imports == NULL) return raise_out_of_memory();
  for (uint64_t i = first; i < end; ++i) {
    TVMFFIObject *child = module_tree_child(tree, i);
    object_retain(child);
    sequence_append(imports, any_object(child));
  }
  TVMFFIObject *old = module_exchange_imports(tree->modules[module], imports);
  if (old != NULL) object_release(old);
  return 0;
}

static int module_tree_wire_with_care(const ModuleTree *tree, size_t module)
{
  for (uint64_t i = tree->bin.rows[module]; i < tree->bin.rows[module + 1]; ++i) {
    if (module_import(tree->modules[module], module_tree_child(tree, i)) != 0) return -1;
  }
  return 0;
}

// The modules had no imports before. Whoever has one of them finds none if not all can be given theirs.
static int module_tree_wire_plainly(const ModuleTree *tree)
{
  size_t count = tree->bin.num_modules, wired = 0;
  while (wired < count && module_tree_wire(tree, wired) == 0) ++wired;
  if (wired == count) return 0;
  while (wired-- > 0) {
    TVMFFIObject *imports = module_exchange_imports(tree->modules[wired], NULL);
    if (imports != NULL) object_release(imports);
  }
  return -1;
}

// Takes back the imports that modules have which somebody else may have, too.
static void module_tree_undo(const ModuleTree *tree, TVMFFIObject **before)
{
  for (size_t i = tree->bin.num_modules; i-- > 0;) {
    TVMFFIObject *imports = module_exchange_imports(tree->modules[i], before[i]);
    before[i] = NULL;
    if (imports != NULL) object_release(imports);
  }
}

static int module_tree_wire_all(ModuleTree *tree)
{
  size_t count = tree->bin.num_modules, wired = 0;
  if (module_tree_look(tree) != 0) return -1;
  if (tree->is_plain) return module_tree_wire_plainly(tree);
  TVMFFIObject **before = calloc(count, sizeof *before);
  if (before == NULL) return raise_out_of_memory();
  for (size_t i = 0; i < count; ++i) before[i] = module_imports(tree->modules[i]);
  while (wired < count && module_tree_wire_with_care(tree, wired) == 0) ++wired;
  if (wired < count) module_tree_undo(tree, before);
  for (size_t i = 0; i < count; ++i) {
    if (before[i] != NULL) object_release(before[i]);
  }
  free(before);
  return wired == count ? 0 : -1;
}

//--------------------------------------------------------------------------------------------------
// The whole
//--------------------------------------------------------------------------------------------------

static int module_tree_build(ModuleTree *tree, TVMFFIObject **out)
{
  size_t count = tree->bin.num_modules, made = 0;
  tree->modules = calloc(count, sizeof(TVMFFIObject *));
  if (tree->modules == NULL) return raise_out_of_memory();
  while (made < count && module_tree_make(tree, made) == 0) ++made;
  int code = made == count ? module_tree_wire_all(tree) : -1;
  if (code == 0) {
    object_retain(tree->modules[0]);
    *out = tree->modules[0];
  }
  for (size_t i = made; i-- > 0;) object_release(tree->modules[i]);
  free(tree->modules);
  return code;
}

int module_tree_load(TVMFFIObject *library, const char *name, const void *bytes, TVMFFIObject **out)
{
  ModuleTree tree = {.library_module = library, .library = library_of(library), .name = name};
  if (module_tree_read(&tree, bytes) != 0) return -1;
  module_context_fill_symbols(tree.library);  // MOD-55
  int code = module_tree_build(&tree, out);
  library_bin_free(&tree.bin);
  return code;
}
