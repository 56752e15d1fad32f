// SPDX-License-Identifier: Apache-2.0
// What comes out of a call, against what the signature file says that it is: by a formula over the
// arguments as they were before the call, or by a .npy file.
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_EXPECTED_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_EXPECTED_H_

#include "expression/expression.h"
#include "kernel/kernel_call.h"

enum { KERNEL_OUTCOME_WHY = 320 };

typedef struct KernelOutcome {
  unsigned judged, wrong;        // values; of many in a container the first wrong ones
  bool misread;                  // something was not judged since a formula or file is no good
  char why[KERNEL_OUTCOME_WHY];  // something was not judged, or ""
} KernelOutcome;

// Judges the outputs and the result of a call that returned 0: an expectation for each value. A
// formula that cannot be worked out, or a file that cannot be read, is told, and nothing is judged
// by it.
KernelOutcome kernel_outcome_of(KernelCall *call);

// The call is refused, or serves more than its file lists, and rightly: nobody is hurt then. One that moves elements about
// serves each type of a width.
// bool expect_refused_or_right(KernelCall *call)
#define expect_refused_or_right(...) expect_refused_or_right_(EXPECT_HERE_, __VA_ARGS__)
bool expect_refused_or_right_(const char *at, KernelCall *call);

// How far floats of this type may be off in the outputs of the call, and as a result that is a
// number: what the signature file states, or KERNEL_TOLERANCE_OF_TYPE.
double kernel_stated_tolerance(KernelCall *call, DLDataType dtype);
double kernel_number_tolerance(KernelCall *call, DLDataType dtype);

// The elements of a tensor that the function made, own, and what they are in `view`; NULL if they
// can't be read. It has at most KERNEL_RANK_MAX dimensions.
unsigned char *kernel_result_elements(const DLTensor *tensor, KernelTensor *view);

// The same of the call of a step, by what the step says.
KernelOutcome kernel_outcome_of_step(KernelCall *call, const Signature *signature,
                                     const SignatureStep *step);

// What the names in formulas mean: the arguments as they were before the call, and the sizes. An
// ExpressionLookup; `context` is a const KernelCall.
bool kernel_value_before(void *context, const char *name, ExpressionValue *value);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_EXPECTED_H_
