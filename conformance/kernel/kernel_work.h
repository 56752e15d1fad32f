// SPDX-License-Identifier: Apache-2.0
// What calls asked of the stand-in for CUDA. Kernels that were launched there have computed nothing,
// so two calls are compared by what they launched, and with which arguments.
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_WORK_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_WORK_H_

#include "kernel/kernel_call.h"

// Takes what the account has noted of the call that was just made. Without a stand-in nothing.
void kernel_work_take(KernelCall *call);

// Whether the stand-in can tell of what the function does: a valid call comes back and asks it for
// work, or is refused by it. If not, `why` says so.
bool kernel_work_is_seen(Iut *iut, const Kernel *kernel, char *why, size_t capacity);

// How many requests of a kind the call made; with `refused`, only those that were refused.
unsigned kernel_work_count(const KernelCall *call, CudaKind kind, bool refused);

typedef enum KernelWorkSame {
  KERNEL_WORK_SAME,  // the same, tensors at other addresses aside
  // The same, but for where in a tensor an argument points to; or the same, and elements of a tensor
  // lie elsewhere.
  KERNEL_WORK_MISPLACED,
  KERNEL_WORK_OTHER,  // other work, or not enough is known of its arguments
} KernelWorkSame;

// Whether two calls launched, copied and set the same. Of misplaced work `where` says what is.
KernelWorkSame kernel_work_compare(const KernelCall *actual, const KernelCall *expected,
                                   char *where, size_t capacity);

// What a call that was refused something of the device did, next to a right one.
typedef enum KernelWorkPart {
  KERNEL_WORK_ALL,      // the same requests, one by one
  KERNEL_WORK_WITHOUT,  // the same, but where the right call hands over memory of its own it does not
  KERNEL_WORK_LESS,     // some of them, and no others
  KERNEL_WORK_ANOTHER,  // others: it has found another way, or not enough is known
} KernelWorkPart;
KernelWorkPart kernel_work_part(const KernelCall *refused, const KernelCall *right);

// Both calls did the same work; where that can't be told, the case does not apply.
// bool expect_same_work(const KernelCall *actual, const KernelCall *expected)
#define expect_same_work(...) expect_same_work_(EXPECT_HERE_, __VA_ARGS__)
bool expect_same_work_(const char *at, const KernelCall *actual, const KernelCall *expected);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_WORK_H_
