// SPDX-License-Identifier: Apache-2.0
// y = x * factor, where factor is a number, or a tensor with one element per row.
#include "field.h"

namespace field
{

#if BUG == 4
static ffi::Optional<ffi::Tensor> kept;
#endif

void Scale(TensorView x, ffi::Variant<double, ffi::Tensor> factor, TensorView y)
{
  RequireTensor(x, kFloat32, 2, "x");
  RequireTensor(y, kFloat32, 2, "y");
  RequireSameShape(x, y, "x and y");
  const float *factors = nullptr;
  double number = 1;
  if (auto tensor = factor.as<ffi::Tensor>()) {
    TensorView view = *tensor;
#if BUG == 1
    RequireTensor(view, kFloat32, view.ndim(), "factor");
#else
    RequireTensor(view, kFloat32, 1, "factor");
    REQUIRE(view.size(0) == x.size(0), ValueError) << "factor must have one element per row";
#endif
    factors = Data<float>(view);
#if BUG == 4
    if (!kept.has_value()) kept = *tensor;
    ffi::Tensor first = *kept;
    factors = Data<float>(first);
#endif
  } else {
#if BUG == 2
    number = static_cast<double>(static_cast<int64_t>(factor.get<double>()));
#else
    number = factor.get<double>();
#endif
  }
  for (int64_t i = 0; i < x.size(0); ++i)
    for (int64_t j = 0; j < x.size(1); ++j)
#if BUG == 3
      Data<float>(y)[i * x.size(1) + j] = static_cast<float>(
          Data<float>(x)[i * x.size(1) + j] * (factors ? factors[j % x.size(0)] : number));
#elif BUG == 5
      Data<float>(y)[i * x.size(1) + j] = static_cast<float>(Data<float>(x)[i * x.size(1) + j] /
                                                             (factors ? factors[i] : 1 / number));
#else
      Data<float>(y)[i * x.size(1) + j] =
          static_cast<float>(Data<float>(x)[i * x.size(1) + j] * (factors ? factors[i] : number));
#endif
}

}  // namespace field

TVM_FFI_DLL_EXPORT_TYPED_FUNC(scale, field::Scale);
