// SPDX-License-Identifier: Apache-2.0
// Mean and variance of each row, and the number of columns: a map.
#include "field.h"

namespace field
{

ffi::Map<ffi::String, ffi::Any> RowStats(TensorView x)
{
  RequireTensor(x, kFloat32, 2, "x");
  int64_t n = x.size(1);
#if BUG != 3
  REQUIRE(n > 0, ValueError) << "rows of x must not be empty";
#endif
  ffi::Tensor mean = NewTensor(ffi::Shape({x.size(0)}), kFloat32);
  ffi::Tensor variance = NewTensor(ffi::Shape({x.size(0)}), kFloat32);
  for (int64_t i = 0; i < x.size(0); ++i) {
    double sum = 0, squares = 0;
    for (int64_t j = 0; j < n; ++j) sum += Data<float>(x)[i * n + j];
    sum /= static_cast<double>(n);
    for (int64_t j = 0; j < n; ++j)
      squares += (Data<float>(x)[i * n + j] - sum) * (Data<float>(x)[i * n + j] - sum);
    static_cast<float *>(mean.data_ptr())[i] = static_cast<float>(sum);
#if BUG == 1
    static_cast<float *>(variance.data_ptr())[i] =
        static_cast<float>(std::sqrt(squares / static_cast<double>(n)));
#else
    static_cast<float *>(variance.data_ptr())[i] =
        static_cast<float>(squares / static_cast<double>(n));
#endif
  }
  ffi::Map<ffi::String, ffi::Any> stats;
  stats.Set("mean", mean);
#if BUG == 2
  stats.Set("variance", mean);
#elif BUG == 4
  stats.Set("var", variance);
#else
  stats.Set("variance", variance);
#endif
#if BUG == 5
  stats.Set("columns", static_cast<double>(n));
#else
  stats.Set("columns", n);
#endif
  return stats;
}

}  // namespace field

TVM_FFI_DLL_EXPORT_TYPED_FUNC(row_stats, field::RowStats);
