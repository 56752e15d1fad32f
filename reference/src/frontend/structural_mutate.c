// SPDX-License-Identifier: Apache-2.0
// A mutation gives what takes the place of a value: an owned value, a mark that says that nothing
// does, or an Error. What a value holds is mutated as the attributes of its type say, without any by
// its reflected fields, in a copy that is made once a field changes. Objects that nobody else holds
// may be changed themselves.
#include "frontend/structural_mutate.h"

#include <stdlib.h>

#include "container/map.h"
#include "container/pairs.h"
#include "container/sequence.h"
#include "frontend/children.h"
#include "frontend/class.h"
#include "frontend/nested.h"
#include "frontend/structural_hook.h"
#include "type/attribute.h"

static Attribute own_mutate = {ATTRIBUTE("__s_mutate__")};
static Attribute own_inplace = {ATTRIBUTE("__s_maybe_inplace_mutate__")};
static Attribute shallow_copy = {ATTRIBUTE("__ffi_shallow_copy__")};
static const char work[] = "structural mutation";
static const WalkerTable map_table, mutate_table;
static WalkerVisit mutate_leaf;

typedef struct {
  StructuralWalker walker;
  Pairs vars;           // variables and nodes of graphs
  TVMFFIAny *stand_in;  // own, by their numbers; an rvalue reference where nothing stands
  size_t room;
} Mutator;

static TVMFFIAny mutate_unchanged(void)
{
  return (TVMFFIAny){.type_index = kTVMFFIUnchanged};
}

static bool mutate_is_unchanged(TVMFFIAny result)
{
  return result.type_index == kTVMFFIUnchanged;
}

static bool mutate_failed(TVMFFIAny result)
{
  return result.type_index == kTVMFFIError;
}

// Gives the mark in place of the value itself.
// result: own.
static TVMFFIAny mutate_result(TVMFFIAny result, const TVMFFIAny *value)
{
  if (!any_same(&result, value)) return result;
  any_release(&result);
  return mutate_unchanged();
}

static bool mutate_is_alone(const TVMFFIAny *value)
{
  return any_held(value) != NULL && !object_is_shared(value->v_obj);
}

//--------------------------------------------------------------------------------------------------
// What stands for variables
//--------------------------------------------------------------------------------------------------

static void mutator_end(StructuralWalker *walker)
{
  Mutator *self = (Mutator *)walker;
  for (size_t i = 0; i < self->room; ++i) any_release(&self->stand_in[i]);
  free(self->stand_in);
  pairs_end(&self->vars);
}

// Returns the place of what stands for an object; NULL with an error.
static TVMFFIAny *mutator_place(Mutator *self, TVMFFIObject *object)
{
  size_t number;
  if (pairs_note(&self->vars, object, NULL, &number) < 0) return NULL;
  if (self->room < self->vars.room) {
    TVMFFIAny *grown = realloc(self->stand_in, self->vars.room * sizeof *grown);
    if (grown == NULL) {
      raise_out_of_memory();
      return NULL;
    }
    self->stand_in = grown;
    for (; self->room < self->vars.room; ++self->room) {
      grown[self->room] = (TVMFFIAny){.type_index = kTVMFFIObjectRValueRef};
    }
  }
  return &self->stand_in[number];
}

static TVMFFIAny mutator_look(StructuralWalker *walker, TVMFFIAny var)
{
  if (any_held(&var) == NULL) return any_none();
  const TVMFFIAny *place = mutator_place((Mutator *)walker, var.v_obj);
  if (place == NULL) return walker_error();
  return place->type_index == kTVMFFIObjectRValueRef ? any_none() : any_share(place);
}

static TVMFFIAny mutator_put(StructuralWalker *walker, TVMFFIAny var, TVMFFIAny value)
{
  TVMFFIAny owned;
  if (any_held(&var) == NULL) {
    raise_error("TypeError", work, ": only an object can be a variable", NULL);
    return walker_error();
  }
  if (mutate_is_unchanged(value)) value = var;
  if (any_own(&value, &owned) != 0) return walker_error();
  TVMFFIAny *place = mutator_place((Mutator *)walker, var.v_obj);
  if (place == NULL) {
    any_release(&owned);
    return walker_error();
  }
  TVMFFIAny old = *place;
  *place = owned;
  any_release(&old);
  return any_none();
}

