// SPDX-License-Identifier: Apache-2.0
// Objects that are dead and whose memory is not freed yet, so that whoever still uses one is seen.
// A deleter destroys the content first and frees the memory in a second step; that one waits.
#ifndef TVMFFI_CONFORMANCE_LAYER_QUARANTINE_H_
#define TVMFFI_CONFORMANCE_LAYER_QUARANTINE_H_

#include "layer/shadow.h"

// In the place of its deleter, instead of one that would free the object. False: there is no
// quarantine, or no room, or the deleter is not one of a runtime's, and nothing was done. (Others may
// free the object in the first step, or do not own its memory.)
bool ffi_call_quarantined(TVMFFIObject *object, const ShadowEntry *entry, uintptr_t caller);

// The deleter of objects in quarantine.
void quarantine_deleter(void *self, int flags);

// Looks at what is in quarantine and, if `frees`, frees it: before its deleters go away.
void quarantine_flush(bool frees);

#endif  // TVMFFI_CONFORMANCE_LAYER_QUARANTINE_H_
