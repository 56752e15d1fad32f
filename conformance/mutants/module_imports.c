// SPDX-License-Identifier: Apache-2.0
// Mutants of imports.
#include "mutants/loading.h"

MUTANT_REGISTERED(MOD_33, imports_not_asked, "ffi.ModuleGetFunction",
                  "imports are not asked for a function")
{
  TVMFFIAny changed[3];
  if (num_args != 3) return ORIGINAL(args, num_args, result);
  memcpy(changed, args, sizeof changed);
  changed[2].v_int64 = 0;
  return ORIGINAL(changed, 3, result);
}

MUTANT_REGISTERED(MOD_34, imports_always_asked, "ffi.ModuleGetFunction",
                  "imports are asked whether they should be or not")
{
  TVMFFIAny changed[3];
  if (num_args != 3) return ORIGINAL(args, num_args, result);
  memcpy(changed, args, sizeof changed);
  changed[2].v_int64 = 1;
  return ORIGINAL(changed, 3, result);
}

MUTANT_REGISTERED(MOD_35, imports_first, "ffi.ModuleGetFunction",
                  "imports are asked before the module itself")
{
  const TVMFFISeqCell *imports = num_args == 3 && is_object(args) ? imports_in(args->v_obj) : NULL;
  for (int64_t i = 0; imports && args[2].v_int64 && i < imports->size; ++i) {
    void *function = function_in(import_in(imports, i), args[1], 1);
    if (!function) continue;
    *result = value_of_object(function);
    return 0;
  }
  return ORIGINAL(args, num_args, result);
}

MUTANT_REGISTERED(MOD_36, last_import_first, "ffi.ModuleGetFunction",
                  "the last import is asked first")
{
  TVMFFIAny own[3];
  if (num_args != 3 || !args[2].v_int64) return ORIGINAL(args, num_args, result);
  memcpy(own, args, sizeof own);
  own[2].v_int64 = 0;
  int status = ORIGINAL(own, 3, result);
  if (status != 0 || is_object(result)) return status;
  const TVMFFISeqCell *imports = imports_in(args->v_obj);
  for (int64_t i = imports ? imports->size : 0; i-- > 0;) {
    void *function = function_in(import_in(imports, i), args[1], 1);
    if (!function) continue;
    *result = value_of_object(function);
    return 0;
  }
  return 0;
}

MUTANT_REGISTERED(MOD_37, global_functions, "ffi.ModuleGetFunction",
                  "behind the imports come the global functions")
{
  int status = ORIGINAL(args, num_args, result);

  TVMFFIObjectHandle function = NULL;
  TVMFFIByteArray name = num_args == 3 ? text_in(&args[1]) : (TVMFFIByteArray){"", 0};
  if (status != 0 || is_object(result) || TVMFFIFunctionGetGlobal(&name, &function) != 0)
    return status;
  if (function) *result = value_of_object(function);
  return 0;
}

MUTANT_REGISTERED(MOD_38, only_once, "ffi.ModuleImportModule", "a module can be imported only once")
{
  const TVMFFISeqCell *imports = num_args == 2 && is_object(args) ? imports_in(args->v_obj) : NULL;
  for (int64_t i = 0; imports && i < imports->size; ++i)
    if (import_in(imports, i) == args[1].v_obj)
      return fail("RuntimeError", "it is imported already");
  return ORIGINAL(args, num_args, result);
}

MUTANT_REGISTERED(MOD_39, itself_only, "ffi.ModuleImportModule",
                  "only a module that would import itself at once is refused")
{
  int status = ORIGINAL(args, num_args, result);

  if (status == 0 || !is_raised("RuntimeError") || args[0].v_obj == args[1].v_obj) return status;
  forget_error();
  return 0;
}

MUTANT_REGISTERED(MOD_39, value_error, "ffi.ModuleImportModule",
                  "a circle of imports is a ValueError")
{
  int status = ORIGINAL(args, num_args, result);

  return status && is_raised("RuntimeError") ? fail("ValueError", "a circle") : status;
}

MUTANT_REGISTERED(MOD_40, last_one_stays, "ffi.ModuleClearImports",
                  "the last import is not cleared")
{
  const TVMFFISeqCell *imports = num_args == 1 && is_object(args) ? imports_in(args->v_obj) : NULL;
  void *last = imports ? import_in(imports, imports->size - 1) : NULL;
  if (last) TVMFFIObjectIncRef(last);
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || !last) return status;
  TVMFFIAny both[] = {args[0], value_of_object(last)};
  registered_call_by_name("ffi.ModuleImportModule", both, 2, result);
  TVMFFIObjectDecRef(last);
  return 0;
}

MUTANT_REGISTERED(MOD_40, not_released, "ffi.ModuleClearImports",
                  "imports that are cleared are not released")
{
  const TVMFFISeqCell *imports = num_args == 1 && is_object(args) ? imports_in(args->v_obj) : NULL;
  for (int64_t i = 0; imports && i < imports->size; ++i) TVMFFIObjectIncRef(import_in(imports, i));
  return ORIGINAL(args, num_args, result);
}

MUTANT_REGISTERED(MOD_41, borrowed, "ffi.ModuleImportModule", "a module borrows what it imports")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) TVMFFIObjectDecRef(args[1].v_obj);
  return status;
}