//--------------------------------------------------------------------------------------------------
// Containers
//--------------------------------------------------------------------------------------------------

static TVMFFIObject *mutate_copy_sequence(TVMFFIObject *from)
{
  TVMFFIObject *copy = sequence_new(from->type_index, sequence_cell(from)->size);
  if (copy == NULL) raise_out_of_memory();
  for (int64_t i = 0; copy != NULL && i < sequence_cell(from)->size; ++i) {
    sequence_append(copy, any_share(&sequence_values(from)[i]));
  }
  return copy;
}

// Gives what a container became.
// copy: own; NULL if nothing has changed. result: of the last value in it.
static TVMFFIAny mutate_finish(TVMFFIObject *copy, TVMFFIAny result)
{
  if (mutate_failed(result)) {
    if (copy != NULL) object_release(copy);
    return result;
  }
  return copy == NULL ? mutate_unchanged() : any_object(copy);
}

// Tells whether a mutator calls nobody for a value without content.
static bool mutate_is_quiet(const StructuralWalker *mutator)
{
  return (mutator->table == &map_table || mutator->table == &mutate_table) && !mutator->calls;
}

// Tells whether nothing takes the place of a value as long as nobody is called for it.
static inline bool mutate_is_leaf(const TVMFFIAny *value)
{
  const TVMFFIAny *hook = attribute_read(&own_mutate, value->type_index);
  if (hook == NULL) return value->type_index < kTVMFFIStaticObjectBegin;
  return hook->type_index == kTVMFFIOpaquePtr && walker_hook(hook) == mutate_leaf;
}

static TVMFFIAny mutate_sequence(StructuralWalker *mutator, TVMFFIAny value)
{
  bool changes = value.type_index == kTVMFFIList;  // while it is mutated, which an Array never does
  bool quiet = mutate_is_quiet(mutator);
  TVMFFIObject *copy = NULL;
  TVMFFIAny result = mutate_unchanged();
  for (int64_t i = 0; i < sequence_cell(value.v_obj)->size; ++i) {
    if (quiet && mutate_is_leaf(&sequence_values(value.v_obj)[i])) continue;
    TVMFFIAny element = sequence_values(value.v_obj)[i];
    if (changes) any_share(&element);
    result = mutate_result(mutator->table->visit(mutator, element), &element);
    if (changes) any_release(&element);
    if (mutate_failed(result)) break;
    if (mutate_is_unchanged(result)) continue;
    if (copy == NULL) copy = mutate_copy_sequence(value.v_obj);
    if (copy == NULL || i >= sequence_cell(copy)->size) {  // it has changed meanwhile
      any_release(&result);
      if (copy == NULL) result = walker_error();
      break;
    }
    any_release(&sequence_values(copy)[i]);
    sequence_values(copy)[i] = result;
  }
  return mutate_finish(copy, result);
}

// Mutates what is in a place of a container that nobody else holds.
static TVMFFIAny mutate_place(StructuralWalker *mutator, TVMFFIAny *place)
{
  TVMFFIAny before = *place;
  TVMFFIAny result = mutate_is_alone(&before) ? mutator->table->inplace(mutator, before)
                                              : mutator->table->visit(mutator, before);
  return mutate_result(result, &before);
}

static TVMFFIAny mutate_own_sequence(StructuralWalker *mutator, TVMFFIAny value)
{
  for (int64_t i = 0; i < sequence_cell(value.v_obj)->size; ++i) {
    TVMFFIAny result = mutate_place(mutator, &sequence_values(value.v_obj)[i]);
    if (mutate_failed(result)) return result;
    if (mutate_is_unchanged(result)) continue;
    TVMFFIAny old = sequence_values(value.v_obj)[i];
    sequence_values(value.v_obj)[i] = result;
    any_release(&old);
  }
  return mutate_unchanged();
}

static int mutate_set(MapObject *map, const TVMFFIAny *key, TVMFFIAny value)
{
  MapEntry entry = {any_share(key), value};
  int code = map_set(map, &entry);
  any_release(&entry.key);
  any_release(&entry.value);
  return code;
}

