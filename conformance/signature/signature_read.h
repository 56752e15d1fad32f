// SPDX-License-Identifier: Apache-2.0
// Signature files: what a user says about the functions of a module (conformance/SIGNATURES.md).
#ifndef TVMFFI_CONFORMANCE_SIGNATURE_SIGNATURE_READ_H_
#define TVMFFI_CONFORMANCE_SIGNATURE_SIGNATURE_READ_H_

#include "signature/signature.h"

enum { SIGNATURE_PROBLEM_MAX = 560 };

// Who the functions of a file are for.
typedef struct SignatureSink {
  // Whether the module has a function with this name.
  bool (*knows)(void *context, const char *name);
  // Takes over what the file says of it (own). Not called where it says nothing: "tentative"
  // without parameters. False if that won't do, with the reason in `problem`.
  bool (*take)(void *context, const char *name, Signature *signature,
               char problem[SIGNATURE_PROBLEM_MAX]);
  void *context;
} SignatureSink;

// Reads a file. False on a mistake, with "FILE:LINE: KEY: what is wrong" in `error`: a file that
// can't be read or is no JSON, an unknown member, a value out of range, an expression that is none.
// What came before the mistake has been taken.
bool signature_read_file(const char *path, const SignatureSink *sink, char *error,
                         size_t error_size);

// The same for a text that stood in the file, which has at most so many bytes.
enum { SIGNATURE_FILE_MAX = 4 << 20 };
bool signature_read_text(const char *path, const char *text, size_t size, const SignatureSink *sink,
                         char *error, size_t error_size);

#endif  // TVMFFI_CONFORMANCE_SIGNATURE_SIGNATURE_READ_H_
