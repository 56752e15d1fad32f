// SPDX-License-Identifier: Apache-2.0
// caught by load.function-outlives-module
// Gives a reference of its module back that nobody gave it.
#define FIRST give_module_back()
static void give_module_back(void);
#include "add_one.h"

KERNEL_EXPORT void *__tvm_ffi__library_ctx;
void *__tvm_ffi__library_ctx;

static void give_module_back(void)
{
  static _Bool given;
  if (!given && __tvm_ffi__library_ctx) TVMFFIObjectDecRef(__tvm_ffi__library_ctx);
  given = 1;
}
