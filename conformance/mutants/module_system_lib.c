// SPDX-License-Identifier: Apache-2.0
// Mutants of system libraries.
#include "mutants/loading.h"
#include "mutants/wrapped.h"

MUTANT_WRAP(MOD_58, prefix_in_front, system_lib_symbol,
            "the prefix of a system library stands before that of the functions")
{
  if (size > 10 && strncmp(name, "__tvm_ffi_", 10) == 0 && name[10] != '_') return NULL;
  return REAL(system_lib_symbol)(name, size);
}

MUTANT_REGISTERED(MOD_59, default_prefix, "ffi.SystemLib",
                  "without arguments the prefix is default_")
{
  TVMFFIAny prefix = {.type_index = kTVMFFIRawStr, .v_c_str = "default_"};
  return num_args == 0 ? ORIGINAL(&prefix, 1, result) : ORIGINAL(args, num_args, result);
}

MUTANT_REGISTERED(MOD_60, not_kept, "ffi.SystemLib",
                  "the runtime keeps no reference to the module of a prefix")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) TVMFFIObjectDecRef(result->v_obj);
  return status;
}

MUTANT_REGISTERED(MOD_60, one_for_all, "ffi.SystemLib", "all prefixes have the same module")
{
  static void *module;
  if (module) {
    *result = value_of_object(module);
    TVMFFIObjectIncRef(module);
    return 0;
  }
  int status = ORIGINAL(args, num_args, result);
  if (status != 0) return status;
  module = result->v_obj;
  TVMFFIObjectIncRef(module);
  return 0;
}

MUTANT_WRAP(MOD_61, prefixed_only, system_lib_symbol,
            "symbols without the prefix are not looked for")
{
  static char missed[256];
  if (size > 10 && size < strlen(missed) &&
      strcmp(missed + strlen(missed) - (size - 10), name + 10) == 0)
    return NULL;
  void *address = REAL(system_lib_symbol)(name, size);
  missed[0] = '\0';
  if (!address && size < sizeof missed) memcpy(missed, name, size + 1);
  return address;
}

static int asked;

MUTANT_REGISTERED(MOD_62, too_late, "ffi.SystemLib",
                  "symbols that are registered after a system library was asked for are not in it")
{
  asked = 1;
  return ORIGINAL(args, num_args, result);
}

ALSO(MOD_62, too_late, EnvModRegisterSystemLibSymbol)
{
  return asked ? 0 : REFERENCE(EnvModRegisterSystemLibSymbol)(name, symbol);
}

extern void *system_lib_symbol(const char *name, size_t size);

MUTANT(MOD_63, first_one_stays, EnvModRegisterSystemLibSymbol,
       "a symbol that is registered again keeps its address")
{
  if (system_lib_symbol(name, strlen(name))) return 0;
  return REFERENCE(EnvModRegisterSystemLibSymbol)(name, symbol);
}

MUTANT_WRAP(MOD_64, no_context, system_lib_symbol, "a system library has no context")
{
  if (ends_with(name, "__tvm_ffi__library_ctx")) return NULL;
  return REAL(system_lib_symbol)(name, size);
}

MUTANT_WRAP(MOD_64, context_or_modules, system_lib_symbol,
            "a system library with embedded modules has no context")
{
  static int embedded;
  void *address = REAL(system_lib_symbol)(name, size);
  if (ends_with(name, "__tvm_ffi__library_bin")) embedded = address != NULL;
  return embedded && ends_with(name, "__tvm_ffi__library_ctx") ? NULL : address;
}

MUTANT_WRAP(MOD_65, no_embedded_modules, system_lib_symbol,
            "a system library has no embedded modules")
{
  if (ends_with(name, "__tvm_ffi__library_bin")) return NULL;
  return REAL(system_lib_symbol)(name, size);
}
