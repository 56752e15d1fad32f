// SPDX-License-Identifier: Apache-2.0
// The table of types. Whoever looks up takes no lock; whoever registers holds `type_lock`, and
// calls no foreign code meanwhile. What readers can reach never moves and is never freed.
#ifndef REFERENCE_SRC_TYPE_TYPE_H_
#define REFERENCE_SRC_TYPE_TYPE_H_

#include <stdatomic.h>
#include <stdbool.h>
#include <tvm/ffi/c_api.h>

#include "core/table.h"
#include "type/type_list.h"

// A type, which lives as long as the process.
typedef struct {
  TVMFFITypeInfo info;  // what the world sees
  TableEntry key;       // the entry of info.type_key, whose value is the type
  TypeList fields, methods;
  int32_t next_slot;       // the first of its child slots that is left
  int32_t end_slot;        // the index behind its child slots
  bool overflow;           // further children may have indices elsewhere
  _Atomic(void *) layout;  // of its objects, as a room above finds it out; NULL at first
} Type;

// Finds a type by its index or key; NULL if there is none. Borrow: for the life of the process.
Type *type_find(int32_t type_index);
Type *type_find_key(const char *key, size_t size);

// Finds the type with the smallest index above this one; NULL if there is none.
const TVMFFITypeInfo *type_next(int32_t type_index);

// Tells whether one type is the other or an ancestor of it.
bool type_is_above(const Type *type, const Type *other);

//--------------------------------------------------------------------------------------------------
// For the files that register
//--------------------------------------------------------------------------------------------------

void type_lock(void);
void type_unlock(void);

// Makes sure that a type of this index, 0 or more, can be published. Returns 0; -1 if there is no
// memory. With the lock.
int type_reserve(int32_t type_index);

// Shows a type to the world. Its index and its key must be free and reserved. With the lock.
void type_publish(Type *type);

// A hash of a type key, the one that info.type_key_hash holds.
uint64_t type_hash(const char *key, size_t size);

// Dynamic indices: those of types that are there from the start, and the first that is given out.
enum {
  TYPE_NAMED = kTVMFFIDynObjectBegin,
  TYPE_ACCESS_STEP = TYPE_NAMED,
  TYPE_ACCESS_PATH,
  TYPE_STRUCTURAL_KEY,
  TYPE_STRUCTURAL_VISITOR,
  TYPE_STRUCTURAL_MUTATOR,
  TYPE_VISIT_ERROR_CONTEXT,
  TYPE_ENUM_STATE,
  TYPE_ENUM,
  TYPE_INT_ENUM,
  TYPE_STR_ENUM,
  TYPE_DYNAMIC
};

// The types that exist from the start, none of them published yet.
extern Type type_builtins[];
extern const size_t type_builtin_count;

#endif  // REFERENCE_SRC_TYPE_TYPE_H_
