// SPDX-License-Identifier: Apache-2.0
// Asks for a string of 2^64 - 18 bytes. Crashes, or exits with 1, if the sum of this and the size of
// the object wraps around.
#include <stdio.h>
#include <tvm/ffi/c_api.h>

int main(void)
{
  const TVMFFIByteArray bytes = {"text", SIZE_MAX - 17};
  TVMFFIAny string;
  const int code = TVMFFIStringFromByteArray(&bytes, &string);
  printf("code %d\n", code);
  return code == 0;
}
