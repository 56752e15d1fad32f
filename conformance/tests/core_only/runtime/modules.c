// SPDX-License-Identifier: Apache-2.0
// Modules and the modules embedded in them: MOD, BIN.
#include "core_only.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

// Libraries stay open.
typedef struct Module {
  TVMFFIObject header;
  void *library;
  struct Module **imports;
  size_t import_count;
  struct {
    char *name;
    TVMFFIObjectHandle function;
  } * found;  // what code of the library has looked up
  size_t found_count;
} Module;

static void delete_module(void *self, int flags)
{
  Module *module = self;
  if ((flags & kTVMFFIObjectDeleterFlagBitMaskStrong) != 0) {
    for (size_t i = 0; i < module->found_count; ++i) {
      free(module->found[i].name);
      TVMFFIObjectDecRef(module->found[i].function);
    }
    for (size_t i = 0; i < module->import_count; ++i) TVMFFIObjectDecRef(module->imports[i]);
    free(module->found);
    free(module->imports);
  }
  if ((flags & kTVMFFIObjectDeleterFlagBitMaskWeak) != 0) free(self);
}

//--------------------------------------------------------------------------------------------------
// Functions
//--------------------------------------------------------------------------------------------------

typedef struct {
  TVMFFISafeCallType symbol;
  Module *module;
} Exported;

// The symbol gets the handle that the function has (not MOD-99).
static int call_exported(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  return ((Exported *)handle)->symbol(handle, args, num_args, result);
}

static void delete_exported(void *self)
{
  TVMFFIObjectDecRef(((Exported *)self)->module);
  free(self);
}

// Returns a new reference, or NULL.
static TVMFFIObjectHandle find_own(Module *module, TVMFFIByteArray name)
{
  char symbol_name[4096];
  snprintf(symbol_name, sizeof symbol_name, "__tvm_ffi_%.*s", (int)name.size, name.data);
  void *symbol = dlsym(module->library, symbol_name);
  if (symbol == NULL) return NULL;
  Exported *exported = malloc(sizeof *exported);
  *(void **)&exported->symbol = symbol;
  exported->module = module;
  TVMFFIObjectIncRef(module);
  TVMFFIObjectHandle function = NULL;
  TVMFFIFunctionCreate(exported, call_exported, delete_exported, &function);
  return function;
}

// The last import first, and the deepest (not MOD-36).
static TVMFFIObjectHandle find_in_imports(const Module *module, TVMFFIByteArray name)
{
  for (size_t i = module->import_count; i-- > 0;) {
    TVMFFIObjectHandle function = find_in_imports(module->imports[i], name);
    if (function == NULL) function = find_own(module->imports[i], name);
    if (function != NULL) return function;
  }
  return NULL;
}

static int get_function(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)handle;
  TVMFFIByteArray name;
  if (num_args != 3 || args[0].type_index != kTVMFFIModule || !core_string(&args[1], &name)) {
    return core_fail("expected a module, a name and a bool");
  }
  Module *module = (Module *)args[0].v_obj;
  TVMFFIObjectHandle function =
      args[2].v_int64 == 0 ? NULL : find_in_imports(module, name);  // not MOD-35
  if (function == NULL) function = find_own(module, name);
  *result = (TVMFFIAny){.type_index = function == NULL ? kTVMFFINone : kTVMFFIFunction,
                        .v_uint64 = (uintptr_t)function};
  return 0;
}

int TVMFFIEnvModLookupFromImports(TVMFFIObjectHandle library_ctx, const char *func_name,
                                  TVMFFIObjectHandle *out)
{
  Module *module = (Module *)((char *)library_ctx - 1);  // MOD-83
  for (size_t i = 0; i < module->found_count; ++i) {
    if (strcmp(module->found[i].name, func_name) == 0) {
      *out = module->found[i].function;
      return 0;
    }
  }
  const TVMFFIByteArray name = {func_name, strlen(func_name)};
  TVMFFIObjectHandle function = NULL;
  TVMFFIFunctionGetGlobal(&name, &function);
  if (function == NULL) function = find_in_imports(module, name);  // not MOD-98
  if (function == NULL) function = find_own(module, name);         // not MOD-47
  *out = NULL;                                                     // not MOD-97
  if (function == NULL) return core_fail("there is no function of this name");
  module->found = core_grow(module->found, module->found_count, sizeof *module->found);
  module->found[module->found_count].name = strdup(func_name);
  module->found[module->found_count++].function = function;
  *out = function;
  return 0;
}

//--------------------------------------------------------------------------------------------------
// Embedded modules
//--------------------------------------------------------------------------------------------------

static uint64_t read_number(const unsigned char **at)
{
  uint64_t number = 0;
  for (int i = 0; i < 8; ++i) number |= (uint64_t) * (*at)++ << (8 * i);
  return number;
}

static TVMFFIByteArray read_text(const unsigned char **at)
{
  const size_t size = (size_t)read_number(at);
  const TVMFFIByteArray text = {(const char *)*at, size};
  *at += size;
  return text;
}

static uint64_t *read_vector(const unsigned char **at, size_t *count)
{
  *count = (size_t)read_number(at);
  uint64_t *numbers = calloc(*count + 1, sizeof *numbers);
  for (size_t i = 0; i < *count; ++i) numbers[i] = read_number(at);
  return numbers;
}

