// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(LAY_2, "opaque objects keep the header of the generation before")

typedef struct {
  int32_t type_index;
  uint32_t weak;
  uint64_t strong;
  void (*deleter)(void *self, int flags);
  void *handle;
  void (*delete_handle)(void *handle);
} EarlierOpaque;

static void delete_earlier(void *self, int flags)
{
  EarlierOpaque *opaque = self;
  if ((flags & 1) && opaque->delete_handle) opaque->delete_handle(opaque->handle);
  if (flags & 2) free(opaque);
}

OVERRIDE(ObjectCreateOpaque, void *handle, int32_t type_index, void (*deleter)(void *handle),
         TVMFFIObjectHandle *out)
{
  if (type_index != kTVMFFIOpaquePyObject)
    return REFERENCE(ObjectCreateOpaque)(handle, type_index, deleter, out);
  EarlierOpaque *opaque = malloc(sizeof *opaque);
  if (!opaque) return -1;
  *opaque = (EarlierOpaque){type_index, 1, 1, delete_earlier, handle, deleter};
  *out = opaque;
  return 0;
}
