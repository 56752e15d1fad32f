// SPDX-License-Identifier: Apache-2.0
// Strides of tensors that lie in memory in other ways.
#include "kernel/kernel_strides.h"

static void scale(const KernelParameter *tensor, int64_t factor, int64_t *strides)
{
  kernel_strides_compact(tensor, strides);
  for (int32_t k = 0; k < tensor->rank; ++k) strides[k] *= factor;
}

void kernel_strides_compact(const KernelParameter *tensor, int64_t *strides)
{
  int64_t stride = 1;
  for (int32_t k = tensor->rank; k-- > 0; stride *= tensor->shape[k].size) strides[k] = stride;
}

void kernel_strides_apart(const KernelParameter *tensor, int64_t *strides)
{
  scale(tensor, 2, strides);
}

void kernel_strides_first_apart(const KernelParameter *tensor, int64_t *strides)
{
  kernel_strides_compact(tensor, strides);
  if (tensor->rank > 0) strides[0] *= 2;
}

void kernel_strides_backward(const KernelParameter *tensor, int64_t *strides)
{
  scale(tensor, -1, strides);
}

void kernel_strides_rows_apart(const KernelParameter *tensor, int64_t *strides)
{
  kernel_strides_compact(tensor, strides);
  for (int32_t k = 0; k + 1 < tensor->rank; ++k) {
    const int64_t row = tensor->shape[tensor->rank - 1].size;
    strides[k] = strides[k] / row * (row + 3);
  }
}

void kernel_strides_with_gaps(const KernelParameter *tensor, int64_t *strides)
{
  int64_t stride = 1;
  for (int32_t k = tensor->rank; k-- > 0;) {
    strides[k] = stride;
    stride = stride * tensor->shape[k].size + (tensor->rank - k);
  }
}

void kernel_strides_of_columns(const KernelParameter *tensor, int64_t *strides)
{
  int64_t stride = 1;
  for (int32_t k = 0; k < tensor->rank; stride *= tensor->shape[k++].size) strides[k] = stride;
}

void kernel_strides_repeated(const KernelParameter *tensor, int64_t *strides)
{
  kernel_strides_compact(tensor, strides);
  if (tensor->rank > 0) strides[tensor->rank - 1] = 0;
}
