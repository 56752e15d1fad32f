// SPDX-License-Identifier: Apache-2.0
// The C library of this process.
#ifndef TVMFFI_CONFORMANCE_WORKER_C_LIBRARY_H_
#define TVMFFI_CONFORMANCE_WORKER_C_LIBRARY_H_

#include <stddef.h>

// Writes "glibc 2.36"; of one that does not tell its name, that of its dynamic linker:
// "ld-musl-x86_64.so.1".
void c_library_name(char *text, size_t size);

#endif  // TVMFFI_CONFORMANCE_WORKER_C_LIBRARY_H_
