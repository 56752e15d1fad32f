// SPDX-License-Identifier: Apache-2.0
// A line of text that grows in a buffer of fixed size, and is cut where the buffer ends.
#ifndef TVMFFI_CONFORMANCE_SIGNATURE_SIGNATURE_LINE_H_
#define TVMFFI_CONFORMANCE_SIGNATURE_SIGNATURE_LINE_H_

#include <stddef.h>

typedef struct SignatureLine {
  char *text;       // borrowed; ends with a NUL after the first call
  size_t capacity;  // of `text`, at least 1
  size_t size;      // without the NUL
} SignatureLine;

// Adds to the line. printf-like.
void signature_say(SignatureLine *line, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif  // TVMFFI_CONFORMANCE_SIGNATURE_SIGNATURE_LINE_H_
