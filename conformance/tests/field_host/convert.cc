// SPDX-License-Identifier: Apache-2.0
// Conversion between data types, and quantization to 8 bits.
namespace
{

// To the nearest double, or, beyond 2^53, one that rounds to fewer bits as the integer does (round to odd).
double FromI64(int64_t v)
{
  uint64_t a = v < 0 ? 0 - static_cast<uint64_t>(v) : static_cast<uint64_t>(v);
  if (a >> 53) {
    uint64_t low = a & 0x7ff;
    a &= ~uint64_t(0x7ff);
    if (low) a |= 0x800;
  }
  double d = static_cast<double>(a);
  return v < 0 ? -d : d;
}

double DecodeFp8(int exp_bits, int man_bits, uint8_t c)
{
  int man = c & ((1 << man_bits) - 1), exp = (c >> man_bits) & ((1 << exp_bits) - 1);
  int bias = (1 << (exp_bits - 1)) - 1;
  double v;
  if (exp_bits == 4) {
    if ((c & 0x7f) == 0x7f) return std::numeric_limits<double>::quiet_NaN();
  } else if (exp == 31) {
    if (man) return std::numeric_limits<double>::quiet_NaN();
    v = std::numeric_limits<double>::infinity();
    return (c & 0x80) ? -v : v;
  }
  v = exp == 0 ? std::ldexp(man, 1 - bias - man_bits)
               : std::ldexp((1 << man_bits) + man, exp - bias - man_bits);
  return (c & 0x80) ? -v : v;
}

// The 256 values of a float of 8 bits, worked out when they are first needed.
const double *Fp8Table(bool e4m3)
{
#if BUG == 3
  static double tables[1][256];
  static std::once_flag once[1];
  int k = 0;
#else
  static double tables[2][256];
  static std::once_flag once[2];
  int k = e4m3 ? 1 : 0;
#endif
  std::call_once(once[k], [&] {
    for (int c = 0; c < 256; ++c)
      tables[k][c] = DecodeFp8(e4m3 ? 4 : 5, e4m3 ? 3 : 2, static_cast<uint8_t>(c));
  });
  return tables[k];
}

struct Reader {
  DLDataType type;
  const double *table = nullptr;
  const char *base;

