// SPDX-License-Identifier: Apache-2.0
// The surface error in parts: what an input asks for, and how its findings are told.
//
// An input is a byte for the way in which the error is made, one for the number of message parts,
// and texts: a byte of length (255: NULL), and as many bytes. What follows updates the backtrace,
// each with a byte of choices and a text.
#ifndef TVMFFI_CONFORMANCE_FUZZ_FUZZ_ERROR_H_
#define TVMFFI_CONFORMANCE_FUZZ_FUZZ_ERROR_H_

#include "fuzz/fuzz_call.h"

enum { FUZZ_ERROR_PARTS_MAX = 24, FUZZ_ERROR_UPDATES_MAX = 12 };

// How the error is made.
typedef enum FuzzErrorWay {
  FUZZ_ERROR_FROM_STRING,
  FUZZ_ERROR_FROM_PARTS,
  FUZZ_ERROR_CREATE,  // from here on of byte arrays
  FUZZ_ERROR_CREATE_WITH_CAUSE,
  FUZZ_ERROR_WAYS
} FuzzErrorWay;

typedef struct FuzzErrorUpdate {
  bool append, its_own;
  size_t first;   // of its own backtrace, modulo its size
  FuzzText text;  // data may be NULL
} FuzzErrorUpdate;

// What an input asks for; texts are borrowed from it. Where C strings are due they end before their
// first NUL.
typedef struct FuzzErrorPlan {
  unsigned way;  // FuzzErrorWay
  FuzzText kind, backtrace;
  // Those of the message; one, or none, unless the way is FUZZ_ERROR_FROM_PARTS.
  FuzzText parts[FUZZ_ERROR_PARTS_MAX];
  unsigned part_count, update_count;
  FuzzErrorUpdate updates[FUZZ_ERROR_UPDATES_MAX];
} FuzzErrorPlan;

void fuzz_error_decode(const FuzzInput *input, FuzzErrorPlan *plan);

// FuzzSurface.describe and .program_body (fuzz_error_emit.c).
void fuzz_error_describe(const FuzzInput *input, unsigned which, FILE *out);
void fuzz_error_body(const FuzzInput *input, unsigned which, FILE *out);

#endif  // TVMFFI_CONFORMANCE_FUZZ_FUZZ_ERROR_H_
