// SPDX-License-Identifier: Apache-2.0
// How large the directory at the end of a zip file is, before anything reads it into memory.
#ifndef TVMFFI_CONFORMANCE_INSPECT_ARCHIVE_DIRECTORY_H_
#define TVMFFI_CONFORMANCE_INSPECT_ARCHIVE_DIRECTORY_H_

#include <stdbool.h>
#include <stdint.h>

// Stores how many bytes lie between where the directory of the zip file begins and its end record,
// and where that record is. False if the file has no end record, or one that contradicts the file.
bool archive_directory_size(const unsigned char *bytes, uint64_t size, uint64_t *directory,
                            uint64_t *end);

#endif  // TVMFFI_CONFORMANCE_INSPECT_ARCHIVE_DIRECTORY_H_
