// SPDX-License-Identifier: Apache-2.0
// What a value holds is visited as the attribute `__s_visit__` of its type says; without one its
// reflected fields are. Each visit gives None, an interrupt that ends the walk, or an Error.
#include "frontend/structural_visit.h"

#include "container/map.h"
#include "container/sequence.h"
#include "core/interrupt.h"
#include "frontend/children.h"
#include "frontend/class.h"
#include "frontend/nested.h"
#include "frontend/structural_hook.h"
#include "type/attribute.h"

static Attribute own_visit = {ATTRIBUTE("__s_visit__")};
static const char work[] = "structural visit";
static const WalkerTable walk_table, visit_table;

// Tells whether the walk goes on.
static bool visit_goes_on(TVMFFIAny result)
{
  return result.type_index == kTVMFFINone;
}

// Raises TypeError: a function has returned something else than None or an interrupt.
// result: own. Returns an Error.
RAISE_COLD static TVMFFIAny visit_refuse(TVMFFIAny result, const char *due)
{
  const Type *type = type_find(result.type_index);
  raise_error("TypeError", work, ": a function has returned a value of type `",
              type == NULL ? "?" : raise_name(&type->info.type_key).text, "`; expected ", due,
              NULL);
  any_release(&result);
  return walker_error();
}

static TVMFFIAny visit_result(TVMFFIAny result)
{
  switch (result.type_index) {
    case kTVMFFINone:
    case kTVMFFIVisitInterrupt:
    case kTVMFFIError:
      return result;
    default:
      return visit_refuse(result, "None or a VisitInterrupt");
  }
}

//--------------------------------------------------------------------------------------------------
// What values hold
//--------------------------------------------------------------------------------------------------

static TVMFFIAny visit_fields(StructuralWalker *visitor, TVMFFIObject *object)
{
  const Type *type = type_find(object->type_index);
  TVMFFISEqHashKind kind = structural_kind(object->type_index);
  FieldWalk walk = {.type = type == NULL ? NULL : &type->info};
  TVMFFIAny result = any_none();
  Region region = visitor->region;
  if (type == NULL) return result;
  for (const TVMFFIFieldInfo *field;
       visit_goes_on(result) && (field = structural_next(&walk)) != NULL;) {
    TVMFFIAny value;
    if (field_get(field, object, &value) != 0) return walker_error();
    visitor->region = structural_region(region, kind, field);
    result = visitor->table->visit(visitor, value);
    visitor->region = region;
    any_release(&value);
  }
  return result;
}

// Tells whether a visitor calls nobody for a value without content.
static bool visit_is_quiet(const StructuralWalker *visitor)
{
  return (visitor->table == &walk_table || visitor->table == &visit_table) && !visitor->calls;
}

static inline bool visit_is_leaf(const TVMFFIAny *value)
{
  return (value->type_index < kTVMFFIStaticObjectBegin || value->type_index == kTVMFFIStr) &&
         attribute_read(&own_visit, value->type_index) == NULL;
}

static TVMFFIAny visit_sequence(StructuralWalker *visitor, TVMFFIAny value)
{
  bool quiet = visit_is_quiet(visitor);
  TVMFFIAny result = any_none();
  for (int64_t i = 0; visit_goes_on(result) && i < sequence_cell(value.v_obj)->size; ++i) {
    if (quiet && visit_is_leaf(&sequence_values(value.v_obj)[i])) continue;
    TVMFFIAny element = children_hold(value.v_obj, &sequence_values(value.v_obj)[i]);
    result = visitor->table->visit(visitor, element);
    children_let_go(value.v_obj, &element);
  }
  return result;
}

