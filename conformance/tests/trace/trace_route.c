// SPDX-License-Identifier: Apache-2.0
// A wrong call of a runtime whose functions the loader binds: a module, or with ROUTE_PROGRAM a program
// that is linked with the runtime.
#include "tvm/ffi/c_api.h"

static int anything(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self, (void)args, (void)num_args, (void)result;
  return 0;
}

__attribute__((visibility("default"))) int route(void);

int route(void)
{
  TVMFFIObjectHandle function = NULL;
  TVMFFIAny argument = {.type_index = kTVMFFIInt, .zero_padding = 1}, result = {0};
  if (TVMFFIFunctionCreate(NULL, anything, NULL, &function) != 0) return 1;
  int code = TVMFFIFunctionCall(function, &argument, 1, &result);
  return TVMFFIObjectDecRef(function) | code;
}

#ifdef ROUTE_PROGRAM
int main(void)
{
  return route();
}
#endif
