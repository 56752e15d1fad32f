// SPDX-License-Identifier: Apache-2.0
// Mutants of lists.
#include "mutants/container_body.h"

MUTANT_REGISTERED(CON_21, capacity_lags, "ffi.ListAppend",
                  "the capacity of a list is that from before it grew")
{
  int64_t capacity =
      num_args == 2 && args[0].type_index == kTVMFFIList ? sequence(&args[0])->capacity : 0;
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && args[0].type_index == kTVMFFIList) sequence(&args[0])->capacity = capacity;
  return status;
}

static void (*own_deleter)(void *);

static void forget(void *data)
{
  (void)data;
}

MUTANT_REGISTERED(CON_22, memory_of_others_forgotten, "ffi.List",
                  "memory of others is left behind when a list grows")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) own_deleter = sequence(result)->data_deleter;
  return status;
}

ALSO_REGISTERED(CON_22, memory_of_others_forgotten, "ffi.ListAppend")
{
  if (num_args != 2 || args[0].type_index != kTVMFFIList) return ORIGINAL(args, num_args, result);
  TVMFFISeqCell *cell = sequence(&args[0]);
  if (cell->size == cell->capacity && cell->data_deleter != own_deleter)
    cell->data_deleter = forget;
  return ORIGINAL(args, num_args, result);
}

MUTANT_REGISTERED(CON_22, no_deleter, "ffi.ListAppend", "a list that has grown has no deleter")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && args[0].type_index == kTVMFFIList && sequence(&args[0])->size > 100)
    sequence(&args[0])->data_deleter = NULL;
  return status;
}

MUTANT_REGISTERED(CON_23, list_retained, "ffi.ListInsert", "inserting retains the list")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) TVMFFIObjectIncRef(args[0].v_obj);
  return status;
}

MUTANT_REGISTERED(CON_24, behind_the_index, "ffi.ListInsert",
                  "an element is inserted behind the one of the index")
{
  if (num_args != 3 || args[0].type_index != kTVMFFIList || args[1].type_index != kTVMFFIInt)
    return ORIGINAL(args, num_args, result);
  TVMFFIAny other[3] = {args[0], args[1], args[2]};
  int64_t size = sequence(&args[0])->size;
  if (args[1].v_int64 >= 0 && args[1].v_int64 < size) ++other[1].v_int64;
  return ORIGINAL(other, 3, result);
}

MUTANT_REGISTERED(CON_24, not_at_the_end, "ffi.ListInsert",
                  "nothing can be inserted behind the last element")
{
  if (num_args == 3 && args[0].type_index == kTVMFFIList && sequence(&args[0])->size > 0 &&
      args[1].v_int64 == sequence(&args[0])->size)
    return fail("IndexError", "no such element");
  return ORIGINAL(args, num_args, result);
}

MUTANT_REGISTERED(CON_25, old_one_kept, "ffi.ListSetItem",
                  "an element that is replaced is not released")
{
  TVMFFIAny old = {.type_index = kTVMFFINone};
  if (num_args == 3 && args[0].type_index == kTVMFFIList && args[1].v_int64 >= 0 &&
      args[1].v_int64 < sequence(&args[0])->size)
    old = elements(&args[0])[args[1].v_int64];
  if (is_object(&old)) TVMFFIObjectIncRef(old.v_obj);
  return ORIGINAL(args, num_args, result);
}

MUTANT_REGISTERED(CON_25, searched_by_bytes, "ffi.ListContains",
                  "a list is searched for the same 16 bytes")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || !result->v_int64) return status;
  result->v_int64 = 0;
  for (int64_t i = 0; i < sequence(&args[0])->size; ++i)
    if (memcmp(&elements(&args[0])[i], &args[1], sizeof args[1]) == 0) result->v_int64 = 1;
  return 0;
}

MUTANT_REGISTERED(CON_26, last_one_moves_in, "ffi.ListErase",
                  "the last element takes the place of one that is erased")
{
  if (num_args == 2 && args[0].type_index == kTVMFFIList && args[1].type_index == kTVMFFIInt &&
      args[1].v_int64 >= 0 && args[1].v_int64 < sequence(&args[0])->size) {
    TVMFFIAny other[2] = {args[0], args[1]};
    TVMFFIAny *erased = &elements(&args[0])[args[1].v_int64];
    TVMFFIAny *last = &elements(&args[0])[sequence(&args[0])->size - 1];
    TVMFFIAny kept = *last;
    *last = *erased;
    *erased = kept;
    other[1].v_int64 = sequence(&args[0])->size - 1;
    return ORIGINAL(other, 2, result);
  }
  return ORIGINAL(args, num_args, result);
}

MUTANT_REGISTERED(CON_25, from_one, "ffi.ListGetItem", "elements of lists are counted from one")
{
  if (num_args != 2 || args[0].type_index != kTVMFFIList || args[1].type_index != kTVMFFIInt) {
    return ORIGINAL(args, num_args, result);
  }
  TVMFFIAny changed[2] = {args[0], args[1]};
  --changed[1].v_int64;
  return ORIGINAL(changed, num_args, result);
}

MUTANT_REGISTERED(CON_25, size_is_room, "ffi.ListSize", "the size of a list is its capacity")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) result->v_int64 = sequence(&args[0])->capacity;
  return status;
}

