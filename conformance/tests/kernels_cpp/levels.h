// SPDX-License-Identifier: Apache-2.0
// levels(x, y): each element of x as one of 256 levels between the least and the largest, to the nearest; worked out
// in float64, where a step is not what it is in a longer float: halfway between two levels either is right.
// levels.json describes it. An including file may round in another way.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_LEVELS_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_LEVELS_H_

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#ifndef ROUND
#define ROUND(level) std::nearbyint(level)
#endif

namespace levels
{

namespace ffi = tvm::ffi;

inline void Require(bool condition, const char *words)
{
  if (!condition) TVM_FFI_THROW(ValueError) << words;
}

template <typename Element>
Element *Take(const ffi::TensorView &tensor, uint8_t code, const char *words)
{
  const DLDataType type = tensor.dtype();
  Require(type.code == code && type.bits == 8 * sizeof(Element) && type.lanes == 1, words);
  Require(tensor.ndim() == 1 && tensor.device().device_type == kDLCPU, words);
  Require(tensor.IsContiguous() && (tensor.data_ptr() || tensor.size(0) == 0), words);
  char *bytes = static_cast<char *>(tensor.data_ptr()) + tensor.byte_offset();
  Require(reinterpret_cast<uintptr_t>(bytes) % sizeof(Element) == 0, words);
  return reinterpret_cast<Element *>(bytes);
}

inline void Levels(ffi::TensorView x, ffi::TensorView y)
{
  const float *from = Take<float>(x, kDLFloat, "x must be a vector of float32 on the CPU");
  uint8_t *to = Take<uint8_t>(y, kDLUInt, "y must be a vector of uint8 on the CPU");
  const int64_t count = x.size(0);
  Require(count > 0 && y.size(0) == count, "x and y must have as many elements");
  double least = from[0], most = from[0];
  for (int64_t i = 0; i < count; ++i) {
    Require(std::isfinite(from[i]), "x must be finite");
    least = std::min<double>(least, from[i]);
    most = std::max<double>(most, from[i]);
  }
  const double step = most > least ? (most - least) / 255 : 1;
  for (int64_t i = 0; i < count; ++i) to[i] = static_cast<uint8_t>(ROUND((from[i] - least) / step));
}

}  // namespace levels

TVM_FFI_DLL_EXPORT_TYPED_FUNC(levels, levels::Levels);

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_LEVELS_H_
