// SPDX-License-Identifier: Apache-2.0
// Opaque objects: somebody else's pointer under our counters.
#include <stdlib.h>

#include "core/object.h"
#include "core/raise.h"

typedef struct {
  TVMFFIObject header;
  TVMFFIOpaqueObjectCell cell;  // LAY-15
  void (*deleter)(void *handle);
} OpaqueObject;

static void opaque_delete(void *self, int flags)
{
  OpaqueObject *opaque = self;
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) {
    if (opaque->deleter != NULL) opaque->deleter(opaque->cell.handle);  // OBJ-21, OBJ-22
  }
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) free(opaque);
}

int TVMFFIObjectCreateOpaque(void *handle, int32_t type_index, void (*deleter)(void *handle),
                             TVMFFIObjectHandle *out)
{
  if (type_index != kTVMFFIOpaquePyObject) {  // OBJ-23
    return raise_error("RuntimeError", __func__,
                       ": `type_index` must be that of an opaque Python object (74)", NULL);
  }
  if (out == NULL) return raise_null(__func__, "out");
  OpaqueObject *opaque = malloc(sizeof *opaque);
  if (opaque == NULL) return raise_out_of_memory();
  object_init(&opaque->header, type_index, opaque_delete);
  opaque->cell.handle = handle;  // OBJ-20
  opaque->deleter = deleter;
  *out = opaque;
  return 0;
}
