// SPDX-License-Identifier: Apache-2.0
// Quantization of activations by groups (int8, float8 e4m3), and dequantization of packed 4-bit weights.
static Tuple<Tensor, Tensor> QuantGroups(TensorView x, int64_t group, DLDataType qtype)
{
  Check(x, "x", -1, {kF32, kF16, kBF16});
  TVM_FFI_CHECK(x.ndim() >= 1, ValueError) << "x must have a dimension";
  int64_t d = x.size(-1);
  TVM_FFI_CHECK(group >= 1, ValueError) << "group must be at least 1";
#if BUG != 3
  TVM_FFI_CHECK(d % group == 0, ValueError) << "the last dimension must be a multiple of group";
#endif
  bool i8 = Same(qtype, kI8);
#if BUG == 1
  TVM_FFI_CHECK(i8 || qtype.bits == 8, TypeError) << "qtype must be int8 or float8_e4m3fn";
#else
  TVM_FFI_CHECK(i8 || Same(qtype, kE4M3), TypeError) << "qtype must be int8 or float8_e4m3fn";
#endif
  int64_t n = Numel(x), groups = d / group, rows = d == 0 ? 0 : n / d;
  DispatchFloat(x.dtype(), [&](auto tag) {
    using T = decltype(tag);
    for (int64_t i = 0; i < n; ++i)
      TVM_FFI_CHECK(std::isfinite(ToFloat(Ptr<T>(x)[i])), ValueError) << "x must be finite";
  });
  std::vector<int64_t> shape(x.shape().begin(), x.shape().end());
  Tensor q = NewTensor(Shape(shape), qtype);
#if BUG == 4
  Tensor scale = NewTensor(Shape({rows, groups}), kF32);
#else
  shape.back() = groups;
  Tensor scale = NewTensor(Shape(shape), kF32);
#endif
  TensorView qv(q), sv(scale);
  uint8_t *qp = Ptr<uint8_t>(qv);
  float *sp = Ptr<float>(sv);
  double most = i8 ? 127 : 448;
  DispatchFloat(x.dtype(), [&](auto tag) {
    using T = decltype(tag);
    const T *xp = Ptr<T>(x);
    ParallelFor(rows * groups, 256, [&](int64_t from, int64_t to) {
      for (int64_t g = from; g < to; ++g) {
        int64_t at = g / groups * d + g % groups * group;
        double amax = 0;
        for (int64_t j = 0; j < group; ++j)
          amax = std::max<double>(amax, std::fabs(ToFloat(xp[at + j])));
#if BUG == 6
        double s = amax / most;
#else
        double s = amax == 0 ? 1 : amax / most;
#endif
        sp[g] = float(s);
        for (int64_t j = 0; j < group; ++j) {
          double v = std::min(std::max(ToFloat(xp[at + j]) / s, -most), most);
          qp[at + j] = i8 ? uint8_t(int8_t(std::nearbyint(v))) : ToE4M3(v);
        }
      }
    });
  });
  return Tuple<Tensor, Tensor>(q, scale);
}

// out[i, j] = (code - zero) * scale; two codes in a byte, the low one first; a group is as many elements as scale has columns for.
static void DequantInt4(TensorView packed, TensorView scale, Variant<int64_t, Tensor> zero,
                        TensorView out)
{
  Check(packed, "packed", 2, {kU8});
  Check(scale, "scale", 2, {kF32, kF16});
  Check(out, "out", 2, {scale.dtype()});
  int64_t n = packed.size(0), h = packed.size(1), g = scale.size(1);
  CheckSize(scale, "scale", 0, n);
  CheckSize(out, "out", 0, n);
  CheckSize(out, "out", 1, 2 * h);
  TVM_FFI_CHECK(g >= 1 && 2 * h % g == 0, ValueError)
      << "the number of columns must be a multiple of that of scales";
  int64_t one = 0, group = 2 * h / g;
  const uint8_t *zp = nullptr;
  Tensor held;
  if (auto t = zero.as<Tensor>()) {
    held = *t;
    TensorView z(held);
    Check(z, "zero", 2, {kU8});
#if BUG != 7
    CheckSize(z, "zero", 0, n);
#endif
    CheckSize(z, "zero", 1, g);
    zp = Ptr<uint8_t>(z);
  } else {
    one = zero.get<int64_t>();
    TVM_FFI_CHECK(one >= 0 && one <= 15, ValueError) << "zero must be in [0, 15]";
  }
  auto run = [&](auto tag) {
    using T = decltype(tag);
#if BUG == 2
    const uint8_t *pp = static_cast<const uint8_t *>(packed.data_ptr());
#else
    const uint8_t *pp = Ptr<uint8_t>(packed);
#endif
    const T *sp = Ptr<T>(scale);
    T *op = Ptr<T>(out);
    ParallelFor(n, 16, [&](int64_t from, int64_t to) {
      for (int64_t i = from; i < to; ++i) {
        for (int64_t j = 0; j < 2 * h; ++j) {
#if BUG == 5
          int code = j % 2 == 0 ? pp[i * h + j / 2] & 15 : int8_t(pp[i * h + j / 2]) >> 4;
#else
          int code = j % 2 == 0 ? pp[i * h + j / 2] & 15 : pp[i * h + j / 2] >> 4;
#endif
          int64_t z = zp == nullptr ? one : zp[i * g + j / group];
          op[i * 2 * h + j] = From<T>(double(code - z) * ToFloat(sp[i * g + j / group]));
        }
      }
    });
  };
  if (Same(scale.dtype(), kF32))
    run(float{});
  else
    run(Half{});
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(quant_groups, QuantGroups);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(dequant_int4, DequantInt4);
