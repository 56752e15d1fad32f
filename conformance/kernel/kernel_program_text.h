// SPDX-License-Identifier: Apache-2.0
// What programs of calls are written with: a text of limited size, words that may stand in C, and
// memory that may not be readable.
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_PROGRAM_TEXT_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_PROGRAM_TEXT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/abi.h"
#include "run/evidence.h"

typedef struct ProgramText {
  char bytes[EVIDENCE_TEXT_MAX];
  size_t size;
  bool full;  // something had no room: the text is of no use
} ProgramText;

// Appends; printf-like.
void program_say(ProgramText *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Appends the words of anybody as they may stand in a comment of one line.
void program_say_comment(ProgramText *text, const char *words);
// Appends a string literal of these bytes.
void program_say_string(ProgramText *text, const char *bytes, size_t size);
// Appends "1, 2, 3".
void program_say_numbers(ProgramText *text, const int64_t *numbers, size_t count);
// Appends "0x0a, 0xff".
void program_say_bytes(ProgramText *text, const unsigned char *bytes, size_t size);

// The head of a program: includes, and the functions that the rest is written with.
void program_say_head(ProgramText *text, bool generation_2025_09);

// Copies `size` bytes at `from`, whatever that points to; false if they can't be read.
bool program_read(void *to, const void *from, size_t size);

// How C names the elements of this type: "float", or NULL if it has no such type (vectors, small
// floats, complex numbers).
const char *program_element_type(DLDataType dtype);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_PROGRAM_TEXT_H_
