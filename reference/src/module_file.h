// SPDX-License-Identifier: Apache-2.0
// A look at a file before the dynamic linker is let at it.
#ifndef REFERENCE_MODULE_FILE_H_
#define REFERENCE_MODULE_FILE_H_

// Finds what the dynamic linker does not survive or does not say clearly: what is no file, a
// library for another machine, and one that ends before its segments do (it would be mapped, and
// its first use a SIGBUS). Returns 0 if there is nothing of that kind, also if the file can't be
// opened or is no ELF file: the dynamic linker says so. -1 with InternalError.
int module_file_check(const char *path);

#endif  // REFERENCE_MODULE_FILE_H_
