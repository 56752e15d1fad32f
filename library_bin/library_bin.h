// SPDX-License-Identifier: Apache-2.0
// Reading and writing the bytes behind `__tvm_ffi__library_bin`: the modules that a library embeds,
// and which of them imports which.
//
// Depends on nothing but libc: the runtime loads with it, and the tools inspect with it. Verdicts
// rest on another implementation, conformance/oracle/. The bytes are untrusted input, so nothing is
// used before it was compared with what is there, nothing is allocated before its size is known to
// be covered by bytes, and nothing recurses.
#ifndef TVMFFI_LIBRARY_BIN_LIBRARY_BIN_H_
#define TVMFFI_LIBRARY_BIN_LIBRARY_BIN_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Bytes inside the payload, borrowed. They have no terminator and any value.
typedef struct LibraryBinBytes {
  const char *data;
  size_t size;
} LibraryBinBytes;

// One module of the tree.
typedef struct LibraryBinEntry {
  // "_lib": the library that the bytes are in. It has no value.
  bool is_library;
  LibraryBinBytes kind;
  // What the loader of its kind is given. May be empty.
  LibraryBinBytes value;
} LibraryBinEntry;

// The tree. Module i imports children[rows[i]] .. children[rows[i + 1] - 1], in this order. Module
// 0 is the root.
typedef struct LibraryBin {
  size_t num_modules;  // at least 1
  size_t num_children;
  const uint64_t *rows;      // num_modules + 1 numbers: from 0 to num_children, never falling
  const uint64_t *children;  // each below num_modules
  const LibraryBinEntry *entries;
} LibraryBin;

// What is wrong with a payload. The rules are those of the chapter on library_bin, in the order in
// which they are looked at.
typedef enum LibraryBinRule {
  kLibraryBinOk = 0,
  kLibraryBinSizeCut,        // fewer than 8 bytes for nbytes
  kLibraryBinSizeTooLarge,   // nbytes is more than there is
  kLibraryBinCountCut,       // the number of a vector's elements is cut short
  kLibraryBinCountTooLarge,  // a vector has more elements than bytes remain
  kLibraryBinNoRows,         // fewer than two rows: no module
  kLibraryBinFirstRow,       // the first row is not 0
  kLibraryBinRowFalls,       // a row is less than the one before
  kLibraryBinLastRow,        // the last row is not the number of children
  kLibraryBinChildRange,     // a child is no module of this tree
  kLibraryBinCycle,          // a module imports itself, through others or at once
  kLibraryBinKindCut,        // the length of a kind is cut short
  kLibraryBinKindTooLarge,   // a kind is longer than what remains
  kLibraryBinValueCut,       // the length of a value is cut short
  kLibraryBinValueTooLarge,  // a value is longer than what remains
  kLibraryBinLibraryTwice,   // a second "_lib"
  kLibraryBinTrailing,       // bytes remain after the last entry
  kLibraryBinNoMemory,       // no rule: the memory for the tree could not be had
  kLibraryBinNumRules
} LibraryBinRule;

// Where a payload breaks a rule.
typedef struct LibraryBinProblem {
  LibraryBinRule rule;
  // Of the first byte of the field that is wrong, counted from the first byte of nbytes.
  size_t offset;
  // Which row, child or entry it is; of a vector's count, 0 for the rows' and 1 for the children's;
  // 0 where there is only one.
  size_t index;
  // What stands there: the number; of a field cut short, the bytes that are left; of a second
  // "_lib", its entry; behind the last entry, the bytes that remain; for want of memory, the bytes
  // asked for.
  uint64_t seen;
  // The bound that it breaks: for a length or count, what remains (of elements for a count); for a
  // field cut short, its 8 bytes; for the number of rows, 2; for a row that falls, the row before;
  // for the last row, the number of children; for a child, the last module; in a cycle, the module
  // that imports `seen`; for a second
  // "_lib", the entry of the first; otherwise 0.
  uint64_t limit;
} LibraryBinProblem;

// Reads `size` bytes that begin with nbytes. `size` may be more than 8 + nbytes (what follows is
// not looked at); a caller that knows no size passes SIZE_MAX, and nbytes is then the only bound.
// Returns true and a tree that the caller owns (library_bin_free) and whose bytes borrow from
// `bytes`; or false and what is wrong, with nothing to free. One allocation, at most 8 times the
// payload and a constant.
bool library_bin_read(const void *bytes, size_t size, LibraryBin *tree, LibraryBinProblem *problem);

// Frees what library_bin_read made. The bytes that it borrowed are left alone.
void library_bin_free(LibraryBin *tree);

// One sentence for people: which field of which entry, at which byte, is wrong, and why. Writes at
// most `size` bytes, NUL included, and returns the length of the whole sentence as snprintf does.
int library_bin_explain(const LibraryBinProblem *problem, char *text, size_t size);

// A short name of a rule for files and machines, as in "row-falls". Never NULL.
const char *library_bin_rule_name(LibraryBinRule rule);

// The number of bytes, nbytes included, that library_bin_write makes of a tree; 0 if it is more
// than memory can hold. The tree is not examined: broken ones can be written too, which is how
// readers are tested.
size_t library_bin_size(const LibraryBin *tree);

// Writes the payload of a tree, nbytes first, into `library_bin_size` bytes.
void library_bin_write(const LibraryBin *tree, void *bytes);

#endif  // TVMFFI_LIBRARY_BIN_LIBRARY_BIN_H_
