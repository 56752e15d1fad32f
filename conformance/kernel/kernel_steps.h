// SPDX-License-Identifier: Apache-2.0
// Calls after each other, as a signature file lists them: functions of the module, and methods of
// objects that earlier ones returned.
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_STEPS_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_STEPS_H_

#include "kernel/kernel_call.h"

enum { KERNEL_KEPT_NAMES = 16 };

// What steps have returned, by the names that the file gives it.
struct KernelKept {
  uint32_t count;
  const char *names[KERNEL_KEPT_NAMES];  // borrowed from the signature
  TVMFFIAny values[KERNEL_KEPT_NAMES];   // own
};

// How a sequence is made, and what was seen of it.
typedef struct KernelCourse {
  // References to objects among the arguments that are not `retained` are counted.
  bool counts;
  // The calls of callbacks fail from this one on, counted from 1; the call that the first of them is made in
  // has to fail, too, and is the last. 0: none fails.
  unsigned fails_at;
  // What was seen.
  unsigned counted;  // objects whose references were counted
  unsigned calls;    // of callbacks
  bool failed;       // a callback had to fail, and was called
} KernelCourse;

// Makes the calls one after the other, in this process, and records expectations: that they are
// served, or refused as stated, and give what is expected. True if all hold; the first that does not
// ends the sequence. What is kept is given back when it ends. `what` says in notes what it is about.
// `course` NULL: as they are listed, and nothing else is looked at.
bool kernel_sequence_holds(Iut *iut, const Signature *signature, SignatureRange steps,
                           const char *what, KernelCourse *course);

// Makes the steps that the signature under test needs before each call of `kernel`, which are judged
// elsewhere: what they keep (static lifetime), NULL if none are needed. The case does not apply where
// one is refused.
const KernelKept *kernel_steps_needed(Iut *iut, const Kernel *kernel);

// Ends the case as not applicable if other calls were made for this one: for cases that call the same
// function of another copy of the module, or from other threads, which have not seen them.
void kernel_require_no_needs(const KernelCall *call);

// What is kept under the name, borrowed; None if nothing is.
TVMFFIAny kernel_kept_value(const KernelKept *kept, const char *name);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_STEPS_H_
