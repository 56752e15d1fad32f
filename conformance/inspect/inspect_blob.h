// SPDX-License-Identifier: Apache-2.0
// `__tvm_ffi__library_bin` as it stands in the file, judged by the reader that the reference loads
// with.
#ifndef TVMFFI_CONFORMANCE_INSPECT_INSPECT_BLOB_H_
#define TVMFFI_CONFORMANCE_INSPECT_INSPECT_BLOB_H_

#include <library_bin.h>

#include "inspect/inspect_facts.h"

// The bytes around a violation, sixteen a line in dumps.
enum { INSPECT_BLOB_WINDOW = 48 };

typedef enum InspectBlobState {
  INSPECT_BLOB_NONE = 0,   // the file has no such symbol
  INSPECT_BLOB_NO_BYTES,   // the symbol has no bytes in the file
  INSPECT_BLOB_BROKEN,     // problem says what is wrong
  INSPECT_BLOB_TOO_LARGE,  // announces more modules than are looked at
  INSPECT_BLOB_OLD,        // the layout from before August 2025
  INSPECT_BLOB_SOUND,      // tree is what it says
} InspectBlobState;

typedef struct InspectBlob {
  InspectBlobState state;
  ElfText symbol;
  uint64_t offset;       // in the file
  uint64_t size;         // bytes that were looked at: st_size, or up to the end of the section
  uint64_t nbytes;       // what its first eight bytes say; 0 if they are not there
  uint64_t symbol_size;  // st_size; 0: the file does not say
  LibraryBinProblem problem;
  LibraryBin tree;  // own, if sound
} InspectBlob;

// Looks for the symbol and reads its bytes. The tree borrows from the file's bytes. False if memory
// is out; inspect_blob_free is due in either case.
bool inspect_blob_read(const InspectFacts *facts, InspectBlob *blob);
void inspect_blob_free(InspectBlob *blob);

// The bytes to show of a violation: where they begin, counted from the first byte of nbytes, and
// how many there are (at most INSPECT_BLOB_WINDOW).
void inspect_blob_window(const InspectBlob *blob, uint64_t *begin, size_t *count);

#endif  // TVMFFI_CONFORMANCE_INSPECT_INSPECT_BLOB_H_
