// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_module.h>

#include "flaw.h"
#include "library_bin.h"
#include "module/module_tree.h"

static bool loading;               // by the runtime, which is not what the target expects with
static TVMFFIObjectHandle forged;  // own: the last module that a loader made

// What the runtime reads is not what the target reads.
static void change_tree(LibraryBin *tree)
{
  uint64_t *rows = (uint64_t *)(uintptr_t)tree->rows;
  uint64_t *children = (uint64_t *)(uintptr_t)tree->children;
  if (tree->num_children != 0 && flaw("import-lost")) {
    for (size_t i = 0; i <= tree->num_modules; ++i) rows[i] -= rows[i] == tree->num_children;
    --tree->num_children;
  }
  if (flaw("imports-reversed")) {
    for (size_t i = 0, k = tree->num_children; i + 1 < k; ++i) {
      uint64_t last = children[--k];
      children[k] = children[i];
      children[i] = last;
    }
  }
  if (flaw("module-lost") && tree->num_children == 0 && tree->num_modules > 1) --tree->num_modules;
}

WRAP(bool, library_bin_read, const void *bytes, size_t size, LibraryBin *tree,
     LibraryBinProblem *problem)
{
  bool read = REAL(library_bin_read)(bytes, size, tree, problem);
  if (loading && read) change_tree(tree);
  return read;
}

WRAP(int, tvmffi_module_create, const tvmffi_module_kind *kind, void *self, TVMFFIObjectHandle *out)
{
  int code = REAL(tvmffi_module_create)(kind, self, out);
  if (code != 0 || !flaw("module-left-behind")) return code;
  if (forged != NULL) TVMFFIObjectDecRef(forged);
  forged = *out;
  TVMFFIObjectIncRef(forged);
  return code;
}

static void clear_error(void)
{
  TVMFFIObjectHandle error = NULL;
  TVMFFIErrorMoveFromRaised(&error);
  if (error != NULL) TVMFFIObjectDecRef(error);
}

static int take_all(TVMFFIObject *library, TVMFFIObject **out)
{
  clear_error();
  TVMFFIObjectIncRef(library);
  *out = library;
  return 0;
}

WRAP(int, module_tree_load, TVMFFIObject *library, const char *name, const void *bytes,
     TVMFFIObject **out)
{
  loading = true;
  int code = REAL(module_tree_load)(library, name, bytes, out);
  loading = false;
  if (code == 0 && forged != NULL) TVMFFIObjectDecRef(forged);
  if (code == 0) forged = NULL;
  if (code == 0 && flaw("root-kept")) TVMFFIObjectIncRef(*out);
  if (code == 0 && flaw("wrong-root") && *out != library) {
    TVMFFIObjectDecRef(*out);
    return take_all(library, out);
  }
  if (code != 0 && flaw("no-error")) clear_error();
  return code != 0 && flaw("unreadable-taken") ? take_all(library, out) : code;
}
