// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kernel_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

bool kernel_file_put(const char *path, const char *text)
{
  int file = open(path, O_WRONLY | O_CLOEXEC);
  bool done = file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text);
  int problem = errno;
  if (file >= 0) close(file);
  errno = problem;
  return done;
}
