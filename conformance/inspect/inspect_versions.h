// SPDX-License-Identifier: Apache-2.0
// Versions of symbols: which a file asks of other libraries, and what that says of the oldest ones
// that will do.
#ifndef TVMFFI_CONFORMANCE_INSPECT_INSPECT_VERSIONS_H_
#define TVMFFI_CONFORMANCE_INSPECT_INSPECT_VERSIONS_H_

#include "inspect/inspect_facts.h"

// Fills facts->versions, floors and broken_versions from the tables that the dynamic section names.
// Tables that are damaged set broken_versions: a loader refuses such a library, people want to know
// the rest.
bool inspect_versions_read(InspectFacts *facts);

// Fills entry->version and hidden_version of the dynamic symbol with this index.
void inspect_versions_of_symbol(const InspectFacts *facts, size_t index, InspectEntry *entry);

// "GLIBC_2.34" after "GLIBC_": ABI_VERSION(2, 34, 0). 0 if it is no version.
uint32_t inspect_versions_number(ElfText name, const char *prefix);

#endif  // TVMFFI_CONFORMANCE_INSPECT_INSPECT_VERSIONS_H_
