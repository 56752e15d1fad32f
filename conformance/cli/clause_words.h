// SPDX-License-Identifier: Apache-2.0
// Attributes of clauses and cases in words, as `list` and `explain` print them.
#ifndef TVMFFI_CONFORMANCE_CLI_CLAUSE_WORDS_H_
#define TVMFFI_CONFORMANCE_CLI_CLAUSE_WORDS_H_

#include <stdint.h>

#include "clause.h"

const char *clause_scope_names(unsigned scopes);  // "core, module"
// The ABI generations in which something holds from version `since` to version `until`: "2025-09, 0.1".
const char *clause_generation_names(uint32_t since, uint32_t until);

#endif  // TVMFFI_CONFORMANCE_CLI_CLAUSE_WORDS_H_
