// SPDX-License-Identifier: Apache-2.0
// What the readers of facts share: each format has a file of its own.
#ifndef TVMFFI_CONFORMANCE_INSPECT_INSPECT_FACTS_PARTS_H_
#define TVMFFI_CONFORMANCE_INSPECT_INSPECT_FACTS_PARTS_H_

#include "inspect/inspect_facts.h"

// What a name is to the ABI.
InspectRole inspect_facts_role(ElfText name);

// Stores a symbol that others can see or that is to be found elsewhere. False if memory is out.
bool inspect_facts_add(InspectFacts *facts, const InspectEntry *entry);

// Notes what a definition tells of the headers that it was compiled with; `hidden`: also that a
// name of the ABI is not exported.
void inspect_facts_note_definition(InspectFacts *facts, const InspectEntry *entry, bool hidden);

// Fill the facts about files of these formats. False with the problem recorded.
bool inspect_facts_read_macho(InspectFacts *facts);
bool inspect_facts_read_pe(InspectFacts *facts);

// Records what facts->binary says is wrong. False.
bool inspect_facts_refuse_binary(InspectFacts *facts);

#endif  // TVMFFI_CONFORMANCE_INSPECT_INSPECT_FACTS_PARTS_H_
