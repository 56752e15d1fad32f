// SPDX-License-Identifier: Apache-2.0
// Files that come with a library as often as from whoever judges it: signatures, waivers, gates,
// findings, recordings. They are read in a child that can do nothing else (sandbox/reader.h); what it
// answers is checked, and put together again here. With SANDBOX_OFF they are read in this process.
#ifndef TVMFFI_CONFORMANCE_CLI_HANDED_IN_H_
#define TVMFFI_CONFORMANCE_CLI_HANDED_IN_H_

#include <stdbool.h>
#include <stddef.h>

#include "fuzz/fuzz_folder.h"
#include "judge/gate.h"
#include "judge/waivers.h"
#include "plan/kernel.h"
#include "sandbox/reader.h"

// Each as the reader of its room (signature_file_read, waivers_read, gate_read, fuzz_folder_read);
// where the child died, `error` says so.
bool handed_in_signatures(const char *path, SandboxMode mode, KernelList *list, char *error,
                          size_t error_size);
WaiverSet *handed_in_waivers(const char *path, SandboxMode mode, const char *today, char *error,
                             size_t error_size);
bool handed_in_gate(const char *path, SandboxMode mode, Gate *gate, char *error, size_t error_size);
FuzzKept *handed_in_findings(const char *directory, SandboxMode mode, size_t *count, char *error,
                             size_t error_size);

// From here on the .npy files of signature files are read so, too (npy_read_file).
void handed_in_arrays(SandboxMode mode);

// Has a child, or with SANDBOX_OFF this process, do `work`, which writes whether it succeeded (one
// byte), and behind that an error (reader_put_text) or what `rest` is to hold. True if it succeeded;
// then `answer` is to be freed. `what` stands for the input in messages.
bool handed_in_ask(const char *what, SandboxMode mode, const SandboxPolicy *paths,
                   void (*work)(void *context, FILE *out), void *context, ReaderAnswer *answer,
                   ReaderRest *rest, char *error, size_t error_size);

// The two forms of an outcome.
void handed_in_put_outcome(FILE *out, bool good, const char *error);

// A signature in an answer: `take` gives one that is sound (own), or NULL.
void handed_in_put_signature(FILE *out, const Signature *signature);
Signature *handed_in_take_signature(ReaderRest *rest);

// Says that what a child answered makes no sense, and returns false.
bool handed_in_refuse(const char *what, char *error, size_t error_size);

#endif  // TVMFFI_CONFORMANCE_CLI_HANDED_IN_H_
