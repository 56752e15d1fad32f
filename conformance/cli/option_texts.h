// SPDX-License-Identifier: Apache-2.0
// What is made from the tables of verbs and options, other than the parsing.
#ifndef TVMFFI_CONFORMANCE_CLI_OPTION_TEXTS_H_
#define TVMFFI_CONFORMANCE_CLI_OPTION_TEXTS_H_

#include <stdbool.h>
#include <stdio.h>

void options_print_overview(FILE *out);  // of --help without a verb
void options_print_man(FILE *out);       // troff
void options_print_page(FILE *out);      // Markdown: conformance/OPTIONS.md

// Writes the completion for "bash", "zsh" or "fish". False: no such shell.
bool options_print_completion(FILE *out, const char *shell);

#endif  // TVMFFI_CONFORMANCE_CLI_OPTION_TEXTS_H_
