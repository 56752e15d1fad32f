// SPDX-License-Identifier: Apache-2.0
#include "shape.h"

#include <stdlib.h>

#include "object.h"
#include "raise.h"

typedef struct {
  TVMFFIObject header;
  TVMFFIShapeCell cell;
  int64_t dimensions[];
} ShapeObject;

int shape_make(const NativeCall *call)
{
  size_t count = (size_t)call->num_args;
  ShapeObject *shape = malloc(sizeof *shape + count * sizeof *shape->dimensions);
  if (shape == NULL) return raise_out_of_memory();
  object_init(&shape->header, kTVMFFIShape, object_free);
  for (size_t i = 0; i < count; ++i) {
    int32_t type_index = call->args[i].type_index;
    if (type_index != kTVMFFIInt && type_index != kTVMFFIBool) {
      free(shape);
      return raise_error("ValueError", call->spec->name, ": Expected int arguments, but #",
                         raise_number((int64_t)i).text, " is none", NULL);  // CON-15
    }
    shape->dimensions[i] = call->args[i].v_int64;
  }
  shape->cell = (TVMFFIShapeCell){shape->dimensions, count};  // CON-14
  return native_give(call, any_object(&shape->header));
}
