// SPDX-License-Identifier: Apache-2.0
// Rolls the elements of each row; into out, which is returned then and may be x, or into a new tensor.
#include "kit.h"

namespace kit
{

Tensor Roll(Tensor x, int64_t shift, Optional<Tensor> out)
{
  Dense(x, 2, "x");
  TVM_FFI_CHECK(x.dtype().lanes == 1 && x.dtype().bits % 8 == 0, TypeError)
      << "x: elements must be whole bytes";
  const int64_t rows = x.size(0), d = x.size(1), size = x.dtype().bits / 8;
  if (out.has_value()) {
    TensorView o = View(out.value());
    Dense(o, 2, "out");
#if BUG == 4
    Typed(o.dtype().bits == x.dtype().bits, "out");
#else
    Typed(SameDtype(x, o), "out");
#endif
    Extent(o, 0, rows, "out");
    Extent(o, 1, d, "out");
  }
  Tensor result = out.has_value() ? out.value() : New(x.shape(), x.dtype());
#if BUG != 3
  if (rows == 0 || d == 0) return result;
#endif
#if BUG == 1
  const int64_t by = shift % d;
#else
  const int64_t by = (shift % d + d) % d;
#endif
  std::vector<char> line(d * size);
  for (int64_t i = 0; i < rows; ++i) {
    const char *in = Data<char>(x) + i * d * size;
    char *to = Data<char>(result) + i * d * size;
#if BUG == 2
    std::memcpy(to + by * size, in, (d - by) * size);
    std::memcpy(to, in + (d - by) * size, by * size);
#else
    std::memcpy(line.data(), in, d * size);
    std::memcpy(to + by * size, line.data(), (d - by) * size);
    std::memcpy(to, line.data() + (d - by) * size, by * size);
#endif
  }
#if BUG == 5
  return out.has_value() ? x : result;
#else
  return result;
#endif
}

}  // namespace kit

TVM_FFI_DLL_EXPORT_TYPED_FUNC(roll, kit::Roll);
