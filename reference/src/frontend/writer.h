// SPDX-License-Identifier: Apache-2.0
// A text that grows at its end.
#ifndef REFERENCE_SRC_FRONTEND_WRITER_H_
#define REFERENCE_SRC_FRONTEND_WRITER_H_

#include <stddef.h>
#include <stdint.h>
#include <tvm/ffi/c_api.h>

// Zero is an empty text.
typedef struct {
  char *data;  // own
  size_t size, room;
} Writer;

// How long a text may become: shared parts of a value are written each time, so that a small value
// can have a text without end.
#define WRITER_MAX ((size_t)1 << 30)

// more: > 0. Makes room for so many bytes at the end. Returns where they go, for whoever writes there and adds
// them to `size`; NULL with an error if there is no memory, or the text becomes too long.
char *writer_reserve(Writer *writer, size_t more);

// Append bytes, or a C string. Return 0; -1 with an error if there is no memory, or the text
// becomes too long.
int writer_add(Writer *writer, const char *data, size_t size);
int writer_add_text(Writer *writer, const char *text);

// Appends lines, each two blanks further to the right. Returns 0; -1 with an error.
int writer_add_indented(Writer *writer, TVMFFIByteArray lines);

// Makes an owned string of the text, and gives the text back.
// out: own, written on success. Returns 0; -1 with an error.
int writer_finish(Writer *writer, TVMFFIAny *out);

// Gives the text back.
void writer_end(Writer *writer);

#endif  // REFERENCE_SRC_FRONTEND_WRITER_H_
