// SPDX-License-Identifier: Apache-2.0
#include "core/nest.h"

#include <stdlib.h>

#include "core/any.h"
#include "core/error.h"
#include "core/functor.h"
#include "core/interrupt.h"
#include "core/object.h"
#include "core/tensor.h"

// How objects of a type end.
typedef struct {
  NestEnd *end;
  size_t before;  // bytes of their memory in front of the header
} NestKind;

// By type index; rooms above enter theirs. The last is for all types without a static index.
enum { NEST_KINDS = kTVMFFIStaticObjectEnd - kTVMFFIStaticObjectBegin };
static NestKind kinds[NEST_KINDS + 1] = {
    [kTVMFFIError - kTVMFFIStaticObjectBegin] = {error_end, 0},
    [kTVMFFIFunction - kTVMFFIStaticObjectBegin] = {functor_end, 0},
    [kTVMFFITensor - kTVMFFIStaticObjectBegin] = {tensor_end, 0},
    [kTVMFFIVisitInterrupt - kTVMFFIStaticObjectBegin] = {interrupt_end, 0},
};

static NestKind *nest_kind_of(int32_t type_index)
{
  size_t place = (size_t)type_index - kTVMFFIStaticObjectBegin;
  return &kinds[place < NEST_KINDS ? place : NEST_KINDS];
}

void nest_set_end(int32_t type_index, NestEnd *end, size_t before)
{
  *nest_kind_of(type_index) = (NestKind){end, before};
}

static const NestKind *nest_kind(const TVMFFIObject *dead)
{
  return nest_kind_of(dead->type_index);
}

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

// Most objects die with their holder.
void nest_drop(Nest *nest, TVMFFIObject *child)
{
  if (child == NULL) return;
  int flags = object_drop_sole(child);
  if (flags == 0) flags = object_drop_strong(child);
  if (flags == 0) return;
  if (child->deleter == nest_delete) {
    nest_push(nest, child);
  } else {
    object_finish(child, flags);
  }
}

static void nest_end(Nest *nest, TVMFFIObject *dead, const NestKind *kind)
{
  if (kind->end != NULL) kind->end(dead, nest);
}

static void nest_free(TVMFFIObject *dead, const NestKind *kind)
{
  free((char *)dead - kind->before);
}

// Ends all that wait, and what dies meanwhile. Most objects die alone.
__attribute__((noinline)) static void nest_end_all(Nest *nest)
{
  while (nest->first != NULL) {
    TVMFFIObject *dead = nest_pop(nest);
    const NestKind *kind = nest_kind(dead);
    nest_end(nest, dead, kind);
    if (object_drop_weak(dead)) nest_free(dead, kind);
  }
}

void nest_delete(void *self, int flags)
{
  const NestKind *kind = nest_kind(self);
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) {
    Nest nest = {NULL};
    nest_end(&nest, self, kind);
    if (nest.first != NULL) nest_end_all(&nest);
  }
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) nest_free(self, kind);
}
