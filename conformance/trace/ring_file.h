// SPDX-License-Identifier: Apache-2.0
// The file behind a ring.
#ifndef TVMFFI_CONFORMANCE_TRACE_RING_FILE_H_
#define TVMFFI_CONFORMANCE_TRACE_RING_FILE_H_

#include <limits.h>
#include <stddef.h>

#include "layer/ring.h"

typedef struct RingFile {
  char path[PATH_MAX];
  Ring *ring;  // NULL: none
  size_t bytes;
} RingFile;

// Makes a file with room for all of a ring with so many events and a recording of so many bytes, so
// that no disk that is full later can stop what writes to it. Returns 0, or -1 after writing a reason.
int ring_file_make(RingFile *file, uint32_t events, uint64_t record_bytes, char *error,
                   size_t error_size);
void ring_file_remove(RingFile *file);

#endif  // TVMFFI_CONFORMANCE_TRACE_RING_FILE_H_
