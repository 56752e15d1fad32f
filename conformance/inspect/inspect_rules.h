// SPDX-License-Identifier: Apache-2.0
// What the facts about a file mean: its findings.
#ifndef TVMFFI_CONFORMANCE_INSPECT_INSPECT_RULES_H_
#define TVMFFI_CONFORMANCE_INSPECT_INSPECT_RULES_H_

#include "inspect/inspect_api.h"
#include "inspect/inspect_blob.h"
#include "inspect/inspect_facts.h"
#include "inspect/inspect_findings.h"
#include "inspect/inspect_module.h"
#include "inspect/inspect_set.h"

typedef struct InspectCase {
  const InspectFacts *facts;
  const InspectApi *api;
  const InspectModule *module;
  const InspectBlob *blob;
  const InspectPlace *place;  // NULL: it is inspected alone
  const InspectLinks *links;
  InspectFindings *findings;
} InspectCase;

// Appends everything that is to be said about the file, policies aside, in order of importance.
void inspect_rules_apply(const InspectCase *file);

// Whether a file has to do with today's ABI: it exports, imports or hides something of it.
bool inspect_rules_is_known(const InspectFacts *facts, const InspectApi *api);

// The parts of it, each in a file of its own.
void inspect_rules_symbols(const InspectCase *file);    // names, of imports and exports
void inspect_rules_strangers(const InspectCase *file);  // names, where nothing is of today's ABI
void inspect_rules_data(const InspectCase *file);       // context symbols, library_ctx, library_bin
void inspect_rules_links(const InspectCase *file);  // NEEDED, RPATH, floors, C++ headers, runtimes
void inspect_rules_elf(const InspectCase *file);    // segments, hash tables, versions
void inspect_rules_wheel(const InspectCase *file);  // what the wheel says of itself
void inspect_rules_macho(const InspectCase *file);  // names of libraries, folders, the signature
void inspect_rules_pe(const InspectCase *file);     // tables, C libraries, flags

// Whether the symbols of a library of the system are known: the GNU libraries give a version to
// every one, a runtime's are known by name.
bool inspect_rules_knows(const InspectFacts *facts, ElfText library);

// Whether the library that the file names for a symbol can be a runtime; ELF files name none.
bool inspect_rules_is_of_runtime(const InspectCase *file, const InspectEntry *entry);

// Whether a name is that of a member of tvm::ffi::Error, as MSVC writes it.
bool inspect_rules_is_error_class(const InspectEntry *entry);

// The versions of the C++ headers that the file shows to have been compiled with; 0 and UINT32_MAX
// where it shows nothing. since > until: it shows more than one.
void inspect_rules_headers(const InspectFacts *facts, uint32_t *since, uint32_t *until);

#endif  // TVMFFI_CONFORMANCE_INSPECT_INSPECT_RULES_H_
