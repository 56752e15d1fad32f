// SPDX-License-Identifier: Apache-2.0
// Mutants of opaque objects.
#include "mutants/mutant.h"

MUTANT(OBJ_20, null_refused, ObjectCreateOpaque, "a NULL pointer can't be wrapped")
{
  if (handle != NULL) return REFERENCE(ObjectCreateOpaque)(handle, type_index, deleter, out);
  return fail("ValueError", "nothing to wrap");
}

MUTANT(OBJ_21, not_called_for_null, ObjectCreateOpaque,
       "the deleter of an opaque object that holds NULL is not called")
{
  return REFERENCE(ObjectCreateOpaque)(handle, type_index, handle ? deleter : NULL, out);
}

static void (*delete_opaque)(void *self, int flags);

static void delete_in_the_end(void *self, int flags)
{
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak)
    delete_opaque(self, kTVMFFIObjectDeleterFlagBitMaskBoth);
}

MUTANT(OBJ_21, waits_for_weak_holders, ObjectCreateOpaque,
       "the deleter of an opaque object waits for the weak references to go")
{
  int status = REFERENCE(ObjectCreateOpaque)(handle, type_index, deleter, out);
  if (status != 0) return status;
  TVMFFIObject *object = *out;
  delete_opaque = object->deleter;
  object->deleter = delete_in_the_end;
  return 0;
}

MUTANT(OBJ_22, deleter_demanded, ObjectCreateOpaque, "an opaque object must have a deleter")
{
  if (deleter != NULL) return REFERENCE(ObjectCreateOpaque)(handle, type_index, deleter, out);
  return fail("ValueError", "no deleter");
}
