// SPDX-License-Identifier: Apache-2.0
#include "worker/c_library.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

void c_library_name(char *text, size_t size)
{
  Dl_info linker = {.dli_fname = NULL};
  size_t length = confstr(_CS_GNU_LIBC_VERSION, text, size);
  if (length > 1 && length <= size) return;
  dladdr((void *)(uintptr_t)getauxval(AT_BASE), &linker);
  const char *name = linker.dli_fname ? linker.dli_fname : "unknown";
  const char *slash = strrchr(name, '/');
  snprintf(text, size, "%s", slash ? slash + 1 : name);
}
