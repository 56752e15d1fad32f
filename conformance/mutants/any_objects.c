// SPDX-License-Identifier: Apache-2.0
// Mutants of objects that become owned values, and rvalue references.
#include <unistd.h>

#include "mutants/counts.h"

MUTANT(ANY_13, strings_copied, AnyViewToOwnedAny, "a string object is copied, not shared")
{
  if (any_view->type_index != kTVMFFIStr) return REFERENCE(AnyViewToOwnedAny)(any_view, out);
  return TVMFFIStringFromByteArray((TVMFFIByteArray *)(any_view->v_obj + 1), out);
}

MUTANT(ANY_13, two_references, AnyViewToOwnedAny, "converting an object takes two references")
{
  int32_t type_index = any_view->type_index;
  int status = REFERENCE(AnyViewToOwnedAny)(any_view, out);
  if (status == 0 && type_index >= kTVMFFIStaticObjectBegin) TVMFFIObjectIncRef(out->v_obj);
  return status;
}

MUTANT(ANY_14, foreign_not_retained, AnyViewToOwnedAny, "objects of dynamic types are not retained")
{
  if (any_view->type_index < kTVMFFIDynObjectBegin)
    return REFERENCE(AnyViewToOwnedAny)(any_view, out);
  *out = *any_view;
  return 0;
}

MUTANT(ANY_14, unknown_type_refused, AnyViewToOwnedAny,
       "an object of a type that nobody has registered is refused")
{
  if (any_view->type_index < kTVMFFIDynObjectBegin)
    return REFERENCE(AnyViewToOwnedAny)(any_view, out);
  return fail("TypeError", "no such type");
}

MUTANT(ANY_15, reference_added, AnyViewToOwnedAny,
       "what is moved out of a slot is retained as well")
{
  int32_t type_index = any_view->type_index;
  int status = REFERENCE(AnyViewToOwnedAny)(any_view, out);
  if (status == 0 && type_index == kTVMFFIObjectRValueRef) TVMFFIObjectIncRef(out->v_obj);
  return status;
}

MUTANT(ANY_15, slot_kept, AnyViewToOwnedAny, "the slot that was moved out of keeps the handle")
{
  int32_t type_index = any_view->type_index;
  TVMFFIObject **slot = any_view->v_ptr;
  int status = REFERENCE(AnyViewToOwnedAny)(any_view, out);
  if (status == 0 && type_index == kTVMFFIObjectRValueRef) *slot = out->v_obj;
  return status;
}

MUTANT(ANY_16, type_of_the_root, AnyViewToOwnedAny,
       "what was moved has the type index of the root of all objects")
{
  int32_t type_index = any_view->type_index;
  int status = REFERENCE(AnyViewToOwnedAny)(any_view, out);
  if (status == 0 && type_index == kTVMFFIObjectRValueRef) out->type_index = kTVMFFIObject;
  return status;
}

MUTANT(ANY_17, none_instead, AnyViewToOwnedAny,
       "an rvalue reference that was moved already becomes None")
{
  if (any_view->type_index != kTVMFFIObjectRValueRef || *(void **)any_view->v_ptr)
    return REFERENCE(AnyViewToOwnedAny)(any_view, out);
  memset(out, 0, sizeof *out);
  return 0;
}

MUTANT(ANY_17, output_cleared, AnyViewToOwnedAny,
       "an rvalue reference that was moved already clears the output")
{
  TVMFFIAny value;
  int status = REFERENCE(AnyViewToOwnedAny)(any_view, &value);
  if (status != 0) memset(&value, 0, sizeof value);
  *out = value;
  return status;
}

MUTANT(ANY_26, type_of_the_root, FunctionCall,
       "a shape, a container or a later object is given out as an object of the root type")
{
  int status = REFERENCE(FunctionCall)(func, args, num_args, result);
  int32_t type_index = result->type_index;
  if (status == 0 && type_index > kTVMFFIFunction && type_index < kTVMFFIDynObjectBegin)
    result->type_index = kTVMFFIObject;
  return status;
}

MUTANT(ANY_28, containers_are_shared, AnyViewToOwnedAny,
       "of texts, errors and functions the reference is moved, others are shared")
{
  if (any_view->type_index != kTVMFFIObjectRValueRef)
    return REFERENCE(AnyViewToOwnedAny)(any_view, out);
  TVMFFIObject **slot = any_view->v_ptr, *object = *slot;
  int status = REFERENCE(AnyViewToOwnedAny)(any_view, out);
  if (status != 0 || object->type_index <= kTVMFFIFunction) return status;
  TVMFFIObjectIncRef(object);
  *slot = object;
  return 0;
}

MUTANT(ANY_28, registered_types_unknown, AnyViewToOwnedAny,
       "what was moved and has a type that was registered is an object of the root type")
{
  int32_t type_index = any_view->type_index;
  int status = REFERENCE(AnyViewToOwnedAny)(any_view, out);
  if (status == 0 && type_index == kTVMFFIObjectRValueRef &&
      out->type_index >= kTVMFFIDynObjectBegin)
    out->type_index = kTVMFFIObject;
  return status;
}

MUTANT(ANY_29, counted_in_two_steps, AnyViewToOwnedAny,
       "a conversion reads the count and writes it back higher, in two steps")
{
  static _Thread_local unsigned calls;
  if (any_view->type_index < kTVMFFIStaticObjectBegin)
    return REFERENCE(AnyViewToOwnedAny)(any_view, out);
  raise_in_two_steps(any_view->v_obj, ++calls % 256 == 0);
  TVMFFIAny value = {.type_index = any_view->type_index};
  value.v_obj = any_view->v_obj;
  *out = value;
  return 0;
}

static TVMFFIAny place;

MUTANT(ANY_29, one_place_for_all, AnyViewToOwnedAny,
       "the value is put together in a place that all threads share")
{
  static _Thread_local unsigned calls;
  int status = REFERENCE(AnyViewToOwnedAny)(any_view, out);
  if (status != 0) return status;
  place = *out;
  if (++calls % 16 == 0) usleep(20);
  *out = place;
  return 0;
}
