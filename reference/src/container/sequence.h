// SPDX-License-Identifier: Apache-2.0
// Arrays and lists: values in a row.
#ifndef REFERENCE_SRC_CONTAINER_SEQUENCE_H_
#define REFERENCE_SRC_CONTAINER_SEQUENCE_H_

#include <tvm/ffi/c_api.h>

#include "core/any.h"
#include "core/nest.h"

// Returns the body of an array or list. Borrow: it is part of the object.
static inline TVMFFISeqCell *sequence_cell(TVMFFIObject *sequence)
{
  return (TVMFFISeqCell *)(sequence + 1);  // CON-16, CON-21
}

// Returns the elements. Borrow: until the sequence changes.
static inline TVMFFIAny *sequence_values(TVMFFIObject *sequence)
{
  return sequence_cell(sequence)->data;
}

// Makes an array or list, by its type index, with room for `capacity` elements and none in it.
// Returns own; NULL if there is no memory.
TVMFFIObject *sequence_new(int32_t type_index, int64_t capacity);

// Make an array or list with elements made of views, rvalue references too.
// result: own, written on success. Returns 0; -1 with an error.
int sequence_make_array(const TVMFFIAny *views, int64_t count, TVMFFIAny *result);
int sequence_make_list(const TVMFFIAny *views, int64_t count, TVMFFIAny *result);

// Appends a value for which there must be room.
// value: own.
static inline void sequence_append(TVMFFIObject *sequence, TVMFFIAny value)
{
  TVMFFISeqCell *cell = sequence_cell(sequence);
  ((TVMFFIAny *)cell->data)[cell->size++] = value;
}

// Makes a list with the elements of an array or list. Returns own; NULL with an error.
TVMFFIObject *sequence_copy_to_list(TVMFFIObject *from);

// Makes room for `count` elements in a list. Returns 0; -1 with InternalError if there is no
// memory.
int sequence_reserve(TVMFFIObject *list, int64_t count);

// Drops what a dead array or list holds.
void sequence_end(TVMFFIObject *sequence, Nest *nest);

#endif  // REFERENCE_SRC_CONTAINER_SEQUENCE_H_
