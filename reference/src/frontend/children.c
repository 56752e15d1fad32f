// SPDX-License-Identifier: Apache-2.0
#include "frontend/children.h"

#include "container/map.h"
#include "container/sequence.h"
#include "core/raise.h"
#include "type/type.h"

Children children_of(TVMFFIObject *object, int64_t skip)
{
  Children children = {.object = object, .skip = skip, .kind = CHILDREN_FIELDS};
  if (children_is_sequence(object->type_index)) {
    children.kind = CHILDREN_SEQUENCE;
  } else if (children_is_map(object->type_index)) {
    children.kind = CHILDREN_MAP;
    children.position = map_first((MapObject *)object);
  } else {
    const Type *type = type_find(object->type_index);
    children.walk.type = type == NULL ? NULL : &type->info;
  }
  return children;
}

uint64_t children_count(TVMFFIObject *container)
{
  if (children_is_map(container->type_index)) return ((MapObject *)container)->size;
  return (uint64_t)sequence_cell(container)->size;
}

static int children_next_of_map(Children *children, TVMFFIAny *out)
{
  MapObject *map = (MapObject *)children->object;
  const MapEntry *entry = map_entry(map, children->position);
  if (entry == NULL) return 0;
  *out = any_share(children->value_is_next ? &entry->value : &entry->key);
  if (children->value_is_next) children->position = map_next(map, children->position);
  children->value_is_next = !children->value_is_next;
  return 1;
}

static int children_next_field(Children *children, TVMFFIAny *out)
{
  if (children->walk.type == NULL) return 0;
  do {
    children->field = field_next(&children->walk);
    if (children->field == NULL) return 0;
  } while (children->field->flags & children->skip);
  return field_get(children->field, children->object, out) == 0 ? 1 : -1;
}

int children_next(Children *children, TVMFFIAny *out)
{
  switch (children->kind) {
    case CHILDREN_SEQUENCE:
      if (children->next >= sequence_cell(children->object)->size) return 0;
      *out = any_share(&sequence_values(children->object)[children->next++]);
      return 1;
    case CHILDREN_MAP:
      return children_next_of_map(children, out);
    default:
      return children_next_field(children, out);
  }
}