static TVMFFIObject *mutate_copy_map(const MapObject *from)
{
  MapObject *copy = map_new(from->header.type_index, from->size);
  if (copy == NULL) {
    raise_out_of_memory();
    return NULL;
  }
  for (uint64_t at = map_first(from);; at = map_next(from, at)) {
    const MapEntry *entry = map_entry(from, at);
    if (entry == NULL) return &copy->header;
    if (mutate_set(copy, &entry->key, any_share(&entry->value)) == 0) continue;
    object_release(&copy->header);
    return NULL;
  }
}

static TVMFFIAny mutate_map(StructuralWalker *mutator, TVMFFIAny value)
{
  const MapObject *map = (const MapObject *)value.v_obj;
  bool quiet = mutate_is_quiet(mutator);
  TVMFFIObject *copy = NULL;
  TVMFFIAny result = mutate_unchanged();
  for (uint64_t at = map_first(map);; at = map_next(map, at)) {
    const MapEntry *entry = map_entry(map, at);
    if (entry == NULL) break;
    if (quiet && mutate_is_leaf(&entry->value)) continue;
    TVMFFIAny key = children_hold(value.v_obj, &entry->key);
    TVMFFIAny element = children_hold(value.v_obj, &entry->value);
    result = mutate_result(mutator->table->visit(mutator, element), &element);
    children_let_go(value.v_obj, &element);
    if (!mutate_failed(result) && !mutate_is_unchanged(result)) {
      if (copy == NULL) copy = mutate_copy_map(map);
      if (copy == NULL) {
        any_release(&result);
        result = walker_error();
      } else if (mutate_set((MapObject *)copy, &key, result) != 0) {
        result = walker_error();
      }
    }
    children_let_go(value.v_obj, &key);
    if (mutate_failed(result)) break;
  }
  return mutate_finish(copy, result);
}

static TVMFFIAny mutate_own_map(StructuralWalker *mutator, TVMFFIAny value)
{
  const MapObject *map = (const MapObject *)value.v_obj;
  for (uint64_t at = map_first(map);; at = map_next(map, at)) {
    MapEntry *entry = map_entry(map, at);
    if (entry == NULL) return mutate_unchanged();
    TVMFFIAny result = mutate_place(mutator, &entry->value);
    if (mutate_failed(result)) return result;
    if (mutate_is_unchanged(result)) continue;
    TVMFFIAny old = entry->value;
    entry->value = result;
    any_release(&old);
  }
}

static TVMFFIAny mutate_leaf(StructuralWalker *mutator, TVMFFIAny value)
{
  (void)mutator, (void)value;
  return mutate_unchanged();
}

//--------------------------------------------------------------------------------------------------
// Objects
//--------------------------------------------------------------------------------------------------

// Makes an object that shares what another holds. Returns own; NULL with an error.
static TVMFFIObject *mutate_copy_object(TVMFFIObject *object)
{
  const TVMFFIAny *callee = attribute_of(&shallow_copy, object->type_index);
  const Type *type = type_find(object->type_index);
  TVMFFIAny arg = any_object(object), made = any_none();
  if (callee == NULL || callee->type_index != kTVMFFIFunction) {
    raise_error("TypeError", work, ": objects of type `", raise_name(&type->info.type_key).text,
                "` can't be copied", NULL);
    return NULL;
  }
  if (TVMFFIFunctionCall(callee->v_obj, &arg, 1, &made) != 0) return NULL;
  if (made.type_index == object->type_index) return made.v_obj;
  any_release(&made);
  raise_error("TypeError", work, ": __ffi_shallow_copy__ has made another object", NULL);
  return NULL;
}

// Gives the copy of an object, which is made when the first field changes, a field.
// value: own.
static int mutate_set_field(TVMFFIObject *object, TVMFFIObject **copy, const TVMFFIFieldInfo *field,
                            TVMFFIAny value)
{
  int code = 0;
  if (*copy == NULL) *copy = mutate_copy_object(object);
  if (*copy == NULL) {
    code = -1;
  } else if (field->setter == NULL) {
    code = raise_error("TypeError", work, ": the field `", raise_name(&field->name).text,
                       "` can't be written", NULL);
  } else {
    code = field_set(field, *copy, &value);
  }
  any_release(&value);
  return code;
}

