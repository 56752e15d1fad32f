// SPDX-License-Identifier: Apache-2.0
// The errors that are raised in a thread.
#ifndef TVMFFI_CONFORMANCE_LAYER_ERRORS_H_
#define TVMFFI_CONFORMANCE_LAYER_ERRORS_H_

#include "layer/link.h"

// What is raised in this thread, in this runtime; borrowed, NULL: nothing is, or it can't be told.
TVMFFIObject *errors_raised_in(const LayerRuntime *runtime);

// The same in any runtime.
TVMFFIObject *errors_raised(void);

// A call has failed in this thread, and somebody should fetch its error.
void errors_note_failure(void);

// An error is gone that was fetched at this site (0: nowhere).
void errors_note_gone(uint8_t site);

// The process ends.
void errors_note_exit(void);

#endif  // TVMFFI_CONFORMANCE_LAYER_ERRORS_H_
