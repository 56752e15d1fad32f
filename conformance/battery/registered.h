// SPDX-License-Identifier: Apache-2.0
// Functions that a runtime registers from the start, by name. For the main thread of a case: a
// look-up that fails ends the case.
#ifndef TVMFFI_CONFORMANCE_BATTERY_REGISTERED_H_
#define TVMFFI_CONFORMANCE_BATTERY_REGISTERED_H_

#include <stdbool.h>
#include <stddef.h>

#include "battery/iut.h"

// Own: the function of this name, or NULL.
TVMFFIObjectHandle find_registered(Iut *iut, const char *name);

// Own: the function of this name. The case does not apply to a library that lacks it; that the
// function must be there is a clause, and a case, of its own.
TVMFFIObjectHandle registered(Iut *iut, const char *name);

bool is_registered(Iut *iut, const char *name);

// Calls a function by name and returns its code. `args` may be NULL if `count` is 0.
int call_registered(Iut *iut, TVMFFIAny *result, const char *name, TVMFFIAny *args, size_t count);

#endif  // TVMFFI_CONFORMANCE_BATTERY_REGISTERED_H_
