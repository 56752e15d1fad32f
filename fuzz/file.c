// SPDX-License-Identifier: Apache-2.0
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz_target.h"

const char *fuzz_file(const uint8_t *data, size_t size)
{
  static int file = -1;
  static char path[32];
  if (file < 0) {
    file = memfd_create("fuzz", MFD_CLOEXEC);
    FUZZ_CHECK(file >= 0);
    fuzz_path(file, path);
  }
  FUZZ_CHECK(ftruncate(file, 0) == 0);
  FUZZ_CHECK(size == 0 || pwrite(file, data, size, 0) == (ssize_t)size);
  return path;
}
