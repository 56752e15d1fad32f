// SPDX-License-Identifier: Apache-2.0
// The k largest of a vector in falling order, with their indices: a tuple of two new tensors.
#include "field.h"

namespace field
{

ffi::Tuple<ffi::Tensor, ffi::Tensor> TopK(TensorView x, int64_t k)
{
  RequireTensor(x, kFloat32, 1, "x");
#if BUG == 1
  REQUIRE(k >= 1, ValueError) << "k must be at least 1";
#elif BUG == 2
  REQUIRE(k <= x.size(0), ValueError) << "k must not be larger than x";
#else
  REQUIRE(k >= 1 && k <= x.size(0), ValueError) << "k must be from 1 to the extent of x";
#endif
  std::vector<int64_t> order(x.size(0));
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int64_t>(i);
#if BUG == 4
  std::stable_sort(order.begin(), order.end(),
                   [&](int64_t a, int64_t b) { return Data<float>(x)[a] < Data<float>(x)[b]; });
#else
  std::stable_sort(order.begin(), order.end(),
                   [&](int64_t a, int64_t b) { return Data<float>(x)[a] > Data<float>(x)[b]; });
#endif
  ffi::Tensor values = NewTensor(ffi::Shape({k}), kFloat32);
#if BUG == 3
  ffi::Tensor indices = NewTensor(ffi::Shape({k}), kInt32);
  for (int64_t i = 0; i < k; ++i)
    static_cast<int32_t *>(indices.data_ptr())[i] = static_cast<int32_t>(order[i]);
#else
  ffi::Tensor indices = NewTensor(ffi::Shape({k}), kInt64);
  std::memcpy(indices.data_ptr(), order.data(), sizeof(int64_t) * static_cast<size_t>(k));
#endif
#if BUG == 5
  for (int64_t i = 0; i + 1 < k; ++i)
#else
  for (int64_t i = 0; i < k; ++i)
#endif
    static_cast<float *>(values.data_ptr())[i] = Data<float>(x)[order[static_cast<size_t>(i)]];
  return ffi::Tuple<ffi::Tensor, ffi::Tensor>(values, indices);
}

}  // namespace field

TVM_FFI_DLL_EXPORT_TYPED_FUNC(topk, field::TopK);
