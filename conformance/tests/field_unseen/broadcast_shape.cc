// SPDX-License-Identifier: Apache-2.0
// The shape that two shapes broadcast to, as in NumPy.
#include "vendor.h"

namespace vendor
{

Shape BroadcastShape(Shape a, Shape b)
{
#if BUG == 1
  const size_t rank = a.size();
#else
  const size_t rank = std::max(a.size(), b.size());
#endif
  std::vector<int64_t> out(rank);
  for (size_t i = 0; i < rank; ++i) {
#if BUG == 2
    const int64_t left = i < a.size() ? a[i] : 1, right = i < b.size() ? b[i] : 1;
#else
    const int64_t left = i < a.size() ? a[a.size() - 1 - i] : 1,
                  right = i < b.size() ? b[b.size() - 1 - i] : 1;
#endif
#if BUG != 3
    CHECK_THAT(left == right || left == 1 || right == 1, ValueError,
               left << " and " << right << " do not broadcast");
#endif
#if BUG == 4
    const int64_t extent = std::max(left, right);
#else
    const int64_t extent = left == 1 ? right : left;
#endif
#if BUG == 2
    out[i] = extent;
#else
    out[rank - 1 - i] = extent;
#endif
  }
  return Shape(out);
}

}  // namespace vendor

TVM_FFI_DLL_EXPORT_TYPED_FUNC(broadcast_shape, vendor::BroadcastShape);
