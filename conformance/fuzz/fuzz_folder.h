// SPDX-License-Identifier: Apache-2.0
// Findings as folders: DIR/crash-no-rows/{input.bin, finding.json, finding.md, repro.c, ...}.
#ifndef TVMFFI_CONFORMANCE_FUZZ_FUZZ_FOLDER_H_
#define TVMFFI_CONFORMANCE_FUZZ_FUZZ_FOLDER_H_

#include "fuzz/fuzz_campaign.h"

enum { FUZZ_NAME_MAX = 96 };

// The name of a finding's folder: its class and aspect, and `number` if that is more than 1; of one
// that comes behind other inputs, stateful- and its class.
void fuzz_folder_name(const FuzzSurface *surface, const FuzzFinding *finding, unsigned number,
                      char name[FUZZ_NAME_MAX]);

// Says before a long campaign whether findings could be written into `directory`, which need not be
// there yet, and is not made. False, with a reason, if not.
bool fuzz_folder_usable(const char *directory, char *error, size_t error_size);

// Where the findings of a library are kept. Everything is borrowed.
typedef struct FuzzShelf {
  const char *directory;         // with a folder for each
  const InspectReport *library;  // that they were found in
  const char *libraries;         // the folder of the libraries that the suite brings
} FuzzShelf;

// Writes a finding into the folder `name` of the shelf; both folders are created if needed, files
// are replaced. False, with a reason, if it can't be written.
bool fuzz_folder_write(const FuzzShelf *shelf, const FuzzSurface *surface,
                       const FuzzFinding *finding, const char *name, char *error,
                       size_t error_size);

// Writes the C program that reproduces a finding, as it is in the folder of one.
void fuzz_folder_program(const FuzzSurface *surface, const FuzzFinding *finding, FILE *out);

// A finding as it was written. Owns its bytes and its name.
typedef struct FuzzKept {
  char *name;  // of its folder
  const FuzzSurface *surface;
  FuzzFinding finding;
} FuzzKept;

// Reads all findings in `directory`, or the one that it is itself, by rising name. Untrusted: what
// is no finding, or of no known surface, is an error, and so are more than 4,096 of them. Own: free
// with fuzz_kept_free. NULL, with a reason, on failure.
FuzzKept *fuzz_folder_read(const char *directory, size_t *count, char *error, size_t error_size);
// Whether what was read can be run and shown: its inputs are inputs of its surface.
bool fuzz_kept_is_sound(const FuzzKept *kept);
void fuzz_kept_free(FuzzKept *kept, size_t count);

#endif  // TVMFFI_CONFORMANCE_FUZZ_FUZZ_FOLDER_H_
