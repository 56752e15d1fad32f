// SPDX-License-Identifier: Apache-2.0
// What the source of a kernel says has to come of it.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_KERNEL_SOURCE_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_KERNEL_SOURCE_H_

enum { KERNEL_COMMENT = 256 };

typedef struct KernelComments {
  char first[KERNEL_COMMENT];   // behind its "// "
  char second[KERNEL_COMMENT];  // the line after that, whole
} KernelComments;

// Reads the comments of the kernel that `module_path`, FOLDER/NAME.so, was made of: the one behind
// "#ifdef KERNEL_<NAME>" in the source and the line below it, or else its second and third line.
// Ends the test if there are none.
KernelComments kernel_source_comments(const char *source_path, const char *module_path);

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_KERNEL_SOURCE_H_
