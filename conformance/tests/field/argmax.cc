// SPDX-License-Identifier: Apache-2.0
// The largest value of each row, and where it stands: the first, if there are several.
#include "field.h"

namespace field
{

void Argmax(TensorView x, TensorView values, TensorView indices)
{
  RequireTensor(x, kFloat32, 2, "x");
  RequireTensor(values, kFloat32, 1, "values");
#if BUG == 4
  RequireRank(indices, 1, "indices");
  RequireCPU(indices, "indices");
  RequireDense(indices, "indices");
#else
  RequireTensor(indices, kInt64, 1, "indices");
#endif
  REQUIRE(values.size(0) == x.size(0), ValueError) << "values must have one element per row";
#if BUG != 5
  REQUIRE(indices.size(0) == x.size(0), ValueError) << "indices must have one element per row";
#endif
  REQUIRE(x.size(0) == 0 || x.size(1) > 0, ValueError) << "rows of x must not be empty";
  for (int64_t i = 0; i < x.size(0); ++i) {
    const float *row = Data<float>(x) + i * x.size(1);
#if BUG == 1
    float best = 0;
#else
    float best = row[0];
#endif
    int64_t where = 0;
    for (int64_t j = 0; j < x.size(1); ++j) {
#if BUG == 2
      if (row[j] >= best) {
#else
      if (row[j] > best) {
#endif
        best = row[j];
        where = j;
      }
    }
    Data<float>(values)[i] = best;
#if BUG == 3
    Data<int64_t>(indices)[i] = i * x.size(1) + where;
#else
    Data<int64_t>(indices)[i] = where;
#endif
  }
}

}  // namespace field

TVM_FFI_DLL_EXPORT_TYPED_FUNC(argmax, field::Argmax);
