// SPDX-License-Identifier: Apache-2.0
#include "judge/save.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int write_all(int fd, const char *data, size_t size)
{
  while (size > 0) {
    ssize_t written = write(fd, data, size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return -1;
    data += written;
    size -= (size_t)written;
  }
  return 0;
}

// Writes in place: for what can't be replaced.
static int write_through(const char *path, const void *data, size_t size)
{
  int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (fd < 0) return -1;
  int status = write_all(fd, data, size);
  if (close(fd) != 0) status = -1;
  return status;
}

static mode_t ordinary_mode(void)
{
  mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

static int replace(const char *path, mode_t mode, const void *data, size_t size)
{
  char *temporary = NULL;
  if (asprintf(&temporary, "%s.XXXXXX", path) < 0) return -1;
  int fd = mkostemp(temporary, O_CLOEXEC);
  if (fd < 0) {
    free(temporary);
    return -1;
  }
  int status = write_all(fd, data, size);
  if (fchmod(fd, mode) != 0) status = -1;
  if (close(fd) != 0) status = -1;
  if (status == 0) status = rename(temporary, path);
  if (status != 0) {
    int reason = errno;
    unlink(temporary);
    errno = reason;
  }
  free(temporary);
  return status;
}

static int save(const char *path, const void *data, size_t size)
{
  struct stat existing;
  if (strcmp(path, "-") == 0) return write_all(STDOUT_FILENO, data, size);
  if (stat(path, &existing) != 0) return replace(path, ordinary_mode(), data, size);
  if (!S_ISREG(existing.st_mode)) return write_through(path, data, size);
  // A link stays a link: what it leads to is replaced.
  char *target = realpath(path, NULL);
  if (!target) return -1;
  int status = replace(target, existing.st_mode & 07777, data, size);
  int reason = errno;
  free(target);
  errno = reason;
  return status;
}

SaveElsewhere save_elsewhere;

int save_file(const char *path, const char *what, const void *data, size_t size, char *error,
              size_t error_size)
{
  if (save_elsewhere && strcmp(path, "-") != 0)
    return save_elsewhere(path, what, data, size, error, error_size);
  if (save(path, data, size) == 0) return 0;
  snprintf(error, error_size, "cannot write %s: %s: %s", what,
           strcmp(path, "-") == 0 ? "standard output" : path, strerror(errno));
  return -1;
}
