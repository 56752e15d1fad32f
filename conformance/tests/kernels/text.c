// SPDX-License-Identifier: Apache-2.0
// Kernels of text.h, a block each, for which KERNEL_<name> is defined; the comment behind that is what
// has to come of it.

#ifdef KERNEL_text_only_raw  // caught by kernel.right-call saying [\"raw\"]
// Nobody says that it takes one spelling only.
#define WRONG ONLY_RAW
#endif

#ifdef KERNEL_text_raw_follows_small  // caught by argument.wrong-plain-value.small-string
#define WRONG (ONLY_RAW | FOLLOWS_SMALL)
#endif

#ifdef KERNEL_text_raw_right  // passes
#define WRONG ONLY_RAW
#endif

#ifdef KERNEL_text_strict_right  // passes
#endif

#ifdef KERNEL_text_strict_takes_bytes  // caught by argument.wrong-plain-value.small-bytes
#define WRONG TAKES_BYTES
#endif

#ifdef KERNEL_text_takes_bytes  // passes
// As a std::string of the official headers does.
#define WRONG TAKES_BYTES
#endif

#include "text.h"
