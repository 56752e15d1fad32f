// SPDX-License-Identifier: Apache-2.0
// A hash for each full block of tokens that depends on all tokens before it, for a prefix cache; with a salt.
#include "vendor.h"

namespace vendor
{

Array<int64_t> HashBlocks(TensorView tokens, int64_t block, Optional<Bytes> salt)
{
  CHECK_INPUT(tokens);
  CHECK_DIM(1, tokens);
  CHECK_DTYPE(tokens, kDLInt, 32);
  CHECK_THAT(block > 0, ValueError, "block must be positive");
  uint64_t hash = 14695981039346656037u;
  auto eat = [&hash](const void *bytes, size_t count) {
    for (size_t i = 0; i < count; ++i)
      hash = (hash ^ static_cast<const unsigned char *>(bytes)[i]) * 1099511628211u;
  };
#if BUG == 1
  eat(salt.value().data(), salt.value().size());
#elif BUG == 2
  if (salt.has_value()) eat(salt.value().data(), std::strlen(salt.value().data()));
#else
  if (salt.has_value()) {
    Bytes given = salt.value();
    eat(given.data(), given.size());
  }
#endif
  Array<int64_t> result;
  const int64_t n = tokens.size(0);
#if BUG == 3
  for (int64_t at = 0; at < n; at += block) {
#else
  for (int64_t at = 0; at <= n - block; at += block) {
#endif
#if BUG == 4
    hash = 14695981039346656037u;
#endif
    eat(Ptr<int32_t>(tokens) + at, static_cast<size_t>(block) * 4);
    result.push_back(static_cast<int64_t>(hash));
  }
  return result;
}

}  // namespace vendor

TVM_FFI_DLL_EXPORT_TYPED_FUNC(hash_blocks, vendor::HashBlocks);
