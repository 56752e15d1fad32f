// SPDX-License-Identifier: Apache-2.0
// Where the numbers end that a signature file allows: limits and conditions may be any expressions, so the
// end is looked for by halves.
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_EDGE_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_EDGE_H_

#include <stdbool.h>
#include <stdint.h>

// Whether the file is known to rule the call with this number out, by the number alone.
typedef bool IntIsOutside(void *context, int64_t number);
typedef bool FloatIsOutside(void *context, double number);

// The first int above `own` (`up`) or below it that is outside; looks up to steps of `most`. False if there
// is none.
bool kernel_int_edge(int64_t own, bool up, int64_t most, IntIsOutside *outside, void *context,
                     int64_t *edge);

// The float that a condition such as "p < 1" ends at, and which is outside itself. False if there is none
// within a million or so, if the end is inside (what is right behind that is a matter of rounding), or is
// no float of 32 bits.
bool kernel_float_edge(double own, bool up, FloatIsOutside *outside, void *context, double *edge);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_EDGE_H_
