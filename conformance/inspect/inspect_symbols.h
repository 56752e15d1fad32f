// SPDX-License-Identifier: Apache-2.0
// The functions of a library by address, so that a program counter gets a name.
#ifndef TVMFFI_CONFORMANCE_INSPECT_INSPECT_SYMBOLS_H_
#define TVMFFI_CONFORMANCE_INSPECT_INSPECT_SYMBOLS_H_

#include "inspect/elfdynamic.h"
#include "inspect/inspect.h"

// Stores the functions among `symbols` in report->symbols, by rising address, one for each address.
// `names` must outlive the report. False if memory is out.
bool inspect_symbols_sort(const ElfSymbols *symbols, const ElfNames *names, InspectReport *report);

#endif  // TVMFFI_CONFORMANCE_INSPECT_INSPECT_SYMBOLS_H_
