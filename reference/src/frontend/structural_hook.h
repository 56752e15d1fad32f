// SPDX-License-Identifier: Apache-2.0
// What walks that read and walks that replace have in common. Both are objects that compiled code
// calls and changes in place: behind the header a table of functions, and the region. Their functions
// take views and return owned values, an Error among them where they fail.
#ifndef REFERENCE_SRC_FRONTEND_STRUCTURAL_HOOK_H_
#define REFERENCE_SRC_FRONTEND_STRUCTURAL_HOOK_H_

#include <string.h>

#include "frontend/nested.h"
#include "frontend/structural.h"
#include "native/native.h"

typedef struct StructuralWalker StructuralWalker;

typedef TVMFFIAny WalkerVisit(StructuralWalker *walker, TVMFFIAny value);
typedef TVMFFIAny WalkerSet(StructuralWalker *walker, TVMFFIAny var, TVMFFIAny value);

// The table of a visitor ends behind the first.
typedef struct {
  WalkerVisit *visit;    // of a mutator: mutates a copy
  WalkerVisit *inplace;  // may change the value itself
  WalkerVisit *get;      // what stands for a variable, None if nothing does
  WalkerSet *set;
} WalkerTable;

// Functions for values of some types, the first that fits is called. They come as arrays of arrays:
// a type index, a function, and what else belongs to it.
typedef struct {
  TVMFFIObject *plain;    // own: called with the value; NULL for none
  TVMFFIObject *regions;  // own: called with the value and the region; NULL for none
} WalkerCallbacks;

struct StructuralWalker {
  TVMFFIObject header;
  const WalkerTable *table;
  Region region;
  // Of the runtime's own walkers alone:
  WalkerCallbacks callbacks;
  Nested *here;                           // borrow: how deep the thread is
  bool calls;                             // there is any callback
  bool before;                            // whether they are called before what the value holds
  void (*end)(StructuralWalker *walker);  // gives back what else there is; may be NULL
};

// What hooks are that compiled code registers as pointers.
static inline WalkerVisit *walker_hook(const TVMFFIAny *attribute)
{
  WalkerVisit *hook = NULL;
  memcpy(&hook, &attribute->v_ptr, sizeof hook);
  return hook;
}

// Gives a type a hook as an attribute.
void walker_enter(int32_t type_index, const char *attribute, WalkerVisit *hook);

// Makes a walker without callbacks, of a size. Returns own; NULL with an error.
StructuralWalker *walker_new(int32_t type_index, size_t size, const WalkerTable *table);

// Gives it the callbacks of two arguments of a call; `regions` NULL for none.
// Returns 0; -1 with TypeError.
int walker_take_callbacks(const NativeCall *call, StructuralWalker *walker, const TVMFFIAny *plain,
                          const TVMFFIAny *regions);

// Finds the callback for a value. with_region: whether it wants the region.
// Returns borrow: its array; NULL if there is none.
TVMFFIObject *walker_find(const StructuralWalker *walker, const TVMFFIAny *value,
                          bool *with_region);

// Calls a callback with the value and, if it wants it, the region. Returns own, an Error if it fails.
TVMFFIAny walker_call(const StructuralWalker *walker, TVMFFIObject *callback,
                      const TVMFFIAny *value, bool with_region);

// Makes a value of the error that was raised.
TVMFFIAny walker_error(void);

// Raises such a value. Returns -1.
// error: own.
int walker_raise(TVMFFIAny error);

// Notes in an error that a value lies on the way to it. Returns it.
TVMFFIAny walker_note(TVMFFIAny error, const TVMFFIAny *value);

// Runs a function without arguments in a region, unless that of a pattern is entered already.
// Gives the call what it returns.
int walker_with_region(const NativeCall *call, int32_t type_index);

// Gives the call the region of the walker that is its first argument.
int walker_region(const NativeCall *call, int32_t type_index);

// Returns the walker that is the first argument of a call; NULL with TypeError if it is none.
StructuralWalker *walker_argument(const NativeCall *call, int32_t type_index);

#endif  // REFERENCE_SRC_FRONTEND_STRUCTURAL_HOOK_H_
