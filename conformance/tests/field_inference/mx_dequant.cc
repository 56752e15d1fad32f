// SPDX-License-Identifier: Apache-2.0
// MXFP4 weights (e2m1 in nibbles, one power of two for each group) to a float type that is chosen by the caller.
namespace {

constexpr double kE2M1[8] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};

template <typename T>
void Dequant(const uint8_t* q, int64_t stride, const uint8_t* scales, int64_t m, int64_t k, int64_t group, double global,
             bool low_first, T* out) {
  int64_t groups = k / group;
  auto row = [&](int64_t r) {
    for (int64_t j = 0; j < k; ++j) {
      int shift = ((j & 1) == 0) == low_first ? 0 : 4;
      int code = q[r * stride + j / 2] >> shift & 15, e = scales[r * groups + j / group];
      double y = std::ldexp(code & 8 ? -kE2M1[code & 7] : kE2M1[code & 7], e - 127);
#if BUG != 7
      if (e == 255) y = NAN;
#endif
      y *= global;
#if BUG == 1
      if constexpr (std::is_same_v<T, bfloat_t>) {
        out[r * k + j].bits = uint16_t(ToBits(float(y)) >> 16);
        continue;
      }
#endif
      Store(out[r * k + j], y);
    }
  };
#if BUG == 5
  ParallelFor(m / 4, 4 * k, [&](int64_t begin, int64_t end) {
    for (int64_t r = begin * 4; r < end * 4; ++r) row(r);
  });
#else
  ParallelFor(m, k, [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) row(r);
  });
#endif
}

Tensor mx_dequant(TensorView packed, TensorView scales, DLDataType out_dtype, int64_t group, String order,
                  Optional<double> global_scale) {
  CheckType(packed, {kU8}, "packed");
  CheckRank(packed, 2, "packed");
  CheckPlace(packed, "packed");
  int64_t stride = CheckRows(packed, "packed", false), m = packed.size(0), k;
  REQUIRE(!__builtin_mul_overflow(packed.size(1), 2, &k), ValueError) << "packed: too large";
  REQUIRE(group == 16 || group == 32, ValueError) << "group: expected 16 or 32, got " << group;
  REQUIRE(k % group == 0, ValueError) << "packed: " << k << " columns are no whole number of groups";
  REQUIRE(order == "low" || order == "high", ValueError) << "order: expected \"low\" or \"high\", got \"" << order << "\"";
  CheckType(scales, {kU8}, "scales");
  CheckRank(scales, 2, "scales");
  CheckSize(scales, 0, m, "scales");
#if BUG != 2
  CheckSize(scales, 1, k / group, "scales");
#endif
#if BUG == 6
  REQUIRE(scales.numel() == 0 || scales.data_ptr() != nullptr, ValueError) << "scales: no data";
#else
  CheckPlace(scales, "scales");
#endif
  CheckContiguous(scales, "scales");
#if BUG == 4
  double global = global_scale.value_or(0);
#else
  double global = global_scale.value_or(1);
#endif
  REQUIRE(std::isfinite(global), ValueError) << "global_scale: has to be finite";
  REQUIRE(SameType(out_dtype, kF32) || SameType(out_dtype, kF16) || SameType(out_dtype, kBF16), ValueError)
      << "out_dtype: unsupported data type " << ffi::DLDataTypeToString(out_dtype);
  Tensor out = Alloc({m, k}, out_dtype);
#if BUG == 3
  const uint8_t* q = static_cast<const uint8_t*>(packed.data_ptr());
#else
  const uint8_t* q = Data<uint8_t>(packed);
#endif
  DispatchFloat(out_dtype, [&](auto* t) {
    using T = std::remove_pointer_t<decltype(t)>;
    Dequant<T>(q, stride, Data<uint8_t>(scales), m, k, group, global, order == "low", Data<T>(out));
  });
  return out;
}

}  // namespace
TVM_FFI_DLL_EXPORT_TYPED_FUNC(mx_dequant, mx_dequant)