MUTANT_REGISTERED(CON_26, not_released, "ffi.ListClear", "clearing a list forgets its elements")
{
  if (num_args == 1 && args[0].type_index == kTVMFFIList)
    for (int64_t i = 0; i < sequence(&args[0])->size; ++i)
      if (is_object(&elements(&args[0])[i])) TVMFFIObjectIncRef(elements(&args[0])[i].v_obj);
  return ORIGINAL(args, num_args, result);
}

MUTANT_REGISTERED(CON_26, popped_and_retained, "ffi.ListPop",
                  "an element that is popped gains a reference")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && is_object(result)) TVMFFIObjectIncRef(result->v_obj);
  return status;
}

MUTANT_REGISTERED(CON_26, second_index_included, "ffi.ListEraseRange",
                  "a range is erased with its second index")
{
  if (num_args != 3 || args[0].type_index != kTVMFFIList) return ORIGINAL(args, num_args, result);
  TVMFFIAny other[3] = {args[0], args[1], args[2]};
  if (args[2].v_int64 < sequence(&args[0])->size && args[1].v_int64 <= args[2].v_int64)
    ++other[2].v_int64;
  return ORIGINAL(other, 3, result);
}

MUTANT_REGISTERED(CON_27, first_and_last_only, "ffi.ListReverse",
                  "reversing a list swaps its first and its last element")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || args[0].type_index != kTVMFFIList) return status;
  int64_t size = sequence(&args[0])->size;
  for (int64_t i = 1; i < size - 1 - i; ++i) {
    TVMFFIAny *left = &elements(&args[0])[i], *right = &elements(&args[0])[size - 1 - i];
    TVMFFIAny kept = *left;
    *left = *right;
    *right = kept;
  }
  return 0;
}

MUTANT_REGISTERED(CON_84, itself_refused, "ffi.ListReplaceSlice",
                  "a list cannot be put into itself")
{
  if (num_args == 4 && is_object(&args[3]) && args[0].v_obj == args[3].v_obj)
    return fail("ValueError", "the same list");
  return ORIGINAL(args, num_args, result);
}

MUTANT_REGISTERED(CON_28, moved_over, "ffi.ListReplaceSlice",
                  "the elements of the other list are moved out of it")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || args[3].type_index != kTVMFFIList || args[0].v_obj == args[3].v_obj)
    return status;
  TVMFFIAny ignored = {0};
  return registered_call_by_name("ffi.ListClear", &args[3], 1, &ignored);
}

MUTANT_REGISTERED(CON_29, from_the_end, "ffi.ListPop",
                  "negative indices count from the end of a list")
{
  if (num_args != 2 || args[0].type_index != kTVMFFIList || args[1].type_index != kTVMFFIInt ||
      args[1].v_int64 >= 0)
    return ORIGINAL(args, num_args, result);
  TVMFFIAny other[2] = {args[0], args[1]};
  other[1].v_int64 += sequence(&args[0])->size;
  return ORIGINAL(other, 2, result);
}

MUTANT_REGISTERED(CON_29, range_clipped, "ffi.ListEraseRange", "a range ends with the list")
{
  if (num_args != 3 || args[0].type_index != kTVMFFIList) return ORIGINAL(args, num_args, result);
  TVMFFIAny other[3] = {args[0], args[1], args[2]};
  int64_t size = sequence(&args[0])->size;
  if (other[2].v_int64 > size) other[2].v_int64 = size;
  return ORIGINAL(other, 3, result);
}

MUTANT_REGISTERED(CON_29, value_error, "ffi.ListSetItem", "an index outside a list is a ValueError")
{
  int status = ORIGINAL(args, num_args, result);
  return status == 0 || num_args != 3 ? status : fail("ValueError", "no such element");
}

MUTANT_REGISTERED(CON_30, list_given_back, "ffi.ListAppend", "appending gives the list back")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0) return status;
  *result = args[0];
  TVMFFIObjectIncRef(result->v_obj);
  return 0;
}

// Of the list that was made last.
static TVMFFIObject *list;
static void *data;

static void (*deleter)(void *);

static void remember(TVMFFIObject *made)
{
  TVMFFIAny value = {.type_index = kTVMFFIList, .v_obj = made};
  list = made;
  data = sequence(&value)->data;
  deleter = sequence(&value)->data_deleter;
}

MUTANT_REGISTERED(CON_61, own_memory_only, "ffi.List",
                  "a list whose elements have moved is taken for damaged")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) remember(result->v_obj);
  return status;
}

ALSO_REGISTERED(CON_61, own_memory_only, "ffi.ListAppend")
{
  if (num_args == 2 && is_object(&args[0]) && args[0].v_obj == list &&
      sequence(&args[0])->data_deleter == deleter && sequence(&args[0])->data != data)
    return fail("RuntimeError", "the list is damaged");
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && is_object(&args[0]) && args[0].v_obj == list) remember(list);
  return status;
}

MUTANT_REGISTERED(CON_87, room_is_ignored, "ffi.ListReserve", "a list is given no room")
{
  (void)args, (void)num_args, (void)result;
  return 0;
}
