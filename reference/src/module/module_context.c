// SPDX-License-Identifier: Apache-2.0
#include "module/module_context.h"

#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/extra/c_env_api.h>

#include "container/map.h"
#include "core/any.h"
#include "core/bytes.h"
#include "core/global.h"
#include "core/raise.h"
#include "module/context_symbol.h"
#include "module/module.h"
#include "module/module_walk.h"

//--------------------------------------------------------------------------------------------------
// Living libraries
//--------------------------------------------------------------------------------------------------

static Library *newest;  // with the lock

// What ended modules have found and somebody may still call. Kept in reach, so that it isn't taken
// for lost.
typedef struct ContextFound {
  struct ContextFound *next;
  TVMFFIObject *functions;  // own
} ContextFound;

static ContextFound *found_for_ever;  // with the lock

void module_context_join(Library *library)
{
  module_lock();
  library->next = newest;
  if (newest != NULL) newest->previous = library;
  newest = library;
  module_unlock();
}

static void module_context_unlink(Library *library)
{
  if (library->previous != NULL) library->previous->next = library->next;
  if (library->next != NULL) library->next->previous = library->previous;
  if (newest == library) newest = library->next;
}

// Returns the newest other library for which this is true; NULL if there is none.
static Library *module_context_other(const Library *library, bool same_slot)
{
  Library *other = newest;
  while (other != NULL && (other == library || (same_slot ? other->slot != library->slot
                                                          : other->file != library->file))) {
    other = other->next;
  }
  return other;
}

// Gives the variable to another module of the file, if it is this one's.
static void module_context_give_up(const Library *library)
{
  if (library->slot == NULL) return;
  Library *other = module_context_other(library, true);
  void *mine = library->context;
  void *next = other == NULL ? NULL : other->context;
  __atomic_compare_exchange_n(library->slot, &mine, next, false, __ATOMIC_RELAXED,
                              __ATOMIC_RELAXED);
}

static void module_context_release(ContextFound *found)
{
  while (found != NULL) {
    ContextFound *next = found->next;
    object_release(found->functions);
    free(found);
    found = next;
  }
}

// Takes what the library's module found into a list, together with what it had inherited.
static ContextFound *module_context_take(Library *library)
{
  ContextFound *all = library->found;
  ModuleObject *module = module_of(library->module);
  library->found = NULL;
  if (module->found == NULL) return all;
  ContextFound *own = malloc(sizeof *own);
  // Without memory the functions stay alive, which does no harm.
  if (own == NULL) return all;
  *own = (ContextFound){all, module->found};
  module->found = NULL;
  return own;
}

static void module_context_append(ContextFound **list, ContextFound *found)
{
  while (*list != NULL) list = &(*list)->next;
  *list = found;
}

void module_context_leave(Library *library)
{
  module_lock();
  module_context_unlink(library);
  module_context_give_up(library);
  Library *other = library->file == NULL ? NULL : module_context_other(library, false);
  ContextFound *useless = NULL;
  if (other != NULL) {
    module_context_append(&other->found, module_context_take(library));
  } else if (__atomic_load_n(&library->kept, __ATOMIC_RELAXED)) {
    module_context_append(&found_for_ever, module_context_take(library));
  } else {
    useless = library->found;  // what the module itself found ends with it
  }
  module_unlock();
  module_context_release(useless);
}

void module_context_set(Library *library)
{
  void **slot = library_data(library, "__tvm_ffi__library_ctx");
  if (slot == NULL) return;
  module_lock();
  library->slot = slot;
  module_unlock();
  __atomic_store_n(slot, library->context, __ATOMIC_RELAXED);
}

static int module_context_fill_symbol(const char *name, void *address, void *library)
{
  void **variable = library_data(library, name);
  if (variable != NULL) __atomic_store_n(variable, address, __ATOMIC_RELAXED);
  return 0;
}

void module_context_fill_symbols(Library *library)
{
  (void)context_symbol_visit_all(module_context_fill_symbol, library);
}

//--------------------------------------------------------------------------------------------------
// Look-ups
//--------------------------------------------------------------------------------------------------

// A look-up, and what it found.
typedef struct {
  TVMFFIByteArray name;
  TVMFFIAny key;           // own: the name
  TVMFFIObject *function;  // own
} ContextLookup;

static int module_context_ask(TVMFFIObject *module, void *state)
{
  ContextLookup *lookup = state;
  if (module_get_function(module, &lookup->name, &lookup->function) != 0) return -1;
  return lookup->function != NULL;
}

// Returns the dict of what a module has found; NULL if it has none. With the lock.
// In modules of C++ classes there is a map at first, which is of no use.
static MapObject *module_context_found(const ModuleObject *module)
{
  return module->found != NULL && module->found->type_index == kTVMFFIDict
             ? (MapObject *)module->found
             : NULL;
}

