// SPDX-License-Identifier: Apache-2.0
// residual += x; x = residual / sqrt(mean(residual^2) + eps) * weight, in place, row by row.
namespace {
using namespace set;

template <typename T, typename W>
void Rows(const View& x, const View& residual, const View* weight, double eps, bool gemma) {
  int64_t hidden = x.shape[1];
  std::vector<double> sum(hidden);
  for (int64_t i = 0; i < x.shape[0]; ++i) {
    char* to = x.at(i);
    char* rest = BUG == 1 ? residual.data + i * x.strides[0] * x.width : residual.at(i);
    double squares = 0;
    for (int64_t j = 0; j < hidden; ++j) {
      Put<T>(rest + j * x.width, Get<T>(to + j * x.width) + Get<T>(rest + j * x.width));
      sum[j] = Get<T>(rest + j * x.width);  // as it was rounded: what the next layer sees
#if BUG == 2
      if (j < hidden / 8 * 8)
#endif
        squares += sum[j] * sum[j];
    }
    double mean = squares / static_cast<double>(hidden);
    double scale = BUG == 3 ? 1 / (std::sqrt(mean) + eps) : 1 / std::sqrt(mean + eps);
    for (int64_t j = 0; j < hidden; ++j) {
      double w = 1;
      if (weight != nullptr) {
        w = Get<W>(weight->at(j)) + (gemma ? 1 : 0);
      }
      Put<T>(to + j * x.width, sum[j] * scale * w);
    }
  }
}

void FusedAddRmsNorm(DLTensor* x_, DLTensor* residual_, Optional<Tensor> weight_, double eps,
                     bool gemma) {
  View x = Check("x", x_, {kFloat32, kFloat16, kBfloat16}, 2, kRows);
  View residual = Check("residual", residual_, {kFloat32, kFloat16, kBfloat16}, 2,
                        BUG == 4 ? kStrided : kRows);
  CheckType("residual", residual, x.dtype);
  CheckExtent("residual", residual, 0, x.shape[0]);
  CheckExtent("residual", residual, 1, x.shape[1]);
  CheckApart("x", x);
  CheckApart("residual", residual);
  if (x.shape[1] < 1) TVM_FFI_THROW(ValueError) << "x must have at least one column";
  if (x.data == residual.data && x.numel() != 0) {
    TVM_FFI_THROW(ValueError) << "x and residual must not be the same memory";
  }
  View weight;
  if (weight_.has_value()) {
    weight = Check("weight", weight_, {kFloat32, kFloat16, kBfloat16}, 1, kStrided);
    if (!Same(weight.dtype, kFloat32)) CheckType("weight", weight, x.dtype);
#if BUG != 5
    CheckExtent("weight", weight, 0, x.shape[1]);
#endif
#if BUG == 7
    weight.data = static_cast<char*>(weight_.value().data_ptr());
#endif
  } else if (gemma) {
    TVM_FFI_THROW(ValueError) << "gemma needs a weight";
  }
  if (!(eps > 0) || std::isinf(eps)) {
    TVM_FFI_THROW(ValueError) << "eps must be positive and finite, not " << eps;
  }
  const View* w = weight_.has_value() ? &weight : nullptr;
  ByFloatType(x.dtype, [&](auto element) {
    using T = decltype(element);
    if (w != nullptr && Same(weight.dtype, kFloat32) && (BUG != 6 || !Same(x.dtype, kBfloat16))) {
      Rows<T, Single>(x, residual, w, eps, gemma);
    } else {
      Rows<T, T>(x, residual, w, eps, gemma);
    }
  });
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(fused_add_rms_norm, FusedAddRmsNorm);
