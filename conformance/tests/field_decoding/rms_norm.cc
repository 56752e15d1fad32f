// SPDX-License-Identifier: Apache-2.0
// Root mean square normalization of rows, with an optional residual that is added first (and
// updated in place), an optional weight, and an offset for weights that are stored as w - 1.
namespace {

using namespace set;

#if BUG == 7
float g_row[65536];
#endif

void RmsNorm(TensorView x_, Optional<TensorView> weight_, Optional<TensorView> residual_,
             TensorView out_, double eps, double weight_offset) {
  View x = Look(x_, "x", -1, {kF32, kF16, kBF16});
  NeedRows(x);
  const int64_t d = x.shape[x.ndim - 1];
  if (d < 1) TVM_FFI_THROW(ValueError) << "x: its last dimension must not be empty";
  if (!std::isfinite(eps) || eps < 0) {
    TVM_FFI_THROW(ValueError) << "eps: must be a finite number >= 0, not " << eps;
  }
  if (!std::isfinite(weight_offset)) {
    TVM_FFI_THROW(ValueError) << "weight_offset: must be finite";
  }

  View out = Look(out_, "out", x.ndim, {kF32, kF16, kBF16});
  NeedSameType(out, x);
  for (int i = 0; i < x.ndim; ++i) {
    if (out.shape[i] != x.shape[i]) {
      TVM_FFI_THROW(ValueError) << "out: has shape " << ShapeText(out.shape, out.ndim)
                                << ", expected " << ShapeText(x.shape, x.ndim);
    }
  }
  NeedRows(out);
  NeedDistinct(out);

  View weight;
  const bool has_weight = weight_.has_value();
  if (has_weight) {
    weight = Look(weight_.value(), "weight", 1, {kF32, kF16, kBF16});
    if (!Same(weight.dtype, x.dtype) && !Same(weight.dtype, kF32)) {
      TVM_FFI_THROW(TypeError) << "weight: data type " << TypeName(weight.dtype)
                               << " is neither float32 nor that of x";
    }
    NeedShape(weight, {d});
    NeedContiguous(weight);
#if BUG == 6
    weight.data = static_cast<char*>(weight_.value().data_ptr());
#endif
  }

  View residual;
  const bool has_residual = residual_.has_value();
  if (has_residual) {
    residual = Look(residual_.value(), "residual", x.ndim, {kF32, kF16, kBF16});
    NeedSameType(residual, x);
    for (int i = 0; i < x.ndim; ++i) {
#if BUG == 1
      if (i + 1 < x.ndim) continue;
#endif
      if (residual.shape[i] != x.shape[i]) {
        TVM_FFI_THROW(ValueError) << "residual: has shape "
                                  << ShapeText(residual.shape, residual.ndim) << ", expected "
                                  << ShapeText(x.shape, x.ndim);
      }
    }
    NeedRows(residual);
    NeedDistinct(residual);
  }

  ByFloat(x.dtype, [&](auto tag) {
    using T = decltype(tag);
#if BUG == 7
    float* sums = g_row;
    std::vector<float> own;
    if (d > 65536) {
      own.resize(d);
      sums = own.data();
    }
#else
    std::vector<float> own(d);
    float* sums = own.data();
#endif
    const int64_t m = x.rows();
    for (int64_t r = 0; r < m; ++r) {
      const T* in = x.at<T>(x.row(r));
      T* to = out.at<T>(BUG == 2 ? x.row(r) : out.row(r));
      T* more = has_residual ? residual.at<T>(residual.row(r)) : nullptr;
      double squares = 0;
      for (int64_t i = 0; i < d; ++i) {
        double h = Get(in[i]);
        if (more != nullptr) {
          h = Rounded<T>(h + Get(more[i]));
          if (BUG != 4 || has_weight) Put(h, &more[i]);
        }
        sums[i] = static_cast<float>(h);
        squares += h * h;
      }
      double scale;
      if (BUG == 5) {
        scale = 1 / (std::sqrt(squares / static_cast<double>(d)) + eps);
      } else {
        scale = 1 / std::sqrt(squares / static_cast<double>(d) + eps);
      }
      for (int64_t i = 0; i < d; ++i) {
        double w = 1;
        if (has_weight) {
          if (BUG != 3 && Same(weight.dtype, kF32)) {
            w = *weight.at<float>(i * weight.stride[0]) + weight_offset;
          } else {
            w = Get(*weight.at<T>(i * weight.stride[0])) + weight_offset;
          }
        }
        Put(sums[i] * scale * w, &to[i]);
      }
    }
  });
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(rms_norm, RmsNorm);
