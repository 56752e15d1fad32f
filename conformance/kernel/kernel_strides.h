// SPDX-License-Identifier: Apache-2.0
// Strides of tensors that lie in memory in other ways, in elements: one for each of tensor->rank extents. `strides` has room
// for KERNEL_RANK_MAX.
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_STRIDES_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_STRIDES_H_

#include "plan/kernel.h"

typedef void KernelStrides(const KernelParameter *tensor, int64_t *strides);

// Rows side by side: the last dimension lies closest together.
void kernel_strides_compact(const KernelParameter *tensor, int64_t *strides);

// The same with each stride twice as large, or with only the first one.
void kernel_strides_apart(const KernelParameter *tensor, int64_t *strides);
void kernel_strides_first_apart(const KernelParameter *tensor, int64_t *strides);

// From the last element to the first.
void kernel_strides_backward(const KernelParameter *tensor, int64_t *strides);

// Rows compact, with 3 elements between two of them. No extent may be 0.
void kernel_strides_rows_apart(const KernelParameter *tensor, int64_t *strides);

// Rows compact, and a gap of another size behind each dimension: no stride follows from the others.
void kernel_strides_with_gaps(const KernelParameter *tensor, int64_t *strides);

// Columns side by side: the first dimension lies closest together, as in a tensor that was transposed.
void kernel_strides_of_columns(const KernelParameter *tensor, int64_t *strides);

// Compact but for the last one, which is 0: the elements of a row are the same.
void kernel_strides_repeated(const KernelParameter *tensor, int64_t *strides);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_STRIDES_H_
