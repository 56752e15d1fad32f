// SPDX-License-Identifier: Apache-2.0
// Weights of 4 bits, two in a byte, low half first, with one scale per group of columns.
#include "field.h"

namespace field
{

void DequantInt4(TensorView packed, TensorView scales, int64_t group, TensorView out)
{
  RequireTensor(packed, kUInt8, 2, "packed");
  RequireTensor(scales, kFloat32, 2, "scales");
  RequireTensor(out, kFloat32, 2, "out");
  int64_t rows = packed.size(0), columns = 2 * packed.size(1);
#if BUG != 3
  REQUIRE(group > 0, ValueError) << "group must be positive";
#endif
  REQUIRE(columns % group == 0, ValueError) << "group must divide the number of columns";
  REQUIRE(out.size(0) == rows && out.size(1) == columns, ValueError)
      << "out must have two columns per byte of packed";
#if BUG == 4
  REQUIRE(scales.size(0) == rows, ValueError) << "scales must have one row per row of packed";
#else
  REQUIRE(scales.size(0) == rows && scales.size(1) == columns / group, ValueError)
      << "scales must have one element per group";
#endif
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < columns; ++j) {
      int byte = Data<uint8_t>(packed)[i * packed.size(1) + j / 2];
#if BUG == 1
      int level = j % 2 == 0 ? byte >> 4 : byte & 15;
#else
      int level = j % 2 == 0 ? byte & 15 : byte >> 4;
#endif
#if BUG != 2
      if (level > 7) level -= 16;
#endif
#if BUG == 5
      float scale = Data<float>(scales)[j / group];
#else
      float scale = Data<float>(scales)[i * (columns / group) + j / group];
#endif
      Data<float>(out)[i * columns + j] = static_cast<float>(level) * scale;
    }
  }
}

}  // namespace field

TVM_FFI_DLL_EXPORT_TYPED_FUNC(dequant_int4, field::DequantInt4);