static TVMFFIAny mutate_fields(StructuralWalker *mutator, TVMFFISEqHashKind kind,
                               TVMFFIObject *object)
{
  const Type *type = type_find(object->type_index);
  FieldWalk walk = {.type = type == NULL ? NULL : &type->info};
  Region region = mutator->region;
  TVMFFIObject *copy = NULL;
  TVMFFIAny result = mutate_unchanged();
  if (type == NULL) return result;
  for (const TVMFFIFieldInfo *field; (field = structural_next(&walk)) != NULL;) {
    TVMFFIAny value;
    if (field_get(field, object, &value) != 0) {
      result = walker_error();
      break;
    }
    mutator->region = structural_region(region, kind, field);
    result = mutate_result(mutator->table->visit(mutator, value), &value);
    mutator->region = region;
    any_release(&value);
    if (!mutate_failed(result) && !mutate_is_unchanged(result) &&
        mutate_set_field(object, &copy, field, result) != 0) {
      result = walker_error();
    }
    if (mutate_failed(result)) break;
  }
  return mutate_finish(copy, result);
}

// Mutates an object once, and gives the same wherever it stands again. A variable that is not
// defined where it stands is left as it is.
static TVMFFIAny mutate_mapped(StructuralWalker *mutator, TVMFFISEqHashKind kind,
                               TVMFFIObject *object)
{
  TVMFFIAny self = any_object(object);
  bool is_var = kind == kTVMFFISEqHashKindFreeVar;
  TVMFFIAny result = mutator->table->get(mutator, self);
  if (result.type_index != kTVMFFINone) return mutate_result(result, &self);
  if (is_var && mutator->region == kTVMFFIDefRegionKindNone) return mutate_unchanged();
  result = mutate_fields(mutator, kind, object);
  if (mutate_failed(result)) return result;
  bool pattern = mutator->region == kTVMFFIDefRegionKindPattern;
  if (mutate_is_unchanged(result) && is_var && !pattern) return result;
  TVMFFIAny done = mutator->table->set(mutator, self, result);
  if (!mutate_failed(done)) return result;
  any_release(&result);
  return done;
}

static TVMFFIAny mutate_object(StructuralWalker *mutator, TVMFFIObject *object)
{
  TVMFFISEqHashKind kind = structural_kind(object->type_index);
  if (kind == kTVMFFISEqHashKindFreeVar || kind == kTVMFFISEqHashKindDAGNode) {
    return mutate_mapped(mutator, kind, object);
  }
  return mutate_fields(mutator, kind, object);
}

static TVMFFIAny mutate_ask(StructuralWalker *mutator, const TVMFFIAny *hook, TVMFFIAny value)
{
  TVMFFIAny args[] = {any_object(&mutator->header), value}, result = any_none();
  if (hook->type_index == kTVMFFIOpaquePtr && hook->v_ptr != NULL) {
    return walker_hook(hook)(mutator, value);
  }
  if (hook->type_index != kTVMFFIFunction) {
    raise_error("TypeError", "__s_mutate__ must be a pointer or a Function", NULL);
    return walker_error();
  }
  Nested *here = nested_here();
  if (nested_enter(here, work) != 0) return walker_error();
  int code = TVMFFIFunctionCall(hook->v_obj, args, 2, &result);
  nested_leave(here);
  return code == 0 ? result : walker_error();
}

// Mutates what a value holds, a level deeper.
// inplace: whether the value itself may be changed.
static TVMFFIAny mutate_default(StructuralWalker *mutator, TVMFFIAny value, bool inplace)
{
  const TVMFFIAny *hook = inplace ? attribute_of(&own_inplace, value.type_index) : NULL;
  if (hook == NULL) hook = attribute_read(&own_mutate, value.type_index);
  TVMFFIAny result = mutate_unchanged();
  if (hook == NULL && any_held(&value) == NULL) return result;
  Nested *here = nested_here();
  if (nested_descend(here, work) != 0) return walker_error();
  if (hook != NULL) {
    result = mutate_ask(mutator, hook, value);
  } else if (any_held(&value) != NULL) {
    result = mutate_object(mutator, value.v_obj);
  }
  nested_ascend(here);
  return mutate_result(result, &value);
}

//--------------------------------------------------------------------------------------------------
// The two ways of mutating
//--------------------------------------------------------------------------------------------------

