// SPDX-License-Identifier: Apache-2.0
// Quantizes the rows of a matrix to 4 bits by groups, two values in a byte.
//
// int4_quantize(x, group_size, symmetric, packed, scales, zeros)
//   x       float32, float16 or bfloat16 (m, k); rows may lie anywhere
//   packed  uint8 (m, k / 2): the even column in the low half of a byte
//   scales  float32 (m, k / group_size)
//   zeros   uint8 (m, k / group_size) if not symmetric, else None
namespace {

using namespace set;

struct Group {
  float scale;
  int zero;
};

Group Measure(const void* x, int64_t begin, int64_t size, Real kind, bool symmetric) {
#if BUG == 5
  double low = Load(x, begin, kind), high = low;
#else
  double low = 0, high = 0;
#endif
  for (int64_t i = begin; i < begin + size; ++i) {
    double v = Load(x, i, kind);
    low = std::min(low, v);
    high = std::max(high, v);
  }
  double raw = symmetric ? std::max(-low, high) / 7 : (high - low) / 15;
  Group g{static_cast<float>(raw), 0};
#if BUG != 4
  if (!(g.scale > 0)) g.scale = 1;
#endif
  if (!symmetric) {
    double zero = std::nearbyint(-low / static_cast<double>(g.scale));
    g.zero = static_cast<int>(std::min(15.0, std::max(0.0, zero)));
  }
  return g;
}

int Quantize(float v, const Group& g, bool symmetric) {
  double q = std::nearbyint(static_cast<double>(v) / static_cast<double>(g.scale));
  if (symmetric) return static_cast<int>(std::min(7.0, std::max(-8.0, q)));
  return static_cast<int>(std::min(15.0, std::max(0.0, q + g.zero)));
}

void Int4Quantize(TensorView x, int64_t group_size, bool symmetric, TensorView packed,
                  TensorView scales, Optional<Tensor> zeros) {
  Real kind = CheckReal("x", x);
  CheckBasics("x", x, 2);
  CheckRows("x", x);
  int64_t m = x.shape()[0], k = x.shape()[1];
  if (group_size < 2 || group_size % 2 != 0) {
    TVM_FFI_THROW(ValueError) << "group_size must be even and at least 2, not " << group_size;
  }
#if BUG != 3
  if (k % group_size != 0) {
    TVM_FFI_THROW(ValueError) << "group_size must divide the columns of x: " << k << " is not a "
                              << "multiple of " << group_size;
  }
#endif
  int64_t groups = k / group_size;
  CheckType("packed", packed, Type(kDLUInt, 8));
  CheckBasics("packed", packed, 2);
  CheckExtent("packed", packed, 0, m, "rows of x");
  CheckExtent("packed", packed, 1, k / 2, "half the columns of x");
  CheckCompact("packed", packed);
  CheckType("scales", scales, Type(kDLFloat, 32));
  CheckBasics("scales", scales, 2);
  CheckExtent("scales", scales, 0, m, "rows of x");
  CheckExtent("scales", scales, 1, groups, "groups of a row");
  CheckCompact("scales", scales);
  uint8_t* zero_out = nullptr;
  if (zeros.has_value()) {
#if BUG != 6
    if (symmetric) TVM_FFI_THROW(ValueError) << "zeros must be None if symmetric";
#endif
    TensorView z = View(zeros.value());
    CheckType("zeros", z, Type(kDLUInt, 8));
    CheckBasics("zeros", z, 2);
    CheckExtent("zeros", z, 0, m, "rows of x");
    CheckExtent("zeros", z, 1, groups, "groups of a row");
    CheckCompact("zeros", z);
    zero_out = As<uint8_t>(z);
  } else if (!symmetric) {
    TVM_FFI_THROW(ValueError) << "zeros must be given if not symmetric";
  }
  const void* data = Data(x);
  int64_t row_stride = BUG == 2 ? k : Strides(x)[0];
  uint8_t* packed_out = As<uint8_t>(packed);
  float* scale_out = As<float>(scales);
  auto check_row = [&](int64_t r) {
    for (int64_t c = 0; c < k; ++c) {
      if (!std::isfinite(Load(data, r * row_stride + c, kind))) {
        TVM_FFI_THROW(ValueError) << "x must be finite, and is not at (" << r << ", " << c << ")";
      }
    }
  };
#if BUG != 7
  for (int64_t r = 0; r < m; ++r) check_row(r);
#endif
  for (int64_t r = 0; r < m; ++r) {
#if BUG == 7
    check_row(r);
#endif
    for (int64_t g = 0; g < groups; ++g) {
      int64_t begin = r * row_stride + g * group_size;
      Group group = Measure(data, begin, group_size, kind, symmetric);
      scale_out[r * groups + g] = group.scale;
      if (!symmetric) zero_out[r * groups + g] = static_cast<uint8_t>(group.zero);
      uint8_t* bytes = packed_out + (r * k + g * group_size) / 2;
      for (int64_t i = 0; i < group_size; i += 2) {
        int low = Quantize(Load(data, begin + i, kind), group, symmetric);
        int high = Quantize(Load(data, begin + i + 1, kind), group, symmetric);
#if BUG == 1
        bytes[i / 2] = static_cast<uint8_t>(low | (high << 4));
#else
        bytes[i / 2] = static_cast<uint8_t>((low & 15) | ((high & 15) << 4));
#endif
      }
    }
  }
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(int4_quantize, Int4Quantize);
