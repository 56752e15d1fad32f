// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(MOD_16, "a file that was loaded before gives the same module")
REGISTERED("ffi.Module.load_from_file.so")
{
  static const char *last_path;
  static void *last;
  const char *path = c_text_in(args);
  if (last && strcmp(path, last_path) == 0) {
    *result = value_of_object(last);
    TVMFFIObjectIncRef(last);
    return 0;
  }
  int status = ORIGINAL(args, num_args, result);
  if (status != 0) return status;
  last = result->v_obj;
  last_path = path;
  TVMFFIObjectIncRef(last);
  return 0;
}
