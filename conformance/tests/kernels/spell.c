// SPDX-License-Identifier: Apache-2.0
// Kernels of spell.h, a block each, for which KERNEL_<name> is defined; the comment behind that is what
// has to come of it.

#ifdef KERNEL_spell_borrows_rvalue  // caught by argument.rvalue-reference
#define WRONG BORROWS_RVALUE
#endif

#ifdef KERNEL_spell_cuts_int  // caught by argument.int-is-not-cut
#define WRONG CUTS_INT
#endif

#ifdef KERNEL_spell_ends_at_nul  // caught by argument.nul-does-not-end-a-string
#define WRONG ENDS_AT_NUL
#endif

#ifdef KERNEL_spell_follows_pointer  // caught by argument.null-pointer
#define WRONG FOLLOWS_POINTER
#endif

#ifdef KERNEL_spell_needs_data  // caught by argument.empty-bytes-without-data
#define WRONG NEEDS_DATA
#endif

#ifdef KERNEL_spell_no_byte_array  // caught by argument.bytes-spellings.byte-array
#define WRONG NO_BYTE_ARRAY
#endif

#ifdef KERNEL_spell_no_raw_string  // caught by argument.string-spellings.raw
#define WRONG NO_RAW_STRING
#endif

#ifdef KERNEL_spell_no_small_bytes  // caught by argument.bytes-spellings.small
#define WRONG NO_SMALL_BYTES
#endif

#ifdef KERNEL_spell_no_small_string  // caught by argument.string-spellings.small
#define WRONG NO_SMALL_STRING
#endif

#ifdef KERNEL_spell_only_float  // caught by argument.int-for-float
#define WRONG ONLY_FLOAT
#endif

#ifdef KERNEL_spell_right  // passes
#endif

#include "spell.h"
