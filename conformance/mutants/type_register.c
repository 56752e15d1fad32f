// SPDX-License-Identifier: Apache-2.0
// Mutants of the registration of types.
#include <stdio.h>
#include <unistd.h>

#include "mutants/type_table.h"

MUTANT(TYPE_19, index_of_the_next, TypeGetOrAllocIndex,
       "registering a new key returns the index of the next type")
{
  bool known = is_known(type_key);
  int32_t index =
      REFERENCE(TypeGetOrAllocIndex)(type_key, static_type_index, type_depth, num_child_slots,
                                     child_slots_can_overflow, parent_type_index);
  return known || static_type_index >= 0 || index < 0 ? index : index + 1;
}

MUTANT(TYPE_20, registered_anew, TypeGetOrAllocIndex,
       "a key that is registered again becomes another type")
{
  static unsigned count;
  char text[64];
  if (!is_known(type_key))
    return REFERENCE(TypeGetOrAllocIndex)(type_key, static_type_index, type_depth, num_child_slots,
                                          child_slots_can_overflow, parent_type_index);
  TVMFFIByteArray another = {text, (size_t)snprintf(text, sizeof text, "another %u", ++count)};
  return REFERENCE(TypeGetOrAllocIndex)(&another, static_type_index, type_depth, num_child_slots,
                                        child_slots_can_overflow, parent_type_index);
}

MUTANT(TYPE_21, conflict_ends_the_process, TypeGetOrAllocIndex,
       "the process ends when a key is registered under another static index")
{
  int32_t known = index_of(type_key);
  if (known >= 0 && static_type_index >= 0 && known != static_type_index) exit(-1);
  return REFERENCE(TypeGetOrAllocIndex)(type_key, static_type_index, type_depth, num_child_slots,
                                        child_slots_can_overflow, parent_type_index);
}

MUTANT(TYPE_21, conflict_refused, TypeGetOrAllocIndex,
       "a known key that is registered at another depth is refused")
{
  int32_t known = index_of(type_key);
  if (known >= 0 && type_depth != TVMFFIGetTypeInfo(known)->type_depth)
    return fail("RuntimeError", "registered at another depth");
  return REFERENCE(TypeGetOrAllocIndex)(type_key, static_type_index, type_depth, num_child_slots,
                                        child_slots_can_overflow, parent_type_index);
}

MUTANT(TYPE_22, all_below_object, TypeGetOrAllocIndex, "every new type is a child of Object")
{
  if (static_type_index < 0 && parent_type_index > kTVMFFIObject) {
    type_depth = 1;
    parent_type_index = kTVMFFIObject;
  }
  return REFERENCE(TypeGetOrAllocIndex)(type_key, static_type_index, type_depth, num_child_slots,
                                        child_slots_can_overflow, parent_type_index);
}

MUTANT(TYPE_23, slots_not_reserved, TypeGetOrAllocIndex, "child slots are not kept free")
{
  num_child_slots = 0;
  child_slots_can_overflow = 1;
  return REFERENCE(TypeGetOrAllocIndex)(type_key, static_type_index, type_depth, num_child_slots,
                                        child_slots_can_overflow, parent_type_index);
}

MUTANT(TYPE_24, slots_not_used, TypeGetOrAllocIndex, "children never get the slots of their parent")
{
  static unsigned count;
  char text[64];
  child_slots_can_overflow = 1;
  int32_t index =
      REFERENCE(TypeGetOrAllocIndex)(type_key, static_type_index, type_depth, num_child_slots,
                                     child_slots_can_overflow, parent_type_index);
  if (num_child_slots <= 0 || index < 0) return index;
  TVMFFIByteArray child = {text, (size_t)snprintf(text, sizeof text, "slots %u", ++count)};
  REFERENCE(TypeGetOrAllocIndex)(&child, -1, type_depth + 1, num_child_slots - 1, 0, index);
  return index;
}

MUTANT(TYPE_25, never_overflows, TypeGetOrAllocIndex, "a type has no more children than slots")
{
  child_slots_can_overflow = 0;
  return REFERENCE(TypeGetOrAllocIndex)(type_key, static_type_index, type_depth, num_child_slots,
                                        child_slots_can_overflow, parent_type_index);
}

MUTANT(TYPE_26, children_of_children_refused, TypeGetOrAllocIndex,
       "a static index is given to children of built-in types and to their children")
{
  if (type_depth > 2) static_type_index = -1;
  return REFERENCE(TypeGetOrAllocIndex)(type_key, static_type_index, type_depth, num_child_slots,
                                        child_slots_can_overflow, parent_type_index);
}

MUTANT(TYPE_26, static_index_ignored, TypeGetOrAllocIndex, "a static index is taken for a wish")
{
  static_type_index = -1;
  return REFERENCE(TypeGetOrAllocIndex)(type_key, static_type_index, type_depth, num_child_slots,
                                        child_slots_can_overflow, parent_type_index);
}

MUTANT(TYPE_27, asking_raises, TypeGetOrAllocIndex, "asking for an unknown key raises an error")
{
  int32_t index =
      REFERENCE(TypeGetOrAllocIndex)(type_key, static_type_index, type_depth, num_child_slots,
                                     child_slots_can_overflow, parent_type_index);
  if (index == -2) TVMFFIErrorSetRaisedFromCStr("InternalError", "no such type");
  return index;
}

MUTANT(TYPE_27, asking_registers, TypeGetOrAllocIndex, "a key that is asked for is registered")
{
  if (parent_type_index != -2)
    return REFERENCE(TypeGetOrAllocIndex)(type_key, static_type_index, type_depth, num_child_slots,
                                          child_slots_can_overflow, parent_type_index);
  return REFERENCE(TypeGetOrAllocIndex)(type_key, -1, 1, 0, 0, kTVMFFIObject);
}

MUTANT(TYPE_28, at_most_2048, TypeGetOrAllocIndex, "no more than 2048 types can be registered")
{
  static int count;
  if (is_known(type_key))
    return REFERENCE(TypeGetOrAllocIndex)(type_key, static_type_index, type_depth, num_child_slots,
                                          child_slots_can_overflow, parent_type_index);
  if (++count <= 2048)
    return REFERENCE(TypeGetOrAllocIndex)(type_key, static_type_index, type_depth, num_child_slots,
                                          child_slots_can_overflow, parent_type_index);
  return fail("InternalError", "too many types");
}

static volatile int32_t answer;

MUTANT(TYPE_29, one_answer_for_all, TypeKeyToIndex,
       "the answer to a look-up is kept where all threads write")
{
  static _Thread_local unsigned calls;
  int32_t index = 0;
  int status = REFERENCE(TypeKeyToIndex)(type_key, &index);
  if (status != 0) return status;
  answer = index;
  if (++calls % 7 == 0) usleep(20);
  *out_tindex = answer;
  return 0;
}

MUTANT(TYPE_64, root_refused, TypeGetOrAllocIndex, "a type without a parent is not registered")
{
  if (parent_type_index == -1) parent_type_index = -2;
  return REFERENCE(TypeGetOrAllocIndex)(type_key, static_type_index, type_depth, num_child_slots,
                                        child_slots_can_overflow, parent_type_index);
}
