// SPDX-License-Identifier: Apache-2.0
// Whether the elements of its tensors matter in a call that was found: where a limit leaves all of them out, or a
// weight of 0, cases that give the function other memory would see nothing of what it does with it.
#ifndef TVMFFI_CONFORMANCE_PLAN_SIGNATURE_SENSE_H_
#define TVMFFI_CONFORMANCE_PLAN_SIGNATURE_SENSE_H_

#include "plan/signature_heard.h"

// Has a number, a truth value, the elements of a tensor of whole numbers or what a function returns be others where more
// tensors of floats, or as many and more numbers, matter then to what the call comes to. The call stays as it is where none
// do, or where the outcome can't be compared.
void signature_sense(Search *search, Kernel *found);

#endif  // TVMFFI_CONFORMANCE_PLAN_SIGNATURE_SENSE_H_
