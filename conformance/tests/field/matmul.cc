// SPDX-License-Identifier: Apache-2.0
// c[m, n] = a[m, k] b[k, n]; float32 and float64.
#include "field.h"

namespace field
{

template <typename T>
void Run(TensorView a, TensorView b, TensorView c)
{
  int64_t m = a.size(0), k = a.size(1), n = b.size(1);
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j) {
#if BUG == 4
      float sum = 0;
#else
      T sum = 0;
#endif
#if BUG == 5
      for (int64_t l = 0; l < k / 4 * 4; ++l)
#else
      for (int64_t l = 0; l < k; ++l)
#endif
#if BUG == 2
        sum += Data<T>(a)[i * k + l] * Data<T>(b)[l * k + j];
#else
        sum += Data<T>(a)[i * k + l] * Data<T>(b)[l * n + j];
#endif
      Data<T>(c)[i * n + j] = sum;
    }
  }
}

void Matmul(TensorView a, TensorView b, TensorView c)
{
  REQUIRE(Same(a.dtype(), kFloat32) || Same(a.dtype(), kFloat64), TypeError)
      << "a must be float32 or float64";
  RequireTensor(a, a.dtype(), 2, "a");
  RequireTensor(b, a.dtype(), 2, "b");
  RequireTensor(c, a.dtype(), 2, "c");
#if BUG != 1
  REQUIRE(a.size(1) == b.size(0), ValueError) << "columns of a and rows of b must be equal";
#endif
#if BUG != 3
  REQUIRE(c.size(0) == a.size(0), ValueError) << "c must have as many rows as a";
#endif
  REQUIRE(c.size(1) == b.size(1), ValueError) << "c must have as many columns as b";
  if (Same(a.dtype(), kFloat32)) {
    Run<float>(a, b, c);
  } else {
    Run<double>(a, b, c);
  }
}

}  // namespace field

TVM_FFI_DLL_EXPORT_TYPED_FUNC(matmul, field::Matmul);
