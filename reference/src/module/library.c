// SPDX-License-Identifier: Apache-2.0
#include "module/library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/any.h"
#include "core/bytes.h"
#include "core/functor.h"
#include "core/memory.h"
#include "core/nest.h"
#include "core/raise.h"
#include "core/thread.h"
#include "loaded/loaded.h"
#include "module/module.h"
#include "module/module_context.h"
#include "module/module_tree.h"
#include "module/system_lib.h"
#include "native/native.h"

//--------------------------------------------------------------------------------------------------
// Symbols
//--------------------------------------------------------------------------------------------------

#define FUNCTION_PREFIX "__tvm_ffi_"

// A symbol to look for: up to three texts, one behind the other.
typedef struct {
  TVMFFIByteArray parts[3];
} LibrarySymbol;

#define PART(literal)              \
  {                                \
    (literal), sizeof(literal) - 1 \
  }

// Finds a symbol. Returns 0; -1 with InternalError if there is no memory for its name.
// address: NULL if there is none.
static int library_symbol(const Library *library, const LibrarySymbol *symbol, void **address)
{
  char near[256], *name = near;
  size_t size = 1;
  for (int i = 0; i < 3; ++i) {
    if (!memory_add(&size, symbol->parts[i].size)) return raise_out_of_memory();
  }
  if (size > sizeof near && (name = malloc(size)) == NULL) return raise_out_of_memory();
  char *end = name;
  for (int i = 0; i < 3; ++i) {
    if (symbol->parts[i].size != 0)
      end = mempcpy(end, symbol->parts[i].data, symbol->parts[i].size);
  }
  *end = '\0';
  *address = library->file != NULL ? dlsym(library->file, name) : system_lib_symbol(name, size - 1);
  if (name != near) free(name);
  return 0;
}

// Finds a symbol in which a name follows a prefix that all libraries have in common.
//
// In the system library the library's own prefix stands between both for functions, in front of
// both for all else, and may be missing (MOD-58, MOD-61, MOD-64).
static int library_find(const Library *library, const TVMFFIByteArray *infix,
                        const TVMFFIByteArray *name, bool is_function, void **address)
{
  const TVMFFIByteArray own = {library->prefix, library->prefix_size};
  if (own.size != 0) {
    LibrarySymbol symbol = {{own, *infix, *name}};
    if (is_function) symbol = (LibrarySymbol){{*infix, own, *name}};
    if (library_symbol(library, &symbol, address) != 0) return -1;
    if (*address != NULL) return 0;
  }
  return library_symbol(library, &(LibrarySymbol){{*infix, *name}}, address);
}

void *library_data(const Library *library, const char *symbol)
{
  if (library->file != NULL) return dlsym(library->file, symbol);
  void *address = NULL;
  const TVMFFIByteArray name = {symbol, strlen(symbol)}, none = {"", 0};
  if (library_find(library, &none, &name, false, &address) == 0) return address;
  TVMFFIObject *error = thread_take_raised();
  if (error != NULL) object_release(error);
  return NULL;
}

static bool library_begins(const TVMFFIByteArray *name, const char *start)
{
  size_t size = strlen(start);
  return name->size >= size && memcmp(name->data, start, size) == 0;
}

// Tells whether a name leads to something that is no function: what loaders read has two
// underscores (MOD-27).
static bool library_is_reserved(const TVMFFIByteArray *name)
{
  static const char *const whole[] = {"_library_ctx", "_library_bin"};
  static const char *const starts[] = {"_metadata_", "_doc_", "_cubin_"};
  for (size_t i = 0; i < sizeof whole / sizeof *whole; ++i) {
    if (name->size == strlen(whole[i]) && library_begins(name, whole[i])) return true;
  }
  for (size_t i = 0; i < sizeof starts / sizeof *starts; ++i) {
    if (library_begins(name, starts[i])) return true;
  }
  return false;
}

// Tells whether there can be a function of this name (MOD-28).
static bool library_is_name(const TVMFFIByteArray *name)
{
  if (name->size == 0) return true;
  if (memchr(name->data, '\0', name->size) != NULL) return false;
  return name->data[0] != '_' || !library_is_reserved(name);
}

