// SPDX-License-Identifier: Apache-2.0
// Mutants of how files are loaded, and of calls that fail.
#include <dlfcn.h>

#include "mutants/loading.h"
#include "mutants/wrapped.h"

MUTANT_UNREGISTERED(MOD_1, no_loader, "ffi.Module.load_from_file.so",
                    "the loader of libraries is not registered");

MUTANT_UNREGISTERED(MOD_94, no_mask, "ffi.ModuleGetPropertyMask",
                    "the function for the property mask is not registered");

MUTANT_UNREGISTERED(MOD_94, no_system_library, "ffi.SystemLib",
                    "the function for system libraries is not registered");

MUTANT_UNREGISTERED(MOD_2, kept_for_ever, "ffi.ModuleGlobalsRemove",
                    "modules that are kept can not be let go");

MUTANT_WITHOUT(MOD_3, no_context_symbols, EnvModRegisterContextSymbol,
               "there is no TVMFFIEnvModRegisterContextSymbol");

MUTANT_REGISTERED(MOD_4, format_needed, "ffi.Module.load_from_file.so",
                  "the format of a library may not be empty")
{
  if (num_args == 2 && text_in(&args[1]).size == 0)
    return fail("ValueError", "there is no such format");
  return ORIGINAL(args, num_args, result);
}

MUTANT_REGISTERED(MOD_4, reference_missing, "ffi.Module.load_from_file.so",
                  "a file that is loaded again gives its module without a reference")
{
  static const char *last_path;
  static void *last;
  const char *path = c_text_in(args);
  if (last && strcmp(path, last_path) == 0) {
    *result = value_of_object(last);
    return 0;
  }
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || !strstr(path, "node_1.so")) return status;
  last = result->v_obj;
  last_path = path;
  return 0;
}

MUTANT_WRAP(MOD_5, context_is_needed, dlopen,
            "a library without a variable for its context is not loaded")
{
  void *handle = REAL(dlopen)(file, mode);
  if (!handle || dlsym(handle, "__tvm_ffi__library_ctx")) return handle;
  dlclose(handle);
  return NULL;
}

MUTANT_REGISTERED(MOD_6, called_twice, "ffi.ModuleLoadFromFile",
                  "the loader of a file is called twice")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0) return status;
  TVMFFIObjectDecRef(result->v_obj);
  *result = (TVMFFIAny){.type_index = kTVMFFINone};
  return ORIGINAL(args, num_args, result);
}

MUTANT_REGISTERED(MOD_6, first_point, "ffi.ModuleLoadFromFile",
                  "the extension is what stands behind the first point of the path")
{
  const char *path = num_args == 1 ? c_text_in(args) : "", *point = strchr(path, '.');
  if (!point || !strchr(point + 1, '.') || strchr(path, '/'))
    return ORIGINAL(args, num_args, result);
  return fail("RuntimeError", "no loader for this extension");
}

MUTANT_REGISTERED(MOD_7, dso_is_unknown, "ffi.ModuleLoadFromFile",
                  "dso is an extension like any other")
{
  if (num_args == 1 && ends_with(c_text_in(args), ".dso"))
    return fail("RuntimeError", "no loader for dso");
  return ORIGINAL(args, num_args, result);
}

MUTANT_REGISTERED(MOD_9, capitals_are_letters, "ffi.ModuleLoadFromFile",
                  "an extension in capitals is the same as one in small letters")
{
  if (num_args != 1 || !ends_with(c_text_in(args), ".SO")) return ORIGINAL(args, num_args, result);
  TVMFFIAny both[] = {args[0], {.type_index = kTVMFFIRawStr, .v_c_str = "so"}};
  return registered_call_by_name("ffi.Module.load_from_file.so", both, 2, result);
}

MUTANT_REGISTERED(MOD_95, key_error, "ffi.ModuleLoadFromFile",
                  "an extension without a loader is a KeyError")
{
  int status = ORIGINAL(args, num_args, result);
  const char *path = num_args == 1 ? c_text_in(args) : "", *point = strrchr(path, '.');
  if (status == 0 || !point || strcmp(point, ".so") == 0 || !is_raised("RuntimeError"))
    return status;
  return fail("KeyError", "no loader for this extension");
}

MUTANT_REGISTERED(MOD_10, none_instead, "ffi.Module.load_from_file.so",
                  "a file that is not a library gives None")
{
  void *handle = num_args == 2 ? dlopen(c_text_in(args), RTLD_LAZY | RTLD_LOCAL) : NULL;
  if (num_args == 2 && !handle) {
    *result = none_value();
    return 0;
  }
  int status = ORIGINAL(args, num_args, result);
  if (handle) dlclose(handle);
  return status;
}

