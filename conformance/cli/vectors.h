// SPDX-License-Identifier: Apache-2.0
// The vectors of the specification and their schemas, as they were when the program was built.
#ifndef TVMFFI_CONFORMANCE_CLI_VECTORS_H_
#define TVMFFI_CONFORMANCE_CLI_VECTORS_H_

#include <stddef.h>

typedef struct VectorsFile {
  const char *name;         // "any.json"
  const char *data, *last;  // its first byte, and the one behind its last
} VectorsFile;

// In the order of their names.
extern const VectorsFile vectors_files[];
extern const size_t vectors_file_count;

#endif  // TVMFFI_CONFORMANCE_CLI_VECTORS_H_