//--------------------------------------------------------------------------------------------------
// Where the library is
//--------------------------------------------------------------------------------------------------

bool library_contains(const Library *library, const void *address)
{
  return loaded_contains(library->file, address);
}

void library_keep(Library *library)
{
  __atomic_store_n(&library->kept, true, __ATOMIC_RELAXED);
}

//--------------------------------------------------------------------------------------------------
// Calls
//--------------------------------------------------------------------------------------------------

static Library *library_called(const Functor *function)
{
  return ((ModuleOwn *)module_of(function->held))->self;
}

// Tells whether an object needs nothing but this runtime to end. Others may hold functions of the
// library.
static bool library_is_plain(const TVMFFIObject *object)
{
  switch (object->type_index) {
    case kTVMFFIStr:
    case kTVMFFIBytes:
    case kTVMFFIShape:
    case kTVMFFIBigInt:
      return object->deleter == object_free;
    case kTVMFFIError:
      return object->deleter == nest_delete || object->deleter == object_keep;
    default:
      return false;
  }
}

static void library_watch(Library *library, const TVMFFIObject *object)
{
  if (object != NULL && !library_is_plain(object)) library_keep(library);
}

__attribute__((cold, noinline)) static int library_fail(Library *library, int code)
{
  TVMFFIObject *error = thread_take_raised();
  if (error != NULL) {
    library_watch(library, error);
    thread_raise(error);
    return -1;
  }
  // -2: the error is with the surrounding interpreter.
  if (code == -2) return code;
  return raise_error("InternalError",
                     "a function of a library failed without an error: it returned ",
                     raise_number(code).text, NULL);
}

// Calls a symbol, which is due no handle (MOD-31).
static int library_enter(Library *library, uint64_t symbol, const TVMFFIAny *args, int32_t num_args,
                         TVMFFIAny *result)
{
  TVMFFISafeCallType function = __extension__(TVMFFISafeCallType)(uintptr_t) symbol;
  module_context_enter(library);
  int code = function(NULL, args, num_args, result);
  if (code != 0) return library_fail(library, code);
  if (result->type_index >= kTVMFFIStaticObjectBegin) library_watch(library, result->v_obj);
  return 0;
}

static int library_call(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  const Functor *function = handle;
  if (result == NULL) return raise_null("a function of a library", "result");
  if (result->type_index >= kTVMFFIStaticObjectBegin) {
    return raise_error("InternalError",
                       "a function of a library: `result` must hold no object before the call",
                       NULL);
  }
  return library_enter(library_called(function), function->place, args, num_args, result);
}

//--------------------------------------------------------------------------------------------------
// What a library module can do
//--------------------------------------------------------------------------------------------------

static int library_get_function(void *self, const TVMFFIByteArray *name, TVMFFIObjectHandle *out)
{
  static const TVMFFIByteArray infix = PART(FUNCTION_PREFIX);
  Library *library = self;
  void *symbol;
  if (!library_is_name(name)) return 0;
  if (library_find(library, &infix, name, true, &symbol) != 0) return -1;
  if (symbol == NULL) return 0;
  object_retain(library->module);  // MOD-72
  TVMFFIObject *function = functor_new(library_call, library->module, (uint64_t)(uintptr_t)symbol);
  if (function == NULL) return raise_out_of_memory();
  *out = function;
  return 0;
}

// Makes a text of this runtime's own, which doesn't need the library.
static int library_copy_text(Library *library, const TVMFFIByteArray *infix, TVMFFIAny *text,
                             TVMFFIAny *out)
{
  int32_t type_index = text->type_index;
  if (type_index == kTVMFFINone || type_index == kTVMFFISmallStr ||  // MOD-105
      (type_index == kTVMFFIStr && text->v_obj->deleter == object_free)) {
    *out = *text;
    return 0;
  }
  int code = -1;
  if (type_index == kTVMFFIStr || type_index == kTVMFFIRawStr) {
    TVMFFIByteArray bytes = native_text(text);
    code = bytes_make_string(bytes.data, bytes.size, out);
    if (type_index == kTVMFFIStr) object_release(text->v_obj);
    return code;
  }
  library_watch(library, any_held(text));
  any_release(text);
  return raise_error("TypeError", "a symbol that begins with ", infix->data,
                     " must give a string, but it gave a value of type index ",
                     raise_number(type_index).text, NULL);  // MOD-71
}

