// SPDX-License-Identifier: Apache-2.0
// tint(x, base, y): y = x + base, x of float32, y and base of one type of floats of 16 or 32 bits. Nobody
// describes it. An including file may read the base as of another type.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_TINT_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_TINT_H_

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>

#include <cmath>
#include <cstring>

// Whether the base is of bfloat16.
#ifndef IS_BASE_OF_BFLOAT
#define IS_BASE_OF_BFLOAT(type) ((type).code == kDLBfloat)
#endif

namespace tint
{

namespace ffi = tvm::ffi;

inline void Require(bool condition, const char *words)
{
  if (!condition) TVM_FFI_THROW(ValueError) << words;
}

inline bool IsSame(DLDataType a, DLDataType b)
{
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

inline char *Vector(ffi::TensorView tensor, const char *words)
{
  Require(tensor.ndim() == 1 && tensor.device().device_type == kDLCPU, words);
  Require(tensor.IsContiguous() && (tensor.data_ptr() || tensor.size(0) == 0), words);
  return static_cast<char *>(tensor.data_ptr()) + tensor.byte_offset();
}

// Of a number of 16 bits, with so many for the exponent.
inline float Wide(uint16_t bits, int exponent_bits)
{
  const int digits = 15 - exponent_bits, bias = (1 << (exponent_bits - 1)) - 1;
  const int exponent = (bits & 0x7fff) >> digits, mantissa = bits & ((1 << digits) - 1);
  const float sign = bits & 0x8000 ? -1.0f : 1.0f;
  if (exponent == (1 << exponent_bits) - 1) return mantissa ? NAN : sign * INFINITY;
  const int whole = exponent ? mantissa + (1 << digits) : mantissa;
  return sign * std::ldexp(static_cast<float>(whole), (exponent ? exponent : 1) - bias - digits);
}

// The other way round, rounded to even.
inline uint16_t Narrow(float number, int exponent_bits)
{
  const int digits = 15 - exponent_bits, bias = (1 << (exponent_bits - 1)) - 1;
  const uint16_t sign = std::signbit(number) ? 0x8000 : 0;
  const auto most = static_cast<uint16_t>(((1 << exponent_bits) - 1) << digits);
  if (std::isnan(number)) return static_cast<uint16_t>(sign | most | 1);
  if (std::isinf(number)) return static_cast<uint16_t>(sign | most);
  if (number == 0) return sign;
  int exponent = 0;
  std::frexp(number, &exponent);
  if (exponent < 2 - bias) exponent = 2 - bias;  // not normal
  const double units = std::nearbyint(std::ldexp(std::fabs(number), digits + 1 - exponent));
  const double bits = units + std::ldexp(static_cast<double>(exponent - 2 + bias), digits);
  return static_cast<uint16_t>(sign | (bits >= most ? most : static_cast<uint16_t>(bits)));
}

inline float Read(const char *from, int64_t i, DLDataType type, bool bfloat)
{
  float number;
  uint16_t bits;
  if (type.bits == 32) {
    std::memcpy(&number, from + 4 * i, 4);
    return number;
  }
  std::memcpy(&bits, from + 2 * i, 2);
  return Wide(bits, bfloat ? 8 : 5);
}

inline void Tint(ffi::TensorView x, ffi::TensorView base, ffi::TensorView y)
{
  const char *from = Vector(x, "x must be a compact vector on the CPU");
  const char *more = Vector(base, "base must be a compact vector on the CPU");
  char *to = Vector(y, "y must be a compact vector on the CPU");
  const DLDataType type = y.dtype();
  Require(IsSame(x.dtype(), {kDLFloat, 32, 1}), "x must be of float32");
  Require(IsSame(type, {kDLFloat, 32, 1}) || IsSame(type, {kDLFloat, 16, 1}) ||
              IsSame(type, {kDLBfloat, 16, 1}),
          "y must be of float16, bfloat16 or float32");
  Require(IsSame(base.dtype(), type), "base must be of the type of y");
  Require(base.size(0) == x.size(0), "base must be as long as x");
  Require(y.size(0) == x.size(0), "y must be as long as x");
  for (int64_t i = 0; i < x.size(0); ++i) {
    const float sum =
        Read(from, i, x.dtype(), false) + Read(more, i, type, IS_BASE_OF_BFLOAT(type));
    const uint16_t bits = Narrow(sum, type.code == kDLBfloat ? 8 : 5);
    if (type.bits == 32)
      std::memcpy(to + 4 * i, &sum, 4);
    else
      std::memcpy(to + 2 * i, &bits, 2);
  }
}

}  // namespace tint

TVM_FFI_DLL_EXPORT_TYPED_FUNC(tint, tint::Tint)

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_TINT_H_