// Calls the callback for a value.
static TVMFFIAny map_tell(const StructuralWalker *mutator, const TVMFFIAny *value)
{
  bool with_region;
  TVMFFIObject *callback = mutator->calls ? walker_find(mutator, value, &with_region) : NULL;
  if (callback == NULL) return mutate_unchanged();
  TVMFFIAny result = walker_call(mutator, callback, value, with_region);
  return mutate_failed(result) ? walker_note(result, value) : mutate_result(result, value);
}

// Puts a result in the place of the value before.
// replaced: own, or the mark.
static bool map_take(TVMFFIAny *replaced, TVMFFIAny result)
{
  if (mutate_is_unchanged(result)) return true;
  any_release(replaced);
  *replaced = result;
  return !mutate_failed(result);
}

static TVMFFIAny map_apply(StructuralWalker *mutator, TVMFFIAny value, bool inplace)
{
  TVMFFIAny replaced = mutate_unchanged();
  if (mutator->before && !map_take(&replaced, map_tell(mutator, &value))) return replaced;
  bool same = mutate_is_unchanged(replaced);
  TVMFFIAny now = same ? value : replaced;
  bool alone = (inplace || !same) && mutate_is_alone(&now);
  TVMFFIAny result = mutate_default(mutator, now, alone);
  if (mutate_failed(result)) result = walker_note(result, &now);
  if (!map_take(&replaced, result) || mutator->before) return replaced;
  now = mutate_is_unchanged(replaced) ? value : replaced;
  map_take(&replaced, map_tell(mutator, &now));
  return replaced;
}

static TVMFFIAny map_mutate(StructuralWalker *mutator, TVMFFIAny value)
{
  return map_apply(mutator, value, false);
}

static TVMFFIAny map_inplace(StructuralWalker *mutator, TVMFFIAny value)
{
  return map_apply(mutator, value, true);
}

static TVMFFIAny mutate_tell(StructuralWalker *mutator, TVMFFIObject *callback, TVMFFIAny value,
                             bool inplace)
{
  const TVMFFIAny *parts = sequence_values(callback);
  bool with_mode = sequence_cell(callback)->size > 2 && parts[2].v_int64 != 0;
  TVMFFIAny args[] = {value, any_object(&mutator->header),
                      any_int(inplace && mutate_is_alone(&value))};
  TVMFFIAny result = any_none();
  Nested *here = nested_here();
  if (nested_enter(here, work) != 0) return walker_error();
  int code = TVMFFIFunctionCall(parts[1].v_obj, args, with_mode ? 3 : 2, &result);
  nested_leave(here);
  return code == 0 ? mutate_result(result, &value) : walker_error();
}

static TVMFFIAny mutate_apply(StructuralWalker *mutator, TVMFFIAny value, bool inplace)
{
  bool with_region;
  TVMFFIObject *callback = mutator->calls ? walker_find(mutator, &value, &with_region) : NULL;
  TVMFFIAny result = callback != NULL
                         ? mutate_tell(mutator, callback, value, inplace)
                         : mutate_default(mutator, value, inplace && mutate_is_alone(&value));
  return mutate_failed(result) ? walker_note(result, &value) : result;
}

static TVMFFIAny mutate_mutate(StructuralWalker *mutator, TVMFFIAny value)
{
  return mutate_apply(mutator, value, false);
}

static TVMFFIAny mutate_inplace(StructuralWalker *mutator, TVMFFIAny value)
{
  return mutate_apply(mutator, value, true);
}

static const WalkerTable map_table = {map_mutate, map_inplace, mutator_look, mutator_put};
static const WalkerTable mutate_table = {mutate_mutate, mutate_inplace, mutator_look, mutator_put};

// Whether the first argument of the call that begins was moved into it.
static _Thread_local bool moved;

static void mutate_see(const TVMFFIAny *args, int32_t num_args)
{
  moved = args != NULL && num_args > 0 && args[0].type_index == kTVMFFIObjectRValueRef;
}

int structural_call_map(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  mutate_see(args, num_args);
  return native_call(handle, args, num_args, result);
}

int structural_call_mutate(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  mutate_see(args, num_args);
  return native_call(handle, args, num_args, result);
}

