// SPDX-License-Identifier: Apache-2.0
// How often each value occurs, or the sum of its weights; the result is as long as the largest value needs.
#include "kit.h"

namespace kit
{

Tensor Bincount(TensorView x, Optional<Tensor> weights, int64_t minlength)
{
  Dense(x, 1, "x");
  Typed(IsI32(x) || IsI64(x), "x");
  TVM_FFI_CHECK(minlength >= 0, ValueError) << "minlength must not be negative";
  TVM_FFI_CHECK(minlength <= int64_t{1} << 24, ValueError) << "minlength is too large";
  const int64_t n = x.size(0);
#if BUG == 2
  int64_t length = IntAt(x, 0) + 1;
#else
  int64_t length = minlength;
#endif
  for (int64_t i = 0; i < n; ++i) {
    const int64_t value = IntAt(x, i);
#if BUG == 1
    TVM_FFI_CHECK(value < int64_t{1} << 24, ValueError) << "x: " << value << " is too large";
#else
    TVM_FFI_CHECK(0 <= value && value < int64_t{1} << 24, ValueError)
        << "x: " << value << " is out of range";
#endif
    length = std::max(length, value + 1);
  }
#if BUG == 2
  length = std::max(length, minlength);
#elif BUG == 3
  if (minlength > 0) length = minlength;
#endif
  if (!weights.has_value()) {
    Tensor out = New({length}, Dtype(kDLInt, 64));
    std::fill_n(Data<int64_t>(out), length, 0);
    for (int64_t i = 0; i < n; ++i) ++Data<int64_t>(out)[IntAt(x, i)];
    return out;
  }
  TensorView w = View(weights.value());
  Dense(w, 1, "weights");
#if BUG == 4
  Typed(w.dtype().code == kDLFloat, "weights");
#else
  Typed(Is(w, kDLFloat, 64), "weights");
#endif
#if BUG != 5
  Extent(w, 0, n, "weights");
#endif
  Tensor out = New({length}, w.dtype());
  std::fill_n(Data<double>(out), length, 0.0);
  for (int64_t i = 0; i < n; ++i) Data<double>(out)[IntAt(x, i)] += Data<double>(w)[i];
  return out;
}

}  // namespace kit

TVM_FFI_DLL_EXPORT_TYPED_FUNC(bincount, kit::Bincount);
