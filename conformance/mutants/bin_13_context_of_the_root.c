// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(BIN_13, "the context of a library is the module that the load gives")
REGISTERED("ffi.Module.load_from_file.so")
{
  int status = ORIGINAL(args, num_args, result);

  void *handle = status == 0 ? dlopen(c_text_in(args), RTLD_LAZY | RTLD_LOCAL) : NULL;
  void **context = handle ? dlsym(handle, "__tvm_ffi__library_ctx") : NULL;
  if (context) *context = (char *)result->v_obj - sizeof(void *);
  if (handle) dlclose(handle);
  return status;
}
