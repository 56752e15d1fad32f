// SPDX-License-Identifier: Apache-2.0
// Sorts (token, choice) pairs by expert and pads each expert's to whole blocks: (sorted ids, expert of each block).
#include "vendor.h"

namespace vendor
{

Tuple<Tensor, Tensor> MoeAlign(TensorView topk_ids, int64_t experts, int64_t block)
{
  CHECK_INPUT(topk_ids);
  CHECK_DIM(2, topk_ids);
  CHECK_DTYPE(topk_ids, kDLInt, 32);
  CHECK_THAT(experts <= 1 << 20, ValueError, "there are too many experts");
#if BUG == 4
  CHECK_THAT(experts > 0, ValueError, "experts must be positive");
#else
  CHECK_THAT(experts > 0 && block > 0, ValueError, "experts and block must be positive");
  CHECK_THAT(block <= 1 << 20, ValueError, "block is too large");
#endif
  const int64_t pairs = NumElements(topk_ids);
  const int32_t *ids = Ptr<int32_t>(topk_ids);
#if BUG == 1
  for (int64_t i = 0; i < pairs; ++i)
    CHECK_THAT(ids[i] < experts, ValueError, "no such expert: " << ids[i]);
#else
  for (int64_t i = 0; i < pairs; ++i)
    CHECK_THAT(0 <= ids[i] && ids[i] < experts, ValueError, "no such expert: " << ids[i]);
#endif
  std::vector<int64_t> begin(experts + 1, 0);
  for (int64_t i = 0; i < pairs; ++i) ++begin[ids[i] + 1];
  for (int64_t e = 0; e < experts; ++e) {
#if BUG == 2
    begin[e + 1] = begin[e] + (begin[e + 1] / block + 1) * block;
#else
    begin[e + 1] = begin[e] + (begin[e + 1] + block - 1) / block * block;
#endif
  }
  const int64_t padded = begin[experts];
  Tensor sorted = Empty(Shape({padded}), Type(kDLInt, 32)),
         owner = Empty(Shape({padded / block}), Type(kDLInt, 32));
  int32_t *to = static_cast<int32_t *>(sorted.data_ptr()),
          *own = static_cast<int32_t *>(owner.data_ptr());
#if BUG != 3
  std::fill_n(to, padded, static_cast<int32_t>(pairs));
#endif
  for (int64_t e = 0; e < experts; ++e)
    for (int64_t b = begin[e] / block; b < begin[e + 1] / block; ++b)
      own[b] = static_cast<int32_t>(e);
#if BUG == 5
  for (int64_t i = pairs - 1; i >= 0; --i) to[begin[ids[i]]++] = static_cast<int32_t>(i);
#else
  for (int64_t i = 0; i < pairs; ++i) to[begin[ids[i]]++] = static_cast<int32_t>(i);
#endif
  return Tuple<Tensor, Tensor>(sorted, owner);
}

}  // namespace vendor

TVM_FFI_DLL_EXPORT_TYPED_FUNC(moe_align, vendor::MoeAlign);
