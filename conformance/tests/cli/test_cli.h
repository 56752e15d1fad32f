// SPDX-License-Identifier: Apache-2.0
// The parts of test_cli: one a file.
#ifndef TVMFFI_CONFORMANCE_TESTS_TEST_CLI_H_
#define TVMFFI_CONFORMANCE_TESTS_TEST_CLI_H_

#include "tests/tool/tool.h"
#include "unit/unit.h"

// Runs it, and expects this exit code and no process left behind.
ToolRun cli_run(const ToolSetup *setup, int exit_code, const char *const *words);

// The text is what the glob says, all of it.
void cli_expect_text(const char *text, const char *glob);

// True if the text has no control characters but line feeds.
bool cli_is_plain(const char *text);

#endif  // TVMFFI_CONFORMANCE_TESTS_TEST_CLI_H_
