// SPDX-License-Identifier: Apache-2.0
// The runtime owns one reference to each for ever, so they never end.
#include "native/singleton.h"

#include "core/object.h"

static TVMFFIObject invalid = {OBJECT_NEW_COUNTS, .type_index = kTVMFFIObject,
                               .deleter = object_keep};
static TVMFFIObject kwargs = {OBJECT_NEW_COUNTS, .type_index = kTVMFFIObject,
                              .deleter = object_keep};

static TVMFFIObject *singleton_share(TVMFFIObject *singleton)
{
  object_retain(singleton);
  return singleton;
}

TVMFFIObject *singleton_invalid(void)
{
  return singleton_share(&invalid);
}

bool singleton_is_invalid(const TVMFFIObject *object)
{
  return object == &invalid;
}

bool singleton_is_kwargs(const TVMFFIObject *object)
{
  return object == &kwargs;
}

int singleton_get_invalid(const NativeCall *call)
{
  return native_give(call, any_object(singleton_invalid()));  // REG-24
}

int singleton_get_kwargs(const NativeCall *call)
{
  return native_give(call, any_object(singleton_share(&kwargs)));  // REG-25
}
