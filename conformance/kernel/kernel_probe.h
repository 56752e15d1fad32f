// SPDX-License-Identifier: Apache-2.0
// A call that records how a function answers it.
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_PROBE_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_PROBE_H_

#include "battery/iut.h"

// Calls the kernel under test with the example of each of its parameters. The text of the evidence
// becomes the code that it returned, the digest and the bits of what it wrote (ProbeAnswer) as hexadecimal numbers, a line
// feed, and the error that it raised: "-1 0 0\nTypeError: ...".
void kernel_probe(Iut *iut);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_PROBE_H_
