// SPDX-License-Identifier: Apache-2.0
// Which processor an ELF file is for.
#ifndef TVMFFI_CONFORMANCE_INSPECT_ELFMACHINE_H_
#define TVMFFI_CONFORMANCE_INSPECT_ELFMACHINE_H_

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>

// Writes "x86-64", "aarch64", "ppc64le", ..., or "machine 4711".
void elfmachine_name(const GElf_Ehdr *header, char *out, size_t capacity);

// The name for this process.
void elfmachine_own_name(char *out, size_t capacity);

// Whether this process could load code with this header: same machine, word size and byte order,
// and an operating system's ABI that Linux takes.
bool elfmachine_is_own(const GElf_Ehdr *header);

#endif  // TVMFFI_CONFORMANCE_INSPECT_ELFMACHINE_H_
