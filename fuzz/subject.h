// SPDX-License-Identifier: Apache-2.0
// The library that policies and earlier reports are checked against: what subject_library.c makes.
#ifndef TVMFFI_FUZZ_SUBJECT_H_
#define TVMFFI_FUZZ_SUBJECT_H_

#include "inspect/inspect_subject.h"

// Reads it, under the name "fuzz.so". Own.
InspectSubject *fuzz_subject(void);

// Has all that is to be said of it written, for people and as JSON: it may quote what it was held
// against, and must steer no terminal.
void fuzz_subject_tell(const InspectSubject *subject);

#endif  // TVMFFI_FUZZ_SUBJECT_H_
