// SPDX-License-Identifier: Apache-2.0
// Bounded access to the bytes of a binary file. Nothing outside of them is ever read, whatever
// offsets and lengths the file gives.
#ifndef TVMFFI_CONFORMANCE_BINARY_BINARY_H_
#define TVMFFI_CONFORMANCE_BINARY_BINARY_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Bytes of a file, as they are: any value, no terminator. Borrowed. Where size is 0 data may be NULL
// (a text that the file does not have), which the C library's functions need not bear: the ones at
// the end of this header do.
typedef struct BinaryText {
  const char *data;
  size_t size;
} BinaryText;

// What is wrong with a file. The first problem stays.
typedef struct BinaryProblem {
  bool no_memory;  // the reader failed; nothing is known about the file
  char text[240];  // "": nothing is wrong. What was wrong; what to do; one line
} BinaryProblem;

typedef struct BinaryBytes {
  const unsigned char *data;  // borrow
  uint64_t size;
  bool big_endian;         // how numbers are written
  BinaryProblem *problem;  // borrow; where every function below reports
} BinaryBytes;

// Longer texts are cut: a hostile file may have a million names that are each all of it.
enum { BINARY_LONGEST_TEXT = 4096 };

// Each records a problem and returns false, so that a caller can return what it returns.
__attribute__((format(printf, 2, 3))) bool binary_problem(BinaryProblem *problem,
                                                          const char *format, ...);
bool binary_no_memory(BinaryProblem *problem);

// Records that the file is damaged: `what` ("its header has no commands"). False.
bool binary_broken(const BinaryBytes *bytes, const char *what);

// Whether `length` bytes at `offset` lie within the file.
bool binary_holds(const BinaryBytes *bytes, uint64_t offset, uint64_t length);

// The same, with the problem recorded where they do not: `what` ("its symbol table").
bool binary_needs(const BinaryBytes *bytes, uint64_t offset, uint64_t length, const char *what);

// An unsigned number of `width` (1, 2, 4 or 8) bytes at `offset`; 0 outside the file.
uint64_t binary_number(const BinaryBytes *bytes, uint64_t offset, unsigned width);

// The text that begins at `offset` and ends before a NUL, before `end`, before the end of the file,
// or after BINARY_LONGEST_TEXT bytes. Empty if it begins outside.
BinaryText binary_text(const BinaryBytes *bytes, uint64_t offset, uint64_t end);

// A number in LEB128 at `*at`, which is moved behind it. False, without a problem recorded, if it
// does not end before `end` or the end of the file, or has more than 64 bits.
bool binary_uleb128(const BinaryBytes *bytes, uint64_t *at, uint64_t end, uint64_t *value);

// Makes room for one more item behind `count` of `size` bytes each in `items` (by realloc, at
// powers of two). Returns the array, or NULL with the problem recorded; `items` is as it was then.
void *binary_grow(void *items, size_t count, size_t size, BinaryProblem *problem);

bool binary_text_is(BinaryText text, const char *other);
bool binary_text_begins(BinaryText text, const char *prefix);
bool binary_text_ends(BinaryText text, const char *suffix);
bool binary_text_has(BinaryText text, const char *part);
bool binary_text_same(BinaryText left, BinaryText right);

// Where `letter` first stands in it, or NULL.
const char *binary_text_find(BinaryText text, char letter);

// A C string, ended at the first NUL of the text if it has one. Own, by free(); NULL: no memory.
char *binary_text_copy(BinaryText text);

// Less than, equal to or greater than 0, as memcmp(); a prefix comes first.
int binary_text_compare(BinaryText left, BinaryText right);

#endif  // TVMFFI_CONFORMANCE_BINARY_BINARY_H_
