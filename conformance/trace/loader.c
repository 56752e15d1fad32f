// SPDX-License-Identifier: Apache-2.0
#include "trace/loader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "layer/starter.h"

enum { PATH_SIZE = 4096 };

// The file that would be started.
static bool find_program(const char *program, char path[PATH_SIZE])
{
  const char *at = getenv("PATH");
  if (strchr(program, '/')) return snprintf(path, PATH_SIZE, "%s", program) < PATH_SIZE;
  for (size_t length; at && *at; at += length + (at[length] == ':')) {
    length = strcspn(at, ":");
    int size = snprintf(path, PATH_SIZE, "%.*s/%s", (int)length, at, program);
    if (length && size < PATH_SIZE && access(path, X_OK) == 0) return true;
  }
  return false;
}

bool loader_takes_layer(const char *program, char *why, size_t why_size)
{
#ifdef __GLIBC__
  char path[PATH_SIZE];
  Starter starter;
  if (!find_program(program, path)) return true;
  switch (starter_read(path, &starter)) {
    case STARTER_MUSL:
      snprintf(why, why_size,
               "%s was built for musl (its loader is %s), which cannot load the layer: that is "
               "built for glibc",
               starter.executable, starter.loader);
      return false;
    case STARTER_MACHINE:
      if (getenv("TVMFFI_CONFORM_EMULATOR")) return true;
      snprintf(why, why_size, "%s was built for another machine than the layer",
               starter.executable);
      return false;
    default:
      return true;
  }
#else
  (void)program, (void)why, (void)why_size, (void)find_program;
  return true;
#endif
}
