// SPDX-License-Identifier: Apache-2.0
// Writes the keys and values of new tokens into a paged cache, each token at its slot; slot -1 is padding.
#include "vendor.h"

namespace vendor
{

void ReshapeAndCache(TensorView key, TensorView value, TensorView key_cache, TensorView value_cache,
                     TensorView slot_mapping)
{
  CHECK_INPUT(key);
  CHECK_INPUT(value);
  CHECK_INPUT(key_cache);
  CHECK_INPUT(value_cache);
  CHECK_INPUT(slot_mapping);
  CHECK_DIM(3, key);
  CHECK_DIM(3, value);
  CHECK_DIM(4, key_cache);
  CHECK_DIM(4, value_cache);
  CHECK_DIM(1, slot_mapping);
  CHECK_DTYPE(slot_mapping, kDLInt, 64);
  const DLDataType type = key.dtype();
  CHECK_THAT(
      IsType(type, kDLFloat, 16) || IsType(type, kDLBfloat, 16) || IsType(type, kDLFloat, 32),
      TypeError, "key has unsupported dtype " << Spelled(type));
  CHECK_THAT(SameType(value.dtype(), type), TypeError, "value must have the dtype of key");
  CHECK_THAT(SameType(key_cache.dtype(), type), TypeError, "key_cache must have the dtype of key");
#if BUG != 4
  CHECK_THAT(SameType(value_cache.dtype(), type), TypeError,
             "value_cache must have the dtype of key");
#endif
  const int64_t tokens = key.size(0), heads = key.size(1), dim = key.size(2);
  const int64_t pages = key_cache.size(0), page = key_cache.size(1);
  CHECK_SIZE(value, 0, tokens);
  CHECK_SIZE(value, 1, heads);
  CHECK_SIZE(value, 2, dim);
  CHECK_SIZE(key_cache, 2, heads);
  CHECK_SIZE(key_cache, 3, dim);
  CHECK_SIZE(value_cache, 0, pages);
  CHECK_SIZE(value_cache, 1, page);
  CHECK_SIZE(value_cache, 2, heads);
  CHECK_SIZE(value_cache, 3, dim);
#if BUG != 5
  CHECK_SIZE(slot_mapping, 0, tokens);
#endif
  const int64_t *slots = Ptr<int64_t>(slot_mapping);
  const int64_t width = heads * dim * (type.bits / 8);
  for (int64_t i = 0; i < tokens; ++i) {
#if BUG == 3
    CHECK_THAT(slots[i] <= pages * page, ValueError, "slot " << slots[i] << " is out of range");
#else
    CHECK_THAT(slots[i] < pages * page, ValueError, "slot " << slots[i] << " is out of range");
#endif
  }
  for (int64_t i = 0; i < tokens; ++i) {
#if BUG == 1
    if (slots[i] == 0) continue;
#else
    if (slots[i] < 0) continue;
#endif
    std::memcpy(Ptr<char>(key_cache) + slots[i] * width, Ptr<char>(key) + i * width, width);
#if BUG == 2
    std::memcpy(Ptr<char>(value_cache) + slots[i] * width, Ptr<char>(value) + i * width,
                width / heads);
#else
    std::memcpy(Ptr<char>(value_cache) + slots[i] * width, Ptr<char>(value) + i * width, width);
#endif
  }
}

}  // namespace vendor

TVM_FFI_DLL_EXPORT_TYPED_FUNC(reshape_and_cache, vendor::ReshapeAndCache);
