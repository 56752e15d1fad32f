// SPDX-License-Identifier: Apache-2.0
// Files that are there whole or not at all.
#ifndef TVMFFI_CONFORMANCE_JUDGE_SAVE_H_
#define TVMFFI_CONFORMANCE_JUDGE_SAVE_H_

#include <stddef.h>

// Makes `size` bytes at `data` the contents of the file `path`, by way of a temporary file beside
// it, so that nobody ever reads half of it and a failure leaves the old file as it was. "-" is
// standard output; what is there and no regular file (a pipe, a terminal) is written to as it is.
// 0, or -1 with `error` saying what was being written (`what`: "the JSON report"), where, and why
// it could not be.
int save_file(const char *path, const char *what, const void *data, size_t size, char *error,
              size_t error_size);

// Called in its place, but for "-", where this process may not write files; else NULL.
typedef int (*SaveElsewhere)(const char *path, const char *what, const void *data, size_t size,
                             char *error, size_t error_size);
extern SaveElsewhere save_elsewhere;

#endif  // TVMFFI_CONFORMANCE_JUDGE_SAVE_H_
