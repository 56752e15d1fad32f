// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

// Of the reference (library.h).
struct Library;
extern struct Library *library_of(TVMFFIObject *module);
extern void *library_data(const struct Library *library, const char *symbol);

MUTANT(BIN_20, "the context of a library that is refused is not taken back")
WRAP(int, module_tree_load, TVMFFIObject *library, const char *name, const void *bytes,
     TVMFFIObject **out)
{
  int code = REAL(module_tree_load)(library, name, bytes, out);
  void **context = library_data(library_of(library), "__tvm_ffi__library_ctx");
  if (code != 0 && context) *context = context;
  return code;
}
