// SPDX-License-Identifier: Apache-2.0
// Whether the reader of library_bin and the oracle agree on a payload.
#ifndef TVMFFI_CONFORMANCE_TESTS_ORACLE_BIN_AGREE_H_
#define TVMFFI_CONFORMANCE_TESTS_ORACLE_BIN_AGREE_H_

#include <stddef.h>

#include "oracle/bin_oracle.h"

// NULL if they agree: both have the same tree, or the reader reports the rule, and the place, that
// it comes to first by the order of rules. Else what they differ in.
const char *bin_agree(const void *bytes, size_t size);

// The rule that a reader reports that stops at the first mistake: the rules about sizes and vectors
// in their order, then those about entries by place. BIN_ORACLE_NUM_RULES if there is none.
BinOracleRule bin_agree_first_rule(const BinOracle *oracle);

#endif  // TVMFFI_CONFORMANCE_TESTS_ORACLE_BIN_AGREE_H_
