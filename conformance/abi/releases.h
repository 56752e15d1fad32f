// SPDX-License-Identifier: Apache-2.0
// The releases of the official runtime: what each reports, what each exports, and which are known
// to be bad. The table is releases.def, which harness/version_table.py checks against the wheels.
#ifndef TVMFFI_CONFORMANCE_ABI_RELEASES_H_
#define TVMFFI_CONFORMANCE_ABI_RELEASES_H_

#include "abi/abi.h"

typedef struct AbiRelease {
  const char *version;  // as the package index has it: "0.1.13.post2"
  uint32_t reports;     // ABI_VERSION of what its TVMFFIGetVersion says; not always its own number
  bool candidate;       // a release candidate
  bool yanked;          // withdrawn from the package index: installed only where asked for by name
  const char *known_bad;  // why not to build for it or run on it, NULL if nothing is known
} AbiRelease;

// Oldest first; a candidate stands before its release, a post-release behind it. They live for
// ever.
size_t abi_release_count(void);
const AbiRelease *abi_release(size_t index);  // index < abi_release_count()

// Whether the release exports the function: it reports a version in which the function exists, and
// releases.def names no exception.
bool abi_release_has(const AbiRelease *release, AbiFunctionId function);

// The same for anything that the tables date. `item` is "TVMFFISeqCell" (the fields that came with
// a struct go with it), "TVMFFIErrorCell.cause_chain" or "kTVMFFIList"; `since` is what its table
// says.
bool abi_release_has_item(const AbiRelease *release, const char *item, uint32_t since);

// How many functions of the C API the release exports.
unsigned abi_release_functions(const AbiRelease *release);

#endif  // TVMFFI_CONFORMANCE_ABI_RELEASES_H_
