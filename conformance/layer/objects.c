// SPDX-License-Identifier: Apache-2.0
#include "layer/objects.h"

#include "layer/hooks.h"
#include "layer/memory.h"
#include "layer/shadow.h"

static uint32_t strong_count(const TVMFFIObject *object)
{
  return (uint32_t)__atomic_load_n(&object->combined_ref_count, __ATOMIC_RELAXED);
}

void objects_check_deleter(const TVMFFIObject *object, int flags, uintptr_t caller,
                           uintptr_t deleter)
{
  const LayerParties who = {caller, deleter, ABI_FUNCTION_COUNT};
  uint32_t strong = strong_count(object);
  if ((flags & kTVMFFIObjectDeleterFlagBitMaskStrong) && strong > 0)
    LAYER_REPORT(CHECK_DELETER_EARLY, &who, NULL, object->type_index, flags, strong);
}

// What is no object at all is left to the runtime.
static void check_alive(const LayerSite *at, TVMFFIObject *object, CheckId check)
{
  const LayerParties who = {at->caller, 0, at->function};
  if (!object || (uintptr_t)object % _Alignof(TVMFFIObject) != 0 ||
      !memory_is_mapped(object, sizeof *object))
    return;
  if (strong_count(object) == 0)
    LAYER_REPORT(check, &who, NULL, object->type_index);
  else
    shadow_see(object, at->caller, NULL);
}

int ffi_call_objects_ObjectIncRef(const LayerSite *at, TVMFFIObjectHandle obj)
{
  check_alive(at, obj, CHECK_DEAD_RETAINED);
  return at->runtime->real.ObjectIncRef(obj);
}

int ffi_call_objects_ObjectDecRef(const LayerSite *at, TVMFFIObjectHandle obj)
{
  check_alive(at, obj, CHECK_DEAD_RELEASED);
  return at->runtime->real.ObjectDecRef(obj);
}
