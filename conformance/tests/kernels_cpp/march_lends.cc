// SPDX-License-Identifier: Apache-2.0
// caught by kernel.callback-may-keep-tensors saying given back to the heap
// The callback is given a tensor in memory of one step.
#define SLOPE(f, t, y, i) Lending(f, t, y)
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

#include <vector>

struct Lent {
  void *data;
  void AllocData(DLTensor *tensor)
  {
    tensor->data = data;
  }
  void FreeData(DLTensor *)
  {
  }
};

static tvm::ffi::Tensor Lending(const tvm::ffi::Function &f, double t, const tvm::ffi::Tensor &y)
{
  const auto *from = static_cast<const double *>(y.data_ptr());
  std::vector<double> copy(from, from + y.size(0));
  const int64_t shape[] = {y.size(0)};
  const auto lent = tvm::ffi::Tensor::FromNDAlloc(Lent{copy.data()}, tvm::ffi::ShapeView(shape, 1),
                                                  y.dtype(), y.device());
  return f(t, lent).cast<tvm::ffi::Tensor>();
}

#include "march.h"
