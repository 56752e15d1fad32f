// SPDX-License-Identifier: Apache-2.0
// Giving out type indices. A type owns the indices of its child slots from the moment that it is
// registered; what a child takes of them, its own slots included, is taken from the front.
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/raise.h"
#include "type/type.h"

typedef struct {
  const TVMFFIByteArray *key;
  int32_t static_index;
  int32_t depth;
  int32_t slots;
  bool overflow;
  int32_t parent;
} TypeRequest;

// What is wrong with a request: this argument, which is `number`, and why.
typedef struct {
  const char *argument;
  int32_t number;
  const char *why;
} TypeRefusal;

static const TypeRefusal fine = {.argument = NULL};
static const char out_of_memory[] = "";  // the argument, when there is no memory

static int64_t next_dynamic = TYPE_DYNAMIC;

//--------------------------------------------------------------------------------------------------
// Which index
//--------------------------------------------------------------------------------------------------

// Finds the innermost type among whose child slots a static index is; NULL if there is none.
static Type *type_register_owner(int32_t index)
{
  for (int32_t i = index - 1; i >= 0; --i) {
    Type *type = type_find(i);
    if (type != NULL && index < type->end_slot) return type;
  }
  return NULL;
}

// Checks that a static index and its child slots are free. *owner: the type whose slots they are.
static TypeRefusal type_register_static(const TypeRequest *request, const Type *parent,
                                        Type **owner)
{
  int32_t index = request->static_index;
  if (index >= kTVMFFIDynObjectBegin) {
    return (TypeRefusal){"static_type_index", index, ", but must be below 128"};
  }
  if (parent != NULL && index <= parent->info.type_index) {
    return (TypeRefusal){"static_type_index", index, ", but must be above that of the parent"};
  }
  *owner = type_register_owner(index);
  bool inherited = *owner != NULL && parent != NULL && type_is_above(*owner, parent);
  if (type_find(index) != NULL || (*owner != NULL && (!inherited || index < (*owner)->next_slot))) {
    return (TypeRefusal){"static_type_index", index, ", which is taken"};
  }
  int32_t end = *owner == NULL ? kTVMFFIDynObjectBegin : (*owner)->end_slot;
  bool fits = request->slots < end - index;
  for (int32_t i = 1; fits && i <= request->slots; ++i) fits = type_find(index + i) == NULL;
  if (fits) return fine;
  return (TypeRefusal){"num_child_slots", request->slots,
                       ", but there are not as many free indices behind the static one"};
}

// Chooses an index that nobody has. *owner: the type whose slot it is, NULL for none.
static TypeRefusal type_register_dynamic(const TypeRequest *request, Type *parent, int64_t *index,
                                         Type **owner)
{
  *owner = NULL;
  if (parent->next_slot + (int64_t)request->slots < parent->end_slot) {  // TYPE-24
    *index = parent->next_slot;
    *owner = parent;
    return fine;
  }
  if (!parent->overflow) {
    return (TypeRefusal){"parent_type_index", request->parent,
                         ", a type that can have no further child"};
  }
  *index = next_dynamic;  // TYPE-25
  if (next_dynamic + request->slots < INT32_MAX) return fine;
  return (TypeRefusal){"num_child_slots", request->slots, ", but there are not as many indices"};
}

static TypeRefusal type_register_check(const TypeRequest *request, const Type *parent)
{
  if (request->slots < 0) {
    return (TypeRefusal){"num_child_slots", request->slots, ", but must not be negative"};
  }
  if (request->static_index < -1) {
    return (TypeRefusal){"static_type_index", request->static_index, ", but must be -1 for none"};
  }
  if (parent == NULL && (request->parent != -1 || request->static_index < 0)) {
    return (TypeRefusal){"parent_type_index", request->parent, ", which is no type"};
  }
  if (request->depth != (parent == NULL ? 0 : parent->info.type_depth + 1)) {
    return (TypeRefusal){"type_depth", request->depth, ", but must be the number of its ancestors"};
  }
  return fine;
}

//--------------------------------------------------------------------------------------------------
// The type
//--------------------------------------------------------------------------------------------------

