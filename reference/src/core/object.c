// SPDX-License-Identifier: Apache-2.0
// Retaining and releasing objects of any maker: nothing behind the header is touched (OBJ-12).
#include "core/object.h"

#include <stdlib.h>

void object_free(void *self, int flags)
{
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) free(self);  // OBJ-17, OBJ-18
}

void object_keep(void *self, int flags)
{
  (void)self, (void)flags;
}

void object_destroy(TVMFFIObject *object)
{
  ObjectDeleter *deleter = object->deleter;
  if (deleter != NULL) deleter(object, kTVMFFIObjectDeleterFlagBitMaskStrong);  // OBJ-6
  // OBJ-7: the weak reference of the strong side goes only now. OBJ-8: it may have become the last.
  if (object_drop_weak(object) && deleter != NULL) {
    deleter(object, kTVMFFIObjectDeleterFlagBitMaskWeak);
  }
}

int TVMFFIObjectIncRef(TVMFFIObjectHandle obj)
{
  if (obj != NULL) object_retain(obj);
  return 0;
}

// Not part of who calls it: so that does without the stack for objects that live on.
__attribute__((noinline)) static int object_end(TVMFFIObject *object, int flags)
{
  object_finish(object, flags);
  return 0;
}

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj)
{
  if (obj == NULL) return 0;  // OBJ-24
  int flags = object_drop_strong(obj);
  return flags == 0 ? 0 : object_end(obj, flags);
}
