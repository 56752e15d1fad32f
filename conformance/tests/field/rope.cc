// SPDX-License-Identifier: Apache-2.0
// Rotary embedding of q[tokens, heads, d] in place; cache[positions, d] holds d/2 cosines, then d/2 sines.
#include "field.h"

namespace field
{

void Rope(TensorView q, TensorView cache, TensorView positions)
{
  RequireTensor(q, kFloat32, 3, "q");
  RequireTensor(cache, kFloat32, 2, "cache");
#if BUG == 2
  RequireRank(positions, 1, "positions");
  RequireCPU(positions, "positions");
  RequireDense(positions, "positions");
#else
  RequireTensor(positions, kInt64, 1, "positions");
#endif
  int64_t tokens = q.size(0), heads = q.size(1), d = q.size(2), half = d / 2;
#if BUG == 4
  half = (d + 1) / 2;
#else
  REQUIRE(d % 2 == 0, ValueError) << "the last extent of q must be even";
#endif
  REQUIRE(cache.size(1) == d, ValueError) << "rows of cache must be as long as those of q";
  REQUIRE(positions.size(0) == tokens, ValueError) << "positions must have one element per token";
#if BUG != 5
  for (int64_t t = 0; t < tokens; ++t) {
    int64_t position = Data<int64_t>(positions)[t];
#if BUG == 1
    REQUIRE(position >= 0, IndexError) << "position out of range";
#else
    REQUIRE(position >= 0 && position < cache.size(0), IndexError) << "position out of range";
#endif
  }
#endif
  for (int64_t t = 0; t < tokens; ++t) {
    int64_t position = Data<int64_t>(positions)[t];
#if BUG == 5
    REQUIRE(position >= 0 && position < cache.size(0), IndexError) << "position out of range";
#endif
    const float *cosine = Data<float>(cache) + position * d, *sine = cosine + half;
    for (int64_t h = 0; h < heads; ++h) {
      float *row = Data<float>(q) + (t * heads + h) * d;
      for (int64_t j = 0; j < half; ++j) {
#if BUG == 3
        float *a = row + 2 * j, *b = row + 2 * j + 1;
#else
        float *a = row + j, *b = row + half + j;
#endif
        float first = *a * cosine[j] - *b * sine[j];
        *b = *a * sine[j] + *b * cosine[j];
        *a = first;
      }
    }
  }
}

}  // namespace field

TVM_FFI_DLL_EXPORT_TYPED_FUNC(rope, field::Rope);
