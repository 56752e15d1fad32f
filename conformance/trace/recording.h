// SPDX-License-Identifier: Apache-2.0
// From the recording in the ring to a file.
#ifndef TVMFFI_CONFORMANCE_TRACE_RECORDING_H_
#define TVMFFI_CONFORMANCE_TRACE_RECORDING_H_

#include "trace/places.h"

typedef struct TraceRecording {
  uint64_t events, bytes;  // in the file
  uint64_t lost;           // for which there was no room
  uint64_t unfinished;     // whose writer was ended
} TraceRecording;

// Writes the file. 0, or -1 with `error` filled.
int trace_save_recording(const Ring *ring, TracePlaces *places, const char *path,
                         TraceRecording *made, char *error, size_t error_size);

#endif  // TVMFFI_CONFORMANCE_TRACE_RECORDING_H_
