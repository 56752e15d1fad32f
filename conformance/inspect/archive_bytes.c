// SPDX-License-Identifier: Apache-2.0
#include "inspect/archive_bytes.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// Makes room on the heap for `needed` bytes, at most ARCHIVE_BYTES_IN_MEMORY.
static bool grow(ArchiveBytes *bytes, uint64_t needed)
{
  if (needed <= bytes->capacity) return true;
  uint64_t capacity = bytes->capacity != 0 ? bytes->capacity : 1 << 16;
  while (capacity < needed) capacity *= 2;
  unsigned char *data = realloc(bytes->data, capacity);
  if (data == NULL) return false;
  bytes->data = data;
  bytes->capacity = capacity;
  return true;
}

// Own: a file without a name, in the directory for such. (tmpfile does not look at TMPDIR.)
static FILE *open_spill(void)
{
  char path[PATH_MAX];
  const char *folder = getenv("TMPDIR");
  int length =
      snprintf(path, sizeof path, "%s/tvmffi-conform-XXXXXX", folder && *folder ? folder : "/tmp");
  int file = length < (int)sizeof path ? mkstemp(path) : -1;
  if (file < 0) return NULL;
  unlink(path);
  FILE *spill = fdopen(file, "w+");
  if (!spill) close(file);
  return spill;
}

// Moves what was gathered into a temporary file.
static bool spill(ArchiveBytes *bytes)
{
  bytes->spill = open_spill();
  if (bytes->spill == NULL) return false;
  bool written = fwrite(bytes->data, 1, bytes->size, bytes->spill) == bytes->size;
  free(bytes->data);
  bytes->data = NULL;
  bytes->capacity = 0;
  return written;
}

bool archive_bytes_add(ArchiveBytes *bytes, const void *data, size_t length)
{
  if (length == 0) return true;
  if (bytes->spill == NULL && length > ARCHIVE_BYTES_IN_MEMORY - bytes->size && !spill(bytes))
    return false;
  if (bytes->spill != NULL) {
    if (fwrite(data, 1, length, bytes->spill) != length) return false;
  } else {
    if (!grow(bytes, bytes->size + length)) return false;
    memcpy(bytes->data + bytes->size, data, length);
  }
  bytes->size += length;
  return true;
}

bool archive_bytes_finish(ArchiveBytes *bytes)
{
  if (bytes->spill == NULL) return true;
  if (fflush(bytes->spill) != 0) return false;
  void *data =
      mmap(NULL, bytes->size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fileno(bytes->spill), 0);
  if (data == MAP_FAILED) return false;
  bytes->data = data;
  bytes->mapped = true;
  return true;
}

void archive_bytes_free(ArchiveBytes *bytes)
{
  if (bytes->mapped)
    munmap(bytes->data, bytes->size);
  else
    free(bytes->data);
  if (bytes->spill != NULL) fclose(bytes->spill);
  *bytes = (ArchiveBytes){0};
}
