// SPDX-License-Identifier: Apache-2.0
// The place of a crash, which tells causes apart.
#ifndef TVMFFI_CONFORMANCE_FUZZ_FUZZ_PLACE_H_
#define TVMFFI_CONFORMANCE_FUZZ_FUZZ_PLACE_H_

#include <stddef.h>

#include "inspect/inspect.h"
#include "run/evidence.h"

typedef struct FuzzPlace {
  char at[256];     // "f+0x1c", or "libfoo.so+0x4f1c" where no symbol says which function that is
  char below[256];  // in that case, the innermost function that has a name; "" if there is none
} FuzzPlace;

// Names the innermost frame of a crash that lies in the library. Where the stack is full of one
// recursion, it is the least of its return addresses: where the stack ended is chance. Both are
// empty if the crash is nowhere in the library.
FuzzPlace fuzz_place_of(const Evidence *evidence, const InspectReport *library);

#endif  // TVMFFI_CONFORMANCE_FUZZ_FUZZ_PLACE_H_
