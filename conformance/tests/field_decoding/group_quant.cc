// SPDX-License-Identifier: Apache-2.0
// Dynamic quantization of activations by groups of `group_size` elements of a row, to int8 or
// float8_e4m3fn: returns the quantized tensor and one float32 scale for each group. Scales may be
// rounded up to powers of two.
namespace {

using namespace set;

ffi::Tuple<Tensor, Tensor> GroupQuant(TensorView x_, int64_t group_size, DLDataType qtype,
                                      bool power_of_two) {
  View x = Look(x_, "x", 2, {kF32, kF16, kBF16});
  NeedRows(x);
  const int64_t m = x.shape[0], n = x.shape[1];
  if (group_size < 1) {
    TVM_FFI_THROW(ValueError) << "group_size: must be positive, not " << group_size;
  }
  if (BUG != 1 && n % group_size != 0) {
    TVM_FFI_THROW(ValueError) << "group_size: " << group_size << " does not divide the " << n
                              << " columns of x";
  }
  const bool to_int = Same(qtype, kI8);
  if (!to_int && !Same(qtype, kE4M3)) {
    TVM_FFI_THROW(ValueError) << "qtype: must be int8 or float8_e4m3fn, not " << TypeName(qtype);
  }
  const int64_t groups = n / group_size;
#if BUG == 8
  Tensor q = NewTensor({m, n}, to_int ? kI8 : DLDataType{kDLUInt, 8, 1}, x.device);
#else
  Tensor q = NewTensor({m, n}, qtype, x.device);
#endif
  Tensor scales = NewTensor({m, groups}, kF32, x.device);
#if BUG == 9
  new Tensor(scales);
#endif
  const double limit = to_int && BUG != 3 ? 127 : 448;

  ByFloat(x.dtype, [&](auto tag) {
    using T = decltype(tag);
    for (int64_t r = 0; r < m; ++r) {
      const T* row = x.at<T>(r * (BUG == 2 ? n : x.stride[0]));
      for (int64_t g = 0; g < groups; ++g) {
        const T* from = row + g * group_size;
        double most = BUG == 5 ? 0 : 1e-10;
        for (int64_t i = 0; i < group_size; ++i) {
          const double a = BUG == 7 ? Get(from[i]) : std::fabs(Get(from[i]));
          if (a > most || std::isnan(a)) most = a;
          if (std::isnan(a)) break;
        }
        float s = static_cast<float>(most / limit);
        if (power_of_two && std::isfinite(s)) {
          int e;
          const double part = std::frexp(static_cast<double>(s), &e);  // s = part * 2^e
          const bool exact = part == 0.5;
          s = static_cast<float>(std::ldexp(1.0, exact || BUG == 4 ? e - 1 : e));
        }
        reinterpret_cast<float*>(Data(scales))[r * groups + g] = s;
        for (int64_t i = 0; i < group_size; ++i) {
          const double y = Get(from[i]) / s;
          const int64_t at = r * n + g * group_size + i;
          if (to_int) {
            double z = BUG == 6 ? std::trunc(y) : std::nearbyint(y);
            z = std::isnan(z) ? 0 : std::max(-127.0, std::min(127.0, z));
            reinterpret_cast<int8_t*>(Data(q))[at] = static_cast<int8_t>(z);
          } else {
            Put(y, &reinterpret_cast<E4M3*>(Data(q))[at]);
          }
        }
      }
    }
  });
  return ffi::Tuple<Tensor, Tensor>(q, scales);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(group_quant, GroupQuant);
