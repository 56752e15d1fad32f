// SPDX-License-Identifier: Apache-2.0
// Quantises the rows of a matrix to 4 or 8 bits with a scale for each group of columns; with zero
// points if a tensor for them is given, else symmetrically around the middle code.
namespace {

using namespace set;

struct Group {
  double scale;
  int zero;
};

template <typename T>
Group Measure(const T* x, int64_t size, int bits, bool symmetric) {
#if BUG == 3
  double low = Get(x[0]), high = Get(x[0]);
#else
  double low = 0, high = 0;
#endif
  for (int64_t j = 0; j < size; ++j) {
    low = std::min(low, Get(x[j]));
    high = std::max(high, Get(x[j]));
  }
  const int levels = (1 << bits) - 1, half = 1 << (bits - 1);
  double scale = symmetric ? std::max(-low, high) / (half - 1) : (high - low) / levels;
  scale = static_cast<float>(scale);  // as it is stored
#if BUG == 4
  if (scale == 0) return {0, symmetric ? half : 0};
#else
  if (scale == 0) scale = 1;
#endif
  if (symmetric) return {scale, half};
  const double zero = std::nearbyint(-low / scale);
  return {scale, static_cast<int>(std::min<double>(std::max(zero, 0.0), levels))};
}

int Code(double x, const Group& g, int bits) {
  const int levels = (1 << bits) - 1;
#if BUG == 5
  const double code = std::round(x / g.scale) + g.zero;
#else
  const double code = std::nearbyint(x / g.scale) + g.zero;  // ties to even
#endif
#if BUG == 4
  if (std::isnan(code)) return 0;
#endif
  return static_cast<int>(std::min<double>(std::max(code, 0.0), levels));
}

template <typename T>
void Run(const Arg& x, int64_t group_size, int bits, const Arg& q, const Arg& scales,
         const Arg* zeros) {
  const int64_t m = x.size(0), k = x.size(1), groups = k / group_size;
  for (int64_t r = 0; r < m; ++r) {
#if BUG == 2
    const T* row = x.as<T>() + r * k;
#else
    const T* row = x.as<T>() + r * x.stride(0);
#endif
    uint8_t* codes = q.as<uint8_t>() + r * (k * bits / 8);
    if (bits == 4) std::fill(codes, codes + k / 2, 0);
    for (int64_t g = 0; g < groups; ++g) {
      const Group group = Measure(row + g * group_size, group_size, bits, zeros == nullptr);
#if BUG == 1
      const int64_t place = bits == 4 ? g * m + r : r * groups + g;
#else
      const int64_t place = r * groups + g;
#endif
      scales.as<float>()[place] = static_cast<float>(group.scale);
      if (zeros != nullptr) zeros->as<uint8_t>()[place] = static_cast<uint8_t>(group.zero);
      for (int64_t j = g * group_size; j < (g + 1) * group_size; ++j) {
        const int code = Code(Get(row[j]), group, bits);
        if (bits == 8) {
          codes[j] = static_cast<uint8_t>(code);
        } else {
          codes[j / 2] = static_cast<uint8_t>(codes[j / 2] | code << (j % 2 * 4));
        }
      }
    }
  }
}

template <typename T>
void CheckFinite(const Arg& x) {
  for (int64_t r = 0; r < x.size(0); ++r) {
    for (int64_t j = 0; j < x.size(1); ++j) {
      const double v = Get(x.as<T>()[r * x.stride(0) + j]);
#if BUG == 7
      const bool bad = v > std::numeric_limits<double>::max() ||
                       v < -std::numeric_limits<double>::max();
#else
      const bool bad = !std::isfinite(v);
#endif
      if (bad) {
        TVM_FFI_THROW(ValueError) << "x must be finite, but is " << v << " in row " << r
                                  << ", column " << j;
      }
    }
  }
}

void QuantizeGroups(DLTensor* x_arg, int64_t group_size, int64_t bits, DLTensor* q_arg,
                    DLTensor* scales_arg, ffi::Optional<ffi::Tensor> zeros_arg) {
  const Arg x(x_arg, "x", {Type::kF32, Type::kF16, Type::kBF16}, 2, Layout::kRows);
  const Arg q(q_arg, "q", {Type::kU8}, 2);
  const Arg scales(scales_arg, "scales", {Type::kF32}, 2);
  const int64_t m = x.size(0), k = x.size(1);
  if (bits != 4 && bits != 8) TVM_FFI_THROW(ValueError) << "bits must be 4 or 8, not " << bits;
  if (group_size < 1 || k % group_size != 0) {
    TVM_FFI_THROW(ValueError) << "group_size must be positive and divide the " << k
                              << " columns of x, but is " << group_size;
  }
#if BUG != 8
  if (bits == 4 && k % 2 != 0) {
    TVM_FFI_THROW(ValueError) << "x must have an even number of columns for 4 bits, not " << k;
  }
#endif
  q.Extent(0, m, "the rows of x");
  q.Extent(1, k * bits / 8, "the packed columns of x");
  scales.Extent(0, m, "the rows of x");
  scales.Extent(1, k / group_size, "the groups of a row");
  const Arg* zeros = nullptr;
  std::vector<Arg> optional;
  ffi::Optional<ffi::Tensor> held = zeros_arg;
  if (held.has_value()) {
    const std::initializer_list<Type> types{Type::kU8};
    optional.emplace_back(Pointer(held.value()), "zeros", types, 2);
    zeros = &optional[0];
    zeros->Extent(0, m, "the rows of x");
#if BUG != 6
    zeros->Extent(1, k / group_size, "the groups of a row");
#endif
  }
  if (x.numel() == 0) return;
  WithFloat(x.type(), [&](auto tag) {
    using T = decltype(tag);
    CheckFinite<T>(x);
    Run<T>(x, group_size, static_cast<int>(bits), q, scales, zeros);
  });
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(quantize_groups, QuantizeGroups);