  double Get(int64_t i) const
  {
    if (table) return table[reinterpret_cast<const uint8_t *>(base)[i]];
    if (Is(type, kF64)) return reinterpret_cast<const double *>(base)[i];
    if (Is(type, kF32)) return reinterpret_cast<const float *>(base)[i];
    if (Is(type, kF16)) return FromHalf(reinterpret_cast<const uint16_t *>(base)[i]);
    if (Is(type, kBF16)) return FromBFloat(reinterpret_cast<const uint16_t *>(base)[i]);
    if (Is(type, kI64)) return FromI64(reinterpret_cast<const int64_t *>(base)[i]);
    if (Is(type, kI32)) return reinterpret_cast<const int32_t *>(base)[i];
#if BUG == 2
    if (type.bits == 8 && type.code != kDLBool) return reinterpret_cast<const int8_t *>(base)[i];
#else
    if (Is(type, kI8)) return reinterpret_cast<const int8_t *>(base)[i];
    if (Is(type, kU8)) return reinterpret_cast<const uint8_t *>(base)[i];
#endif
    return reinterpret_cast<const uint8_t *>(base)[i] != 0;
  }
};

void Put(void *base, DLDataType type, int64_t i, double v)
{
  if (Is(type, kF64)) {
    static_cast<double *>(base)[i] = v;
  } else if (Is(type, kF32)) {
    static_cast<float *>(base)[i] = static_cast<float>(v);
  } else {
    static_cast<uint16_t *>(base)[i] = Is(type, kF16) ? ToHalf(v) : ToBFloat(v);
  }
}

Tensor ToFloat(TensorView x, DLDataType dtype)
{
  CheckCpu(x, "x");
  CheckDType(x, {kF64, kF32, kF16, kBF16, kE4M3, kE5M2, kI64, kI32, kI8, kU8, kBool}, "x");
  CheckData(x, "x");
  REQUIRE(IsOneOf(dtype, {kF64, kF32, kF16, kBF16}), ValueError)
      << "dtype must be a float of 16 bits or more";
  int64_t n = Numel(x, "x");
  Tensor out = Alloc(x.shape(), dtype);
  if (n == 0) return out;
  Reader in;
  in.type = x.dtype();
  in.base = Ptr<char>(x);
  if (IsOneOf(x.dtype(), {kE4M3, kE5M2})) in.table = Fp8Table(Is(x.dtype(), kE4M3));
  void *to = Out<char>(out);
  int rank = x.ndim();
#if BUG == 1
  bool plain = rank <= 1 || x.IsContiguous();
#else
  bool plain = x.IsContiguous();
#endif
  bool exact = Is(x.dtype(), kI64) && Is(dtype, kF64);
  ParallelFor(n, 1 << 16, [&](int64_t begin, int64_t end) {
    std::vector<int64_t> index(rank, 0);
    int64_t at = begin;
    if (!plain) {
      at = 0;
      int64_t left = begin;
      for (int k = rank - 1; k >= 0; --k) {
        index[k] = left % x.shape()[k];
        left /= x.shape()[k];
        at += index[k] * x.strides()[k];
      }
    }
    for (int64_t i = begin; i < end; ++i) {
      if (exact) {
        static_cast<double *>(to)[i] =
            static_cast<double>(reinterpret_cast<const int64_t *>(in.base)[at]);
      } else {
        Put(to, dtype, i, in.Get(at));
      }
      if (plain) {
        ++at;
        continue;
      }
      for (int k = rank - 1; k >= 0; --k) {
        at += x.strides()[k];
        if (++index[k] < x.shape()[k]) break;
        at -= x.strides()[k] * x.shape()[k];
        index[k] = 0;
      }
    }
  });
  return out;
}

// q = clip(round(x / scale) + zero_point); scale is one for all, or one for each column; NaN becomes zero_point
void Quantize(TensorView x, TensorView scale, int64_t zero_point, TensorView q)
{
  CheckTensor(x, {kF32, kF16}, 2, "x");
  CheckTensor(scale, {kF32}, 1, "scale");
#if BUG == 5
  CheckDType(q, {kI8, kU8}, "q");
  CheckRank(q, 2, "q");
  CheckContiguous(q, "q");
  CheckData(q, "q");
#else
  CheckTensor(q, {kI8, kU8}, 2, "q");
#endif
  int64_t n = x.size(0), d = x.size(1);
  REQUIRE(q.size(0) == n && q.size(1) == d, ValueError) << "q must have the shape of x";
  REQUIRE(scale.size(0) == d || scale.size(0) == 1, ValueError)
      << "scale must have one element, or one for each column";
  int64_t lo = Is(q.dtype(), kI8) ? -128 : 0, hi = lo + 255;
  REQUIRE(zero_point >= lo && zero_point <= hi, ValueError)
      << "zero_point is out of the range of q";
  const float *s = Ptr<float>(scale);
#if BUG == 4
  for (int64_t i = 0; i < std::min<int64_t>(1, scale.size(0)); ++i) {
#else
  for (int64_t i = 0; i < scale.size(0); ++i) {
#endif
    REQUIRE(s[i] > 0 && std::isfinite(s[i]), ValueError) << "scale must be positive and finite";
  }
  int64_t bytes = n * d;
  REQUIRE(!Overlap(q, bytes, x, bytes * x.dtype().bits / 8) &&
              !Overlap(q, bytes, scale, scale.size(0) * 4),
          ValueError)
      << "q must not overlap x or scale";
  bool one = scale.size(0) == 1;
  ParallelFor(n, d > 0 ? 1 + 65536 / d : 1, [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      for (int64_t c = 0; c < d; ++c) {
        int64_t i = r * d + c;
        double v = Is(x.dtype(), kF32) ? Ptr<float>(x)[i] : FromHalf(Ptr<uint16_t>(x)[i]);
        v /= s[one ? 0 : c];
#if BUG == 6
        v = std::round(v) + static_cast<double>(zero_point);
#else
        v = std::nearbyint(v) + static_cast<double>(zero_point);
#endif
        if (std::isnan(v)) v = static_cast<double>(zero_point);
        v = std::min<double>(std::max<double>(v, lo), hi);
        Ptr<uint8_t>(q)[i] = static_cast<uint8_t>(static_cast<int64_t>(v));
      }
    }
  });
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(to_float, ToFloat);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(quantize, Quantize);