static int library_get_text(Library *library, const TVMFFIByteArray *infix,
                            const TVMFFIByteArray *name, TVMFFIAny *out)
{
  void *symbol;
  TVMFFIAny text = any_none();
  if (name->size != 0 && memchr(name->data, '\0', name->size) != NULL) return 0;
  if (library_find(library, infix, name, false, &symbol) != 0) return -1;
  if (symbol == NULL) return 0;
  if (library_enter(library, (uint64_t)(uintptr_t)symbol, NULL, 0, &text) != 0) {
    return module_failed("a symbol that tells about function ", name);
  }
  return library_copy_text(library, infix, &text, out);
}

static int library_get_metadata(void *self, const TVMFFIByteArray *name, TVMFFIAny *out)
{
  static const TVMFFIByteArray infix = PART(FUNCTION_PREFIX "_metadata_");
  return library_get_text(self, &infix, name, out);
}

static int library_get_doc(void *self, const TVMFFIByteArray *name, TVMFFIAny *out)
{
  static const TVMFFIByteArray infix = PART(FUNCTION_PREFIX "_doc_");
  return library_get_text(self, &infix, name, out);
}

static void library_delete(void *self)
{
  Library *library = self;
  module_context_leave(library);
  if (library->file != NULL && !__atomic_load_n(&library->kept, __ATOMIC_RELAXED)) {
    dlclose(library->file);  // MOD-73
  }
  free(library);
}

// It says that it can be run, and not that it can be saved: it can't.
static const tvmffi_module_kind library_kind = {
    .size = sizeof(tvmffi_module_kind),
    .name = "library",
    .property_mask = TVMFFI_MODULE_RUNNABLE,
    .get_function = library_get_function,
    .get_function_metadata = library_get_metadata,
    .get_function_doc = library_get_doc,
    .deleter = library_delete,
};

Library *library_of(TVMFFIObject *module)
{
  ModuleOwn *own = module_own(module);
  return own != NULL && own->kind.deleter == library_delete ? own->self : NULL;
}

//--------------------------------------------------------------------------------------------------
// The beginning
//--------------------------------------------------------------------------------------------------

static TVMFFIObject *library_make(void *file, const TVMFFIByteArray *prefix)
{
  size_t size = sizeof(Library);
  Library *library = memory_add(&size, prefix->size) ? calloc(1, size) : NULL;
  TVMFFIObjectHandle module = NULL;
  if (library == NULL) {
    raise_out_of_memory();
  } else if (tvmffi_module_create(&library_kind, library, &module) != 0) {
    free(library);
  } else {
    library->module = module;
    library->context = module_of(module);
    library->file = file;
    library->prefix_size = prefix->size;
    if (prefix->size != 0) memcpy(library->prefix, prefix->data, prefix->size);
    module_context_join(library);
  }
  return module;
}

TVMFFIObject *library_new(void *file)
{
  TVMFFIObject *module = library_make(file, &(TVMFFIByteArray){"", 0});
  if (module == NULL) dlclose(file);
  return module;
}

TVMFFIObject *library_new_system(const TVMFFIByteArray *prefix)
{
  return library_make(NULL, prefix);
}

int library_finish(TVMFFIObject *module, const char *name, TVMFFIObject **out)
{
  Library *library = library_of(module);
  const void *bytes = library_data(library, "__tvm_ffi__library_bin");
  if (bytes != NULL) return module_tree_load(module, name, bytes, out);
  module_context_fill_symbols(library);
  module_context_set(library);
  object_retain(module);
  *out = module;
  return 0;
}
