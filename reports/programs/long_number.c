// SPDX-License-Identifier: Apache-2.0
// Reads a data type of 2^64 + 1 bits. Exit code 1 if it is accepted.
#include <stdio.h>
#include <tvm/ffi/c_api.h>

int main(void)
{
  const TVMFFIByteArray text = {"int18446744073709551617", 23};
  DLDataType dtype;
  if (TVMFFIDataTypeFromString(&text, &dtype) != 0) return 0;
  printf("%s has %d bits\n", text.data, dtype.bits);
  return 1;
}
