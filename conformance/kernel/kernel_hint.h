// SPDX-License-Identifier: Apache-2.0
// Advice for a signature file: what to add if a call is refused that is valid by the signature.
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_HINT_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_HINT_H_

#include "kernel/kernel_call.h"

// The right call of `refused` was refused. Looks, in a copy of the process, whether it is served
// with arguments in other spellings, and if so says in refused->hint which ones to list.
void kernel_hint_right_call(KernelCall *refused);

// The call was refused with the parameter at `position` in the spelling of `type_index`, and others
// are taken: says in call->hint how to list these.
void kernel_hint_spelling(KernelCall *call, unsigned position, int32_t type_index);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_HINT_H_
