// SPDX-License-Identifier: Apache-2.0
// Whether a program's loader can load the layer.
#ifndef TVMFFI_CONFORMANCE_TRACE_LOADER_H_
#define TVMFFI_CONFORMANCE_TRACE_LOADER_H_

#include <stdbool.h>
#include <stddef.h>

// False, with a reason, if `program` (a path, or a name that is looked for in PATH, of an executable or of
// a script) is for another C library or machine than the layer is built for: its loader would refuse the
// layer, and may not start the program. True if that is not known.
bool loader_takes_layer(const char *program, char *why, size_t why_size);

#endif  // TVMFFI_CONFORMANCE_TRACE_LOADER_H_
