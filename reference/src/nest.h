// SPDX-License-Identifier: Apache-2.0
// The end of objects that hold others. An object of this runtime that dies with its holder joins a
// list and is ended afterwards, so that nests of any depth need no deep stack.
#ifndef REFERENCE_NEST_H_
#define REFERENCE_NEST_H_

#include <tvm/ffi/c_api.h>

#include "any.h"

// The objects that have died and are still to be ended, linked through their headers.
typedef struct {
  TVMFFIObject *first;
} Nest;

// The deleter of all objects that hold others and end in `nest_end`. They are one piece of memory
// that comes from `malloc`.
void nest_delete(void *self, int flags);

// Drops a reference that a dying object holds.
// child: own; may be NULL.
void nest_drop(Nest *nest, TVMFFIObject *child);

// Drops `count` values that a dying object holds.
// values: own.
static inline void nest_drop_values(Nest *nest, const TVMFFIAny *values, size_t count)
{
  for (size_t i = 0; i < count; ++i) {
    TVMFFIObject *held = any_held(&values[i]);
    if (held != NULL) nest_drop(nest, held);
  }
}

#endif  // REFERENCE_NEST_H_
