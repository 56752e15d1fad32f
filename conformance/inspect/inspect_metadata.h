// SPDX-License-Identifier: Apache-2.0
// What the bytes show of the metadata of functions. Getters are functions: what they give is known
// only when they run, unless it stands in the file as a constant text.
#ifndef TVMFFI_CONFORMANCE_INSPECT_INSPECT_METADATA_H_
#define TVMFFI_CONFORMANCE_INSPECT_INSPECT_METADATA_H_

#include "inspect/inspect_facts.h"

enum { INSPECT_MOST_METADATA = 64, INSPECT_LONGEST_METADATA = 2048 };

typedef struct InspectMetadata {
  ElfText texts[INSPECT_MOST_METADATA];  // begin with {"type_schema"; borrowed from the file
  size_t count;
  size_t unstored;
} InspectMetadata;

// Looks through the constant data for texts that are metadata. Which function each is for does not
// show.
void inspect_metadata_read(const InspectFacts *facts, InspectMetadata *metadata);

#endif  // TVMFFI_CONFORMANCE_INSPECT_INSPECT_METADATA_H_
