// SPDX-License-Identifier: Apache-2.0
// A value to begin with for each type that a signature names, containers with what is in them: of
// tensors only the kind is known, and two elements are put in an array.
#ifndef TVMFFI_CONFORMANCE_PLAN_SIGNATURE_EXAMPLE_H_
#define TVMFFI_CONFORMANCE_PLAN_SIGNATURE_EXAMPLE_H_

#include "plan/kernel.h"
#include "signature/signature.h"

// Makes parameter `position` of `kernel` a value of the type that the signature (NULL: none is
// known) gives it; where its kind is known besides, the signature counts for what is within it.
// False if no value can be made.
bool signature_example(const Signature *known, Kernel *kernel, uint32_t position);

// Makes all parameters of a function without an example values of their types, as far as there are any; objects have
// their type and no value.
void signature_draft(const Signature *known, Kernel *kernel);

// How many alternatives a parameter has, as a variant or as one that may be anything; 0: it is no
// such one. Alternative 0 is the one that signature_example makes.
uint32_t signature_alternatives(const Signature *known, uint32_t position);
// False if there is no value of this one.
bool signature_take_alternative(const Signature *known, Kernel *kernel, uint32_t position,
                                uint32_t alternative);

// Whether a parameter is a map from strings that is known to be empty yet.
bool signature_takes_entries(const KernelParameter *parameter);
// Puts one entry more into a map: a number, an int, a string, a tensor, in this order by `turn`
// where the map takes any value. False if it takes no such value, or there is no room.
bool signature_add_entry(const Signature *known, Kernel *kernel, uint32_t position, const char *key,
                         unsigned turn);

// Has an array hold so many elements, all like the first. False if there is no room.
bool signature_set_length(Kernel *kernel, uint32_t position, uint32_t length);

#endif  // TVMFFI_CONFORMANCE_PLAN_SIGNATURE_EXAMPLE_H_
