// SPDX-License-Identifier: Apache-2.0
// The end of objects that hold others. An object of this runtime that dies with its holder joins a
// list and is ended afterwards, so that nests of any depth need no deep stack.
#ifndef REFERENCE_SRC_CORE_NEST_H_
#define REFERENCE_SRC_CORE_NEST_H_

#include <tvm/ffi/c_api.h>

#include "core/any.h"

// The objects that have died and are still to be ended, linked through their headers.
typedef struct {
  TVMFFIObject *first;
} Nest;

// The deleter of all objects that hold others and end in `nest_end`. They are one piece of memory
// that comes from `malloc`.
void nest_delete(void *self, int flags);

// Drops what a dead object holds; its own memory stays.
typedef void NestEnd(TVMFFIObject *dead, Nest *nest);

// Says how objects of a type end that have the deleter `nest_delete`. For the rooms above, once for
// each of their types, in a NEST_START function of the file that makes the objects.
// type_index: static, or any other for all types that have none
// before: bytes of an object's memory that are in front of its header
void nest_set_end(int32_t type_index, NestEnd *end, size_t before);

// Runs when the library is loaded, before any code that could use it.
#define NEST_START __attribute__((constructor(101)))

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

#endif  // REFERENCE_SRC_CORE_NEST_H_
