// SPDX-License-Identifier: Apache-2.0
// Opening a library, with a look at the file before the dynamic linker is let at it.
#ifndef REFERENCE_SRC_MODULE_MODULE_FILE_H_
#define REFERENCE_SRC_MODULE_MODULE_FILE_H_

// Opens a library lazily, and for itself. Refused is, besides what the dynamic linker refuses, what
// it does not survive or does not say clearly: what is no regular file, a library for another
// machine, and one that ends before its segments do (it would be mapped, and its first use a
// SIGBUS). Returns own, as from dlopen; NULL with InternalError.
void *module_file_open(const char *path);

#endif  // REFERENCE_SRC_MODULE_MODULE_FILE_H_
