// SPDX-License-Identifier: Apache-2.0
// Reduces rows of each segment by "sum", "max" or "mean"; an empty segment gives zeros.
#include "vendor.h"

namespace vendor
{

template <typename T>
Tensor Reduce(TensorView values, TensorView offsets, const std::string &op)
{
  const int64_t segments = offsets.size(0) - 1, width = values.size(1);
  const int64_t *at = Ptr<int64_t>(offsets);
  const T *in = Ptr<T>(values);
  Tensor result = Empty(Shape({segments, width}), values.dtype());
  T *out = static_cast<T *>(result.data_ptr());
  for (int64_t s = 0; s < segments; ++s)
    for (int64_t j = 0; j < width; ++j) {
#if BUG != 1
      if (at[s] == at[s + 1]) {
        out[s * width + j] = 0;
        continue;
      }
#endif
#if BUG == 5
      T total = 0;
#else
      T total = op == "max" ? -std::numeric_limits<T>::infinity() : T(0);
#endif
      for (int64_t i = at[s]; i < at[s + 1]; ++i)
        total = op == "max" ? std::max(total, in[i * width + j]) : total + in[i * width + j];
#if BUG == 2
      out[s * width + j] = op == "mean" ? total / static_cast<T>(at[s + 1] - at[s] + 1) : total;
#else
      out[s * width + j] = op == "mean" ? total / static_cast<T>(at[s + 1] - at[s]) : total;
#endif
    }
  return result;
}

Tensor SegmentReduce(TensorView values, TensorView offsets, String reduction)
{
  CHECK_INPUT(values);
  CHECK_INPUT(offsets);
  CHECK_DIM(2, values);
  CHECK_DIM(1, offsets);
  CHECK_DTYPE(offsets, kDLInt, 64);
  CHECK_THAT(offsets.size(0) >= 1, ValueError, "offsets must have an element");
#if BUG == 3
  const std::string op = reduction.c_str();
#else
  const std::string op = reduction;
#endif
  CHECK_THAT(op == "sum" || op == "max" || op == "mean", ValueError,
             "unknown reduction \"" << op << "\"");
  const int64_t *at = Ptr<int64_t>(offsets);
  const int64_t segments = offsets.size(0) - 1;
  CHECK_THAT(at[0] >= 0, ValueError, "offsets must not be negative");
  for (int64_t s = 0; s < segments; ++s)
    CHECK_THAT(at[s] <= at[s + 1], ValueError, "offsets must not decrease");
#if BUG != 4
  CHECK_THAT(at[segments] <= values.size(0), ValueError, "offsets are beyond the values");
#endif
  if (IsType(values.dtype(), kDLFloat, 32)) return Reduce<float>(values, offsets, op);
  CHECK_DTYPE(values, kDLFloat, 64);
  return Reduce<double>(values, offsets, op);
}

}  // namespace vendor

TVM_FFI_DLL_EXPORT_TYPED_FUNC(segment_reduce, vendor::SegmentReduce);
