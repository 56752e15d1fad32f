// SPDX-License-Identifier: Apache-2.0
// Why a library can't be loaded that was built for another C library than the worker.
#ifndef TVMFFI_CONFORMANCE_RUN_FOREIGN_LIBC_H_
#define TVMFFI_CONFORMANCE_RUN_FOREIGN_LIBC_H_

#include <stddef.h>

#include "inspect/inspect.h"

// Adds to what is said in `text` of a library that could not be loaded, a new line between, if it
// needs another C library than the worker program has. Otherwise nothing changes.
void foreign_libc_explain(const InspectReport *library, const char *worker, char *text,
                          size_t size);

#endif  // TVMFFI_CONFORMANCE_RUN_FOREIGN_LIBC_H_
