// SPDX-License-Identifier: Apache-2.0
// Quantizes rows in groups of neighbours, each with a scale of its own, to int8 or float8_e4m3fn.
// The scales may have any strides: matrix multiplications want them by column.
namespace {
using namespace set;

// The least power of two that is not less than a positive number.
double PowerOfTwo(double value) {
  int exponent;
  double fraction = std::frexp(value, &exponent);
  return std::ldexp(1, fraction == 0.5 ? exponent - 1 : exponent);
}

template <typename T>
void Quantize(const View& x, const View& q, const View& scales, int64_t group, double eps,
              Optional<double> bound, bool ue8m0) {
  bool int8 = Same(q.dtype, kInt8);
  double most = int8 ? 127 : 448;
  for (int64_t i = 0; i < x.shape[0]; ++i) {
    for (int64_t g = 0; g < scales.shape[1]; ++g) {
      const char* from = x.at(i, g * group);
      char* to = q.at(i, g * group);
      double top = 0;
      for (int64_t j = 0; j < group; ++j) {
        double value = Get<T>(from + j * x.width);
        top = std::max(top, BUG == 1 ? value : std::fabs(value));
      }
      if (bound.has_value()) top = std::min(top, bound.value());
      if (BUG != 2) top = std::max(top, eps);
      double scale = top / most;
      if (ue8m0 && (BUG != 3 || int8)) scale = PowerOfTwo(scale);
      // What is stored is what is divided by.
      float stored = static_cast<float>(scale);
#if BUG == 4
      PutRaw<float>(scales.data + (i * scales.shape[1] + g) * 4, stored);
#else
      PutRaw<float>(scales.at(i, g), stored);
#endif
      for (int64_t j = 0; j < group; ++j) {
        double value = static_cast<float>(Get<T>(from + j * x.width)) / stored;  // in float32
        if (int8) {
          double rounded = BUG == 5 ? std::trunc(value) : std::nearbyint(value);
#if BUG == 6
          PutRaw<int8_t>(to + j, static_cast<int8_t>(static_cast<int64_t>(rounded)));
#else
          if (std::isnan(rounded)) rounded = 0;
          PutRaw<int8_t>(to + j, static_cast<int8_t>(std::min(std::max(rounded, -most), most)));
#endif
        } else {
          Put<Float8>(to + j, value);
        }
      }
    }
  }
}

void GroupQuant(DLTensor* x_, DLTensor* q_, DLTensor* scales_, int64_t group_size, double eps,
                Optional<double> scale_ub, bool ue8m0) {
  View x = Check("x", x_, {kFloat32, kFloat16, kBfloat16}, 2, kRows);
  View q = Check("q", q_, {kInt8, kFloat8}, 2, kContiguous);
  View scales = Check("scales", scales_, {kFloat32}, 2, kStrided);
  CheckExtent("q", q, 0, x.shape[0]);
  CheckExtent("q", q, 1, x.shape[1]);
  if (group_size < 1 || (BUG != 7 && x.shape[1] % group_size != 0)) {
    TVM_FFI_THROW(ValueError) << "group_size must divide the " << x.shape[1]
                              << " columns of x, and is " << group_size;
  }
  CheckExtent("scales", scales, 0, x.shape[0]);
  CheckExtent("scales", scales, 1, x.shape[1] / group_size);
  CheckApart("scales", scales);
  if (!(eps >= 1e-30) || eps > 1) {
    TVM_FFI_THROW(ValueError) << "eps must be from 1e-30 to 1, not " << eps;
  }
  if (scale_ub.has_value() && !(scale_ub.value() > 0 && scale_ub.value() <= 1e30)) {
    TVM_FFI_THROW(ValueError) << "scale_ub must be positive, up to 1e30, not " << scale_ub.value();
  }
  ByFloatType(x.dtype, [&](auto element) {
    Quantize<decltype(element)>(x, q, scales, group_size, eps, scale_ub, ue8m0);
  });
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(group_quant, GroupQuant);
