// SPDX-License-Identifier: Apache-2.0
// A list of lists of vectors becomes a list of matrices; all vectors have the same extent.
#include "vendor.h"

namespace vendor
{

Array<Tensor> StackGroups(Array<Array<Tensor>> groups)
{
  int64_t width = -1;
  for (Array<Tensor> group : groups)
    for (Tensor x : group) {
      CHECK_THAT(x.defined(), TypeError, "groups must hold tensors");
      CHECK_CPU(x);
      CHECK_CONTIGUOUS(x);
      CHECK_DIM(1, x);
#if BUG == 3
      CHECK_THAT(x.dtype().bits == 32, TypeError, "vectors must be float32");
#else
      CHECK_DTYPE(x, kDLFloat, 32);
#endif
      if (width < 0) width = x.size(0);
#if BUG != 2
      CHECK_THAT(x.size(0) == width, ValueError, "vectors must have the same extent");
#endif
    }
  Array<Tensor> result;
  for (Array<Tensor> group : groups) {
#if BUG == 1
    const int64_t extent = group[0].size(0);
#else
    const int64_t extent = std::max<int64_t>(width, 0);
#endif
    Tensor stacked = Empty(Shape({static_cast<int64_t>(group.size()), extent}), Type(kDLFloat, 32));
    float *to = static_cast<float *>(stacked.data_ptr());
    for (size_t i = 0; i < group.size(); ++i) {
#if BUG == 4
      const float *from = static_cast<const float *>(group[i].data_ptr());
#else
      const float *from = Ptr<float>(group[i]);
#endif
      std::memcpy(to + i * extent, from, extent * sizeof(float));
    }
#if BUG == 5
    result.insert(result.begin(), stacked);
#else
    result.push_back(stacked);
#endif
  }
  return result;
}

}  // namespace vendor

TVM_FFI_DLL_EXPORT_TYPED_FUNC(stack_groups, vendor::StackGroups);
