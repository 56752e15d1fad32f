// SPDX-License-Identifier: Apache-2.0
#include "module/module_native.h"

#include <stdlib.h>

#include "core/any.h"
#include "core/object.h"
#include "module/module.h"
#include "module/module_cxx.h"
#include "module/module_walk.h"

//--------------------------------------------------------------------------------------------------
// Look-ups: (module, name, whether to ask imports)
//--------------------------------------------------------------------------------------------------

// What is looked for, and found.
typedef struct {
  TVMFFIByteArray name;
  TVMFFIAny value;  // own; None as long as nothing was found
} ModuleLookup;

static int module_native_look_up(const NativeCall *call, ModuleVisit *ask, ModuleLookup *lookup)
{
  TVMFFIObject *module = call->args[0].v_obj;
  *lookup = (ModuleLookup){native_text(&call->args[1]), any_none()};
  int code =
      call->args[2].v_int64 != 0 ? module_walk_all(module, ask, lookup) : ask(module, lookup);
  return code < 0 ? -1 : 0;
}

static int module_native_give_found(const NativeCall *call, ModuleVisit *ask)
{
  ModuleLookup lookup;
  if (module_native_look_up(call, ask, &lookup) != 0) return -1;
  return native_give(call, lookup.value);
}

static int module_native_ask_function(TVMFFIObject *module, void *state)
{
  ModuleLookup *lookup = state;
  TVMFFIObject *function = NULL;
  if (module_get_function(module, &lookup->name, &function) != 0) return -1;
  if (function == NULL) return 0;
  lookup->value = any_object(function);
  return 1;
}

static int module_native_ask_whether(TVMFFIObject *module, void *state)
{
  ModuleLookup *lookup = state;
  int is_there = 0;
  if (module_implements_function(module, &lookup->name, &is_there) != 0) return -1;
  if (is_there) lookup->value = any_bool(true);
  return is_there;
}

static int module_native_ask_metadata(TVMFFIObject *module, void *state)
{
  ModuleLookup *lookup = state;
  if (module_get_metadata(module, &lookup->name, &lookup->value) != 0) return -1;
  return lookup->value.type_index != kTVMFFINone;
}

static int module_native_ask_doc(TVMFFIObject *module, void *state)
{
  ModuleLookup *lookup = state;
  if (module_get_doc(module, &lookup->name, &lookup->value) != 0) return -1;
  return lookup->value.type_index != kTVMFFINone;
}

int module_native_get_function(const NativeCall *call)
{
  return module_native_give_found(call, module_native_ask_function);
}

int module_native_implements(const NativeCall *call)
{
  ModuleLookup lookup;
  if (module_native_look_up(call, module_native_ask_whether, &lookup) != 0) return -1;
  return native_give(call, any_bool(lookup.value.type_index == kTVMFFIBool));
}

int module_native_get_metadata(const NativeCall *call)
{
  return module_native_give_found(call, module_native_ask_metadata);
}

int module_native_get_doc(const NativeCall *call)
{
  return module_native_give_found(call, module_native_ask_doc);
}

//--------------------------------------------------------------------------------------------------
// What a module says of itself
//--------------------------------------------------------------------------------------------------

int module_native_get_kind(const NativeCall *call)
{
  TVMFFIAny kind;
  return module_get_kind(call->args[0].v_obj, &kind) != 0 ? -1 : native_give(call, kind);
}

int module_native_get_property_mask(const NativeCall *call)
{
  int64_t mask;
  if (module_get_property_mask(call->args[0].v_obj, &mask) != 0) return -1;
  return native_give(call, any_int(mask));
}

int module_native_inspect_source(const NativeCall *call)
{
  TVMFFIByteArray format = native_text(&call->args[1]);
  TVMFFIAny source;
  if (module_inspect_source(call->args[0].v_obj, &format, &source) != 0) return -1;
  return native_give(call, source);
}

int module_native_get_write_formats(const NativeCall *call)
{
  TVMFFIObject *formats;
  if (module_get_write_formats(call->args[0].v_obj, &formats) != 0) return -1;
  return native_give_object(call, formats);
}

// A function without a result gives None.
static int module_native_give_nothing(const NativeCall *call, int code)
{
  return code != 0 ? -1 : native_give(call, any_none());
}

int module_native_write_to_file(const NativeCall *call)
{
  TVMFFIByteArray file = native_text(&call->args[1]), format = native_text(&call->args[2]);
  return module_native_give_nothing(call,
                                    module_write_to_file(call->args[0].v_obj, &file, &format));
}

//--------------------------------------------------------------------------------------------------
// Imports
//--------------------------------------------------------------------------------------------------

int module_native_import(const NativeCall *call)
{
  TVMFFIObject *module = call->args[0].v_obj, *other = call->args[1].v_obj;
  bool is_own = module_own(module) != NULL;
  return module_native_give_nothing(
      call, is_own ? module_import(module, other) : module_cxx_import(module, other));
}

int module_native_clear_imports(const NativeCall *call)
{
  TVMFFIObject *module = call->args[0].v_obj;
  if (module_own(module) == NULL) {
    return module_native_give_nothing(call, module_cxx_clear_imports(module));
  }
  TVMFFIObject *old = module_exchange_imports(module, NULL);
  if (old != NULL) object_release(old);  // MOD-40
  return module_native_give_nothing(call, 0);
}

//--------------------------------------------------------------------------------------------------
// Modules that are kept for the rest of the process, or until they are let go. They are not ended
// when it exits.
//--------------------------------------------------------------------------------------------------

static TVMFFIObject **globals;  // own, all of them; with the lock
static size_t num_globals, room_for_globals;

// Returns the place of a module, or the number of them.
static size_t module_native_find_global(const TVMFFIObject *module)
{
  size_t place = 0;
  while (place < num_globals && globals[place] != module) ++place;
  return place;
}

static bool module_native_reserve_global(void)
{
  if (num_globals < room_for_globals) return true;
  size_t room = room_for_globals == 0 ? 16 : 2 * room_for_globals;
  TVMFFIObject **larger = realloc(globals, room * sizeof(TVMFFIObject *));
  if (larger == NULL) return false;
  globals = larger;
  room_for_globals = room;
  return true;
}

int module_native_add_global(const NativeCall *call)
{
  TVMFFIObject *module = call->args[0].v_obj;
  bool is_kept = true;
  module_lock();
  if (module_native_find_global(module) == num_globals) {
    is_kept = module_native_reserve_global();
    if (is_kept) {
      object_retain(module);
      globals[num_globals++] = module;  // MOD-75
    }
  }
  module_unlock();
  return is_kept ? module_native_give_nothing(call, 0) : raise_out_of_memory();
}

int module_native_remove_global(const NativeCall *call)
{
  TVMFFIObject *module = call->args[0].v_obj;
  module_lock();
  size_t place = module_native_find_global(module);
  bool was_kept = place < num_globals;
  if (was_kept) globals[place] = globals[--num_globals];
  module_unlock();
  if (was_kept) object_release(module);  // MOD-76
  return module_native_give_nothing(call, 0);
}
