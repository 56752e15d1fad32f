// SPDX-License-Identifier: Apache-2.0
// widen(x, y): y = x, of floats of 8 bits as float32. Nobody describes it. An including file may read one
// kind of numbers, or one type, wrongly.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_WIDEN_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_WIDEN_H_

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

#include <cmath>
#include <limits>

#ifndef NOT_NORMAL
#define NOT_NORMAL(number) (number)
#endif
#ifndef IS_E5M2
#define IS_E5M2(code) ((code) == kDLFloat8_e5m2)
#endif
#ifndef HAS_TYPE
#define HAS_TYPE(code) ((code) == kDLFloat8_e4m3fn || (code) == kDLFloat8_e5m2)
#endif
#ifndef NAN_OF_E5M2
#define NAN_OF_E5M2 std::numeric_limits<float>::quiet_NaN()
#endif

namespace widen
{

namespace ffi = tvm::ffi;

inline void Require(bool condition, const char *words)
{
  if (!condition) TVM_FFI_THROW(ValueError) << words;
}

inline float Wide(unsigned bits, bool e5m2)
{
  const int digits = e5m2 ? 2 : 3, bias = e5m2 ? 15 : 7, ones = (1 << digits) - 1;
  const int exponent = static_cast<int>(bits & 0x7f) >> digits, mantissa = bits & ones;
  const float sign = bits & 0x80 ? -1.0f : 1.0f;
  if (!e5m2 && (bits & 0x7f) == 0x7f) return std::numeric_limits<float>::quiet_NaN();
  if (e5m2 && exponent == 31)
    return mantissa ? NAN_OF_E5M2 : sign * std::numeric_limits<float>::infinity();
  const float number = static_cast<float>(exponent ? mantissa + ones + 1 : mantissa);
  const float scaled = sign * std::ldexp(number, (exponent ? exponent : 1) - bias - digits);
  return exponent ? scaled : NOT_NORMAL(scaled);
}

inline void Check(ffi::TensorView tensor, const char *words)
{
  Require(tensor.ndim() == 1 && tensor.device().device_type == kDLCPU, words);
  Require(tensor.IsContiguous() && tensor.dtype().lanes == 1, words);
  Require(tensor.data_ptr() || tensor.size(0) == 0, words);
}

inline void Widen(ffi::TensorView x, ffi::TensorView y)
{
  Check(x, "x must be a vector on the CPU");
  Check(y, "y must be a vector on the CPU");
  const bool e5m2 = IS_E5M2(x.dtype().code);
  Require(HAS_TYPE(x.dtype().code), "x has an unsupported dtype");
  Require(y.dtype().code == kDLFloat && y.dtype().bits == 32, "y has an unsupported dtype");
  Require(x.size(0) == y.size(0), "x and y must be as long");
  const unsigned char *from = static_cast<unsigned char *>(x.data_ptr()) + x.byte_offset();
  char *to = static_cast<char *>(y.data_ptr()) + y.byte_offset();
  for (int64_t i = 0; i < x.size(0); ++i) reinterpret_cast<float *>(to)[i] = Wide(from[i], e5m2);
}

}  // namespace widen

TVM_FFI_DLL_EXPORT_TYPED_FUNC(widen, widen::Widen);

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_WIDEN_H_
