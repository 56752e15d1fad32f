// SPDX-License-Identifier: Apache-2.0
// Mutants of the context of a library and its symbols.
#include "mutants/loading.h"
#include "mutants/wrapped.h"

MUTANT_WRAP(MOD_44, no_context, module_context_set, "a library is not given its context")
{
}

MUTANT(MOD_45, first_hand_only, EnvModLookupFromImports,
       "generated code does not find what its imports import")
{
  TVMFFIAny text = {.type_index = kTVMFFIRawStr, .v_c_str = func_name};
  const TVMFFISeqCell *imports =
      library_ctx && func_name ? imports_in(module_of_context(library_ctx)) : NULL;
  for (int64_t i = 0; imports && i < imports->size; ++i) {
    void *function = function_in(import_in(imports, i), text, 0);
    if (!function) continue;
    *out = function;
    return 0;
  }
  return imports ? fail("RuntimeError", "nowhere")
                 : REFERENCE(EnvModLookupFromImports)(library_ctx, func_name, out);
}

MUTANT(MOD_36, last_import_first_for_code, EnvModLookupFromImports,
       "generated code finds what the last import has")
{
  TVMFFIAny text = {.type_index = kTVMFFIRawStr, .v_c_str = func_name};
  const TVMFFISeqCell *imports =
      library_ctx && func_name ? imports_in(module_of_context(library_ctx)) : NULL;
  for (int64_t i = imports ? imports->size : 0; i-- > 0;) {
    void *function = function_in(import_in(imports, i), text, 1);
    if (!function) continue;
    *out = function;
    return 0;
  }
  return REFERENCE(EnvModLookupFromImports)(library_ctx, func_name, out);
}

MUTANT(MOD_98, global_functions_first, EnvModLookupFromImports,
       "generated code finds a global function before those of imports")
{
  TVMFFIObjectHandle function = NULL;
  TVMFFIByteArray text = {func_name, func_name ? strlen(func_name) : 0};
  if (func_name && TVMFFIFunctionGetGlobal(&text, &function) == 0 && function) {
    *out = function;
    return 0;
  }
  return REFERENCE(EnvModLookupFromImports)(library_ctx, func_name, out);
}

MUTANT(MOD_46, no_global_functions, EnvModLookupFromImports,
       "generated code does not find global functions")
{
  TVMFFIObjectHandle function = NULL;
  TVMFFIByteArray text = {func_name, func_name ? strlen(func_name) : 0};
  int status = REFERENCE(EnvModLookupFromImports)(library_ctx, func_name, out);
  if (status != 0 || TVMFFIFunctionGetGlobal(&text, &function) != 0) return status;
  return function && function == *out ? fail("RuntimeError", "no import has it") : 0;
}

MUTANT(MOD_47, own_functions_first, EnvModLookupFromImports,
       "generated code finds the functions of its own library")
{
  TVMFFIAny text = {.type_index = kTVMFFIRawStr, .v_c_str = func_name};
  void *function =
      library_ctx && func_name ? function_in(module_of_context(library_ctx), text, 0) : NULL;
  if (!function) return REFERENCE(EnvModLookupFromImports)(library_ctx, func_name, out);
  *out = function;
  return 0;
}

MUTANT(MOD_48, null_instead, EnvModLookupFromImports,
       "generated code gets NULL for a function that is nowhere")
{
  int status = REFERENCE(EnvModLookupFromImports)(library_ctx, func_name, out);
  if (status == 0 || !library_ctx || !func_name) return status;
  forget_error();
  *out = NULL;
  return 0;
}

MUTANT(MOD_96, key_error, EnvModLookupFromImports, "a function that is nowhere is a KeyError")
{
  int status = REFERENCE(EnvModLookupFromImports)(library_ctx, func_name, out);
  if (status == 0 || !is_raised("RuntimeError")) return status;
  return fail("KeyError", "no import has it");
}

MUTANT(MOD_97, output_cleared, EnvModLookupFromImports, "a look-up that fails writes NULL")
{
  if (out) *out = NULL;
  return REFERENCE(EnvModLookupFromImports)(library_ctx, func_name, out);
}

MUTANT(MOD_49, reference_given, EnvModLookupFromImports,
       "each look-up of generated code gives a reference")
{
  int status = REFERENCE(EnvModLookupFromImports)(library_ctx, func_name, out);
  if (status == 0) TVMFFIObjectIncRef(*out);
  return status;
}

MUTANT(MOD_50, absence_is_remembered, EnvModLookupFromImports,
       "a name that was not found once is never found")
{
  static char absent[64];
  if (func_name && absent[0] && strcmp(func_name, absent) == 0)
    return fail("RuntimeError", "not found");
  int status = REFERENCE(EnvModLookupFromImports)(library_ctx, func_name, out);
  if (status != 0 && func_name && strlen(func_name) < sizeof absent) strcpy(absent, func_name);
  return status;
}

MUTANT_WRAP(MOD_54, not_filled_in, module_context_fill_symbols, "context symbols are not filled in")
{
}

MUTANT_WRAP(MOD_54, once_only, module_context_fill_symbols,
            "a context symbol is filled in by the first load only")
{
  static int filled;
  if (!filled++) REAL(module_context_fill_symbols)(library);
}

static const void *waiting;

MUTANT_WRAP(MOD_55, filled_in_late, module_context_fill_symbols,
            "context symbols are filled in when the embedded modules are there")
{
  waiting = library;
}

ALSO_REGISTERED(MOD_55, filled_in_late, "ffi.Module.load_from_file.so")
{
  int status = ORIGINAL(args, num_args, result);
  const void *library = waiting;
  waiting = NULL;
  if (status == 0 && library) REAL(module_context_fill_symbols)(library);
  return status;
}

MUTANT(MOD_57, first_one_stays, EnvModRegisterContextSymbol,
       "a context symbol keeps its first address")
{
  static char known[8][64];
  for (int i = 0; i < 8; ++i) {
    if (strcmp(known[i], name) == 0) return 0;
    if (known[i][0] || strlen(name) >= sizeof known[i]) continue;
    strcpy(known[i], name);
    break;
  }
  return REFERENCE(EnvModRegisterContextSymbol)(name, symbol);
}

static struct {
  const char *name;
  void *symbol;
} borrowed[8];

MUTANT(MOD_104, names_borrowed, EnvModRegisterContextSymbol,
       "the names of context symbols are read when a library is loaded")
{
  for (int i = 0; i < 8; ++i) {
    if (borrowed[i].name) continue;
    borrowed[i].name = name;
    borrowed[i].symbol = symbol;
    break;
  }
  return 0;
}

ALSO_WRAP(MOD_104, names_borrowed, module_context_fill_symbols)
{
  for (int i = 0; i < 8 && borrowed[i].name; ++i)
    REFERENCE(EnvModRegisterContextSymbol)(borrowed[i].name, borrowed[i].symbol);
  REAL(module_context_fill_symbols)(library);
}
