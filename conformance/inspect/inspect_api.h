// SPDX-License-Identifier: Apache-2.0
// Which functions of the C API a file needs or offers, and so which runtimes go with it.
#ifndef TVMFFI_CONFORMANCE_INSPECT_INSPECT_API_H_
#define TVMFFI_CONFORMANCE_INSPECT_INSPECT_API_H_

#include "abi/releases.h"
#include "inspect/inspect_facts.h"

typedef enum InspectLinking {
  INSPECT_LINKING_NONE = 0,
  INSPECT_LINKING_IMPORTS = 1,  // functions of the C API are undefined symbols
  INSPECT_LINKING_SLOTS = 2,    // there are context symbols
} InspectLinking;               // the sum of both is possible

typedef struct InspectApi {
  bool imports[ABI_FUNCTION_COUNT], slots[ABI_FUNCTION_COUNT], exports[ABI_FUNCTION_COUNT];
  unsigned import_count, slot_count, export_count;
  unsigned linking;          // of InspectLinking
  bool needs_libtvm_ffi;     // in NEEDED
  uint32_t floor;            // the version that introduced the newest function it needs; 0: none
  const AbiRelease *oldest;  // the first release that has all it needs, NULL if none has
  // Of a runtime: the newest release all of whose functions it has, NULL if there is none.
  const AbiRelease *covers;
  // Of a runtime of the generation of September 2025, as its names tell: how many of that
  // generation's functions it has, and how many there are. Else 0 of 0.
  unsigned former_count, former_known;
} InspectApi;

void inspect_api_read(const InspectFacts *facts, InspectApi *api);

// Whether the file needs the function, by an undefined symbol or a context symbol.
bool inspect_api_needs(const InspectApi *api, AbiFunctionId function);

// How many functions that the file needs a release lacks.
unsigned inspect_api_lacking(const InspectApi *api, const AbiRelease *release);

// "direct imports", "context symbols", "direct imports and context symbols", "none".
const char *inspect_api_linking_name(unsigned linking);

// The function that a context symbol stands for, or ABI_FUNCTION_COUNT; stores who fills it ("" for
// nobody, NULL if the name is not known).
AbiFunctionId inspect_api_of_slot(ElfText name, const char **filled_by);

#endif  // TVMFFI_CONFORMANCE_INSPECT_INSPECT_API_H_
