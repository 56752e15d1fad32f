// SPDX-License-Identifier: Apache-2.0
// What the layer knows of objects that are alive: the deleter and the code that it put its own in
// the place of, and who made them. C++ code reads objects in place, so what is known lies beside
// them.
#ifndef TVMFFI_CONFORMANCE_LAYER_SHADOW_H_
#define TVMFFI_CONFORMANCE_LAYER_SHADOW_H_

#include "layer/layer.h"

typedef struct ShadowEntry {
  void (*deleter)(void *self, int flags);
  TVMFFISafeCallType
      safe_call;   // of a function whose cell has the layer's; NULL: of another object
  uintptr_t code;  // of a function: what its author gave TVMFFIFunctionCreate, else its safe_call
  uintptr_t made;  // who first showed it to the layer
} ShadowEntry;

// From here on the object is followed: its deleter and, if it is a function, its safe_call are the
// layer's. `code` (may be NULL) is what its author wrote. Does nothing for what has no deleter or is
// followed already, for objects that are no functions unless the ring says so, or if there is no
// room.
void shadow_see(TVMFFIObject *object, uintptr_t caller, TVMFFISafeCallType code);

// The function with this handle. False if it is not followed.
bool shadow_find_function(const void *function, ShadowEntry *entry);

// The code of a function object, whether it is followed or not, for blame.
uintptr_t shadow_code_of(const TVMFFIObject *function);

// Objects that are followed and need code between `start` and `end`; one of them goes into `object`
// and `entry`.
size_t shadow_count_in(uintptr_t start, uintptr_t end, const void **object, ShadowEntry *entry);

#endif  // TVMFFI_CONFORMANCE_LAYER_SHADOW_H_
