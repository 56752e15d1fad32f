// SPDX-License-Identifier: Apache-2.0
#include "nest.h"

#include <stdlib.h>

#include "any.h"
#include "error.h"
#include "functor.h"
#include "interrupt.h"
#include "map.h"
#include "module.h"
#include "object.h"
#include "sequence.h"
#include "tensor.h"

// A dead object that waits for its end is linked where its deleter stood: no one asks for that
// while the weak reference of the strong side is left.
static void nest_push(Nest *nest, TVMFFIObject *dead)
{
  dead->__ensure_align = (int64_t)(intptr_t)nest->first;
  nest->first = dead;
}

static TVMFFIObject *nest_pop(Nest *nest)
{
  TVMFFIObject *dead = nest->first;
  nest->first = (TVMFFIObject *)(intptr_t)dead->__ensure_align;
  dead->deleter = nest_delete;
  return dead;
}

void nest_drop(Nest *nest, TVMFFIObject *child)
{
  if (child == NULL) return;
  if (child->deleter != nest_delete) {
    object_release(child);
  } else if (object_drop_strong(child) != 0) {
    nest_push(nest, child);
  }
}

// Ends what a dead object holds; its own memory stays.
static void nest_end(Nest *nest, TVMFFIObject *dead)
{
  switch (dead->type_index) {
    case kTVMFFIError:
      error_end(dead, nest);
      break;
    case kTVMFFIFunction:
      functor_end(dead, nest);
      break;
    case kTVMFFIArray:
    case kTVMFFIList:
      sequence_end(dead, nest);
      break;
    case kTVMFFIMap:
    case kTVMFFIDict:
      map_end(dead, nest);
      break;
    case kTVMFFIModule:
      module_end(dead, nest);
      break;
    case kTVMFFITensor:
      tensor_end(dead, nest);
      break;
    case kTVMFFIVisitInterrupt:
      interrupt_end(dead, nest);
      break;
    default:
      break;
  }
}

// The memory of a module begins in front of its header.
static void nest_free(TVMFFIObject *dead)
{
  free(dead->type_index == kTVMFFIModule ? (void *)module_of(dead) : dead);
}

// Ends all that wait, and what dies meanwhile. Most objects die alone.
__attribute__((noinline)) static void nest_end_all(Nest *nest)
{
  while (nest->first != NULL) {
    TVMFFIObject *dead = nest_pop(nest);
    nest_end(nest, dead);
    if (object_drop_weak(dead)) nest_free(dead);
  }
}

void nest_delete(void *self, int flags)
{
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) {
    Nest nest = {NULL};
    nest_end(&nest, self);
    if (nest.first != NULL) nest_end_all(&nest);
  }
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) nest_free(self);
}
