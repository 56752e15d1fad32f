// SPDX-License-Identifier: Apache-2.0
// Calls that are drawn from a seed, series by series: unlike the example in a few respects, right or not, of the function under
// test and now and then of those beside it. What came of them tells which calls, texts and outputs are worth more
// changes.
//
//   Drawing *drawing = drawing_new(kernel);
//   unsigned count = drawing_begin(drawing, calls);    // the example, and what is known to be taken in its place
//   for (unsigned i = 0; i < count; ++i) drawing_note(drawing, i, &outcomes[i]);
//   drawing_next(drawing, calls);                      // SERIES_MAX others
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_DRAWN_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_DRAWN_H_

#include "kernel/kernel_series.h"

typedef struct Drawing Drawing;

// Lives until the process of the case ends.
Drawing *drawing_new(const Kernel *kernel);

// Both write calls that are valid until the next ones are drawn. The first of all is promised to be served if the function has
// an example. Returns how many there are.
unsigned drawing_begin(Drawing *drawing, SeriesCall calls[SERIES_MAX]);
void drawing_next(Drawing *drawing, SeriesCall calls[SERIES_MAX]);

// What came of call `i` of those that were written last.
void drawing_note(Drawing *drawing, unsigned i, const ApartOutcome *outcome);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_DRAWN_H_
