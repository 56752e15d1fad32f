// SPDX-License-Identifier: Apache-2.0
// Reads a data type of the six bytes "custom", behind which no memory is mapped. Crashes if the
// runtime looks at a seventh.
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <tvm/ffi/c_api.h>
#include <unistd.h>

int main(void)
{
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED || munmap(pages + page, page) != 0) return 2;
  const TVMFFIByteArray text = {memcpy(pages + page - 6, "custom", 6), 6};
  DLDataType dtype;
  printf("code %d\n", TVMFFIDataTypeFromString(&text, &dtype));
  return 0;
}
