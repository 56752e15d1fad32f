// SPDX-License-Identifier: Apache-2.0
// The parts that a PE file is read in, each in a file of its own. All return false with the problem
// recorded where the file is damaged or memory is out.
#ifndef TVMFFI_CONFORMANCE_PE_PE_PARTS_H_
#define TVMFFI_CONFORMANCE_PE_PE_PARTS_H_

#include "pe/pe.h"

bool pe_exports_read(PeFile *file);
bool pe_imports_read(PeFile *file);

// The text at an address, empty if the file has none there.
BinaryText pe_text(const PeFile *file, uint64_t address);

// An unsigned number of `width` bytes at an address; 0 if the file has none there.
uint64_t pe_number(const PeFile *file, uint64_t address, unsigned width);

#endif  // TVMFFI_CONFORMANCE_PE_PE_PARTS_H_
