// SPDX-License-Identifier: Apache-2.0
// What the linker loads besides a library: the names in its dynamic section, looked for where the
// section says. The system's directories are open to every program, and are not looked into.
#ifndef TVMFFI_CONFORMANCE_SANDBOX_NEEDS_H_
#define TVMFFI_CONFORMANCE_SANDBOX_NEEDS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sandbox/policy.h"

enum { NEEDS_TEXT_MAX = 1024, NEEDS_NAMES_MAX = 512 };

// The dynamic section of a file, which is untrusted: what does not make sense is left out.
typedef struct Needs {
  uint64_t names[NEEDS_NAMES_MAX];  // where in the file the names of needed libraries are
  size_t count;
  uint64_t folders;  // where the list of directories is, with colons between them; 0: none
  bool for_all;      // the list is for what is needed by what is needed, too
} Needs;

// Reads it from an open file. False if it is not one of this machine's, or has no such section.
bool needs_read(int file, Needs *needs);

// The text that begins there and ends with a NUL. False if there is none, or a longer one.
bool needs_text(int file, uint64_t offset, char text[NEEDS_TEXT_MAX]);

// Adds what the library at `path` needs, and what that needs. Only sound shared libraries are added,
// with the other shared libraries beside them: who names a file does not get to read it.
void needs_add(SandboxPolicy *policy, const char *path);

#endif  // TVMFFI_CONFORMANCE_SANDBOX_NEEDS_H_
