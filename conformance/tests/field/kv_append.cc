// SPDX-License-Identifier: Apache-2.0
// cache[slots[i], :, :] = kv[i, :, :]; a slot of -1 is padding. The cache may have strides between its slots.
#include "field.h"

namespace field
{

void KvAppend(TensorView cache, TensorView kv, TensorView slots)
{
  RequireRank(cache, 3, "cache");
  RequireCPU(cache, "cache");
#if BUG != 4
  RequireDtype(cache, kv.dtype(), "cache");
#endif
  REQUIRE(Same(kv.dtype(), kFloat32) || Same(kv.dtype(), kFloat16), TypeError)
      << "kv must be float32 or float16";
  RequireTensor(kv, kv.dtype(), 3, "kv");
  RequireTensor(slots, kInt64, 1, "slots");
  REQUIRE(slots.size(0) == kv.size(0), ValueError) << "slots must have one element per token";
  REQUIRE(cache.size(1) == kv.size(1) && cache.size(2) == kv.size(2), ValueError)
      << "heads of cache and kv must be the same";
  REQUIRE(cache.size(2) <= 1 || cache.stride(2) == 1, ValueError)
      << "heads of cache must be contiguous";
  REQUIRE(cache.size(1) <= 1 || cache.stride(1) == cache.size(2), ValueError)
      << "slots of cache must be contiguous";
  REQUIRE(Count(cache) == 0 || cache.data_ptr() != nullptr, ValueError) << "cache has no data";
  const size_t element = kv.dtype().bits / 8u;
#if BUG == 3
  const int64_t pitch = kv.size(1) * kv.size(2);
#else
  const int64_t pitch = cache.stride(0);
#endif
  const size_t bytes = static_cast<size_t>(kv.size(1) * kv.size(2)) * element;
  for (int64_t i = 0; i < slots.size(0); ++i) {
    int64_t slot = Data<int64_t>(slots)[i];
#if BUG == 1
    REQUIRE(slot < cache.size(0), IndexError) << "slot out of range";
#elif BUG == 2
    REQUIRE(slot >= -1, IndexError) << "slot out of range";
#else
    REQUIRE(slot >= -1 && slot < cache.size(0), IndexError) << "slot out of range";
#endif
#if BUG != 1
    if (slot == -1) continue;
#endif
    std::memcpy(Data<char>(cache) + slot * pitch * static_cast<int64_t>(element),
                Data<char>(kv) + static_cast<size_t>(i) * bytes, bytes);
  }
}

}  // namespace field

TVM_FFI_DLL_EXPORT_TYPED_FUNC(kv_append, field::KvAppend);
