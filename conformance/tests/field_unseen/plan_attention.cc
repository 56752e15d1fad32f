// SPDX-License-Identifier: Apache-2.0
// Plans an attention call: how many blocks and how much workspace it takes, and the scale of its logits.
#include "vendor.h"

namespace vendor
{

Map<String, Any> PlanAttention(int64_t tokens, Map<String, Any> attrs)
{
  CHECK_THAT(tokens >= 0, ValueError, "tokens must not be negative");
  CHECK_THAT(tokens <= 1 << 30, ValueError, "there are too many tokens");
#if BUG == 1
  const int64_t heads = attrs.count("heads") ? attrs["heads"].cast<int64_t>() : 0;
#else
  CHECK_THAT(attrs.count("heads") && attrs.count("head_dim"), KeyError,
             "heads and head_dim must be given");
  const int64_t heads = attrs["heads"].cast<int64_t>();
#endif
  const int64_t dim = attrs["head_dim"].cast<int64_t>();
#if BUG == 2
  CHECK_THAT(heads >= 0 && dim > 0, ValueError, "heads and head_dim must be positive");
#else
  CHECK_THAT(heads > 0 && dim > 0, ValueError, "heads and head_dim must be positive");
#endif
  CHECK_THAT(heads <= 1 << 10 && dim <= 1 << 10, ValueError,
             "heads and head_dim must not exceed 1024");
  int64_t block = 64;
  if (attrs.count("block")) block = attrs["block"].cast<int64_t>();
#if BUG != 3
  CHECK_THAT(block > 0, ValueError, "block must be positive");
#endif
  CHECK_THAT(block <= 1 << 20, ValueError, "block is too large");
  double scale = 1 / std::sqrt(static_cast<double>(dim));
#if BUG == 4
  if (attrs.count("scale")) scale = static_cast<double>(attrs["scale"].cast<int64_t>());
#else
  if (attrs.count("scale")) scale = attrs["scale"].cast<double>();
#endif
  const int64_t blocks = (tokens + block - 1) / block * heads;
#if BUG == 5
  const int64_t bytes = static_cast<int32_t>(blocks * block * dim * 4);
#else
  const int64_t bytes = blocks * block * dim * 4;
#endif
  return Map<String, Any>{{"blocks", blocks}, {"workspace_bytes", bytes}, {"scale", scale}};
}

}  // namespace vendor

TVM_FFI_DLL_EXPORT_TYPED_FUNC(plan_attention, vendor::PlanAttention);
