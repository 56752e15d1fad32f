// SPDX-License-Identifier: Apache-2.0
// A stable radix sort of keys with their values, in a workspace that the caller allocates.
#include "vendor.h"

namespace vendor
{

int64_t WorkspaceSize(int64_t n)
{
  CHECK_THAT(n >= 0, ValueError, "n must not be negative");
#if BUG == 5
  return static_cast<int32_t>(n * 8);
#else
  CHECK_THAT(n <= std::numeric_limits<int64_t>::max() / 8, ValueError, "n is too large");
  return n * 8;
#endif
}

void SortPairs(TensorView keys, TensorView values, TensorView workspace)
{
  CHECK_INPUT(keys);
  CHECK_INPUT(values);
  CHECK_INPUT(workspace);
  CHECK_DIM(1, keys);
  CHECK_DIM(1, values);
  CHECK_DIM(1, workspace);
  CHECK_DTYPE(keys, kDLInt, 32);
  CHECK_DTYPE(values, kDLInt, 32);
  CHECK_DTYPE(workspace, kDLUInt, 8);
  const int64_t n = keys.size(0);
#if BUG != 4
  CHECK_SIZE(values, 0, n);
#endif
#if BUG == 2
  CHECK_THAT(workspace.size(0) >= n * 4, ValueError, "workspace is too small");
#else
  CHECK_THAT(workspace.size(0) >= n * 8, ValueError, "workspace is too small");
#endif
  char *space = Ptr<char>(workspace);
  char *from[2] = {Ptr<char>(keys), Ptr<char>(values)}, *to[2] = {space, space + n * 4};
  for (int shift = 0; shift < 32; shift += 8) {
    int64_t begin[257] = {0};
    auto digit = [&](int64_t i) {
      uint32_t key;
      std::memcpy(&key, from[0] + i * 4, 4);
#if BUG != 1
      key ^= 0x80000000u;
#endif
      return (key >> shift) & 255;
    };
    for (int64_t i = 0; i < n; ++i) ++begin[digit(i) + 1];
    for (int d = 0; d < 256; ++d) begin[d + 1] += begin[d];
#if BUG == 3
    for (int64_t i = shift == 0 ? n - 1 : 0; i >= 0 && i < n; i += shift == 0 ? -1 : 1) {
#else
    for (int64_t i = 0; i < n; ++i) {
#endif
      const int64_t place = begin[digit(i)]++;
      std::memcpy(to[0] + place * 4, from[0] + i * 4, 4);
      std::memcpy(to[1] + place * 4, from[1] + i * 4, 4);
    }
    std::swap(from[0], to[0]);
    std::swap(from[1], to[1]);
  }
}

}  // namespace vendor

TVM_FFI_DLL_EXPORT_TYPED_FUNC(sort_pairs_workspace, vendor::WorkspaceSize);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(sort_pairs, vendor::SortPairs);
