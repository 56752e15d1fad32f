// SPDX-License-Identifier: Apache-2.0
// out[i, :] = table[indices[i], :]
#include "field.h"

namespace field
{

void Gather(TensorView table, TensorView indices, TensorView out)
{
  RequireTensor(table, kFloat32, 2, "table");
#if BUG == 3
  RequireTensor(indices, indices.dtype(), 1, "indices");
#else
  RequireTensor(indices, kInt64, 1, "indices");
#endif
  RequireTensor(out, kFloat32, 2, "out");
#if BUG != 4
  REQUIRE(out.size(0) == indices.size(0), ValueError) << "out must have one row per index";
#endif
  REQUIRE(out.size(1) == table.size(1), ValueError) << "rows of out and table must be equal";
  int64_t width = table.size(1);
  for (int64_t i = 0; i < indices.size(0); ++i) {
    int64_t index = Data<int64_t>(indices)[i];
#if BUG == 1
    REQUIRE(index <= table.size(0) && index >= 0, IndexError) << "index out of range";
#elif BUG == 2
    REQUIRE(index < table.size(0), IndexError) << "index out of range";
#elif BUG == 5
    if (index < 0 || index >= table.size(0)) continue;
#else
    REQUIRE(index < table.size(0) && index >= 0, IndexError) << "index out of range";
#endif
    std::copy_n(Data<float>(table) + index * width, width, Data<float>(out) + i * width);
  }
}

}  // namespace field

TVM_FFI_DLL_EXPORT_TYPED_FUNC(gather, field::Gather);
