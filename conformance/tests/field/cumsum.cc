// SPDX-License-Identifier: Apache-2.0
// Running sums of int32 or float32 along the rows of x, into y; y may be x.
#include "field.h"

namespace field
{

template <typename T, typename Sum>
void Run(TensorView x, TensorView y, bool exclusive, bool reverse)
{
  int64_t n = x.size(1);
  for (int64_t i = 0; i < x.size(0); ++i) {
    Sum sum = 0;
    for (int64_t j = 0; j < n; ++j) {
      int64_t at = i * n + (reverse ? n - 1 - j : j);
#if BUG == 1
      if (exclusive && j == 0) sum += Data<T>(x)[at];
#endif
#if BUG == 2
      Data<T>(y)[at] = static_cast<T>(exclusive ? sum : sum + Data<T>(x)[at]);
      sum += Data<T>(x)[at];
#else
      T value = Data<T>(x)[at];
      Data<T>(y)[at] = static_cast<T>(exclusive ? sum : sum + value);
      sum += value;
#endif
    }
  }
}

void Cumsum(TensorView x, TensorView y, bool exclusive, bool reverse)
{
  RequireTensor(x, x.dtype(), 2, "x");
#if BUG == 3
  RequireTensor(y, y.dtype(), 2, "y");
#else
  RequireTensor(y, x.dtype(), 2, "y");
#endif
  RequireSameShape(x, y, "x and y");
#if BUG == 4
  reverse = reverse && !exclusive;
#endif
  if (Same(x.dtype(), kFloat32)) {
    Run<float, double>(x, y, exclusive, reverse);
  } else if (Same(x.dtype(), kInt32)) {
#if BUG == 5
    Run<int32_t, float>(x, y, exclusive, reverse);
#else
    Run<int32_t, int64_t>(x, y, exclusive, reverse);
#endif
  } else {
    TVM_FFI_THROW(TypeError) << "x must be float32 or int32";
  }
}

}  // namespace field

TVM_FFI_DLL_EXPORT_TYPED_FUNC(cumsum, field::Cumsum);