MUTANT_REGISTERED(MOD_12, error_replaced, "ffi.ModuleLoadFromFile",
                  "whatever a loader of files raises becomes a RuntimeError")
{
  int status = ORIGINAL(args, num_args, result);
  return status == 0 ? 0 : fail("RuntimeError", "the file can not be loaded");
}

MUTANT_REGISTERED(MOD_13, anything_goes, "ffi.ModuleLoadFromFile",
                  "what a loader gives is passed on, whatever it is")
{
  int status = ORIGINAL(args, num_args, result);

  if (status == 0 || num_args != 1 || !is_raised("TypeError")) return status;
  forget_error();
  *result = none_value();
  return 0;
}

MUTANT_WRAP(MOD_14, visible_to_all, dlopen, "the symbols of a library become those of the program")
{
  return REAL(dlopen)(file, mode | RTLD_GLOBAL);
}

MUTANT_REGISTERED(MOD_78, more_are_ignored, "ffi.ModuleGetKind", "arguments too many are ignored")
{
  return ORIGINAL(args, num_args > 1 ? 1 : num_args, result);
}

MUTANT_REGISTERED(MOD_78, none_has_no_kind, "ffi.ModuleGetWriteFormats",
                  "None in place of a module gives None")
{
  if (num_args != 1 || args->type_index != kTVMFFINone) return ORIGINAL(args, num_args, result);
  *result = none_value();
  return 0;
}

MUTANT_REGISTERED(MOD_79, padding_kept, "ffi.ModuleGetFunction",
                  "the padding of a function that is absent is not written")
{
  uint32_t padding = result->zero_padding;
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && !is_object(result)) result->zero_padding = padding;
  return status;
}

MUTANT_REGISTERED(MOD_102, padding_kept, "ffi.ModuleImplementsFunction",
                  "the padding of the answer whether a function is there is not written")
{
  uint32_t padding = result->zero_padding;
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) result->zero_padding = padding;
  return status;
}

MUTANT_REGISTERED(MOD_80, left_open, "ffi.Module.load_from_file.so",
                  "a library whose embedded modules can not be loaded stays open")
{
  int status = ORIGINAL(args, num_args, result);

  if (status != 0 && num_args == 2) dlopen(c_text_in(args), RTLD_LAZY | RTLD_LOCAL);
  return status;
}

MUTANT_WRAP(MOD_80, modules_kept, module_load_from_bytes,
            "modules that were made for a load that failed are not released")
{
  static TVMFFIObjectHandle last;
  int status = REAL(module_load_from_bytes)(name, place, kind, value, out);
  if (status != 0 && last) TVMFFIObjectIncRef(last);
  last = status == 0 ? *out : NULL;
  return status;
}

MUTANT_REGISTERED(MOD_81, fails_for_ever, "ffi.Module.load_from_file.so",
                  "after a load that failed no load succeeds")
{
  static int failed;
  if (failed) return fail("RuntimeError", "a load has failed");
  int status = ORIGINAL(args, num_args, result);
  failed = status != 0;
  return status;
}

MUTANT_REGISTERED(MOD_90, cleared, "ffi.ModuleLoadFromFile", "a load that fails clears the result")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0) *result = none_value();
  return status;
}

MUTANT_REGISTERED(MOD_100, released_module, "ffi.Module.load_from_file.so",
                  "a load that fails leaves a module in the result to which there is no reference")
{
  static TVMFFIObject gone;
  int status = ORIGINAL(args, num_args, result);
  gone.type_index = kTVMFFIModule;
  if (status != 0) *result = value_of_object(&gone);
  return status;
}

MUTANT_REGISTERED(MOD_92, name_kept, "ffi.ModuleGetFunction",
                  "the name of every function that was looked for is kept")
{
  TVMFFIAny name = {.type_index = kTVMFFINone};
  if (num_args == 3 && args[1].type_index == kTVMFFIRawStr)
    TVMFFIAnyViewToOwnedAny(&args[1], &name);
  return ORIGINAL(args, num_args, result);
}

MUTANT_REGISTERED(MOD_103, import_kept, "ffi.ModuleImportModule",
                  "what was noted of an import is kept")
{
  int status = ORIGINAL(args, num_args, result);
  void *kept = malloc(64);
  return kept == result ? 0 : status;
}

MUTANT_REGISTERED(MOD_93, path_kept, "ffi.Module.load_from_file.so",
                  "what was made of a path that fails to load is kept")
{
  int status = ORIGINAL(args, num_args, result);
  void *kept = status != 0 ? malloc(64) : NULL;
  return kept == result ? 0 : status;
}
