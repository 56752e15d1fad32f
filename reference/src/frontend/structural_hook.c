// SPDX-License-Identifier: Apache-2.0
#include "frontend/structural_hook.h"

#include <stdlib.h>

#include "container/sequence.h"
#include "core/memory.h"
#include "frontend/children.h"
#include "frontend/visit_context.h"

//--------------------------------------------------------------------------------------------------
// Walkers
//--------------------------------------------------------------------------------------------------

static void walker_delete(void *self, int flags)
{
  StructuralWalker *walker = self;
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) {
    if (walker->end != NULL) walker->end(walker);
    if (walker->callbacks.plain != NULL) object_release(walker->callbacks.plain);
    if (walker->callbacks.regions != NULL) object_release(walker->callbacks.regions);
  }
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) free(walker);
}

void walker_enter(int32_t type_index, const char *attribute, WalkerVisit *hook)
{
  const TVMFFIByteArray name = {attribute, strlen(attribute)};
  TVMFFIAny value = {.type_index = kTVMFFIOpaquePtr};
  memcpy(&value.v_ptr, &hook, sizeof hook);
  TVMFFITypeRegisterAttr(type_index, &name, &value);
}

StructuralWalker *walker_new(int32_t type_index, size_t size, const WalkerTable *table)
{
  StructuralWalker *walker = memory_zeroed(size);
  if (walker == NULL) {
    raise_out_of_memory();
    return NULL;
  }
  object_init(&walker->header, type_index, walker_delete);
  walker->table = table;
  walker->here = nested_here();
  return walker;
}

StructuralWalker *walker_argument(const NativeCall *call, int32_t type_index)
{
  const Type *due = type_find(type_index);
  const TVMFFIObject *object = any_held(&call->args[0]);
  const Type *type = object == NULL ? NULL : type_find(object->type_index);
  if (type != NULL && type_is_above(due, type)) return (StructuralWalker *)call->args[0].v_obj;
  raise_wrong_type(call->spec->name, "argument #0", raise_name(&due->info.type_key).text,
                   call->args[0].type_index);
  return NULL;
}

int walker_region(const NativeCall *call, int32_t type_index)
{
  const StructuralWalker *walker = walker_argument(call, type_index);
  return walker == NULL ? -1 : native_give(call, any_int(walker->region));
}

int walker_with_region(const NativeCall *call, int32_t type_index)
{
  StructuralWalker *walker = walker_argument(call, type_index);
  TVMFFIAny result = any_none();
  if (walker == NULL) return -1;
  Region region = walker->region;
  if (region != kTVMFFIDefRegionKindPattern) walker->region = (Region)call->args[1].v_int64;
  int code = TVMFFIFunctionCall(call->args[2].v_obj, NULL, 0, &result);
  walker->region = region;
  return code == 0 ? native_give(call, result) : -1;
}

//--------------------------------------------------------------------------------------------------
// Errors as values
//--------------------------------------------------------------------------------------------------

TVMFFIAny walker_error(void)
{
  TVMFFIObjectHandle error = NULL;
  TVMFFIErrorMoveFromRaised(&error);
  return error == NULL ? any_none() : any_object(error);
}

int walker_raise(TVMFFIAny error)
{
  TVMFFIErrorSetRaised(error.v_obj);
  object_release(error.v_obj);
  return -1;
}

TVMFFIAny walker_note(TVMFFIAny error, const TVMFFIAny *value)
{
  TVMFFIObject *object = any_held(value);
  if (object != NULL && value->type_index != kTVMFFIStr && value->type_index != kTVMFFIBytes) {
    visit_context_add(error.v_obj, object);
  }
  return error;
}

//--------------------------------------------------------------------------------------------------
// Callbacks
//--------------------------------------------------------------------------------------------------

