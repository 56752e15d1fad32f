// SPDX-License-Identifier: Apache-2.0
#include "frontend/convert.h"

#include "container/map.h"
#include "container/sequence.h"
#include "core/object.h"
#include "frontend/children.h"
#include "native/shape.h"
#include "type/type.h"

RAISE_COLD static int convert_refuse(const NativeCall *call, const char *due)
{
  const Type *type = type_find(call->args[0].type_index);
  return raise_error("TypeError", "Cannot cast from `",
                     type == NULL ? raise_number(call->args[0].type_index).text
                                  : raise_name(&type->info.type_key).text,
                     "` to `", due, "`", NULL);
}

// Gives the value back as it is.
static int convert_keep(const NativeCall *call)
{
  TVMFFIAny value;
  return any_own(&call->args[0], &value) != 0 ? -1 : native_give(call, value);
}

static bool convert_is_none(const NativeCall *call)
{
  return call->args[0].type_index == kTVMFFINone;
}

// The same if it is of this type, or of one derived from it.
static int convert_exact(const NativeCall *call, int32_t type_index, const char *due)
{
  const TVMFFIAny *value = &call->args[0];
  const Type *type = type_find(value->type_index), *root = type_find(type_index);
  bool fits = any_held(value) != NULL && type != NULL && type_is_above(root, type);
  return fits ? convert_keep(call) : convert_refuse(call, due);
}

int convert_to_object(const NativeCall *call)
{
  if (convert_is_none(call)) return native_give(call, any_none());
  return any_held(&call->args[0]) != NULL ? convert_keep(call) : convert_refuse(call, "ffi.Object");
}

int convert_to_string(const NativeCall *call)
{
  return native_is_string(&call->args[0]) ? convert_keep(call) : convert_refuse(call, "str");
}

int convert_to_bytes(const NativeCall *call)
{
  return native_is_bytes(&call->args[0]) ? convert_keep(call) : convert_refuse(call, "bytes");
}

int convert_to_error(const NativeCall *call)
{
  return convert_exact(call, kTVMFFIError, "ffi.Error");
}

int convert_to_function(const NativeCall *call)
{
  if (convert_is_none(call)) return native_give(call, any_none());
  return convert_exact(call, kTVMFFIFunction, "ffi.Function");
}

int convert_to_tensor(const NativeCall *call)
{
  if (convert_is_none(call)) return native_give(call, any_none());
  return convert_exact(call, kTVMFFITensor, "ffi.Tensor");
}

int convert_to_int_enum(const NativeCall *call)
{
  return convert_exact(call, TYPE_INT_ENUM, "ffi.IntEnum");
}

int convert_to_str_enum(const NativeCall *call)
{
  return convert_exact(call, TYPE_STR_ENUM, "ffi.StrEnum");
}

//--------------------------------------------------------------------------------------------------
// Containers
//--------------------------------------------------------------------------------------------------

int convert_to_shape(const NativeCall *call)
{
  const TVMFFIAny *value = &call->args[0];
  if (value->type_index == kTVMFFIShape) return convert_keep(call);
  if (any_held(value) == NULL || !children_is_sequence(value->type_index)) {
    return convert_refuse(call, "ffi.Shape");
  }
  const TVMFFISeqCell *cell = sequence_cell(value->v_obj);
  for (int64_t i = 0; i < cell->size; ++i) {
    int32_t type_index = ((const TVMFFIAny *)cell->data)[i].type_index;
    if (type_index != kTVMFFIInt && type_index != kTVMFFIBool) {
      return convert_refuse(call, "ffi.Shape");
    }
  }
  if (cell->size > INT32_MAX) return convert_refuse(call, "ffi.Shape");
  return shape_call(call->handle, cell->data, (int32_t)cell->size, call->result);
}

static int convert_to_sequence(const NativeCall *call, int32_t type_index, const char *due)
{
  const TVMFFIAny *value = &call->args[0];
  TVMFFIAny made;
  if (any_held(value) == NULL || !children_is_sequence(value->type_index)) {
    return convert_refuse(call, due);
  }
  if (value->type_index == type_index) return convert_keep(call);
  const TVMFFISeqCell *cell = sequence_cell(value->v_obj);
  int code = type_index == kTVMFFIArray ? sequence_make_array(cell->data, cell->size, &made)
                                        : sequence_make_list(cell->data, cell->size, &made);
  return code != 0 ? -1 : native_give(call, made);
}

int convert_to_array(const NativeCall *call)
{
  return convert_to_sequence(call, kTVMFFIArray, "Array<Any>");
}

int convert_to_list(const NativeCall *call)
{
  return convert_to_sequence(call, kTVMFFIList, "List<Any>");
}

static MapObject *convert_copy_map(MapObject *from, int32_t type_index)
{
  MapObject *made = map_new(type_index, from->size);
  if (made == NULL) {
    raise_out_of_memory();
    return NULL;
  }
  const MapEntry *entry;
  for (uint64_t at = map_first(from); (entry = map_entry(from, at)) != NULL;
       at = map_next(from, at)) {
    MapEntry own = {any_share(&entry->key), any_share(&entry->value)};
    int code = map_set(made, &own);
    any_release(&own.key);
    any_release(&own.value);
    if (code == 0) continue;
    object_release(&made->header);
    return NULL;
  }
  return made;
}

static int convert_to_kind_of_map(const NativeCall *call, int32_t type_index, const char *due)
{
  const TVMFFIAny *value = &call->args[0];
  if (any_held(value) == NULL || !children_is_map(value->type_index)) {
    return convert_refuse(call, due);
  }
  if (value->type_index == type_index) return convert_keep(call);
  MapObject *made = convert_copy_map((MapObject *)value->v_obj, type_index);
  return made == NULL ? -1 : native_give(call, any_object(&made->header));
}

int convert_to_map(const NativeCall *call)
{
  return convert_to_kind_of_map(call, kTVMFFIMap, "Map<Any, Any>");
}

int convert_to_dict(const NativeCall *call)
{
  return convert_to_kind_of_map(call, kTVMFFIDict, "Dict<Any, Any>");
}
