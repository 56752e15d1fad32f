// SPDX-License-Identifier: Apache-2.0
// The elements of an array are part of the object; those of a list have memory of their own, which
// whoever compiled the C++ headers may have replaced by other memory with another deleter.
#include "container/sequence.h"

#include <stdlib.h>
#include <string.h>

#include "core/any.h"
#include "core/memory.h"
#include "core/raise.h"

typedef struct {
  TVMFFIObject header;
  TVMFFISeqCell cell;
  TVMFFIAny values[];
} SequenceObject;

#define SEQUENCE_LIST_MIN 4

//--------------------------------------------------------------------------------------------------
// Beginning and end
//--------------------------------------------------------------------------------------------------

// Returns memory for values; NULL if there is none.
static TVMFFIAny *sequence_allocate(int64_t capacity)
{
  if (capacity > PTRDIFF_MAX / (int64_t)sizeof(TVMFFIAny)) return NULL;
  return malloc((size_t)capacity * sizeof(TVMFFIAny));
}

static void sequence_free(void *values)
{
  free(values);
}

static TVMFFIObject *sequence_new_array(int64_t capacity)
{
  size_t room = sizeof(SequenceObject);
  if (!memory_add(&room, (size_t)capacity * sizeof(TVMFFIAny))) return NULL;
  SequenceObject *array = malloc(room);
  if (array == NULL) return NULL;
  object_init(&array->header, kTVMFFIArray, nest_delete);
  array->cell = (TVMFFISeqCell){.data = array->values, .capacity = capacity};
  return &array->header;
}

static TVMFFIObject *sequence_new_list(int64_t capacity)
{
  SequenceObject *list = malloc(sizeof *list);
  if (list == NULL) return NULL;
  TVMFFIAny *values = sequence_allocate(capacity);
  if (values == NULL) {
    free(list);
    return NULL;
  }
  object_init(&list->header, kTVMFFIList, nest_delete);
  list->cell = (TVMFFISeqCell){.data = values, .capacity = capacity, .data_deleter = sequence_free};
  return &list->header;
}

TVMFFIObject *sequence_new(int32_t type_index, int64_t capacity)
{
  if (type_index == kTVMFFIArray) return sequence_new_array(capacity);
  return sequence_new_list(capacity < SEQUENCE_LIST_MIN ? SEQUENCE_LIST_MIN : capacity);
}

void sequence_end(TVMFFIObject *sequence, Nest *nest)
{
  const TVMFFISeqCell *cell = sequence_cell(sequence);
  nest_drop_values(nest, cell->data, (size_t)cell->size);          // CON-8
  if (cell->data_deleter != NULL) cell->data_deleter(cell->data);  // CON-22
}

NEST_START static void sequence_start(void)
{
  nest_set_end(kTVMFFIArray, sequence_end, 0);
  nest_set_end(kTVMFFIList, sequence_end, 0);
}

//--------------------------------------------------------------------------------------------------
// Changing
//--------------------------------------------------------------------------------------------------

int sequence_reserve(TVMFFIObject *list, int64_t count)
{
  TVMFFISeqCell *cell = sequence_cell(list);
  if (count <= cell->capacity) return 0;
  int64_t capacity = cell->capacity < SEQUENCE_LIST_MIN ? SEQUENCE_LIST_MIN : cell->capacity;
  while (capacity < count) capacity = capacity > INT64_MAX / 2 ? INT64_MAX : 2 * capacity;
  TVMFFIAny *values = sequence_allocate(capacity);
  if (values == NULL) return raise_out_of_memory();
  if (cell->size != 0) memcpy(values, cell->data, (size_t)cell->size * sizeof *values);
  if (cell->data_deleter != NULL) cell->data_deleter(cell->data);  // CON-22
  cell->data = values;
  cell->capacity = capacity;
  cell->data_deleter = sequence_free;
  return 0;
}

TVMFFIObject *sequence_copy_to_list(TVMFFIObject *from)
{
  const TVMFFISeqCell *cell = sequence_cell(from);
  TVMFFIObject *list = sequence_new(kTVMFFIList, cell->size);
  if (list == NULL) raise_out_of_memory();
  for (int64_t i = 0; list != NULL && i < cell->size; ++i) {
    sequence_append(list, any_share(&sequence_values(from)[i]));
  }
  return list;
}

// Gives a new array or list with elements made of views. It is known where this stands which of
// them it is to be.
static inline int sequence_make(int32_t type_index, const TVMFFIAny *views, int64_t count,
                                TVMFFIAny *result)
{
  TVMFFIObject *sequence = sequence_new(type_index, count);  // CON-5
  if (sequence == NULL) return raise_out_of_memory();
  TVMFFIAny *values = sequence_values(sequence);
  int64_t made = 0;
  while (made < count && any_own(&views[made], &values[made]) == 0) ++made;
  sequence_cell(sequence)->size = made;
  if (made == count) {
    *result = any_object(sequence);  // CON-6
    return 0;
  }
  object_release(sequence);  // CON-9
  return -1;
}

int sequence_make_array(const TVMFFIAny *views, int64_t count, TVMFFIAny *result)
{
  return sequence_make(kTVMFFIArray, views, count, result);
}

int sequence_make_list(const TVMFFIAny *views, int64_t count, TVMFFIAny *result)
{
  return sequence_make(kTVMFFIList, views, count, result);
}