// Gives the call what a value became.
static int mutate_give(const NativeCall *call, const TVMFFIAny *value, TVMFFIAny result)
{
  TVMFFIAny owned;
  if (mutate_failed(result)) return walker_raise(result);
  if (!mutate_is_unchanged(result)) return native_give(call, result);
  return any_own(value, &owned) != 0 ? -1 : native_give(call, owned);
}

// Mutates the first argument.
// regions: the callbacks that want them, or NULL.
static int mutate_run(const NativeCall *call, const WalkerTable *table, const TVMFFIAny *regions,
                      bool before)
{
  bool inplace = moved;
  moved = false;
  StructuralWalker *mutator = walker_new(TYPE_STRUCTURAL_MUTATOR, sizeof(Mutator), table);
  if (mutator == NULL) return -1;
  mutator->end = mutator_end;
  mutator->before = before;
  int code = walker_take_callbacks(call, mutator, &call->args[1], regions);
  if (code == 0) {
    TVMFFIAny result =
        inplace ? table->inplace(mutator, call->args[0]) : table->visit(mutator, call->args[0]);
    code = mutate_give(call, &call->args[0], result);
  }
  object_release(&mutator->header);
  return code;
}

int structural_map(const NativeCall *call)
{
  return mutate_run(call, &map_table, &call->args[2], call->args[3].v_int64 == 0);
}

int structural_mutate(const NativeCall *call)
{
  return mutate_run(call, &mutate_table, NULL, false);
}

//--------------------------------------------------------------------------------------------------
// Functions for hooks
//--------------------------------------------------------------------------------------------------

int mutator_mutate(const NativeCall *call)
{
  StructuralWalker *mutator = walker_argument(call, TYPE_STRUCTURAL_MUTATOR);
  if (mutator == NULL) return -1;
  return mutate_give(call, &call->args[1], mutator->table->visit(mutator, call->args[1]));
}

int mutator_default_mutate(const NativeCall *call)
{
  StructuralWalker *mutator = walker_argument(call, TYPE_STRUCTURAL_MUTATOR);
  if (mutator == NULL) return -1;
  return mutate_give(call, &call->args[1], mutate_default(mutator, call->args[1], false));
}

int mutator_region(const NativeCall *call)
{
  return walker_region(call, TYPE_STRUCTURAL_MUTATOR);
}

int mutator_with_region(const NativeCall *call)
{
  return walker_with_region(call, TYPE_STRUCTURAL_MUTATOR);
}

int mutator_get(const NativeCall *call)
{
  StructuralWalker *mutator = walker_argument(call, TYPE_STRUCTURAL_MUTATOR);
  if (mutator == NULL) return -1;
  return mutate_give(call, &call->args[1], mutator->table->get(mutator, call->args[1]));
}

int mutator_set(const NativeCall *call)
{
  StructuralWalker *mutator = walker_argument(call, TYPE_STRUCTURAL_MUTATOR);
  if (mutator == NULL) return -1;
  TVMFFIAny result = mutator->table->set(mutator, call->args[1], call->args[2]);
  return mutate_give(call, &call->args[1], result);
}

CLASS_START static void mutate_start(void)
{
  static const struct {
    int32_t type_index;
    WalkerVisit *copy, *inplace;
  } hooks[] = {
      {kTVMFFIStr, mutate_leaf, mutate_leaf},
      {kTVMFFIBytes, mutate_leaf, mutate_leaf},
      {kTVMFFIBigInt, mutate_leaf, mutate_leaf},
      {kTVMFFIArray, mutate_sequence, mutate_own_sequence},
      {kTVMFFIList, mutate_sequence, mutate_own_sequence},
      {kTVMFFIMap, mutate_map, mutate_own_map},
      {kTVMFFIDict, mutate_map, mutate_own_map},
  };
  static const Class described = {.type_index = TYPE_STRUCTURAL_MUTATOR,
                                  .size = offsetof(StructuralWalker, callbacks)};
  class_enter(&described);
  for (size_t i = 0; i < sizeof hooks / sizeof *hooks; ++i) {
    walker_enter(hooks[i].type_index, "__s_mutate__", hooks[i].copy);
    walker_enter(hooks[i].type_index, "__s_maybe_inplace_mutate__", hooks[i].inplace);
  }
}
