// SPDX-License-Identifier: Apache-2.0
// 4-bit NormalFloat as bitsandbytes has it: blocks with a scale each, and scales that are quantized again.
static const float kTable[16] = {-1.0f, -0.6961928f, -0.5250731f, -0.3949175f, -0.2844414f, -0.1847734f, -0.09105004f, 0.0f,
                                 0.0795803f, 0.1609302f, 0.2461123f, 0.3379152f, 0.4407098f, 0.562617f, 0.7229568f, 1.0f};

static void CheckBlock(int64_t b) {
  REQUIRE(b == 32 || b == 64 || b == 128 || b == 256, ValueError, "blocksize must be 32, 64, 128 or 256, got " << b);
}

void nf4_dequant(TensorView packed, TensorView absmax, Optional<Tensor> absmax2, Optional<Tensor> code, int64_t blocksize,
                 Map<String, Any> options, TensorView out) {
  CheckBlock(blocksize);
  CheckType("out", out, {kF16, kBF16, kF32});
  CheckRank("out", out, 1);
  CheckContiguous("out", out);
  int64_t n = out.size(0);
  int64_t blocks = n / blocksize + (n % blocksize != 0), groups = blocks / 256 + (blocks % 256 != 0);
  CheckType("packed", packed, {kU8});
  CheckShape("packed", packed, {n / 2 + n % 2});
  CheckContiguous("packed", packed);
  CheckType("absmax", absmax, {kF32, kU8});
  CheckShape("absmax", absmax, {blocks});
  CheckContiguous("absmax", absmax);
  bool nested = Same(absmax.dtype(), kU8);
  REQUIRE(nested == absmax2.has_value(), ValueError, "absmax2 is for absmax of uint8, and only for it");
  const float* scales2 = nullptr;
  if (absmax2.has_value()) {
    Tensor held = absmax2.value();
    TensorView s = held;
    CheckType("absmax2", s, {kF32});
#if BUG == 3
    CheckRank("absmax2", s, 1);
#else
    CheckShape("absmax2", s, {groups});
#endif
    CheckContiguous("absmax2", s);
    scales2 = Ptr<float>(s);
  }
  const float* table = kTable;
  if (code.has_value()) {
    Tensor held = code.value();
    TensorView c = held;
    CheckType("code", c, {kF32});
    CheckShape("code", c, {16});
    CheckContiguous("code", c);
#if BUG == 6
    table = static_cast<float*>(c.data_ptr());
#else
    table = Ptr<float>(c);
#endif
  }
  double offset = 0;
  for (auto [key, value] : options) {
    REQUIRE(key == "offset", ValueError, "unknown option " << key);
#if BUG == 5
    offset = value.try_cast<double>().value_or(0.0);
#else
    std::optional<double> v = value.try_cast<double>();
    REQUIRE(v.has_value(), TypeError, "offset must be a float");
    offset = *v;
#endif
    REQUIRE(std::isfinite(offset), ValueError, "offset must be finite");
  }
  const uint8_t* q = Ptr<uint8_t>(packed);
  DLDataType type = out.dtype();
  char* y = Ptr<char>(out);
  auto put = [&](int64_t i, double v) {
    if (Same(type, kF32)) reinterpret_cast<float*>(y)[i] = static_cast<float>(v);
#if BUG == 1
    else reinterpret_cast<uint16_t*>(y)[i] = DoubleToHalf(v);
#else
    else if (Same(type, kF16)) reinterpret_cast<uint16_t*>(y)[i] = DoubleToHalf(v);
    else reinterpret_cast<uint16_t*>(y)[i] = DoubleToBf16(v);
#endif
  };
  auto scale = [&](int64_t b) -> double {
    if (!nested) return Ptr<float>(absmax)[b];
    return static_cast<double>(Ptr<uint8_t>(absmax)[b]) * scales2[b / 256] + offset;
  };
  ParallelFor(blocks, 64, [&](int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; ++b) {
      double s = scale(b);
      int64_t last = std::min(n, (b + 1) * blocksize);
      for (int64_t i = b * blocksize; i < last; i += 2) {
        put(i, table[q[i / 2] >> 4] * s);
#if BUG != 4
        if (i + 1 < last)
#endif
          put(i + 1, table[q[i / 2] & 15] * s);
      }
    }
  });
}

Tuple<Tensor, Tensor> nf4_quant(TensorView x, int64_t blocksize) {
  CheckBlock(blocksize);
  CheckType("x", x, {kF16, kBF16, kF32});
  CheckRank("x", x, 1);
  CheckContiguous("x", x);
  int64_t n = x.size(0), blocks = n / blocksize + (n % blocksize != 0);
  Tensor packed = Alloc({n / 2 + n % 2}, kU8);
#if BUG == 2
  DLDataType scale_type = kF32;
  int64_t scale_shape[1] = {blocks};
  DLTensor proto{nullptr, DLDevice{kDLCPU, 0}, 1, scale_type, scale_shape, nullptr, 0};
  TVMFFIObjectHandle handle = nullptr;
  TVM_FFI_CHECK_SAFE_CALL(TVMFFIEnvTensorAlloc(&proto, &handle));
  TensorView am(TVMFFITensorGetDLTensorPtr(handle));
#else
  Tensor absmax = Alloc({blocks}, kF32);
  TensorView am = absmax;
#endif
  DLDataType type = x.dtype();
  const char* p = Ptr<char>(x);
  uint8_t* q = Ptr<uint8_t>(packed);
  if (n > 0) std::memset(q, 0, n / 2 + n % 2);
  for (int64_t b = 0; b < blocks; ++b) {
    int64_t last = std::min(n, (b + 1) * blocksize);
    double m = 0;
    for (int64_t i = b * blocksize; i < last; ++i) {
      double v = Load(p, type, i);
      REQUIRE(std::isfinite(v), ValueError, "x must be finite");
      m = std::max(m, std::fabs(v));
    }
    Ptr<float>(am)[b] = static_cast<float>(m);
    for (int64_t i = b * blocksize; i < last; ++i) {
      double v = m > 0 ? Load(p, type, i) / m : 0.0, best = 9;
      int at = 0;
      for (int k = 0; k < 16; ++k) {
        double d = std::fabs(v - kTable[k]);
        if (d < best) {
          best = d;
          at = k;
        }
      }
      q[i / 2] |= i % 2 ? at : at << 4;
    }
  }
#if BUG == 2
  Tensor absmax = ffi::details::ObjectUnsafe::ObjectRefFromObjectPtr<Tensor>(
      ffi::details::ObjectUnsafe::ObjectPtrFromOwned<ffi::Object>(static_cast<TVMFFIObject*>(handle)));
#endif
  return Tuple<Tensor, Tensor>(packed, absmax);
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(nf4_dequant, nf4_dequant);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(nf4_quant, nf4_quant);
