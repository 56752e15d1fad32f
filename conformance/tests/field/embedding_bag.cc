// SPDX-License-Identifier: Apache-2.0
// Each bag of rows of a table becomes their sum, mean or maximum; bag b is indices[offsets[b]:offsets[b + 1]].
#include "field.h"

namespace field
{

void EmbeddingBag(TensorView table, TensorView indices, TensorView offsets, ffi::String mode,
                  TensorView out)
{
  RequireTensor(table, kFloat32, 2, "table");
  RequireTensor(indices, kInt64, 1, "indices");
  RequireTensor(offsets, kInt64, 1, "offsets");
  RequireTensor(out, kFloat32, 2, "out");
  int64_t bags = offsets.size(0) - 1, width = table.size(1);
  REQUIRE(bags >= 0 && out.size(0) == bags, ValueError) << "out must have one row per bag";
  REQUIRE(out.size(1) == width, ValueError) << "rows of out and table must be as long";
#if BUG == 2
  bool mean = std::strncmp(mode.c_str(), "mean", 4) == 0, max = mode == "max";
#else
  bool mean = mode == "mean", max = mode == "max";
#endif
#if BUG == 1
  (void)0;
#elif BUG == 2
  REQUIRE(mean || max || std::strncmp(mode.c_str(), "sum", 3) == 0, ValueError) << "unknown mode";
#else
  REQUIRE(mean || max || mode == "sum", ValueError) << "unknown mode";
#endif
  const int64_t *start = Data<int64_t>(offsets), *index = Data<int64_t>(indices);
  for (int64_t b = 0; b < bags; ++b) {
#if BUG == 3
    REQUIRE(start[b] >= 0 && start[b] <= start[b + 1], ValueError) << "offsets must rise";
#else
    REQUIRE(start[b] >= 0 && start[b] <= start[b + 1] && start[b + 1] <= indices.size(0),
            ValueError)
        << "offsets must rise, and end within indices";
#endif
  }
  for (int64_t i = 0; i < indices.size(0); ++i)
    REQUIRE(index[i] >= 0 && index[i] < table.size(0), IndexError) << "index out of range";
  for (int64_t b = 0; b < bags; ++b) {
    int64_t size = start[b + 1] - start[b];
    for (int64_t j = 0; j < width; ++j) {
#if BUG == 5
      float value = 0;
#else
      float value = max && size > 0 ? -std::numeric_limits<float>::infinity() : 0;
#endif
      for (int64_t i = start[b]; i < start[b + 1]; ++i) {
        float element = Data<float>(table)[index[i] * width + j];
        value = max ? std::max(value, element) : value + element;
      }
#if BUG == 4
      if (mean) value /= static_cast<float>(size);
#else
      if (mean && size > 0) value /= static_cast<float>(size);
#endif
      Data<float>(out)[b * width + j] = value;
    }
  }
}

}  // namespace field

TVM_FFI_DLL_EXPORT_TYPED_FUNC(embedding_bag, field::EmbeddingBag);
