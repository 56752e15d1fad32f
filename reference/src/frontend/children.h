// SPDX-License-Identifier: Apache-2.0
// What an object holds, one value after the other: the elements of a sequence, keys and values of a
// map by turns, the reflected fields of other objects.
#ifndef REFERENCE_SRC_FRONTEND_CHILDREN_H_
#define REFERENCE_SRC_FRONTEND_CHILDREN_H_

#include "frontend/field.h"

typedef enum { CHILDREN_SEQUENCE, CHILDREN_MAP, CHILDREN_FIELDS } ChildrenKind;

typedef struct {
  TVMFFIObject *object;  // borrow
  ChildrenKind kind;
  bool value_is_next;  // of a map: its key has been given
  int64_t skip;        // fields with one of these flags are passed over
  int64_t next;        // element
  uint64_t position;   // of the entry of a map
  FieldWalk walk;
  const TVMFFIFieldInfo *field;  // the field that was given last; NULL in containers
} Children;

// Tells whether objects of this type are containers, whose elements count.
static inline bool children_is_sequence(int32_t type_index)
{
  return type_index == kTVMFFIArray || type_index == kTVMFFIList;
}

static inline bool children_is_map(int32_t type_index)
{
  return type_index == kTVMFFIMap || type_index == kTVMFFIDict;
}

// Tells whether they may have other elements later.
static inline bool children_can_change(int32_t type_index)
{
  return type_index == kTVMFFIList || type_index == kTVMFFIDict;
}

// What a List or Dict holds may be taken out by code of types or callbacks, so it is held while it is
// looked at. Arrays and Maps, which whoever called holds, never change.
static inline TVMFFIAny children_hold(const TVMFFIObject *container, const TVMFFIAny *value)
{
  return children_can_change(container->type_index) ? any_share(value) : *value;
}

static inline void children_let_go(const TVMFFIObject *container, TVMFFIAny *value)
{
  if (children_can_change(container->type_index)) any_release(value);
}

// Starts with the first value of an object.
// object: borrow, for as long as the walk.
Children children_of(TVMFFIObject *object, int64_t skip);

// Gives the next value. A container that changes meanwhile gives what it has then.
// out: own, written if there is one. Returns 1; 0 behind the last; -1 with an error.
int children_next(Children *children, TVMFFIAny *out);

// Returns how many elements a container has, or how many entries.
uint64_t children_count(TVMFFIObject *container);

#endif  // REFERENCE_SRC_FRONTEND_CHILDREN_H_
