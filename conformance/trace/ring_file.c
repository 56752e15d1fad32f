// SPDX-License-Identifier: Apache-2.0
#include "trace/ring_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// As posix_fallocate, also where files may not grow so large.
static int reserve(int descriptor, size_t bytes)
{
  void (*before)(int) = signal(SIGXFSZ, SIG_IGN);
  int refused = posix_fallocate(descriptor, 0, (off_t)bytes);
  signal(SIGXFSZ, before);
  return refused;
}

static int make_in(RingFile *file, const char *folder, size_t bytes)
{
  int length = snprintf(file->path, sizeof file->path, "%s/tvmffi-conform-trace.XXXXXX", folder);
  if (length < 0 || (size_t)length >= sizeof file->path) return -1;
  int descriptor = mkostemp(file->path, O_CLOEXEC);
  if (descriptor < 0) return -1;
  int refused = reserve(descriptor, bytes);
  void *mapped = MAP_FAILED;
  if (refused == 0) mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  int reason = refused ? refused : errno;
  close(descriptor);
  if (mapped == MAP_FAILED) {
    unlink(file->path);
    errno = reason;
    return -1;
  }
  file->ring = mapped;
  file->bytes = bytes;
  return 0;
}

int ring_file_make(RingFile *file, uint32_t events, uint64_t record_bytes, char *error,
                   size_t error_size)
{
  size_t bytes = ring_size(events, record_bytes);
  const char *temporary = getenv("TMPDIR");
  const char *const folders[] = {"/dev/shm", temporary && *temporary ? temporary : "/tmp"};
  for (size_t i = 0; i < sizeof folders / sizeof folders[0]; ++i) {
    if (make_in(file, folders[i], bytes) != 0) continue;
    file->ring->size = bytes;
    file->ring->events_max = events;
    file->ring->record_bytes = record_bytes;
    file->ring->magic = RING_MAGIC;
    return 0;
  }
  snprintf(error, error_size, "cannot make a file of %zu bytes in %s or %s: %s", bytes, folders[0],
           folders[1], strerror(errno));
  file->ring = NULL;
  return -1;
}

void ring_file_remove(RingFile *file)
{
  if (!file->ring) return;
  munmap(file->ring, file->bytes);
  unlink(file->path);
  file->ring = NULL;
}
