// SPDX-License-Identifier: Apache-2.0
// The library that policies and earlier reports are held against: what subject_library.c makes.
#ifndef TVMFFI_FUZZ_SUBJECT_H_
#define TVMFFI_FUZZ_SUBJECT_H_

#include "inspect/inspect_subject.h"

// Reads it, under the name "fuzz.so". Own.
InspectSubject *fuzz_subject(void);

#endif  // TVMFFI_FUZZ_SUBJECT_H_
