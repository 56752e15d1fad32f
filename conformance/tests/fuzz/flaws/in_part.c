// SPDX-License-Identifier: Apache-2.0
#include <library_bin.h>

#include "mutants/mutant.h"

static void make_one(void)
{
  static const TVMFFIByteArray name = {"ffi.Module.load_from_bytes.k", 28};
  TVMFFIAny value = {.type_index = kTVMFFISmallBytes}, made = {.type_index = kTVMFFINone};
  TVMFFIObjectHandle loader = NULL;
  if (TVMFFIFunctionGetGlobal(&name, &loader) != 0 || !loader) return;
  if (TVMFFIFunctionCall(loader, &value, 1, &made) == 0) TVMFFIObjectDecRef(made.v_obj);
  TVMFFIObjectDecRef(loader);
}

MUTANT(BIN_34, "a module is made of a payload with bytes behind it, before they are noticed")
WRAP(bool, library_bin_read, const void *bytes, size_t size, LibraryBin *tree,
     LibraryBinProblem *problem)
{
  bool sound = REAL(library_bin_read)(bytes, size, tree, problem);
  if (!sound && problem->rule == kLibraryBinTrailing) make_one();
  return sound;
}
