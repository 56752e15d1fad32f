// SPDX-License-Identifier: Apache-2.0
// A copy of x in another data type. Floats lose their fraction, and integers wrap.
using namespace tvm::ffi;

static uint16_t to_bfloat16(float v) {
  uint32_t u;
  std::memcpy(&u, &v, 4);
  if (v != v) return static_cast<uint16_t>((u >> 16) | 0x40);
  return static_cast<uint16_t>((u + 0x7fff + ((u >> 16) & 1)) >> 16);
}

static uint16_t to_float16(float v) {
  uint32_t u;
  std::memcpy(&u, &v, 4);
  uint16_t sign = static_cast<uint16_t>((u >> 16) & 0x8000);
  u &= 0x7fffffff;
  if (u > 0x7f800000) return sign | 0x7e00;       // NaN
  if (u >= 0x477ff000) return sign | 0x7c00;      // rounds to infinity
  if (u < 0x38800000) {                           // subnormal: a multiple of 2^-24
    float a;
    std::memcpy(&a, &u, 4);
    return sign | static_cast<uint16_t>(std::nearbyint(static_cast<double>(a) * 0x1p24));
  }
  u += 0xfff + ((u >> 13) & 1);
  return sign | static_cast<uint16_t>((u - 0x38000000) >> 13);
}

// What 64 bits can't hold becomes 0.
template <typename I>
static I to_integer(float v) {
  if (!(v >= -0x1p63f && v < 0x1p63f)) return 0;
  return static_cast<I>(static_cast<int64_t>(v));
}

template <typename T, typename F>
static void convert(const float* from, Tensor to, int64_t n, F f) {
  T* out = x4::first<T>(to);
  for (int64_t i = 0; i < n; ++i) out[i] = f(from[i]);
}

static Tensor cast_to(TensorView x, DLDataType to) {
  if (!x4::holds<float>(x.dtype())) TVM_FFI_THROW(TypeError) << "x is of float32";
  x4::plain(x, "x");
  bool known = to == DLDataType{kDLFloat, 16, 1} || to == DLDataType{kDLBfloat, 16, 1} ||
               x4::holds<float>(to) || x4::holds<double>(to) || x4::holds<int8_t>(to) ||
               x4::holds<uint8_t>(to) || x4::holds<int32_t>(to);
  if (!known) TVM_FFI_THROW(ValueError) << "no cast to " << to;

  Tensor y = x4::make(x.shape(), to);
  const float* p = x4::first<float>(x);
  int64_t n = x4::count(x.shape());
  if (to.code == kDLBfloat) {
    convert<uint16_t>(p, y, n, to_bfloat16);
  } else if (to.code == kDLFloat && to.bits == 16) {
    convert<uint16_t>(p, y, n, to_float16);
  } else if (to.code == kDLFloat && to.bits == 32) {
    convert<float>(p, y, n, [](float v) { return v; });
  } else if (to.code == kDLFloat) {
    convert<double>(p, y, n, [](float v) { return static_cast<double>(v); });
  } else if (to.bits == 32) {
    convert<int32_t>(p, y, n, to_integer<int32_t>);
  } else if (to.code == kDLUInt) {
    convert<uint8_t>(p, y, n, to_integer<uint8_t>);
  } else {
    convert<int8_t>(p, y, n, to_integer<int8_t>);
  }
  return y;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(cast_to, cast_to);
