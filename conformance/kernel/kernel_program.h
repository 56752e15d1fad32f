// SPDX-License-Identifier: Apache-2.0
// A call of an exported function as a C program: it compiles by itself against tvm/ffi/c_api.h,
// loads runtime and module, builds the arguments as the case built them (memory that ends at an
// unmapped page included), makes the call and prints what came of it.
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_PROGRAM_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_PROGRAM_H_

#include "kernel/kernel_call.h"

// Keeps the program of `call`, which is about to be made, as evidence: shown with the first failure
// that follows, or with a crash or a hang. The text holds no address, and is the same in every run.
// Nothing is allocated, and memory of the call is read only where it can be read.
void kernel_program_note(const KernelCall *call);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_PROGRAM_H_
