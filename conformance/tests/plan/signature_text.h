// SPDX-License-Identifier: Apache-2.0
// Signature files that are written in a test, and a module of three functions that they are for.
#ifndef TVMFFI_CONFORMANCE_TESTS_SIGNATURE_TEXT_H_
#define TVMFFI_CONFORMANCE_TESTS_SIGNATURE_TEXT_H_

#include "plan/signature_file.h"

enum { SIGNATURE_KERNELS = 3 };  // "add", "add_one", "scale", which has metadata

// What the last reading complained of, without the name of the file: "3: functions/add: ...".
extern char signature_error[512];

// A module of which nothing is known but the names. Stays valid until the next call.
KernelList *signature_module(void);

// Reads the bytes as a signature file for a new module. NULL, and signature_error, if it is
// refused.
KernelList *signature_read_bytes(const char *text, size_t size);
KernelList *signature_read(const char *text);

// The file that these kernels are written as (own).
char *signature_written(const KernelList *list);

#endif  // TVMFFI_CONFORMANCE_TESTS_SIGNATURE_TEXT_H_
