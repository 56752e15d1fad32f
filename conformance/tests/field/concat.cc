// SPDX-License-Identifier: Apache-2.0
// Joins matrices along their rows, in a new tensor.
#include "field.h"

namespace field
{

ffi::Tensor Concat(ffi::Array<ffi::Tensor> parts)
{
#if BUG != 1
  REQUIRE(parts.size() > 0, ValueError) << "there must be at least one tensor";
#endif
  ffi::Tensor first = parts[0];
  int64_t rows = 0;
  for (ffi::Tensor part : parts) {
#if BUG == 3
    if (!part.same_as(first)) {
      RequireRank(part, 2, "a part");
      RequireCPU(part, "a part");
      RequireDense(part, "a part");
    } else {
      RequireTensor(part, kFloat32, 2, "a part");
    }
#else
    RequireTensor(part, kFloat32, 2, "a part");
#endif
#if BUG != 2
    REQUIRE(part.size(1) == first.size(1), ValueError) << "parts must have as many columns";
#endif
    rows += part.size(0);
  }
#if BUG == 5
  if (parts.size() == 1) return first;
#endif
  ffi::Tensor joined = NewTensor(ffi::Shape({rows, first.size(1)}), kFloat32);
  char *to = static_cast<char *>(joined.data_ptr());
  for (ffi::Tensor part : parts) {
    size_t bytes = static_cast<size_t>(Count(part)) * sizeof(float);
#if BUG == 4
    std::memcpy(to, part.data_ptr(), bytes);
#else
    std::memcpy(to, Data<char>(part), bytes);
#endif
    to += bytes;
  }
  return joined;
}

}  // namespace field

TVM_FFI_DLL_EXPORT_TYPED_FUNC(concat, field::Concat);
