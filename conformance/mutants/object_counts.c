// SPDX-License-Identifier: Apache-2.0
// Mutants of reference counts.
#include <unistd.h>

#include "mutants/counts.h"

static void (*delete_opaque)(void *self, int flags);

MUTANT_WITHOUT(OBJ_1, no_opaque_objects, ObjectCreateOpaque,
               "there is no TVMFFIObjectCreateOpaque");

MUTANT(OBJ_2, no_weak_reference, StringFromByteArray, "a new string has no weak reference")
{
  int status = REFERENCE(StringFromByteArray)(input, out);
  if (status == 0 && out->type_index == kTVMFFIStr) set_counts(out->v_obj, 1, 0);
  return status;
}

MUTANT(OBJ_2, two_strong_references, ObjectCreateOpaque,
       "a new opaque object has a second strong reference")
{
  int status = REFERENCE(ObjectCreateOpaque)(handle, type_index, deleter, out);
  if (status == 0) TVMFFIObjectIncRef(*out);
  return status;
}

MUTANT(OBJ_3, returns_the_count, ObjectIncRef, "retaining returns the new count")
{
  return (int)__atomic_add_fetch(strong_word(obj), 1, __ATOMIC_RELAXED);
}

MUTANT(OBJ_3, weak_reference_too, ObjectIncRef, "retaining adds a weak reference as well")
{
  TVMFFIObject *object = obj;
  set_counts(object, (uint32_t)strong_count(object) + 1, (uint32_t)weak_count(object) + 1);
  return 0;
}

MUTANT(OBJ_4, returns_the_rest, ObjectDecRef, "releasing returns how many references are left")
{
  TVMFFIObject *object = obj;
  int left = object ? (int)strong_count(object) - 1 : 0;
  REFERENCE(ObjectDecRef)(obj);
  return left;
}

MUTANT(OBJ_5, called_for_each_flag, ObjectDecRef,
       "the last reference of all runs the deleter twice, with flags 1 and 2")
{
  TVMFFIObject *object = obj;
  if (object == NULL || object->deleter == NULL || !is_only_reference(object))
    return REFERENCE(ObjectDecRef)(obj);
  set_counts(object, 0, 1);
  object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskStrong);
  set_counts(object, 0, 0);
  object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskWeak);
  return 0;
}

MUTANT(OBJ_6, weak_holders_forgotten, ObjectDecRef,
       "the last strong reference frees the memory, though weak ones are left")
{
  TVMFFIObject *object = obj;
  if (object == NULL || object->deleter == NULL) return REFERENCE(ObjectDecRef)(obj);
  if (drop_strong(object) == 1) object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskBoth);
  return 0;
}

MUTANT(OBJ_7, weak_reference_dropped_first, ObjectDecRef,
       "the strong side gives up its weak reference before the content is destroyed")
{
  TVMFFIObject *object = obj;
  if (object == NULL || object->deleter == NULL) return REFERENCE(ObjectDecRef)(obj);
  if (drop_strong(object) != 1) return 0;
  if (weak_count(object) == 1) {
    object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskBoth);
    return 0;
  }
  bool last = drop_weak(object) == 1;
  object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskStrong);
  if (last) object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskWeak);
  return 0;
}

MUTANT(OBJ_8, memory_left_behind, ObjectDecRef,
       "the memory stays when the weak references go while the content is destroyed")
{
  TVMFFIObject *object = obj;
  if (object == NULL || object->deleter == NULL) return REFERENCE(ObjectDecRef)(obj);
  if (drop_strong(object) != 1) return 0;
  if (weak_count(object) == 1) {
    object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskBoth);
    return 0;
  }
  object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskStrong);
  drop_weak(object);
  return 0;
}

MUTANT(OBJ_9, self_is_the_body, ObjectDecRef,
       "the deleter of a type of somebody else gets the address behind the header")
{
  TVMFFIObject *object = obj;
  if (object == NULL || object->deleter == NULL || object->type_index < kTVMFFIDynObjectBegin ||
      !is_only_reference(object))
    return REFERENCE(ObjectDecRef)(obj);
  set_counts(object, 0, 1);
  object->deleter(object + 1, kTVMFFIObjectDeleterFlagBitMaskBoth);
  return 0;
}

MUTANT(OBJ_10, counted_down_afterwards, ObjectDecRef,
       "the strong count is lowered when the deleter has run")
{
  TVMFFIObject *object = obj;
  if (object == NULL || object->deleter == NULL || strong_count(object) != 1)
    return REFERENCE(ObjectDecRef)(obj);
  if (weak_count(object) == 1) {
    object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskBoth);
    return 0;
  }
  object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskStrong);
  drop_strong(object);
  if (drop_weak(object) == 1) object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskWeak);
  return 0;
}

MUTANT(OBJ_11, not_counted_without_deleter, ObjectDecRef,
       "an object without a deleter is taken for immortal and not counted")
{
  TVMFFIObject *object = obj;
  if (object != NULL && object->deleter == NULL) return 0;
  return REFERENCE(ObjectDecRef)(obj);
}

MUTANT(OBJ_12, looks_behind_the_header, ObjectDecRef,
       "releasing an object looks at the word behind its header")
{
  TVMFFIObject *object = obj;
  if (object != NULL) (void)*(volatile uint64_t *)(object + 1);
  return REFERENCE(ObjectDecRef)(obj);
}

