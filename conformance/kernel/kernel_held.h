// SPDX-License-Identifier: Apache-2.0
// What containers hold: arrays and lists (ffi.Array, ffi.List), maps and dicts (ffi.Map, ffi.Dict). It is asked for
// by the functions that the runtime registers for that; these return the code of the first call that failed, with its
// error raised, or 0. Where one is not registered the case is not applicable.
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_HELD_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_HELD_H_

#include "battery/iut.h"

enum { KERNEL_HELD_MAX = 1024 };

// The first elements or entries of a container, in its order. The key of an element is its index.
typedef struct KernelHeld {
  TVMFFIAny keys[KERNEL_HELD_MAX], items[KERNEL_HELD_MAX];  // own
  int64_t count;
} KernelHeld;

bool kernel_is_sequence(const TVMFFIAny *value);
bool kernel_is_map(const TVMFFIAny *value);

// Whether this is a container of which all that can be asked: the functions for it are registered.
bool kernel_held_is_open(Iut *iut, const TVMFFIAny *value);

// How many elements or entries there are.
int kernel_held_size(Iut *iut, const TVMFFIAny *container, int64_t *size);

// The item (own) of this key.
int kernel_held_item(Iut *iut, const TVMFFIAny *container, TVMFFIAny key, TVMFFIAny *item);

// Whether a map has an entry of this key.
int kernel_held_has(Iut *iut, const TVMFFIAny *map, TVMFFIAny key, bool *has);

// Up to KERNEL_HELD_MAX of them. What is in `held` then has to be released, also after a failure.
int kernel_held_take(Iut *iut, const TVMFFIAny *container, KernelHeld *held);
void kernel_held_release(Iut *iut, KernelHeld *held);

// `what[3]`, or `what["key"]`; "what, entry 3" of a key that is no text.
const char *kernel_held_name(Iut *iut, const KernelHeld *held, int64_t i, const char *what,
                             char name[128]);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_HELD_H_
