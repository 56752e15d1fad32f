// SPDX-License-Identifier: Apache-2.0
#include "core/functor.h"

#include <stdlib.h>

#include "core/object.h"

TVMFFIObject *functor_new(TVMFFISafeCallType safe_call, TVMFFIObject *held, uint64_t place)
{
  Functor *functor = malloc(sizeof *functor);
  if (functor == NULL) {
    object_release(held);
    return NULL;
  }
  object_init(&functor->header, kTVMFFIFunction, nest_delete);
  functor->cell = (TVMFFIFunctionCell){.safe_call = safe_call};
  functor->held = held;
  functor->place = place;
  return &functor->header;
}

void functor_end(TVMFFIObject *functor, Nest *nest)
{
  nest_drop(nest, ((Functor *)functor)->held);
}