MUTANT(OBJ_13, counted_without_atomics, ObjectIncRef,
       "retaining reads the count and writes it back, not atomically")
{
  static _Thread_local unsigned calls;
  raise_in_two_steps(obj, ++calls % 256 == 0);
  return 0;
}

// The wait between the two stands for the interruptions of a busy machine: whoever drops the last
// reference but one is held up until somebody drops the last, or a while.
MUTANT(OBJ_14, count_read_again, ObjectDecRef,
       "whether a reference was the last is read from the count after it was lowered")
{
  TVMFFIObject *object = obj;
  if (object == NULL || object->deleter == NULL || weak_count(object) != 1)
    return REFERENCE(ObjectDecRef)(obj);
  uint64_t left = drop_strong(object) - 1;
  bool waits = left == 1 && object->type_index >= kTVMFFIDynObjectBegin;
  for (int i = 0; waits && i < 20 && strong_count(object) != 0; ++i) usleep(50);
  if (strong_count(object) == 0 && weak_count(object) == 1)
    object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskBoth);
  return 0;
}

MUTANT(OBJ_16, not_from_a_deleter, ObjectDecRef, "an object that is released by a deleter stays")
{
  static _Thread_local bool deleting;
  if (deleting) return 0;
  deleting = true;
  int status = REFERENCE(ObjectDecRef)(obj);
  deleting = false;
  return status;
}

static _Thread_local bool releasing;

// The flags are taken for an enumeration, and only the runtime itself is known to combine them.
static void delete_by_value(void *self, int flags)
{
  if (releasing || flags != kTVMFFIObjectDeleterFlagBitMaskBoth)
    delete_opaque(self, flags);
  else
    delete_opaque(self, kTVMFFIObjectDeleterFlagBitMaskStrong);
}

MUTANT(OBJ_17, flags_one_at_a_time, ObjectCreateOpaque,
       "an opaque object whose deleter is called with flags 3 by somebody else keeps its memory")
{
  int status = REFERENCE(ObjectCreateOpaque)(handle, type_index, deleter, out);
  if (status != 0) return status;
  TVMFFIObject *object = *out;
  delete_opaque = object->deleter;
  object->deleter = delete_by_value;
  return 0;
}

ALSO(OBJ_17, flags_one_at_a_time, ObjectDecRef)
{
  releasing = true;
  int status = REFERENCE(ObjectDecRef)(obj);
  releasing = false;
  return status;
}

static void delete_and_wipe(void *self, int flags)
{
  delete_opaque(self, flags);
  if (flags == kTVMFFIObjectDeleterFlagBitMaskStrong) ((TVMFFIObject *)self)->deleter = NULL;
}

MUTANT(OBJ_18, deleter_wiped, ObjectCreateOpaque,
       "an opaque object loses its deleter with its content, so its memory is never freed")
{
  int status = REFERENCE(ObjectCreateOpaque)(handle, type_index, deleter, out);
  if (status != 0) return status;
  TVMFFIObject *object = *out;
  delete_opaque = object->deleter;
  object->deleter = delete_and_wipe;
  return 0;
}

static void (*delete_tensor)(void *self, int flags);

static void delete_at_once(void *self, int flags)
{
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) {
    delete_tensor(self, kTVMFFIObjectDeleterFlagBitMaskBoth);
  }
}

MUTANT(OBJ_18, tensor_gone_with_its_content, TensorFromDLPack,
       "the memory of a tensor goes with its content")
{
  int status = REFERENCE(TensorFromDLPack)(from, require_alignment, require_contiguous, out);
  if (status != 0) return status;
  TVMFFIObject *object = *out;
  delete_tensor = object->deleter;
  object->deleter = delete_at_once;
  return 0;
}

MUTANT(OBJ_19, a_little_is_lost, ObjectCreateOpaque,
       "every opaque object leaves a few bytes behind")
{
  static void **lost;
  void **block = malloc(16);
  if (block != NULL) *block = lost;
  lost = block;
  return REFERENCE(ObjectCreateOpaque)(handle, type_index, deleter, out);
}

MUTANT(OBJ_19, texts_of_views_stay, AnyViewToOwnedAny,
       "the string object made of a raw string has a reference that nobody releases")
{
  int32_t type_index = any_view->type_index;
  int status = REFERENCE(AnyViewToOwnedAny)(any_view, out);
  if (status == 0 && type_index == kTVMFFIRawStr && out->type_index == kTVMFFIStr)
    TVMFFIObjectIncRef(out->v_obj);
  return status;
}

// The wait between the two stands for the interruptions of a busy machine: it ends when somebody adds
// a reference, or after a while.
MUTANT(OBJ_28, last_one_written_back, ObjectDecRef,
       "the release of the last strong reference writes the count that it has read, less one")
{
  TVMFFIObject *object = obj;
  if (object == NULL || object->type_index < kTVMFFIDynObjectBegin || strong_count(object) != 1 ||
      weak_count(object) != 2)
    return REFERENCE(ObjectDecRef)(obj);
  for (int i = 0; i < 40 && strong_count(object) == 1; ++i) usleep(50);
  set_counts(object, 1, 2);
  return REFERENCE(ObjectDecRef)(obj);
}
