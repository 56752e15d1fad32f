// SPDX-License-Identifier: Apache-2.0
// out[indices[i]] += values[i], all or nothing.
#include "field.h"

namespace field
{

void ScatterAdd(TensorView out, TensorView indices, TensorView values)
{
  RequireTensor(out, kFloat32, 1, "out");
  RequireTensor(indices, kInt32, 1, "indices");
  RequireTensor(values, kFloat32, 1, "values");
#if BUG != 5
  REQUIRE(indices.size(0) == values.size(0), ValueError) << "indices and values must be as long";
#endif
  const int32_t *where = Data<int32_t>(indices);
#if BUG != 4
  for (int64_t i = 0; i < indices.size(0); ++i)
#if BUG == 2
    REQUIRE(where[i] >= 0 && where[i] <= out.size(0), IndexError) << "index out of range";
#else
    REQUIRE(where[i] >= 0 && where[i] < out.size(0), IndexError) << "index out of range";
#endif
#endif
#if BUG == 1
  Parallel(indices.size(0), 1 << 12, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) Data<float>(out)[where[i]] += Data<float>(values)[i];
  });
#else
  for (int64_t i = 0; i < indices.size(0); ++i) {
#if BUG == 4
    REQUIRE(where[i] >= 0 && where[i] < out.size(0), IndexError) << "index out of range";
#endif
#if BUG == 3
    Data<float>(out)[where[i]] = Data<float>(values)[i];
#else
    Data<float>(out)[where[i]] += Data<float>(values)[i];
#endif
  }
#endif
}

}  // namespace field

TVM_FFI_DLL_EXPORT_TYPED_FUNC(scatter_add, field::ScatterAdd);
