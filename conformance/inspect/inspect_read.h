// SPDX-License-Identifier: Apache-2.0
// The bytes of a file, read once; whether they are an ELF file at all; and their digest.
#ifndef TVMFFI_CONFORMANCE_INSPECT_INSPECT_READ_H_
#define TVMFFI_CONFORMANCE_INSPECT_INSPECT_READ_H_

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "inspect/inspect_problem.h"

typedef struct InspectBytes {
  unsigned char *data;  // own, by free()
  size_t size;
} InspectBytes;

// Reads the regular file at `path` into memory: a file that someone truncates meanwhile would kill
// a process that has it mapped. Never waits for another process (a FIFO) and opens no device.
// Refused with INSPECT_UNREADABLE: what is no regular file, is larger than 4 GiB, or changes while
// it is read.
bool inspect_read(const char *path, InspectBytes *bytes, InspectProblem *problem);

// Opens the same kind of file, for the same refusals; `*status` is what it is like now. Returns a
// descriptor (own) or -1.
int inspect_read_open(const char *path, struct stat *status, InspectProblem *problem);

// Whether the file still has the size and time that it had. Refused with INSPECT_UNREADABLE.
bool inspect_read_is_unchanged(const struct stat *before, int descriptor, InspectProblem *problem);

// Refuses, with INSPECT_NOT_ELF and a guess of what they are, bytes that do not begin as an ELF
// file does.
bool inspect_read_is_elf(const InspectBytes *bytes, InspectProblem *problem);

// SHA-256 of the bytes, in lower-case hexadecimal digits.
void inspect_read_digest(const InspectBytes *bytes, char hex[65]);

// Writes `count` bytes as 2 * `count` lower-case hexadecimal digits and a NUL.
void inspect_read_hex(const unsigned char *data, size_t count, char *hex);

#endif  // TVMFFI_CONFORMANCE_INSPECT_INSPECT_READ_H_
