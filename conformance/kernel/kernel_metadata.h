// SPDX-License-Identifier: Apache-2.0
// The metadata that a module provides about a function.
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_METADATA_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_METADATA_H_

#include "battery/iut.h"
#include "run/evidence.h"

// Calls the metadata function of the function under test and stores the text that it returns in
// evidence->text: at most EVIDENCE_TEXT_MAX - 1 bytes of it, text_size tells how many. Nothing is
// stored if there is no such function, it fails, or it does not return a string.
void kernel_metadata_fetch(Iut *iut, Evidence *evidence);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_METADATA_H_
