// SPDX-License-Identifier: Apache-2.0
// Files of NumPy's format .npy, versions 1.0 to 3.0. What is read is untrusted input.
#ifndef TVMFFI_CONFORMANCE_EXPRESSION_NPY_H_
#define TVMFFI_CONFORMANCE_EXPRESSION_NPY_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { NPY_RANK_MAX = 8, NPY_PROBLEM_MAX = 240 };

typedef enum NpyKind {
  NPY_BOOL,   // 'b'
  NPY_INT,    // 'i'
  NPY_UINT,   // 'u'
  NPY_FLOAT,  // 'f'
  NPY_RAW,    // 'V': bytes without a meaning, as bfloat16 and float8 are written
} NpyKind;

// An array, row by row (whatever the order in the file), its elements as this machine orders bytes.
typedef struct NpyArray {
  NpyKind kind;
  uint32_t size;  // bytes of an element: 1, 2, 4 or 8
  int32_t rank;
  int64_t shape[NPY_RANK_MAX];
  size_t count;          // elements
  unsigned char *bytes;  // own; count * size; NULL if only the header was read
} NpyArray;

// Reads an array from the bytes of a file, of no more than 2^24 elements. False on failure, with
// the reason in `problem` (one line) and *array empty. Bytes behind the array are an error.
bool npy_read(const void *bytes, size_t size, NpyArray *array, char problem[NPY_PROBLEM_MAX]);

// The same for a file with this name.
bool npy_read_file(const char *path, NpyArray *array, char problem[NPY_PROBLEM_MAX]);

// From here on npy_read_file hands its work to `read`, in this process; NULL: it does it itself again.
typedef bool NpyReadFile(const char *path, NpyArray *array, char problem[NPY_PROBLEM_MAX]);
void npy_read_files_by(NpyReadFile *read);

// Writes a file of version 1.0, as NumPy does. False if writing fails.
bool npy_write(FILE *out, const NpyArray *array);

// Frees what it owns and makes it empty.
void npy_free(NpyArray *array);

#endif  // TVMFFI_CONFORMANCE_EXPRESSION_NPY_H_
