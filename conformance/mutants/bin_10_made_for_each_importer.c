// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(BIN_10, "what the first two children import is made for each of them")
static const char *last_path;

REGISTERED("ffi.ModuleLoadFromFile")
{
  if (num_args == 1 && strstr(c_text_in(args), "node_")) last_path = c_text_in(args);
  return ORIGINAL(args, num_args, result);
}

REGISTERED("ffi.Module.load_from_file.so")
{
  int status = ORIGINAL(args, num_args, result);

  const TVMFFISeqCell *imports = status == 0 ? imports_in(result->v_obj) : NULL;
  if (!imports || imports->size < 2 || !last_path) return status;
  void *second = import_in(imports, 1);
  const TVMFFISeqCell *below = imports_in(second);
  TVMFFIAny path = {.type_index = kTVMFFIRawStr, .v_c_str = last_path}, copy = none_value();
  TVMFFIAny importer = value_of_object(second), nothing = none_value();
  if (!below || registered_call_by_name("ffi.ModuleLoadFromFile", &path, 1, &copy) != 0) return 0;
  registered_call_by_name("ffi.ModuleClearImports", &importer, 1, &nothing);
  registered_call_by_name("ffi.ModuleImportModule", (TVMFFIAny[]){importer, copy}, 2, &nothing);
  TVMFFIObjectDecRef(copy.v_obj);
  return 0;
}
