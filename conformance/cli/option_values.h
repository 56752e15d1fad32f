// SPDX-License-Identifier: Apache-2.0
// How the values of options are read.
#ifndef TVMFFI_CONFORMANCE_CLI_OPTION_VALUES_H_
#define TVMFFI_CONFORMANCE_CLI_OPTION_VALUES_H_

#include "cli/option_table.h"

// Puts the value (NULL for a switch) where the row says. Returns NULL, or what was expected instead: static storage,
// until the next call.
const char *option_take(const Option *option, Options *options, const char *value);

// For options whose values have a form of their own; the same result.
OptionTake option_take_device, option_take_filter, option_take_exclude, option_take_read,
    option_take_level, option_take_gate, option_take_scope, option_take_strict, option_take_timeout,
    option_take_hang_budget, option_take_timeout_scale, option_take_report, option_take_shard,
    option_take_time, option_take_quiet, option_take_verbose;

#endif  // TVMFFI_CONFORMANCE_CLI_OPTION_VALUES_H_
