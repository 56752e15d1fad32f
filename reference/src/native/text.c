// SPDX-License-Identifier: Apache-2.0
#include "native/text.h"

#include "core/any.h"

// What the parameter has let through is a text of the right kind already (CON-54).
int text_own(const NativeCall *call)
{
  TVMFFIAny value;
  return any_own(&call->args[0], &value) != 0 ? -1 : native_give(call, value);  // CON-53
}

int text_call_string(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  if (native_is_direct(1, args, num_args, result) && native_is_string(args)) {
    return any_own(args, result);
  }
  return native_call(handle, args, num_args, result);
}

int text_call_bytes(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  if (native_is_direct(1, args, num_args, result) && native_is_bytes(args)) {
    return any_own(args, result);
  }
  return native_call(handle, args, num_args, result);
}