// Makes a type, in one piece with its ancestors and its key. NULL if there is no memory.
static Type *type_register_make(const TypeRequest *request, const Type *parent, int32_t index)
{
  size_t depth = (size_t)request->depth, key_size = request->key->size;
  size_t size = sizeof(Type) + depth * sizeof(TVMFFITypeInfo *) + 1;
  Type *type = memory_add(&size, key_size) ? calloc(1, size) : NULL;
  if (type == NULL) return NULL;
  const TVMFFITypeInfo **ancestors = (const TVMFFITypeInfo **)(type + 1);
  char *key = (char *)(ancestors + depth);
  if (key_size != 0) memcpy(key, request->key->data, key_size);  // TYPE-14, TYPE-16
  if (depth > 1) memcpy(ancestors, parent->info.type_ancestors, (depth - 1) * sizeof *ancestors);
  if (depth != 0) ancestors[depth - 1] = &parent->info;  // TYPE-17, TYPE-22
  type->info.type_index = index;
  type->info.type_depth = request->depth;
  type->info.type_key = (TVMFFIByteArray){key, key_size};
  type->info.type_ancestors = depth == 0 ? NULL : ancestors;
  type->info.type_key_hash = type_hash(key, key_size);
  type->next_slot = index + 1;
  type->end_slot = index + 1 + request->slots;
  type->overflow = request->overflow && (parent == NULL || parent->overflow);
  return type;
}

// Registers a type whose key is new. With the lock.
static TypeRefusal type_register_new(const TypeRequest *request, int32_t *out)
{
  Type *parent = type_find(request->parent), *owner = NULL;
  TypeRefusal refusal = type_register_check(request, parent);
  if (refusal.argument != NULL) return refusal;
  int64_t index = request->static_index;  // TYPE-26
  refusal = index >= 0 ? type_register_static(request, parent, &owner)
                       : type_register_dynamic(request, parent, &index, &owner);
  if (refusal.argument != NULL) return refusal;
  Type *type = NULL;
  if (type_reserve((int32_t)index) == 0) type = type_register_make(request, parent, (int32_t)index);
  if (type == NULL) return (TypeRefusal){.argument = out_of_memory};
  if (owner != NULL) {
    owner->next_slot = type->end_slot;  // TYPE-23
  } else if (index >= kTVMFFIDynObjectBegin) {
    next_dynamic = type->end_slot;  // TYPE-19
  }
  type_publish(type);
  *out = (int32_t)index;
  return fine;
}

static int type_register_refuse(const char *function, const TypeRequest *request,
                                const TypeRefusal *refusal)
{
  if (refusal->argument == out_of_memory) return raise_out_of_memory();
  return raise_error("InternalError", function, ": cannot register `",
                     raise_name(request->key).text, "`: `", refusal->argument, "` is ",
                     raise_number(refusal->number).text, refusal->why, NULL);
}

int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray *type_key, int32_t static_type_index,
                                  int32_t type_depth, int32_t num_child_slots,
                                  int32_t child_slots_can_overflow, int32_t parent_type_index)
{
  TypeRequest request = {
      .key = type_key,
      .static_index = static_type_index,
      .depth = type_depth,
      .slots = num_child_slots,
      .overflow = child_slots_can_overflow != 0,
      .parent = parent_type_index,
  };
  if (raise_unless_bytes(__func__, "type_key", type_key) != 0) return -1;
  const Type *known = type_find_key(type_key->data, type_key->size);
  if (known != NULL) return known->info.type_index;  // TYPE-20, TYPE-21
  if (parent_type_index == -2) return -2;            // TYPE-27
  int32_t index = -1;
  TypeRefusal refusal = fine;
  type_lock();
  known = type_find_key(type_key->data, type_key->size);  // TYPE-31
  if (known != NULL) {
    index = known->info.type_index;
  } else {
    refusal = type_register_new(&request, &index);
  }
  type_unlock();
  if (refusal.argument != NULL) return type_register_refuse(__func__, &request, &refusal);
  return index;
}
