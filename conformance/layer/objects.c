// SPDX-License-Identifier: Apache-2.0
#include "layer/objects.h"

#include "layer/hooks.h"
#include "layer/memory.h"

enum {
  STRONG = kTVMFFIObjectDeleterFlagBitMaskStrong,
  WEAK = kTVMFFIObjectDeleterFlagBitMaskWeak,
  BOTH = kTVMFFIObjectDeleterFlagBitMaskBoth
};

static uint32_t strong_count(const TVMFFIObject *object)
{
  return (uint32_t)__atomic_load_n(&object->combined_ref_count, __ATOMIC_RELAXED);
}

void objects_check_deleter(const TVMFFIObject *object, int flags, uintptr_t caller,
                           const ShadowEntry *entry)
{
  const LayerParties who = {caller, (uintptr_t)entry->deleter, ABI_FUNCTION_COUNT, entry->runtime};
  uint32_t strong = strong_count(object), before = entry->phases & BOTH;
  if ((flags & STRONG) && strong > 0)
    LAYER_REPORT(CHECK_DELETER_EARLY, &who, NULL, object->type_index, flags, strong);
  if (flags & STRONG & before)
    LAYER_REPORT(CHECK_DELETER_TWICE, &who, NULL, object->type_index, flags, before);
  else if (!(flags & BOTH) || (flags & ~BOTH) || (flags == WEAK && !(before & STRONG)))
    LAYER_REPORT(CHECK_DELETER_FLAGS, &who, NULL, object->type_index, flags, before);
}

void objects_check_destroyed(const TVMFFIObject *object, const ShadowEntry *entry)
{
  const LayerParties who = {entry->made, (uintptr_t)entry->deleter, ABI_FUNCTION_COUNT,
                            entry->runtime};
  if (!memory_is_readable(object, sizeof *object))
    LAYER_REPORT(CHECK_DELETER_HEADER, &who, "it has unmapped the header", entry->code);
  else if (strong_count(object) > 0)
    LAYER_REPORT(CHECK_DELETER_HEADER, &who, "the strong count is not 0 afterwards", entry->code);
}

// What is no object at all is left to the runtime.
static void check_alive(const LayerSite *at, TVMFFIObject *object, CheckId check)
{
  const LayerParties who = {at->caller, 0, at->function, at->runtime};
  if (!shadow_can_read(object)) return;
  uint32_t strong = strong_count(object);
  if (strong == 0)
    LAYER_REPORT(check, &who, NULL, object->type_index);
  else if (strong == UINT32_MAX && check == CHECK_DEAD_RETAINED)
    LAYER_REPORT(CHECK_COUNT_OVERFLOW, &who, NULL, object->type_index);
  else
    shadow_see(object, &who, NULL);
}

int ffi_call_objects_ObjectIncRef(const LayerSite *at, TVMFFIObjectHandle obj)
{
  check_alive(at, obj, CHECK_DEAD_RETAINED);
  return at->runtime->real.ObjectIncRef(obj);
}

int ffi_call_objects_ObjectCreateOpaque(const LayerSite *at, void *handle, int32_t type_index,
                                        void (*deleter)(void *handle), TVMFFIObjectHandle *out)
{
  const LayerParties who = {at->caller, 0, at->function, at->runtime};
  if (type_index < kTVMFFIStaticObjectBegin ||
      (type_index < kTVMFFIDynObjectBegin && type_index != kTVMFFIOpaquePyObject))
    LAYER_REPORT(CHECK_OPAQUE_INDEX, &who, NULL, type_index);
  return at->runtime->real.ObjectCreateOpaque(handle, type_index, deleter, out);
}

int ffi_call_objects_ObjectDecRef(const LayerSite *at, TVMFFIObjectHandle obj)
{
  check_alive(at, obj, CHECK_DEAD_RELEASED);
  LAYER_HAND_OVER(obj);
  return at->runtime->real.ObjectDecRef(obj);
}
