// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(LAY_15, "an opaque object holds a pointer to a box, and the box holds the handle")

typedef struct {
  void *handle;
  void (*deleter)(void *handle);
} Box;

static void delete_box(void *handle)
{
  Box *box = handle;
  if (box->deleter) box->deleter(box->handle);
  free(box);
}

OVERRIDE(ObjectCreateOpaque, void *handle, int32_t type_index, void (*deleter)(void *handle),
         TVMFFIObjectHandle *out)
{
  Box *box = malloc(sizeof *box);
  if (!box) return -1;
  *box = (Box){handle, deleter};
  int status = REFERENCE(ObjectCreateOpaque)(box, type_index, delete_box, out);
  if (status != 0) free(box);
  return status;
}
