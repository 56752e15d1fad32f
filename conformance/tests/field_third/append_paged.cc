// SPDX-License-Identifier: Apache-2.0
// Writes new keys and values, slices of a fused projection, into the pages of their sequences.
#include "kit.h"

namespace kit
{

static void Rows(TensorView t, const char *name)
{
  OnHost(t, name);
  Rank(t, 3, name);
  TVM_FFI_CHECK(t.size(2) <= 1 || t.stride(2) == 1, ValueError)
      << name << ": elements of a head must lie side by side";
}

void AppendPaged(TensorView key, TensorView value, TensorView k_cache, TensorView v_cache,
                 TensorView block_table, TensorView batch_indices, TensorView positions)
{
  Rows(key, "key");
  Rows(value, "value");
  Dense(k_cache, 4, "k_cache");
  Dense(v_cache, 4, "v_cache");
  Dense(block_table, 2, "block_table");
  Dense(batch_indices, 1, "batch_indices");
  Dense(positions, 1, "positions");
  Typed(Is(key, kDLFloat, 16) || Is(key, kDLBfloat, 16) || Is(key, kDLFloat8_e4m3fn, 8), "key");
  Typed(SameDtype(key, value), "value");
  Typed(SameDtype(key, k_cache), "k_cache");
  Typed(SameDtype(key, v_cache), "v_cache");
  Typed(IsI32(block_table), "block_table");
  Typed(IsI32(batch_indices), "batch_indices");
  Typed(IsI32(positions), "positions");
  const int64_t n = key.size(0), heads = key.size(1), dk = key.size(2), dv = value.size(2);
  const int64_t pages = k_cache.size(0), page = k_cache.size(1), columns = block_table.size(1);
  Extent(value, 0, n, "value");
  Extent(value, 1, heads, "value");
  Extent(k_cache, 2, heads, "k_cache");
  Extent(k_cache, 3, dk, "k_cache");
  Extent(v_cache, 0, pages, "v_cache");
  Extent(v_cache, 1, page, "v_cache");
  Extent(v_cache, 2, heads, "v_cache");
#if BUG != 5
  Extent(v_cache, 3, dv, "v_cache");
#endif
  Extent(batch_indices, 0, n, "batch_indices");
  Extent(positions, 0, n, "positions");
  const int32_t *batch = Data<int32_t>(batch_indices), *position = Data<int32_t>(positions);
#if BUG != 3
  for (int64_t i = 0; i < Count(block_table); ++i)
    TVM_FFI_CHECK(0 <= Data<int32_t>(block_table)[i] && Data<int32_t>(block_table)[i] < pages,
                  ValueError)
        << "block_table: " << Data<int32_t>(block_table)[i] << " is not a page of the cache";
#endif
  std::vector<int64_t> slots(n);
  for (int64_t i = 0; i < n; ++i) {
    TVM_FFI_CHECK(0 <= batch[i] && batch[i] < block_table.size(0), ValueError)
        << "batch_indices: " << batch[i] << " is not a row of block_table";
#if BUG == 2
    TVM_FFI_CHECK(0 <= position[i], ValueError) << "positions: negative";
#else
    TVM_FFI_CHECK(0 <= position[i] && position[i] < columns * page, ValueError)
        << "positions: " << position[i] << " is beyond the block table";
#endif
    const int64_t block = Data<int32_t>(block_table)[batch[i] * columns + position[i] / page];
#if BUG == 4
    slots[i] = block * page + (position[i] & (page - 1));
#else
    slots[i] = block * page + position[i] % page;
#endif
  }
  const int64_t size = key.dtype().bits / 8;
#if BUG == 1
  const int64_t value_stride = key.stride(0);
#else
  const int64_t value_stride = value.stride(0);
#endif
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t h = 0; h < heads; ++h) {
      if (dk > 0)
        std::memcpy(Data<char>(k_cache) + (slots[i] * heads + h) * dk * size,
                    Data<char>(key) + (i * key.stride(0) + h * key.stride(1)) * size, dk * size);
      if (dv > 0)
        std::memcpy(Data<char>(v_cache) + (slots[i] * heads + h) * dv * size,
                    Data<char>(value) + (i * value_stride + h * value.stride(1)) * size, dv * size);
    }
  }
}

}  // namespace kit

TVM_FFI_DLL_EXPORT_TYPED_FUNC(append_paged, kit::AppendPaged);
