// SPDX-License-Identifier: Apache-2.0
// What is looked at in a call that has to be refused, once it was made.
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_REFUSED_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_REFUSED_H_

#include "kernel/kernel_call.h"
#include "plan/case.h"

// What the file says of the error; "": nothing.
typedef struct StatedError {
  const char *kind, *message;
} StatedError;

// Whether anything was judged.
typedef bool LookAtRefusal(KernelCall *call, StatedError stated);

// That it is refused, with this error.
bool look_for_refusal(KernelCall *call, StatedError stated);
// That, if it is refused, no tensor was written to; that it leaves no memory and no reference behind
// when it is made over and over.
bool look_at_memory(KernelCall *call, StatedError stated);
bool look_for_leaks(KernelCall *call, StatedError stated);

// Gives back the guarded memory of a call that was refused and looked at, of which `before` fences were made before it: a case makes
// only so many of them. Left as it is where the function could have kept an argument.
void drop_refused(const KernelCall *call, unsigned before);

// Ends the case as not applicable where `judged` is false: whether one of the calls was refused says why.
void kernel_require_judged(bool judged, bool refused);

// Ends the case as not applicable if the function takes no tensor, and none in containers.
void kernel_require_tensors(const Kernel *kernel);
// Ends the case as not applicable if the function takes an object: that keeps what earlier calls did, so
// that a call need not give what another one gave.
void kernel_require_no_object(const Kernel *kernel);
// Of Case.lacks: it takes none, or its signature file does not promise that refused calls change nothing.
const char *kernel_lacks_atomic(const CaseInstance *instance);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_REFUSED_H_
