// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(MOD_9, "an extension in capitals is the same as one in small letters")
REGISTERED("ffi.ModuleLoadFromFile")
{
  if (num_args != 1 || !ends_with(c_text_in(args), ".SO")) return ORIGINAL(args, num_args, result);
  TVMFFIAny both[] = {args[0], {.type_index = kTVMFFIRawStr, .v_c_str = "so"}};
  return registered_call_by_name("ffi.Module.load_from_file.so", both, 2, result);
}