static TVMFFIAny visit_map(StructuralWalker *visitor, TVMFFIAny value)
{
  const MapObject *map = (const MapObject *)value.v_obj;
  bool quiet = visit_is_quiet(visitor);
  TVMFFIAny result = any_none();
  for (uint64_t at = map_first(map); visit_goes_on(result); at = map_next(map, at)) {
    const MapEntry *entry = map_entry(map, at);
    if (entry == NULL) break;
    if (quiet && visit_is_leaf(&entry->value)) continue;
    TVMFFIAny element = children_hold(value.v_obj, &entry->value);
    result = visitor->table->visit(visitor, element);
    children_let_go(value.v_obj, &element);
  }
  return result;
}

static TVMFFIAny visit_ask(StructuralWalker *visitor, TVMFFIObject *function, TVMFFIAny value)
{
  TVMFFIAny args[] = {any_object(&visitor->header), value}, result = any_none();
  Nested *here = nested_here();
  if (nested_enter(here, work) != 0) return walker_error();
  int code = TVMFFIFunctionCall(function, args, 2, &result);
  nested_leave(here);
  return code == 0 ? visit_result(result) : walker_error();
}

static TVMFFIAny visit_held(StructuralWalker *visitor, TVMFFIAny value, const TVMFFIAny *own)
{
  if (own != NULL && own->type_index == kTVMFFIOpaquePtr && own->v_ptr != NULL) {
    return walker_hook(own)(visitor, value);
  }
  if (own != NULL && own->type_index == kTVMFFIFunction) {
    return visit_ask(visitor, own->v_obj, value);
  }
  if (own != NULL) {
    raise_error("TypeError", "__s_visit__ must be a pointer or a Function", NULL);
    return walker_error();
  }
  return any_held(&value) == NULL ? any_none() : visit_fields(visitor, value.v_obj);
}

// Visits what a value holds, a level deeper.
static TVMFFIAny visit_default(StructuralWalker *visitor, TVMFFIAny value)
{
  const TVMFFIAny *own = attribute_read(&own_visit, value.type_index);
  if (own == NULL && (any_held(&value) == NULL || native_is_string(&value))) return any_none();
  Nested *here = nested_here();
  if (nested_descend(here, work) != 0) return walker_error();
  TVMFFIAny result = visit_held(visitor, value, own);
  nested_ascend(here);
  return result;
}

//--------------------------------------------------------------------------------------------------
// The two walks
//--------------------------------------------------------------------------------------------------

enum { WALK_SKIP = 1 };

// Calls the callback for a value.
// skips: whether what the value holds is to be passed over.
static TVMFFIAny walk_tell(const StructuralWalker *visitor, const TVMFFIAny *value, bool *skips)
{
  bool with_region;
  TVMFFIObject *callback = walker_find(visitor, value, &with_region);
  if (callback == NULL) return any_none();
  TVMFFIAny result = walker_call(visitor, callback, value, with_region);
  switch (result.type_index) {
    case kTVMFFINone:
    case kTVMFFIVisitInterrupt:
    case kTVMFFIError:
      return result;
    case kTVMFFIInt:
    case kTVMFFIBool:
      *skips = result.v_int64 == WALK_SKIP;
      return any_none();
    default:
      return visit_refuse(result, "None, a WalkResult or a VisitInterrupt");
  }
}

static TVMFFIAny walk_visit(StructuralWalker *visitor, TVMFFIAny value)
{
  TVMFFIAny result = any_none();
  bool skips = false;
  if (value.type_index == kTVMFFINone) return result;
  if (visitor->before && visitor->calls) result = walk_tell(visitor, &value, &skips);
  if (visit_goes_on(result) && !skips) result = visit_default(visitor, value);
  if (visitor->calls && visit_goes_on(result) && !visitor->before) {
    result = walk_tell(visitor, &value, &skips);
  }
  return result.type_index == kTVMFFIError ? walker_note(result, &value) : result;
}

