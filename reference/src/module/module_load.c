// SPDX-License-Identifier: Apache-2.0
#include "module/module_load.h"

#include <stdlib.h>
#include <string.h>

#include "core/any.h"
#include "core/bytes.h"
#include "core/global.h"
#include "core/memory.h"
#include "core/raise.h"
#include "module/library.h"
#include "module/module.h"
#include "module/module_file.h"

//--------------------------------------------------------------------------------------------------
// Loaders
//--------------------------------------------------------------------------------------------------

// Loaders that are at work in this thread, one below the other. One that loads what it is called
// for would go on until the stack ends.
static _Thread_local int depth;
enum { MAX_DEPTH = 64 };

// Calls a loader, which must give a module.
// function: own. name: of the loader. out: own.
static int module_load_call(TVMFFIObject *function, const TVMFFIByteArray *name, TVMFFIAny *args,
                            int32_t num_args, TVMFFIObject **out)
{
  TVMFFIAny result = any_none();
  int code = -1;
  if (depth >= MAX_DEPTH) {
    raise_error("RuntimeError", raise_name(name).text, ": loaders load through loaders, ",
                raise_number(depth).text, " deep", NULL);
  } else {
    ++depth;
    code = TVMFFIFunctionCall(function, args, num_args, &result);
    --depth;
    if (code != 0) code = module_failed("", name);
  }
  object_release(function);
  if (code != 0) return -1;
  if (result.type_index == kTVMFFIModule && result.v_obj != NULL) {
    *out = result.v_obj;
    return 0;
  }
  any_release(&result);
  return raise_error("TypeError", raise_name(name).text,
                     " must give a Module, but gave a value of type index ",
                     raise_number(result.type_index).text, NULL);
}

// Finds a loader. Returns 0; -1 with InternalError if there is no memory.
// name: own, to be freed. function: own; NULL if there is none.
static int module_load_find(const char *prefix, const TVMFFIByteArray *suffix,
                            TVMFFIByteArray *name, TVMFFIObject **function)
{
  size_t size = strlen(prefix), whole = size;
  TVMFFIObjectHandle found = NULL;
  char *text = memory_add(&whole, suffix->size) ? malloc(whole) : NULL;
  if (text == NULL) return raise_out_of_memory();
  char *end = mempcpy(text, prefix, size);
  if (suffix->size != 0) memcpy(end, suffix->data, suffix->size);
  *name = (TVMFFIByteArray){text, whole};
  if (global_find(name, &found) != 0) {
    free(text);
    return -1;
  }
  *function = found;
  return 0;
}

int module_load_from_bytes(const char *name, size_t place, const TVMFFIByteArray *kind,
                           const TVMFFIByteArray *value, TVMFFIObject **out)
{
  TVMFFIByteArray loader;
  TVMFFIObject *function;
  TVMFFIAny bytes;
  if (module_load_find("ffi.Module.load_from_bytes.", kind, &loader, &function) != 0) return -1;
  int code = -1;
  if (function == NULL) {
    raise_error("RuntimeError", name, ": __tvm_ffi__library_bin, entry ",
                raise_number((int64_t)place).text, ": there is no loader for modules of kind `",
                raise_name(kind).text, "`: ", raise_name(&loader).text, " is not registered",
                NULL);  // BIN-16
  } else if (bytes_make_bytes(value->data, value->size, &bytes) != 0) {
    object_release(function);
  } else {
    code = module_load_call(function, &loader, &bytes, 1, out);
    any_release(&bytes);
  }
  free((char *)loader.data);
  return code;
}

//--------------------------------------------------------------------------------------------------
// Files
//--------------------------------------------------------------------------------------------------

// Libraries of other systems are loaded like those of this one (MOD-7).
static TVMFFIByteArray module_load_extension(const char *extension, size_t size)
{
  static const char *const others[] = {"dll", "dylib", "dso"};
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
    if (size == strlen(others[i]) && memcmp(extension, others[i], size) == 0) {
      return (TVMFFIByteArray){"so", 2};
    }
  }
  return (TVMFFIByteArray){extension, size};
}

static int module_load_by_extension(const TVMFFIByteArray *path, const TVMFFIByteArray *extension,
                                    TVMFFIObject **out)
{
  TVMFFIByteArray loader;
  TVMFFIObject *function;
  if (module_load_find("ffi.Module.load_from_file.", extension, &loader, &function) != 0) return -1;
  TVMFFIAny args[2] = {any_none(), any_none()};
  int code = -1;
  if (function == NULL) {
    raise_error("RuntimeError", "Loader for `.", raise_name(extension).text,
                "` is not registered: ", raise_name(path).text, " can't be loaded", NULL);  // MOD-9
  } else if (bytes_make_string(path->data, path->size, &args[0]) != 0 ||
             bytes_make_string(extension->data, extension->size, &args[1]) != 0) {
    object_release(function);
  } else {
    code = module_load_call(function, &loader, args, 2, out);
  }
  any_release(&args[0]);
  any_release(&args[1]);
  free((char *)loader.data);
  return code;
}

int module_load_from_file(const NativeCall *call)
{
  TVMFFIByteArray path = native_text(&call->args[0]);
  const char *dot = path.size == 0 ? NULL : memrchr(path.data, '.', path.size);
  TVMFFIObject *module;
  if (dot == NULL) {
    return raise_error("RuntimeError", "Failed to get file format of ", raise_name(&path).text,
                       ": its name has no extension", NULL);  // MOD-8
  }
  TVMFFIByteArray extension =
      module_load_extension(dot + 1, path.size - (size_t)(dot + 1 - path.data));
  if (module_load_by_extension(&path, &extension, &module) != 0) return -1;
  return native_give(call, any_object(module));
}

//--------------------------------------------------------------------------------------------------
// Libraries
//--------------------------------------------------------------------------------------------------

static int module_load_open(const char *path, TVMFFIObject **out)
{
  void *file = module_file_open(path);
  if (file == NULL) return -1;
  TVMFFIObject *library = library_new(file);
  if (library == NULL) return -1;
  int code = library_finish(library, path, out);
  object_release(library);
  return code;
}

int module_load_library(const NativeCall *call)
{
  TVMFFIByteArray path = native_text(&call->args[0]);
  TVMFFIObject *module;
  if (path.size != 0 && memchr(path.data, '\0', path.size) != NULL) {
    return native_fail(call, "InternalError", "no file has a NUL in its path");
  }
  char near[256], *text = path.size < sizeof near ? near : malloc(path.size + 1);
  if (text == NULL) return raise_out_of_memory();
  if (path.size != 0) memcpy(text, path.data, path.size);
  text[path.size] = '\0';
  int code = module_load_open(text, &module);
  if (text != near) free(text);
  return code != 0 ? -1 : native_give(call, any_object(module));
}
