// SPDX-License-Identifier: Apache-2.0
// Replaces the backtrace of an error by a part of it. Exit code 1 if the result is another text.
#include <stdio.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

int main(void)
{
  const TVMFFIByteArray kind = {"ValueError", 10}, message = {"m", 1}, trace = {"abcdefgh", 8};
  TVMFFIObjectHandle error;
  if (TVMFFIErrorCreate(&kind, &message, &trace, &error)) return 2;
  TVMFFIErrorCell *cell = (TVMFFIErrorCell *)((char *)error + sizeof(TVMFFIObject));
  const TVMFFIByteArray end = {cell->backtrace.data + 3, 5};
  cell->update_backtrace(error, &end, kTVMFFIBacktraceUpdateModeReplace);
  const TVMFFIByteArray now = cell->backtrace;
  for (size_t i = 0; i < now.size; ++i) printf(now.data[i] < ' ' ? "\\%o" : "%c", now.data[i]);
  putchar('\n');
  return now.size != 5 || memcmp(now.data, "defgh", 5) != 0;
}
