// SPDX-License-Identifier: Apache-2.0
// weigh(x, weight, y): y = 1.5 * x, times the weight where there is one. Any rank, of float32, float64 or
// bfloat16. Nobody describes it. An including file may do one thing wrong.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_WEIGH_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_WEIGH_H_

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/optional.h>

#include <cstdint>
#include <cstring>

#ifndef IS_FLOAT
#define IS_FLOAT(tensor) ((tensor).dtype().code == kDLFloat && (tensor).dtype().bits == 32)
#endif
#ifndef AS_BFLOAT16
#define AS_BFLOAT16(number) weigh::BitsOf(number)
#endif
#ifndef HAS_WEIGHT
#define HAS_WEIGHT(weight) ((weight).has_value())
#endif
#ifndef COUNT
#define COUNT(tensor) weigh::Count(tensor)
#endif

namespace weigh
{

namespace ffi = tvm::ffi;

inline void Require(bool condition, const char *words)
{
  if (!condition) TVM_FFI_THROW(ValueError) << words;
}

inline int64_t Count(ffi::TensorView tensor)
{
  int64_t count = 1;
  for (int i = 0; i < tensor.ndim(); ++i) count *= tensor.size(i);
  return count;
}

inline uint16_t BitsOf(double number)
{
  const float rounded = static_cast<float>(number);
  uint32_t bits;
  std::memcpy(&bits, &rounded, sizeof bits);
  return static_cast<uint16_t>((bits + 0x8000) >> 16);
}

inline char *At(ffi::TensorView tensor, int64_t i)
{
  return static_cast<char *>(tensor.data_ptr()) + tensor.byte_offset() +
         i * tensor.dtype().bits / 8;
}

inline double Read(ffi::TensorView tensor, int64_t i)
{
  if (tensor.dtype().bits == 64) return *reinterpret_cast<double *>(At(tensor, i));
  if (tensor.dtype().bits == 32) return *reinterpret_cast<float *>(At(tensor, i));
  const uint32_t bits = uint32_t{*reinterpret_cast<uint16_t *>(At(tensor, i))} << 16;
  float number;
  std::memcpy(&number, &bits, sizeof number);
  return number;
}

inline void Write(ffi::TensorView tensor, int64_t i, double number)
{
  if (tensor.dtype().bits == 64)
    *reinterpret_cast<double *>(At(tensor, i)) = number;
  else if (tensor.dtype().bits == 32)
    *reinterpret_cast<float *>(At(tensor, i)) = static_cast<float>(number);
  else
    *reinterpret_cast<uint16_t *>(At(tensor, i)) = static_cast<uint16_t>(AS_BFLOAT16(number));
}

inline void Check(ffi::TensorView tensor, ffi::TensorView x, const char *words)
{
  const DLDataType type = tensor.dtype();
  Require(type.lanes == 1 && type.bits == x.dtype().bits, words);
  Require(IS_FLOAT(tensor) || (type.code == kDLFloat && type.bits == 64) ||
              (type.code == kDLBfloat && type.bits == 16),
          words);
  Require(tensor.device().device_type == kDLCPU && tensor.IsContiguous(), words);
  Require(tensor.ndim() == x.ndim(), words);
  for (int i = 0; i < x.ndim(); ++i) Require(tensor.size(i) == x.size(i), words);
  Require(tensor.data_ptr() || Count(tensor) == 0, words);
}

inline void Weigh(ffi::TensorView x, ffi::Optional<ffi::Tensor> weight, ffi::TensorView y)
{
  Require(x.ndim() >= 1, "x must have 1 dimension");
  Check(x, x, "x has a wrong dtype or device");
  Check(y, x, "y must have the shape and the dtype of x");
  ffi::Tensor factors;
  if (HAS_WEIGHT(weight)) {
    factors = weight.value();
    Check(factors, x, "weight must have the shape and the dtype of x");
  }
  for (int64_t i = 0; i < COUNT(x); ++i)
    Write(y, i, 1.5 * Read(x, i) * (factors.defined() ? Read(factors, i) : 1));
}

}  // namespace weigh

TVM_FFI_DLL_EXPORT_TYPED_FUNC(weigh, weigh::Weigh);

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_WEIGH_H_
