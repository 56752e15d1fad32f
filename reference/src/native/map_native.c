// SPDX-License-Identifier: Apache-2.0
#include "native/map_native.h"

#include "container/map.h"
#include "core/functor.h"
#include "core/raise.h"
#include "native/singleton.h"

static MapObject *map_of(const NativeCall *call)
{
  return (MapObject *)call->args[0].v_obj;
}

//--------------------------------------------------------------------------------------------------
// Filling
//--------------------------------------------------------------------------------------------------

static void map_native_release(const MapEntry *entry)
{
  any_release(&entry->key);
  any_release(&entry->value);
}

// Sets an entry from two views.
static int map_native_put(MapObject *map, const TVMFFIAny *key, const TVMFFIAny *value)
{
  MapEntry entry = {any_none(), any_none()};
  int code = any_own(key, &entry.key);  // CON-6
  if (code == 0) code = any_own(value, &entry.value);
  if (code == 0) code = map_set(map, &entry);
  map_native_release(&entry);
  return code;
}

// Gives a new map or dict with entries made of views, of which there is an even number.
static int map_native_fill(int32_t type_index, const TVMFFIAny *views, int64_t count,
                           TVMFFIAny *result)
{
  MapObject *map = map_new(type_index, (uint64_t)count / 2);  // CON-5, CON-31
  if (map == NULL) return raise_out_of_memory();
  for (int64_t i = 0; i < count; i += 2) {
    if (map_native_put(map, &views[i], &views[i + 1]) != 0) {
      object_release(&map->header);  // CON-9
      return -1;
    }
  }
  *result = any_object(&map->header);
  return 0;
}

static int map_native_make(const NativeCall *call, int32_t type_index)
{
  if (call->num_args % 2 != 0) {  // CON-32
    return native_fail(call, "InternalError", "the last key has no value");
  }
  return map_native_fill(type_index, call->args, call->num_args, call->result);
}

int map_native_make_map(const NativeCall *call)
{
  return map_native_make(call, kTVMFFIMap);
}

int map_native_make_dict(const NativeCall *call)
{
  return map_native_make(call, kTVMFFIDict);
}

static inline int map_native_call_make(int32_t type_index, void *handle, const TVMFFIAny *args,
                                       int32_t num_args, TVMFFIAny *result)
{
  if (num_args % 2 != 0 || !native_is_plain(args, num_args, result)) {
    return native_call(handle, args, num_args, result);
  }
  return map_native_fill(type_index, args, num_args, result);
}

int map_native_call_make_map(void *handle, const TVMFFIAny *args, int32_t num_args,
                             TVMFFIAny *result)
{
  return map_native_call_make(kTVMFFIMap, handle, args, num_args, result);
}

int map_native_call_make_dict(void *handle, const TVMFFIAny *args, int32_t num_args,
                              TVMFFIAny *result)
{
  return map_native_call_make(kTVMFFIDict, handle, args, num_args, result);
}

//--------------------------------------------------------------------------------------------------
// Reading
//--------------------------------------------------------------------------------------------------

// Stores the entry of the key that is the second argument; NULL if there is none.
static int map_native_look_up(const NativeCall *call, const MapEntry **entry)
{
  MapObject *map = map_of(call);
  uint64_t position;
  Key key;
  key_read(&call->args[1], &key);
  if (map_find(map, &key, &position) != 0) return -1;
  *entry = map_entry(map, position);
  return 0;
}

int map_native_size(const NativeCall *call)
{
  return native_give(call, any_int((int64_t)map_of(call)->size));
}

int map_native_count(const NativeCall *call)
{
  const MapEntry *entry;
  if (map_native_look_up(call, &entry) != 0) return -1;
  return native_give(call, any_int(entry != NULL));
}

int map_native_get_item(const NativeCall *call)
{
  const MapEntry *entry;
  if (map_native_look_up(call, &entry) != 0) return -1;
  if (entry == NULL) return native_fail(call, "KeyError", "key is not in Map");  // CON-34
  return native_give(call, any_share(&entry->value));                            // CON-7
}

int map_native_get_item_or_missing(const NativeCall *call)
{
  const MapEntry *entry;
  if (map_native_look_up(call, &entry) != 0) return -1;
  if (entry == NULL) return native_give_object(call, singleton_invalid());  // CON-35
  return native_give(call, any_share(&entry->value));
}

//--------------------------------------------------------------------------------------------------
// Changing
//--------------------------------------------------------------------------------------------------

int map_native_set_item(const NativeCall *call)
{
  return map_native_put(map_of(call), &call->args[1], &call->args[2]);
}

int map_native_erase(const NativeCall *call)
{
  MapEntry entry;
  Key key;
  key_read(&call->args[1], &key);
  int code = map_erase(map_of(call), &key, &entry);
  map_native_release(&entry);
  return code;
}

int map_native_clear(const NativeCall *call)
{
  map_clear(map_of(call));
  return 0;
}

//--------------------------------------------------------------------------------------------------
// Walking
//--------------------------------------------------------------------------------------------------

enum { WALK_KEY = 0, WALK_VALUE = 1 };  // anything else: go on

// The functor holds the map. When the map changes its position may be that of another entry, or of
// none; then the walk is over.
// out: own, written on success. Returns false if there is no entry.
static bool map_native_step(Functor *walk, int64_t wish, TVMFFIAny *out)
{
  const MapObject *map = (MapObject *)walk->held;
  const MapEntry *entry = map_entry(map, walk->place);
  if (wish == WALK_KEY || wish == WALK_VALUE) {
    if (entry == NULL) return false;
    *out = any_share(wish == WALK_KEY ? &entry->key : &entry->value);
    return true;
  }
  walk->place = entry == NULL ? MAP_NOWHERE : map_next(map, walk->place);
  *out = any_bool(walk->place != MAP_NOWHERE);
  return true;
}

static int map_native_walk_body(const NativeCall *call)
{
  TVMFFIAny given;
  if (!map_native_step(call->handle, call->args[0].v_int64, &given)) {
    return native_fail(call, "IndexError", "there is no entry");
  }
  return native_give(call, given);
}

static int map_native_walk(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  static const NativeSpec spec = {
      "ffi.MapForwardIterFunctor()", map_native_walk_body, NATIVE_ANY, 1, {NATIVE_INT}, NULL};
  if (num_args == 1 && args != NULL && args[0].type_index == kTVMFFIInt && result != NULL &&
      result->type_index < kTVMFFIStaticObjectBegin &&
      map_native_step(handle, args[0].v_int64, result)) {
    return 0;
  }
  return native_run(handle, args, num_args, result, &spec);
}

int map_native_forward_iter(const NativeCall *call)
{
  MapObject *map = map_of(call);
  object_retain(&map->header);
  return native_give_object(call, functor_new(map_native_walk, &map->header, map_first(map)));
}
