// SPDX-License-Identifier: Apache-2.0
// Signals by name. (glibc's sigabbrev_np is glibc's alone.)
#ifndef TVMFFI_CONFORMANCE_RUN_SIGNAL_NAME_H_
#define TVMFFI_CONFORMANCE_RUN_SIGNAL_NAME_H_

enum { SIGNAL_NAME_MAX = 24 };

// Writes "SIGSEGV", or "signal 40" where it has no name, and returns it.
char *signal_name(int number, char text[SIGNAL_NAME_MAX]);

#endif  // TVMFFI_CONFORMANCE_RUN_SIGNAL_NAME_H_
