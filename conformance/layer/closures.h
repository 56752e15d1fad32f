// SPDX-License-Identifier: Apache-2.0
// The deleters that programs give TVMFFIFunctionCreate: a runtime has to call each once, when the
// function is destroyed. In the place of a deleter the runtime gets a function of the layer, one for
// each deleter, which is handed the same data.
#ifndef TVMFFI_CONFORMANCE_LAYER_CLOSURES_H_
#define TVMFFI_CONFORMANCE_LAYER_CLOSURES_H_

#include "layer/shadow.h"

void ffi_call_destroy_closure(TVMFFIObject *object, int flags, const ShadowEntry *entry,
                              uintptr_t caller);

// Calls the deleter of an object's header and, if the object is a closure, counts how often its own
// deleter is called. `caller`: who destroys the object.
static inline void ffi_call_destroy(TVMFFIObject *object, int flags, const ShadowEntry *entry,
                                    uintptr_t caller)
{
  if (LIKELY(!entry->closure_deleter))
    entry->deleter(object, flags);
  else
    ffi_call_destroy_closure(object, flags, entry, caller);
}

// In a copy of the process: what other threads were doing is never finished there.
void closures_forked(void);

#endif  // TVMFFI_CONFORMANCE_LAYER_CLOSURES_H_
