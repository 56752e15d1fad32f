// SPDX-License-Identifier: Apache-2.0
// Hands on what a library prints, line by line, fit for a terminal.
#ifndef TVMFFI_CONFORMANCE_CLI_RELAY_H_
#define TVMFFI_CONFORMANCE_CLI_RELAY_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct Relay {
  int from;  // -1: nothing more comes
  FILE *to;  // borrowed
  size_t used;
  char line[4096];
} Relay;

// Returns the end of a pipe that is to be written to (own), or -1 with errno.
int relay_open(Relay *relay, FILE *to);

// Hands on what has come so far, of a flood a part. Does not wait.
void relay_step(Relay *relay);

// The same, the last line included, which may have no end.
void relay_close(Relay *relay);

#endif  // TVMFFI_CONFORMANCE_CLI_RELAY_H_