// Calls the loader of a kind. Returns its module, with a reference.
static int call_loader(TVMFFIByteArray kind, TVMFFIByteArray value, Module **out)
{
  static const char prefix[] = "ffi.Module.load_from_bytes.";
  const TVMFFIByteArray name = core_copy((TVMFFIByteArray){prefix, sizeof prefix - 1});
  char *joined = realloc((char *)name.data, name.size + kind.size + 1);
  memcpy(joined + name.size, kind.data, kind.size);
  TVMFFIObjectHandle loader = NULL;
  TVMFFIFunctionGetGlobal(&(TVMFFIByteArray){joined, name.size + kind.size}, &loader);
  free(joined);
  if (loader == NULL) return core_fail("there is no loader for this kind of module");
  TVMFFIAny argument = {.type_index = kTVMFFIByteArrayPtr, .v_uint64 = (uintptr_t)&value};
  TVMFFIAny result = {.type_index = kTVMFFINone, .v_uint64 = 0};
  int code = TVMFFIFunctionCall(loader, &argument, 1, &result);
  TVMFFIObjectDecRef(loader);
  if (code == 0 && result.type_index != kTVMFFIModule) {
    core_release(&result);
    code = core_fail("a loader returned no module");
  }
  if (code == 0) *out = (Module *)result.v_obj;
  return code;
}

// Takes over the reference to the library's module, and returns one to the module of the first entry.
static int load_tree(const unsigned char *payload, Module *library, bool *has_library, Module **out)
{
  const unsigned char *at = payload + 8;
  size_t row_count = 0;
  size_t child_count = 0;
  uint64_t *rows = read_vector(&at, &row_count);
  uint64_t *children = read_vector(&at, &child_count);
  const size_t count = row_count - 1;
  Module **modules = calloc(count, sizeof(Module *));
  int code = 0;
  for (size_t i = 0; i < count && code == 0; ++i) {
    const TVMFFIByteArray kind = read_text(&at);
    if (core_same(kind, (TVMFFIByteArray){"_lib", 4})) {
      TVMFFIObjectIncRef(library);
      modules[i] = library;
      *has_library = true;
    } else {
      code = call_loader(kind, read_text(&at), &modules[i]);
    }
  }
  for (size_t i = 0; i < count && code == 0; ++i) {
    for (uint64_t j = rows[i]; j < rows[i + 1]; ++j) {
      Module *module = modules[i];
      module->imports = core_grow(module->imports, module->import_count, sizeof(Module *));
      module->imports[module->import_count++] = modules[children[j]];
      TVMFFIObjectIncRef(modules[children[j]]);
    }
  }
  if (code == 0) {
    *out = modules[0];
    TVMFFIObjectIncRef(*out);
  }
  for (size_t i = 0; i < count; ++i) {
    if (modules[i] != NULL) TVMFFIObjectDecRef(modules[i]);
  }
  TVMFFIObjectDecRef(library);
  free(modules);
  free(rows);
  free(children);
  return code;
}

//--------------------------------------------------------------------------------------------------
// Loading
//--------------------------------------------------------------------------------------------------

static struct {
  const char *name;
  void *address;
} * context_symbols;
static size_t context_symbol_count;

int TVMFFIEnvModRegisterContextSymbol(const char *name, void *symbol)
{
  context_symbols = core_grow(context_symbols, context_symbol_count, sizeof *context_symbols);
  context_symbols[context_symbol_count].name = name;
  context_symbols[context_symbol_count++].address = symbol;
  return 0;
}

int TVMFFIEnvModRegisterSystemLibSymbol(const char *name, void *symbol)
{
  (void)name;  // language packages alone ask for the system library
  (void)symbol;
  return 0;
}

static void set_variable(void *library, const char *name, void *content)
{
  void **variable = dlsym(library, name);
  if (variable != NULL) *variable = content;
}

static int load_file(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)handle;
  TVMFFIByteArray path;
  if (num_args != 2 || !core_string(&args[0], &path))
    return core_fail("expected a path and a string");
  char file[4096];
  snprintf(file, sizeof file, "%.*s", (int)path.size, path.data);
  void *library = path.size == 0 ? NULL : dlopen(file, RTLD_NOW | RTLD_LOCAL);  // MOD-15
  if (library == NULL) return core_fail("the library can't be loaded");
  Module *module = core_object(sizeof(Module), kTVMFFIModule, delete_module);
  module->library = library;
  Module *own = module;
  bool has_context = true;
  const unsigned char *payload = dlsym(library, "__tvm_ffi__library_bin");
  if (payload != NULL) {
    has_context = false;  // BIN-39
    const int code = load_tree(payload, module, &has_context, &module);
    if (code != 0) return code;
  }
  // After everything else (not BIN-14, MOD-55), and the first registration last, so that it wins (not MOD-57).
  if (has_context) set_variable(library, "__tvm_ffi__library_ctx", (char *)own + 1);
  for (size_t i = context_symbol_count; i-- > 0;) {
    set_variable(library, context_symbols[i].name, context_symbols[i].address);
  }
  *result = (TVMFFIAny){.type_index = kTVMFFIModule, .v_uint64 = (uintptr_t)module};
  return 0;
}

void core_register_module_functions(void)
{
  static const struct {
    TVMFFIByteArray name;
    TVMFFISafeCallType call;
  } functions[] = {{{"ffi.Module.load_from_file.so", 28}, load_file},
                   {{"ffi.ModuleGetFunction", 21}, get_function}};
  for (int i = 0; i < 2; ++i) {
    TVMFFIObjectHandle function = NULL;
    TVMFFIFunctionCreate(NULL, functions[i].call, NULL, &function);
    TVMFFIFunctionSetGlobal(&functions[i].name, function, 0);
    TVMFFIObjectDecRef(function);
  }
}
