// SPDX-License-Identifier: Apache-2.0
// The traced program as a process.
#ifndef TVMFFI_CONFORMANCE_TRACE_PROGRAM_H_
#define TVMFFI_CONFORMANCE_TRACE_PROGRAM_H_

#include "trace/trace.h"

// Runs the program with the layer in it, and with `ring` as the path of its ring, to its end. SIGINT
// and SIGQUIT are left to it; SIGTERM and SIGHUP are handed on. Returns 0 and its id and wait status, or -1
// after writing a reason. `attend` (may be NULL) is called again and again while the program runs, and
// returns after some milliseconds.
int program_run(const TraceRequest *request, const char *ring, void (*attend)(void *context),
                void *context, int *pid, int *status, char *error, size_t error_size);

#endif  // TVMFFI_CONFORMANCE_TRACE_PROGRAM_H_