// Finds what was found before. Returns borrow; NULL for nothing.
static TVMFFIObject *module_context_recall(ModuleObject *module, const ContextLookup *lookup)
{
  TVMFFIObject *function = NULL;
  uint64_t position;
  Key key;
  key_read(&lookup->key, &key);
  module_lock();
  MapObject *found = module_context_found(module);
  if (found != NULL && map_find(found, &key, &position) == 0 && position != MAP_NOWHERE) {
    function = map_entry(found, position)->value.v_obj;
  }
  module_unlock();
  return function;
}

// Notes what was found, unless another thread did. Returns borrow; NULL with an error.
// The look-up's key and function go to the dict, or stay where they are.
static TVMFFIObject *module_context_remember(ModuleObject *module, ContextLookup *lookup)
{
  MapObject *fresh = map_new(kTVMFFIDict, 4);
  TVMFFIObject *useless = fresh == NULL ? NULL : &fresh->header, *function = NULL;
  uint64_t position;
  Key key;
  key_read(&lookup->key, &key);
  module_lock();
  MapObject *found = module_context_found(module);
  if (found == NULL && fresh != NULL) {
    useless = module->found;
    module->found = &fresh->header;
    found = fresh;
  }
  if (found != NULL && map_find(found, &key, &position) == 0 && position != MAP_NOWHERE) {
    function = map_entry(found, position)->value.v_obj;
  } else if (found != NULL) {
    MapEntry entry = {lookup->key, any_object(lookup->function)};
    if (map_set(found, &entry) == 0) {
      function = lookup->function;
      lookup->function = NULL;
      lookup->key = any_none();
    }
  }
  module_unlock();
  if (useless != NULL) object_release(useless);
  if (function == NULL) raise_out_of_memory();
  return function;
}

// Returns own: the library that stands behind this one among those of its file, or the newest; NULL
// at the end. Its module is retained.
static Library *module_context_next(const Library *library, const Library *after)
{
  module_lock();
  Library *other = after == NULL ? newest : after->next;
  while (other != NULL &&
         (other == library || other->file != library->file || !module_try_retain(other->module))) {
    other = other->next;
  }
  module_unlock();
  return other;
}

// Asks what other modules of the same file import. Returns as module_walk does.
static int module_context_ask_others(const Library *library, ContextLookup *lookup)
{
  int code = 0;
  Library *other = module_context_next(library, NULL);
  while (other != NULL) {
    if (code == 0) code = module_walk(other->module, module_context_ask, lookup);
    Library *next = code != 0 ? NULL : module_context_next(library, other);
    object_release(other->module);
    other = next;
  }
  return code;
}

static int module_context_find(TVMFFIObject *module, ContextLookup *lookup)
{
  const Library *library = library_of(module);
  TVMFFIObjectHandle global = NULL;
  int code = module_walk(module, module_context_ask, lookup);  // MOD-45
  if (code == 0 && library != NULL && library->file != NULL) {
    code = module_context_ask_others(library, lookup);  // MOD-52
  }
  if (code != 0) return code < 0 ? -1 : 0;
  if (global_find(&lookup->name, &global) != 0) return -1;
  if (global == NULL) {
    return raise_error("RuntimeError", "Cannot find function ", raise_name(&lookup->name).text,
                       " in the imported modules or global registry", NULL);  // MOD-48
  }
  lookup->function = global;  // MOD-46
  return 0;
}

// Returns the module that a context stands for; NULL if it stands for none. Some pass the handle of
// the module.
static TVMFFIObject *module_context_module(void *context)
{
  ModuleObject *module = context;
  TVMFFIObject *handle = context;
  if (module->header.type_index == kTVMFFIModule) return &module->header;
  return handle->type_index == kTVMFFIModule ? handle : NULL;
}

int TVMFFIEnvModLookupFromImports(TVMFFIObjectHandle library_ctx, const char *func_name,
                                  TVMFFIObjectHandle *out)
{
  if (library_ctx == NULL) return raise_null(__func__, "library_ctx");  // MOD-51
  if (func_name == NULL) return raise_null(__func__, "func_name");
  if (out == NULL) return raise_null(__func__, "out");
  TVMFFIObject *module = module_context_module(library_ctx);
  if (module == NULL)
    return raise_error("TypeError", __func__, ": `library_ctx` is no context", NULL);
  ContextLookup lookup = {.name = {func_name, strlen(func_name)}};
  if (bytes_make_string(func_name, lookup.name.size, &lookup.key) != 0) return -1;
  TVMFFIObject *function = module_context_recall(module_of(module), &lookup);
  if (function == NULL && module_context_find(module, &lookup) == 0) {
    function = module_context_remember(module_of(module), &lookup);
  }
  any_release(&lookup.key);
  if (lookup.function != NULL) object_release(lookup.function);
  if (function == NULL) return -1;
  *out = function;  // MOD-49
  return 0;
}
