// SPDX-License-Identifier: Apache-2.0
// shares(x, y): which share of all of exp(x) each element has, as a logarithm; minus infinity where it is less
// than a tenth. Vectors of float32 or bfloat16. Nobody describes it. An including file may take one kind of numbers
// for another.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_SHARES_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_SHARES_H_

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#ifndef OF_16_BITS
#define OF_16_BITS(bits) shares::Wide(bits)
#endif
#ifndef INFINITY_OF_16_BITS
#define INFINITY_OF_16_BITS 0xff80
#endif

namespace shares
{

namespace ffi = tvm::ffi;

inline void Require(bool condition, const char *words)
{
  if (!condition) TVM_FFI_THROW(ValueError) << words;
}

inline float Wide(uint16_t bits)
{
  const uint32_t all = uint32_t{bits} << 16;
  float number;
  std::memcpy(&number, &all, sizeof number);
  return number;
}

// The number that float16 has for these bits, but for what is not normal.
inline float Half(uint16_t bits)
{
  const float sign = bits & 0x8000 ? -1.0f : 1.0f;
  return sign * std::ldexp(1.0f + static_cast<float>(bits & 0x3ff) / 1024, (bits >> 10 & 31) - 15);
}

inline char *At(ffi::TensorView tensor, int64_t i)
{
  return static_cast<char *>(tensor.data_ptr()) + tensor.byte_offset() +
         i * tensor.dtype().bits / 8;
}

inline double Read(ffi::TensorView tensor, int64_t i)
{
  if (tensor.dtype().bits == 32) return *reinterpret_cast<float *>(At(tensor, i));
  return OF_16_BITS(*reinterpret_cast<uint16_t *>(At(tensor, i)));
}

inline void Write(ffi::TensorView tensor, int64_t i, double number)
{
  const float rounded = static_cast<float>(number);
  uint32_t bits;
  std::memcpy(&bits, &rounded, sizeof bits);
  bits = std::isinf(rounded) ? INFINITY_OF_16_BITS : (bits + 0x8000) >> 16;
  if (tensor.dtype().bits == 32)
    *reinterpret_cast<float *>(At(tensor, i)) = rounded;
  else
    *reinterpret_cast<uint16_t *>(At(tensor, i)) = static_cast<uint16_t>(bits);
}

inline void Check(ffi::TensorView tensor, const char *words)
{
  const DLDataType type = tensor.dtype();
  Require(tensor.ndim() == 1 && tensor.device().device_type == kDLCPU, words);
  Require(tensor.IsContiguous() && type.lanes == 1, words);
  Require((type.code == kDLFloat && type.bits == 32) || (type.code == kDLBfloat && type.bits == 16),
          words);
  Require(tensor.data_ptr() || tensor.size(0) == 0, words);
}

inline void Shares(ffi::TensorView x, ffi::TensorView y)
{
  Check(x, "x must be a vector of float32 or bfloat16 on the CPU");
  Check(y, "y must be a vector of float32 or bfloat16 on the CPU");
  Require(x.dtype().code == y.dtype().code, "y must have the dtype of x");
  Require(x.size(0) == y.size(0), "x and y must be as long");
  double most = -std::numeric_limits<double>::infinity(), all = 0;
  for (int64_t i = 0; i < x.size(0); ++i) most = std::fmax(most, Read(x, i));
  for (int64_t i = 0; i < x.size(0); ++i) all += std::exp(Read(x, i) - most);
  for (int64_t i = 0; i < x.size(0); ++i) {
    const double share = Read(x, i) - most - std::log(all);
    Write(y, i, share < std::log(0.1) ? -std::numeric_limits<double>::infinity() : share);
  }
}

}  // namespace shares

TVM_FFI_DLL_EXPORT_TYPED_FUNC(shares, shares::Shares);

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_SHARES_H_