static bool walker_is_callback(const TVMFFIAny *value)
{
  if (any_held(value) == NULL || !children_is_sequence(value->type_index)) return false;
  const TVMFFISeqCell *cell = sequence_cell(value->v_obj);
  return cell->size >= 2 && sequence_values(value->v_obj)[0].type_index == kTVMFFIInt &&
         sequence_values(value->v_obj)[1].type_index == kTVMFFIFunction;
}

// Takes callbacks as an Array, so that nobody changes them.
// out: own; NULL for none. Returns 0; -1 with an error.
static int walker_callbacks(const NativeCall *call, const TVMFFIAny *value, TVMFFIObject **out)
{
  bool fits = any_held(value) != NULL && children_is_sequence(value->type_index);
  int64_t count = fits ? sequence_cell(value->v_obj)->size : 0;
  for (int64_t i = 0; i < count && fits; ++i) {
    fits = walker_is_callback(&sequence_values(value->v_obj)[i]);
  }
  if (!fits) {
    return raise_error("TypeError", call->spec->name,
                       ": callbacks must be an Array of Arrays of a type index and a Function",
                       NULL);
  }
  *out = NULL;
  if (count == 0) return 0;
  if (value->type_index == kTVMFFIArray) {
    object_retain(value->v_obj);
    *out = value->v_obj;
    return 0;
  }
  *out = sequence_new(kTVMFFIArray, count);
  if (*out == NULL) return raise_out_of_memory();
  for (int64_t i = 0; i < count; ++i) {
    sequence_append(*out, any_share(&sequence_values(value->v_obj)[i]));
  }
  return 0;
}

int walker_take_callbacks(const NativeCall *call, StructuralWalker *walker, const TVMFFIAny *plain,
                          const TVMFFIAny *regions)
{
  WalkerCallbacks *callbacks = &walker->callbacks;
  if (walker_callbacks(call, plain, &callbacks->plain) != 0) return -1;
  if (regions != NULL && walker_callbacks(call, regions, &callbacks->regions) != 0) return -1;
  walker->calls = callbacks->plain != NULL || callbacks->regions != NULL;
  return 0;
}

static bool walker_takes(int64_t due, const TVMFFIAny *value)
{
  int32_t type_index = value->type_index;
  if (due == kTVMFFIAny) return true;
  if (type_index == kTVMFFISmallStr) return due == kTVMFFIStr;
  if (type_index == kTVMFFISmallBytes) return due == kTVMFFIBytes;
  if (due < kTVMFFIStaticObjectBegin || any_held(value) == NULL || due > INT32_MAX) return false;
  const Type *type = type_find((int32_t)due), *own = type_find(type_index);
  return type != NULL && own != NULL && type_is_above(type, own);
}

static TVMFFIObject *walker_find_in(TVMFFIObject *callbacks, const TVMFFIAny *value)
{
  const TVMFFIAny *callback = sequence_values(callbacks);
  for (int64_t left = sequence_cell(callbacks)->size; left > 0; --left, ++callback) {
    int64_t due = sequence_values(callback->v_obj)[0].v_int64;
    if (due == value->type_index || walker_takes(due, value)) return callback->v_obj;
  }
  return NULL;
}

TVMFFIObject *walker_find(const StructuralWalker *walker, const TVMFFIAny *value, bool *with_region)
{
  const WalkerCallbacks *callbacks = &walker->callbacks;
  TVMFFIObject *found = callbacks->plain == NULL ? NULL : walker_find_in(callbacks->plain, value);
  *with_region = found == NULL;
  if (found != NULL || callbacks->regions == NULL) return found;
  return walker_find_in(callbacks->regions, value);
}

TVMFFIAny walker_call(const StructuralWalker *walker, TVMFFIObject *callback,
                      const TVMFFIAny *value, bool with_region)
{
  TVMFFIAny args[] = {*value, any_int(walker->region)}, result = any_none();
  TVMFFIObject *function = sequence_values(callback)[1].v_obj;
  if (TVMFFIFunctionCall(function, args, with_region ? 2 : 1, &result) != 0) return walker_error();
  return result;
}
