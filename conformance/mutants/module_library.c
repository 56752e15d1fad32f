// SPDX-License-Identifier: Apache-2.0
// Mutants of the module of a library and its functions.
#include <dlfcn.h>

#include "mutants/loading.h"
#include "mutants/wrapped.h"

MUTANT_REGISTERED(MOD_17, kind_is_so, "ffi.ModuleGetKind", "the kind of a library is so")
{
  int status = ORIGINAL(args, num_args, result);

  if (status == 0) memcpy(result->v_bytes, "so\0\0\0\0\0", 7), result->small_str_len = 2;
  return status;
}

MUTANT_REGISTERED(MOD_18, can_be_written, "ffi.ModuleGetPropertyMask",
                  "a library says that it can be written to a file")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) result->v_int64 |= 4;
  return status;
}

MUTANT_REGISTERED(MOD_18, can_not_be_run, "ffi.ModuleGetPropertyMask",
                  "a library does not say that it can be run")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) result->v_int64 &= ~2;
  return status;
}

MUTANT_REGISTERED(MOD_19, source_is_none, "ffi.ModuleInspectSource",
                  "the source of a library is None")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) *result = none_value();
  return status;
}

MUTANT_REGISTERED(MOD_20, written_as_so, "ffi.ModuleGetWriteFormats",
                  "a library says that it can be written as so")
{
  int status = ORIGINAL(args, num_args, result);

  if (status != 0) return status;
  TVMFFIAny format = {.type_index = kTVMFFIRawStr, .v_c_str = "so"};
  TVMFFIObjectDecRef(result->v_obj);
  *result = none_value();
  return registered_call_by_name("ffi.Array", &format, 1, result);
}

MUTANT_REGISTERED(MOD_21, not_implemented, "ffi.ModuleWriteToFile",
                  "writing a library is a NotImplementedError")
{
  int status = ORIGINAL(args, num_args, result);
  return status == 0 ? 0 : fail("NotImplementedError", "a library can not be written");
}

MUTANT_REGISTERED(MOD_22, reference_missing, "ffi.ModuleGetFunction",
                  "a function that was looked up comes without a reference")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && is_object(result)) TVMFFIObjectDecRef(result->v_obj);
  return status;
}

MUTANT_REGISTERED(MOD_23, absent_is_an_error, "ffi.ModuleGetFunction",
                  "a function that is absent is a RuntimeError")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || is_object(result)) return status;
  return fail("RuntimeError", "the module has no such function");
}

MUTANT_WRAP(MOD_24, bare_symbols, dlsym,
            "where there is no symbol with the prefix, one without is a function")
{
  void *address = REAL(dlsym)(handle, symbol);
  if (address || strncmp(symbol, "__tvm_ffi_", 10) != 0) return address;
  return REAL(dlsym)(handle, symbol + 10);
}

MUTANT_REGISTERED(MOD_26, underscores_are_reserved, "ffi.ModuleGetFunction",
                  "no name that begins with an underscore is a function")
{
  if (num_args == 3 && text_in(&args[1]).size && text_in(&args[1]).data[0] == '_') {
    *result = none_value();
    return 0;
  }
  return ORIGINAL(args, num_args, result);
}

MUTANT_REGISTERED(MOD_29, always, "ffi.ModuleImplementsFunction", "a module implements everything")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) result->v_int64 = 1;
  return status;
}

MUTANT_REGISTERED(MOD_29, own_functions_only, "ffi.ModuleImplementsFunction",
                  "a module implements only what it has itself")
{
  TVMFFIAny changed[3];
  if (num_args != 3) return ORIGINAL(args, num_args, result);
  memcpy(changed, args, sizeof changed);
  changed[2].v_int64 = 0;
  return ORIGINAL(changed, 3, result);
}

MUTANT_REGISTERED(MOD_30, no_objects, "ffi.ModuleGetFunction",
                  "a name must be a raw string or a small one")
{
  if (num_args == 3 && args[1].type_index == kTVMFFIStr)
    return fail("TypeError", "the name is not a string");
  return ORIGINAL(args, num_args, result);
}

MUTANT_REGISTERED(MOD_101, no_objects, "ffi.ModuleImplementsFunction",
                  "a name that is asked about must be a raw string or a small one")
{
  if (num_args == 3 && args[1].type_index == kTVMFFIStr)
    return fail("TypeError", "the name is not a string");
  return ORIGINAL(args, num_args, result);
}

static int call_with_less(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  return registered_call(self, args, num_args ? num_args - 1 : 0, result);
}

MUTANT_REGISTERED(MOD_31, arguments_copied, "ffi.ModuleGetFunction",
                  "the last argument is not passed on")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) put_before(result, call_with_less);
  return status;
}

static int call_twice(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  int status = registered_call(self, args, num_args, result);
  return status ? status : registered_call(self, args, num_args, result);
}

MUTANT_REGISTERED(MOD_31, called_twice, "ffi.ModuleGetFunction",
                  "a function of a library is called twice")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) put_before(result, call_twice);
  return status;
}

static void *found_symbol;

MUTANT_WRAP(MOD_99, function_as_handle, dlsym,
            "a function of a library is called with its function object as handle")
{
  void *address = REAL(dlsym)(handle, symbol);
  if (address) found_symbol = address;
  return address;
}

ALSO_REGISTERED(MOD_99, function_as_handle, "ffi.ModuleGetFunction")
{
  TVMFFISafeCallType call;
  found_symbol = NULL;
  int status = ORIGINAL(args, num_args, result);
  memcpy(&call, &found_symbol, sizeof call);
  if (status == 0 && call) put_before(result, call);
  return status;
}

static int call_and_replace(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  int status = registered_call(self, args, num_args, result);
  return status == 0 ? 0 : fail("RuntimeError", "the kernel failed");
}

MUTANT_REGISTERED(MOD_32, error_replaced, "ffi.ModuleGetFunction",
                  "whatever a function of a library raises becomes a RuntimeError")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) put_before(result, call_and_replace);
  return status;
}
