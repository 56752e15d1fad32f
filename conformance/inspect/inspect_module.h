// SPDX-License-Identifier: Apache-2.0
// The functions that a module exports, and what it says about each.
#ifndef TVMFFI_CONFORMANCE_INSPECT_INSPECT_MODULE_H_
#define TVMFFI_CONFORMANCE_INSPECT_INSPECT_MODULE_H_

#include "inspect/inspect_facts.h"

typedef struct InspectModuleFunction {
  ElfText name;  // without the prefix
  const InspectEntry *entry;
  bool has_metadata, has_doc;
} InspectModuleFunction;

typedef struct InspectModule {
  InspectModuleFunction *functions;  // own, by rising name
  size_t count;
  bool has_library_ctx, has_library_bin, has_main;
  size_t metadata_count, doc_count;  // getters whose function is there
} InspectModule;

// Data symbols count as functions, too: whoever asks by name is given them. The entries are
// borrowed from the facts. False if memory is out.
bool inspect_module_read(const InspectFacts *facts, InspectModule *module);
void inspect_module_free(InspectModule *module);

// The function that a getter of metadata or of a description is for, or NULL.
InspectModuleFunction *inspect_module_of_getter(const InspectModule *module,
                                                const InspectEntry *getter);

#endif  // TVMFFI_CONFORMANCE_INSPECT_INSPECT_MODULE_H_
