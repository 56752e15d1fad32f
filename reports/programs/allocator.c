// SPDX-License-Identifier: Apache-2.0
// Asks the built-in allocator for more memory than there is. Ends by SIGABRT if it throws an
// exception in place of returning NULL with an error raised.
#include <stdio.h>
#include <tvm/ffi/c_api.h>

int main(void)
{
  TVMFFICustomAllocator *builtin = TVMFFIGetCustomAllocator();
  void *body = builtin->allocate((size_t)1 << 62, 8, kTVMFFIObject, builtin->context);
  TVMFFIObjectHandle error = NULL;
  TVMFFIErrorMoveFromRaised(&error);
  puts(error ? "an error is raised" : "no error is raised");
  return body || !error;
}