static TVMFFIAny visit_visit(StructuralWalker *visitor, TVMFFIAny value)
{
  bool with_region;
  if (value.type_index == kTVMFFINone) return any_none();
  TVMFFIObject *callback = visitor->calls ? walker_find(visitor, &value, &with_region) : NULL;
  TVMFFIAny result;
  if (callback == NULL) {
    result = visit_default(visitor, value);
  } else {
    TVMFFIAny args[] = {value, any_object(&visitor->header)};
    result = any_none();
    int code = nested_enter(visitor->here, work);
    if (code == 0) {
      code = TVMFFIFunctionCall(sequence_values(callback)[1].v_obj, args, 2, &result);
      nested_leave(visitor->here);
    }
    result = code == 0 ? visit_result(result) : walker_error();
  }
  return result.type_index == kTVMFFIError ? walker_note(result, &value) : result;
}

static const WalkerTable walk_table = {.visit = walk_visit}, visit_table = {.visit = visit_visit};

static int visit_give(const NativeCall *call, TVMFFIAny result)
{
  return result.type_index == kTVMFFIError ? walker_raise(result) : native_give(call, result);
}

// Walks through the first argument.
// visitor: own; NULL fails.
static int visit_run(const NativeCall *call, StructuralWalker *visitor)
{
  TVMFFIAny value;
  int code = visitor == NULL ? -1 : any_own(&call->args[0], &value);
  if (code == 0) {
    code = visit_give(call, visitor->table->visit(visitor, value));
    any_release(&value);
  }
  if (visitor != NULL) object_release(&visitor->header);
  return code;
}

int structural_walk(const NativeCall *call)
{
  StructuralWalker *visitor = walker_new(TYPE_STRUCTURAL_VISITOR, sizeof *visitor, &walk_table);
  if (visitor == NULL) return -1;
  if (walker_take_callbacks(call, visitor, &call->args[1], &call->args[2]) != 0) {
    object_release(&visitor->header);
    return -1;
  }
  visitor->before = call->args[3].v_int64 == 0;
  return visit_run(call, visitor);
}

int structural_visit(const NativeCall *call)
{
  StructuralWalker *visitor = walker_new(TYPE_STRUCTURAL_VISITOR, sizeof *visitor, &visit_table);
  if (visitor == NULL) return -1;
  if (walker_take_callbacks(call, visitor, &call->args[1], NULL) != 0) {
    object_release(&visitor->header);
    return -1;
  }
  return visit_run(call, visitor);
}

//--------------------------------------------------------------------------------------------------
// Functions for hooks
//--------------------------------------------------------------------------------------------------

int visitor_visit(const NativeCall *call)
{
  StructuralWalker *visitor = walker_argument(call, TYPE_STRUCTURAL_VISITOR);
  return visitor == NULL ? -1 : visit_give(call, visitor->table->visit(visitor, call->args[1]));
}

int visitor_default_visit(const NativeCall *call)
{
  StructuralWalker *visitor = walker_argument(call, TYPE_STRUCTURAL_VISITOR);
  return visitor == NULL ? -1 : visit_give(call, visit_default(visitor, call->args[1]));
}

int visitor_region(const NativeCall *call)
{
  return walker_region(call, TYPE_STRUCTURAL_VISITOR);
}

int visitor_with_region(const NativeCall *call)
{
  return walker_with_region(call, TYPE_STRUCTURAL_VISITOR);
}

int structural_interrupt(const NativeCall *call)
{
  TVMFFIObjectHandle made;
  if (interrupt_create(&made) != 0) return -1;
  if (any_own(&call->args[0], &((InterruptObject *)made)->value) != 0) {
    object_release(made);
    return -1;
  }
  return native_give(call, any_object(made));
}

CLASS_START static void visit_start(void)
{
  static const Class described = {.type_index = TYPE_STRUCTURAL_VISITOR,
                                  .size = offsetof(StructuralWalker, callbacks)};
  class_enter(&described);
  walker_enter(kTVMFFIArray, "__s_visit__", visit_sequence);
  walker_enter(kTVMFFIList, "__s_visit__", visit_sequence);
  walker_enter(kTVMFFIMap, "__s_visit__", visit_map);
  walker_enter(kTVMFFIDict, "__s_visit__", visit_map);
}
