// SPDX-License-Identifier: Apache-2.0
#include "frontend/copy.h"

#include "container/map.h"
#include "container/pairs.h"
#include "container/sequence.h"
#include "core/any.h"
#include "core/raise.h"
#include "frontend/children.h"
#include "type/attribute.h"
#include "type/type.h"

static Attribute shallow_copy = {ATTRIBUTE("__ffi_shallow_copy__")};

// Each object that was met, and its copy: a container, which is filled when its turn comes, or an
// object that shares what is in its fields until then.
typedef struct {
  const NativeCall *call;
  Pairs met;
} Copy;

static int copy_refuse(const Copy *copy, int32_t type_index)
{
  const Type *type = type_find(type_index);
  return raise_error(
      "RuntimeError", copy->call->spec->name, ": objects of type `",
      type == NULL ? raise_number(type_index).text : raise_name(&type->info.type_key).text,
      "` can't be copied: they are not copy-constructible", NULL);
}

// Makes an empty container with room for what is in another. Returns own; NULL with an error.
static TVMFFIObject *copy_empty(TVMFFIObject *from)
{
  TVMFFIObject *made;
  if (from->type_index == kTVMFFIArray || from->type_index == kTVMFFIList) {
    made = sequence_new(from->type_index, sequence_cell(from)->size);
  } else {
    MapObject *map = map_new(from->type_index, ((MapObject *)from)->size);
    made = map == NULL ? NULL : &map->header;
  }
  if (made == NULL) raise_out_of_memory();
  return made;
}

// Values of enumerations are known by their address.
static bool copy_is_enum(int32_t type_index)
{
  const Type *type = type_find(type_index), *root = type_find(TYPE_ENUM);
  return type != NULL && type_is_above(root, type);
}

// Makes an object that shares what its original holds. Returns own; NULL with an error.
static TVMFFIObject *copy_shallow(const Copy *copy, const TVMFFIAny *value)
{
  const TVMFFIAny *callee = attribute_of(&shallow_copy, value->type_index);
  TVMFFIAny arg = *value, made = any_none();
  if (callee == NULL || callee->type_index != kTVMFFIFunction) {
    copy_refuse(copy, value->type_index);
    return NULL;
  }
  if (TVMFFIFunctionCall(callee->v_obj, &arg, 1, &made) != 0) return NULL;
  if (made.type_index == value->type_index) return made.v_obj;
  any_release(&made);
  raise_error("TypeError", copy->call->spec->name,
              ": __ffi_shallow_copy__ has returned an object of another type", NULL);
  return NULL;
}

static bool copy_is_container(int32_t type_index)
{
  return children_is_sequence(type_index) || children_is_map(type_index);
}

// Gives what stands for a value in the copy.
// out: own, None on failure. Returns 0; -1 with an error.
static int copy_value(Copy *copy, const TVMFFIAny *value, TVMFFIAny *out)
{
  size_t number;
  *out = any_none();
  int32_t type_index = value->type_index;
  if (any_held(value) == NULL) {
    *out = *value;
    return 0;
  }
  if (type_index == kTVMFFIStr || type_index == kTVMFFIBytes || type_index == kTVMFFIShape ||
      type_index == kTVMFFIBigInt || copy_is_enum(type_index)) {
    *out = any_share(value);
    return 0;
  }
  if (pairs_note(&copy->met, value->v_obj, NULL, &number) < 0) return -1;
  Pair *pair = &copy->met.pairs[number];
  if (pair->made == NULL) {
    pair->made =
        copy_is_container(type_index) ? copy_empty(value->v_obj) : copy_shallow(copy, value);
  }
  if (pair->made == NULL) return -1;
  TVMFFIAny made = any_object(pair->made);
  *out = any_share(&made);
  return 0;
}

static int copy_sequence(Copy *copy, TVMFFIObject *from, TVMFFIObject *to)
{
  for (int64_t i = 0; i < sequence_cell(from)->size; ++i) {
    TVMFFIAny value;
    if (sequence_cell(to)->size == sequence_cell(to)->capacity) break;  // it has grown since
    if (copy_value(copy, &sequence_values(from)[i], &value) != 0) return -1;
    sequence_append(to, value);
  }
  return 0;
}

static int copy_map(Copy *copy, MapObject *from, MapObject *to)
{
  for (uint64_t at = map_first(from);; at = map_next(from, at)) {
    const MapEntry *entry = map_entry(from, at);
    if (entry == NULL) return 0;
    MapEntry made = {any_none(), any_none()};
    int code = copy_value(copy, &entry->key, &made.key);
    if (code == 0) code = copy_value(copy, &entry->value, &made.value);
    if (code == 0) code = map_set(to, &made);
    any_release(&made.key);
    any_release(&made.value);
    if (code != 0) return -1;
  }
}

// Gives the fields of a copy what stands there for what they hold.
static int copy_fields(Copy *copy, TVMFFIObject *from, TVMFFIObject *to)
{
  Children children = children_of(from, 0);
  TVMFFIAny value, made;
  int has;
  while ((has = children_next(&children, &value)) == 1) {
    int code = copy_value(copy, &value, &made);
    if (code == 0 && !any_same(&value, &made) && children.field->setter != NULL) {
      code = field_set(children.field, to, &made);
    }
    any_release(&value);
    any_release(&made);
    if (code != 0) return -1;
  }
  return has;
}

// Fills the copies, and those that are added meanwhile.
static int copy_fill(Copy *copy)
{
  int code = 0;
  for (size_t i = 0; i < copy->met.count && code == 0; ++i) {
    TVMFFIObject *from = copy->met.pairs[i].one, *to = copy->met.pairs[i].made;
    if (children_is_sequence(from->type_index)) {
      code = copy_sequence(copy, from, to);
    } else if (children_is_map(from->type_index)) {
      code = copy_map(copy, (MapObject *)from, (MapObject *)to);
    } else {
      code = copy_fields(copy, from, to);
    }
  }
  return code;
}

// Gives the fields of a copy what its original holds.
static void copy_undo_fields(TVMFFIObject *from, TVMFFIObject *made)
{
  Children children = children_of(from, 0);
  TVMFFIAny value;
  while (children_next(&children, &value) == 1) {
    if (any_held(&value) != NULL && children.field->setter != NULL) {
      field_set(children.field, made, &value);
    }
    any_release(&value);
  }
}

// Empties what was made in vain, so that cycles in it come apart.
static void copy_undo(Copy *copy)
{
  for (size_t i = 0; i < copy->met.count; ++i) {
    TVMFFIObject *made = copy->met.pairs[i].made;
    if (made == NULL) continue;
    if (!copy_is_container(made->type_index)) {
      copy_undo_fields(copy->met.pairs[i].one, made);
      continue;
    }
    if (children_is_map(made->type_index)) {
      map_clear((MapObject *)made);
      continue;
    }
    TVMFFISeqCell *cell = sequence_cell(made);
    while (cell->size > 0) any_release(&sequence_values(made)[--cell->size]);
  }
}

int copy_deep(const NativeCall *call)
{
  Copy copy = {.call = call};
  TVMFFIAny value, made = any_none();
  if (any_own(&call->args[0], &value) != 0) return -1;
  int code = copy_value(&copy, &value, &made);
  if (code == 0) code = copy_fill(&copy);
  if (code != 0) {
    copy_undo(&copy);
    any_release(&made);
  }
  pairs_end(&copy.met);
  any_release(&value);
  return code == 0 ? native_give(call, made) : -1;
}
