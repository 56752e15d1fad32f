// SPDX-License-Identifier: Apache-2.0
#include "native/shape.h"

#include <stdlib.h>

#include "core/object.h"
#include "core/raise.h"

typedef struct {
  TVMFFIObject header;
  TVMFFIShapeCell cell;
  int64_t dimensions[];
} ShapeObject;

static inline bool shape_takes(const TVMFFIAny *arg)
{
  return arg->type_index == kTVMFFIInt || arg->type_index == kTVMFFIBool;
}

// Makes a shape of integers. Returns own; NULL if there is no memory.
static inline TVMFFIObject *shape_new(const TVMFFIAny *args, size_t count)
{
  ShapeObject *shape = malloc(sizeof *shape + count * sizeof *shape->dimensions);
  if (shape == NULL) return NULL;
  object_init(&shape->header, kTVMFFIShape, object_free);
  shape->cell = (TVMFFIShapeCell){shape->dimensions, count};  // CON-14
  for (size_t i = 0; i < count; ++i) shape->dimensions[i] = args[i].v_int64;
  return &shape->header;
}

int shape_make(const NativeCall *call)
{
  for (int32_t i = 0; i < call->num_args; ++i) {
    if (shape_takes(&call->args[i])) continue;
    return raise_error("ValueError", call->spec->name, ": Expected int arguments, but #",
                       raise_number(i).text, " is none", NULL);  // CON-15
  }
  return native_give_object(call, shape_new(call->args, (size_t)call->num_args));
}

static inline bool shape_takes_all(const TVMFFIAny *args, int32_t count)
{
  for (int64_t i = 0; i < count; ++i) {
    if (!shape_takes(&args[i])) return false;
  }
  return true;
}

int shape_call(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  if (num_args < 0 || !native_is_direct(num_args, args, num_args, result) ||
      !shape_takes_all(args, num_args)) {
    return native_call(handle, args, num_args, result);
  }
  TVMFFIObject *shape = shape_new(args, (size_t)num_args);
  if (shape == NULL) return raise_out_of_memory();
  *result = any_object(shape);
  return 0;
}
