// SPDX-License-Identifier: Apache-2.0
// Files through which the kernel is told something, as in /proc and control groups.
#ifndef TVMFFI_CONFORMANCE_SANDBOX_KERNEL_FILE_H_
#define TVMFFI_CONFORMANCE_SANDBOX_KERNEL_FILE_H_

#include <stdbool.h>

// Writes the text to a file that is there, in one piece. False if it can't; errno says why.
bool kernel_file_put(const char *path, const char *text);

#endif
