// SPDX-License-Identifier: Apache-2.0
// Signature files: what a user says about the functions of a module. reports/signatures.schema.json
// describes the form.
#ifndef TVMFFI_CONFORMANCE_PLAN_SIGNATURE_FILE_H_
#define TVMFFI_CONFORMANCE_PLAN_SIGNATURE_FILE_H_

#include <stdio.h>

#include "plan/kernel.h"
#include "signature/signature_words.h"

// Fills the kernels of `list` that the file speaks of. False on a mistake, with "FILE:LINE: KEY:
// what is wrong" in `error`: a file that can't be read or is no JSON, an unknown member, a value
// out of range, a function that is not in the list.
bool signature_file_read(const char *path, KernelList *list, char *error, size_t error_size);

// The same for a text that stood in the file, where others can't be opened: a function whose calls
// have tensors in files is not refused for want of an example, which kernel_take_signature looks for
// again.
bool signature_file_read_text(const char *path, const char *text, size_t size, KernelList *list,
                              char *error, size_t error_size);

// Writes a file to begin with: what is known of each function, and the members that are to be
// filled in. False if it can't be written.
bool signature_file_write(FILE *out, const KernelList *list);

#endif  // TVMFFI_CONFORMANCE_PLAN_SIGNATURE_FILE_H_
