// SPDX-License-Identifier: Apache-2.0
// caught by kernel.choice-is-served
// What f returns is read after it was released.
#define SLOPE(f, t, y, i) Borrowed(f, t, y)
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

namespace
{

struct Nothing {
  void AllocData(DLTensor *tensor, void *data) { tensor->data = data; }
  void FreeData(DLTensor *) {}
};

tvm::ffi::Tensor Borrowed(const tvm::ffi::Function &f, double t, const tvm::ffi::Tensor &y)
{
  const auto tensor = f(t, y).cast<tvm::ffi::Tensor>();
  const tvm::ffi::TensorView view(tensor);
  void *data = static_cast<char *>(view.data_ptr()) + view.byte_offset();
  if (view.ndim() != 1 || !view.IsContiguous()) return tensor;
  return tvm::ffi::Tensor::FromNDAlloc(Nothing(), view.shape(), view.dtype(), view.device(), data);
}

}  // namespace

#include "march.h"
