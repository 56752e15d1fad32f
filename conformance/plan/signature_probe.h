// SPDX-License-Identifier: Apache-2.0
// What a function that nobody describes says about itself when it is called: how many arguments it
// takes and of which kinds, from the words of its errors and from what its type checks let pass.
// Such a signature is tentative. Cases may call a function by it; that a call is right, or what
// comes out of it, does not follow from it.
#ifndef TVMFFI_CONFORMANCE_PLAN_SIGNATURE_PROBE_H_
#define TVMFFI_CONFORMANCE_PLAN_SIGNATURE_PROBE_H_

#include "plan/kernel.h"

// The message of a call that was served, wrote to no tensor and returned no object.
#define SIGNATURE_PROBE_IDLE "(idle)"

// What came of one call.
typedef struct ProbeAnswer {
  int code;            // what the function returned
  char message[2048];  // "TypeError: ..."; "" if no error was raised, or SIGNATURE_PROBE_IDLE
  // Of a call that was served: a digest of what it wrote and gave, 0 if that is not known; and as bits, the places
  // (kernel_place) of the tensors that it wrote.
  uint64_t outcome, written;
} ProbeAnswer;

// Makes a call with an example value of each parameter of `call`, with as many arguments as it has
// parameters, in a process of its own; tensors lie before unmapped memory if it is one that was
// found. False if the call did not come back.
typedef bool ProbeCall(void *context, const Kernel *call, ProbeAnswer *answer);

// Finds out the parameters of `kernel`, whose source is KERNEL_UNKNOWN; it becomes KERNEL_PROBED if
// their number is found, with the kind KERNEL_ANY where a parameter's is not. Makes at most `most`
// calls. Returns the signature (own, malloc) that one of its errors holds, NULL if none does.
Signature *signature_probe(Kernel *kernel, unsigned most, ProbeCall *make, void *context);

// For a kernel of which kinds are known and no example: makes a call with a value of each kind,
// tensors made up. Where it comes back, `stands_in` is set, and `twin` holds what it gave, so that
// a refusal of another call can be told from one that this call would meet with as well.
void signature_probe_twin(Kernel *kernel, ProbeCall *make, void *context);

// The number of arguments that an error message asks for, -1 if it names none.
int signature_probe_count(const char *message);

#endif  // TVMFFI_CONFORMANCE_PLAN_SIGNATURE_PROBE_H_
