// SPDX-License-Identifier: Apache-2.0
// Rows of a table of 4-bit numbers, scaled by groups with zero points, as float16, bfloat16 or float32.
#include "kit.h"

namespace kit
{

Tensor EmbeddingInt4(TensorView ids, TensorView packed, TensorView scales, TensorView zeros,
                     DLDataType dtype, Optional<int64_t> padding_idx)
{
  Dense(ids, "ids");
  Dense(packed, 2, "packed");
  Dense(scales, 2, "scales");
  Dense(zeros, 2, "zeros");
  Typed(IsI32(ids) || IsI64(ids), "ids");
  Typed(Is(packed, kDLUInt, 8), "packed");
  Typed(Is(scales, kDLFloat, 16), "scales");
  Typed(Is(zeros, kDLUInt, 8), "zeros");
  const int64_t rows = packed.size(0), d = packed.size(1) * 2, groups = scales.size(1);
  Extent(scales, 0, rows, "scales");
  Extent(zeros, 0, rows, "zeros");
#if BUG != 6
  Extent(zeros, 1, groups, "zeros");
#endif
  TVM_FFI_CHECK(groups > 0 && d % groups == 0, ValueError) << "scales: groups must divide " << d;
  std::vector<int64_t> shape(ids.shape().begin(), ids.shape().end());
  shape.push_back(d);
  const int64_t n = Count(ids), size = d / groups;
  for (int64_t i = 0; i < n; ++i) {
#if BUG == 5
    TVM_FFI_CHECK(IntAt(ids, i) < rows, IndexError) << "ids: " << IntAt(ids, i);
#else
    TVM_FFI_CHECK(0 <= IntAt(ids, i) && IntAt(ids, i) < rows, IndexError)
        << "ids: " << IntAt(ids, i) << " is not a row of the table";
#endif
  }
  Tensor out = New(Shape(shape), dtype);
  ForFloats(out, "dtype", [&](auto zero) {
    using T = decltype(zero);
    for (int64_t i = 0; i < n; ++i) {
      const int64_t id = IntAt(ids, i);
      T *to = Data<T>(out) + i * d;
      if (padding_idx.has_value() && id == padding_idx.value()) {
#if BUG != 4
        std::fill(to, to + d, T(0.0f));
#endif
        continue;
      }
      for (int64_t j = 0; j < d; ++j) {
        const uint8_t byte = Data<uint8_t>(packed)[id * d / 2 + j / 2];
#if BUG == 1
        const int nibble = j % 2 == 0 ? byte >> 4 : byte & 15;
#else
        const int nibble = j % 2 == 0 ? byte & 15 : byte >> 4;
#endif
#if BUG == 2
        const int64_t g = id * groups + j % groups;
#else
        const int64_t g = id * groups + j / size;
#endif
        const float scale = Data<half>(scales)[g];
#if BUG == 3
        const uint8_t centred = static_cast<uint8_t>(nibble - Data<uint8_t>(zeros)[g]);
#else
        const int centred = nibble - Data<uint8_t>(zeros)[g];
#endif
        to[j] = T(static_cast<float>(centred) * scale);
      }
    }
  });
  return out;
}

}  // namespace kit

TVM_FFI_DLL_EXPORT_TYPED_FUNC(embedding_int4, kit::EmbeddingInt4);
