// SPDX-License-Identifier: Apache-2.0
// Looking a name up as the loader does, in the hash tables of a library.
#ifndef TVMFFI_CONFORMANCE_INSPECT_INSPECT_HASH_H_
#define TVMFFI_CONFORMANCE_INSPECT_INSPECT_HASH_H_

#include "inspect/inspect_facts.h"

// Whether the hash table that the loader would use leads to a symbol of this name. True as well
// where that cannot be told: there is no table, or it is of a kind that only one machine has.
bool inspect_hash_finds(const InspectFacts *facts, ElfText name);

#endif  // TVMFFI_CONFORMANCE_INSPECT_INSPECT_HASH_H_
