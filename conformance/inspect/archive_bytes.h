// SPDX-License-Identifier: Apache-2.0
// Bytes of unknown number, gathered piece by piece: in memory while they are few, in a temporary
// file without a name when they become many.
#ifndef TVMFFI_CONFORMANCE_INSPECT_ARCHIVE_BYTES_H_
#define TVMFFI_CONFORMANCE_INSPECT_ARCHIVE_BYTES_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { ARCHIVE_BYTES_IN_MEMORY = 32 << 20 };

// All zero: nothing was gathered.
typedef struct ArchiveBytes {
  unsigned char *data;  // own; after archive_bytes_finish all the bytes, to be read and changed
  uint64_t size;
  uint64_t capacity;  // of `data` while it is heap memory
  FILE *spill;        // own; NULL while `data` holds everything
  bool mapped;
} ArchiveBytes;

// Adds `length` bytes. False, with errno set, if there is no room for them.
bool archive_bytes_add(ArchiveBytes *bytes, const void *data, size_t length);

// Makes `data` hold all of them. False, with errno set, if that cannot be.
bool archive_bytes_finish(ArchiveBytes *bytes);

// Frees what it holds and makes it all zero.
void archive_bytes_free(ArchiveBytes *bytes);

#endif  // TVMFFI_CONFORMANCE_INSPECT_ARCHIVE_BYTES_H_
