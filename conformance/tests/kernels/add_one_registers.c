// SPDX-License-Identifier: Apache-2.0
// caught by load.two-copies
#include <tvm/ffi/c_api.h>
static int registered;

static int answer(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)handle, (void)args, (void)num_args, (void)result;
  return 0;
}

// A name in the whole process is taken when the second copy comes.
__attribute__((constructor)) static void begin(void)
{
  TVMFFIByteArray name = {"tests.add_one_registers", 23};
  TVMFFIObjectHandle function = 0, error = 0;
  if (TVMFFIFunctionCreate(0, answer, 0, &function) != 0) return;
  registered = TVMFFIFunctionSetGlobal(&name, function, 0) == 0;
  if (!registered) TVMFFIErrorMoveFromRaised(&error);
  if (error) TVMFFIObjectDecRef(error);
  TVMFFIObjectDecRef(function);
}

#define FINALLY                                                         \
  if (!registered) return FAIL("RuntimeError", "x: the name is taken"); \
  return 0
#include "add_one.h"
