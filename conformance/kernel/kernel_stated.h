// SPDX-License-Identifier: Apache-2.0
// Whether what a call left is of the types, shapes and devices that the signature states.
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_STATED_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_STATED_H_

#include "kernel/kernel_call.h"
#include "plan/case.h"

// The result of a call that returned 0, and what is in it, is of kind, type, shape and device that
// call->kernel states for it. Records an expectation for each value that something is stated of.
// bool expect_result_as_stated(KernelCall *call)
#define expect_result_as_stated(...) expect_result_as_stated_(EXPECT_HERE_, __VA_ARGS__)
bool expect_result_as_stated_(const char *at, KernelCall *call);

// Every element of each output was written: `call` and `again`, the same call over outputs that were
// filled with other bytes before, both returned 0, and no element has kept these bytes in both.
// bool expect_outputs_written(KernelCall *call, KernelCall *again)
#define expect_outputs_written(...) expect_outputs_written_(EXPECT_HERE_, __VA_ARGS__)
bool expect_outputs_written_(const char *at, KernelCall *call, KernelCall *again);

// The call was refused, and raised an error of this kind whose message has this part; "": any.
// bool expect_error_as_stated(KernelCall *call, const char *kind, const char *message)
#define expect_error_as_stated(...) expect_error_as_stated_(EXPECT_HERE_, __VA_ARGS__)
bool expect_error_as_stated_(const char *at, KernelCall *call, const char *kind,
                             const char *message);

// Whether the call was refused with an error of this kind ("": any) whose message has this part.
bool kernel_error_is(const KernelCall *call, const char *kind, const char *message);

// Whether a value of this type index may be one of the kind: None if it is optional, either type of
// arrays and of maps, and any value where the kind does not tell.
bool kernel_is_of_kind(const KernelParameter *stated, int32_t index);

// Of Case.lacks: the signature file does not make this promise (SIGNATURE_ATOMIC, ...) for the
// function.
const char *kernel_lacks_promise(const CaseInstance *instance, unsigned promise);

// What a call returned, and what is in it, is no tensor of the arguments, and in none of their memory.
// Adds to *compared how many pairs of a result and an argument were looked at.
// bool expect_result_is_fresh(KernelCall *call, unsigned *compared)
#define expect_result_is_fresh(...) expect_result_is_fresh_(EXPECT_HERE_, __VA_ARGS__)
bool expect_result_is_fresh_(const char *at, KernelCall *call, unsigned *compared);

// Nothing around the elements of the outputs was written to.
// bool expect_gaps_untouched(KernelCall *call)
#define expect_gaps_untouched(...) expect_gaps_untouched_(EXPECT_HERE_, __VA_ARGS__)
bool expect_gaps_untouched_(const char *at, KernelCall *call);

// Fills the outputs of a call that is not made yet with other bytes than before.
void refill_outputs(KernelCall *call);

// Has the inputs of `call` hold what those of `other` do, at the addresses where they are, and its
// outputs what they held before the call, so that it can be made again. False if the two are not
// alike.
bool replace_inputs(KernelCall *call, const KernelCall *other);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_STATED_H_
