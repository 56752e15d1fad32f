// SPDX-License-Identifier: Apache-2.0
// Asks for an integer of 2^64 - 8 bytes. Crashes, or exits with 1, if the sum of this and the size of
// the object wraps around.
#include <stdio.h>
#include <tvm/ffi/c_api.h>

int main(void)
{
  static const uint64_t words[4] = {1, 2, 3, 4};
  const TVMFFIByteArray bytes = {(const char *)words, SIZE_MAX - 7};
  TVMFFIAny integer;
  const int code = TVMFFIBigIntFromByteArray(&bytes, &integer);
  printf("code %d\n", code);
  return code == 0;
}
