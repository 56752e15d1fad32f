// SPDX-License-Identifier: Apache-2.0
// Running sums along an axis, in place, of any rank and any strides.
#include "vendor.h"

namespace vendor
{

template <typename T>
void Run(TensorView x, int axis)
{
  std::vector<int64_t> at(x.ndim(), 0);
  const int64_t n = x.size(axis), lines = n == 0 ? 0 : NumElements(x) / n;
  for (int64_t line = 0; line < lines; ++line) {
    int64_t rest = line, offset = 0;
    for (int d = x.ndim() - 1; d >= 0; --d) {
      if (d == axis) continue;
      offset += rest % x.size(d) * x.stride(d);
      rest /= x.size(d);
    }
    T *p = Ptr<T>(x) + offset;
#if BUG == 3
    float sum = 0;
#else
    T sum = 0;
#endif
    for (int64_t i = 0; i < n; ++i) {
#if BUG == 2
      T *to = p + i * (axis == x.ndim() - 1 ? 1 : x.stride(axis));
#else
      T *to = p + i * x.stride(axis);
#endif
#if BUG == 5
      const T own = *to;
      *to = static_cast<T>(sum);
      sum += own;
#else
      sum += *to;
      *to = static_cast<T>(sum);
#endif
    }
  }
}

void Cumsum(TensorView x, int64_t axis)
{
  CHECK_CPU(x);
#if BUG == 1
  CHECK_THAT(axis < x.ndim(), ValueError, "axis is out of range");
#else
  CHECK_THAT(-x.ndim() <= axis && axis < x.ndim(), ValueError, "axis is out of range");
#endif
#if BUG != 4
  if (axis < 0) axis += x.ndim();
#else
  if (axis < 0) axis = x.ndim() - 1;
#endif
  if (IsType(x.dtype(), kDLFloat, 32)) return Run<float>(x, static_cast<int>(axis));
  if (IsType(x.dtype(), kDLInt, 32)) return Run<int32_t>(x, static_cast<int>(axis));
  CHECK_DTYPE(x, kDLInt, 64);
  Run<int64_t>(x, static_cast<int>(axis));
}

}  // namespace vendor

TVM_FFI_DLL_EXPORT_TYPED_FUNC(cumsum_, vendor::Cumsum);
