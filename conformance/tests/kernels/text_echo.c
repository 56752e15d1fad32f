// SPDX-License-Identifier: Apache-2.0
// Kernels of text_echo.h, a block each, for which KERNEL_<name> is defined; the comment behind that is what
// has to come of it.

#ifdef KERNEL_text_echo_cuts_objects  // caught by argument.string-spellings.raw
#define LETTERS 1
#endif

#ifdef KERNEL_text_echo_keeps  // caught by kernel.arguments-keep-their-counts
#define REFERENCES 2
#endif

#ifdef KERNEL_text_echo_no_reference  // caught by kernel.arguments-keep-their-counts
#define REFERENCES 0
#endif

#ifdef KERNEL_text_echo_right  // passes
#endif

#include "text_echo.h"

#include "text.h"
