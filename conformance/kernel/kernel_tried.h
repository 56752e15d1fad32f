// SPDX-License-Identifier: Apache-2.0
// What was tried, in the words of the report, for calls that a KernelCall describes:
//
//   make_tried_call(call, TRIED_PROMISED);                  // "x: float64[300, 400], mask: None"
//   if (expect_same_outcome(call, expected)) tried_came_to(TRIED_RIGHT);
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_TRIED_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_TRIED_H_

#include "battery/tried.h"
#include "kernel/kernel_call.h"

// make_call, told to the report: the combination, by the values that are handed over, and whether it
// was served or refused. What came out is for the case to add with tried_came_to.
void make_tried_call(KernelCall *call, TriedPromise promise);

// The values of the call in one line: "x: float64[300, 400] on cuda, mask: None, k: 3". Tensors that
// are not on the CPU say where they are.
void describe_values(const KernelCall *call, char *text, size_t capacity);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_TRIED_H_
