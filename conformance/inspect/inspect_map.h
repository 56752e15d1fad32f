// SPDX-License-Identifier: Apache-2.0
// A file in memory without being copied there, for files of hundreds of megabytes.
#ifndef TVMFFI_CONFORMANCE_INSPECT_INSPECT_MAP_H_
#define TVMFFI_CONFORMANCE_INSPECT_INSPECT_MAP_H_

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "inspect/inspect_problem.h"

// Must stay where it is between inspect_map_open and inspect_map_close.
typedef struct InspectMap {
  unsigned char *data;  // may be written to; the file never is. NULL if the file is empty
  size_t size;
  int descriptor;
  struct stat status;
  volatile sig_atomic_t torn;  // part of the file was gone when it was looked at
  struct InspectMap *next;
} InspectMap;

// Maps the regular file at `path`. Refused as by inspect_read. Someone may cut the file short while
// it is looked at: what is gone then reads as zeros, and inspect_map_is_whole says so afterwards.
// For that, SIGBUS is handled while any map is open. Maps belong to one thread.
bool inspect_map_open(const char *path, InspectMap *map, InspectProblem *problem);

// Whether the file is still what it was when it was opened. Refused with INSPECT_UNREADABLE.
bool inspect_map_is_whole(const InspectMap *map, InspectProblem *problem);

void inspect_map_close(InspectMap *map);

#endif  // TVMFFI_CONFORMANCE_INSPECT_INSPECT_MAP_H_
