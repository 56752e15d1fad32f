// SPDX-License-Identifier: Apache-2.0
// stretch(x, low, high, y): x, so that its least element becomes low and its largest high; where all are the same, low.
// stretch.json describes it with names for parts of formulas. An including file may take others for the
// width and the most that it may be.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_STRETCH_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_STRETCH_H_

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#ifndef WIDTH
#define WIDTH(low, high) ((high) - (low))
#endif
#ifndef WIDEST
#define WIDEST 1000
#endif

namespace stretch
{

namespace ffi = tvm::ffi;

inline void Require(bool condition, const char *words)
{
  if (!condition) TVM_FFI_THROW(ValueError) << words;
}

inline double *Take(const ffi::TensorView &tensor, const char *words)
{
  const DLDataType type = tensor.dtype();
  Require(type.code == kDLFloat && type.bits == 64 && type.lanes == 1, words);
  Require(tensor.ndim() == 1 && tensor.device().device_type == kDLCPU, words);
  Require(tensor.IsContiguous() && (tensor.data_ptr() || tensor.size(0) == 0), words);
  char *bytes = static_cast<char *>(tensor.data_ptr()) + tensor.byte_offset();
  Require(reinterpret_cast<uintptr_t>(bytes) % sizeof(double) == 0, words);
  return reinterpret_cast<double *>(bytes);
}

inline void Stretch(ffi::TensorView x, double low, double high, ffi::TensorView y)
{
  const double *from = Take(x, "x must be a vector of float64 on the CPU");
  double *to = Take(y, "y must be a vector of float64 on the CPU");
  const int64_t count = x.size(0);
  Require(count > 0 && y.size(0) == count, "x and y must have as many elements");
  Require(high - low > 0, "low must be less than high");
  Require(high - low <= WIDEST, "too wide");
  for (int64_t i = 0; i < count; ++i) Require(std::isfinite(from[i]), "x must be finite");
  const double least = *std::min_element(from, from + count);
  const double span = *std::max_element(from, from + count) - least;
  for (int64_t i = 0; i < count; ++i)
    to[i] = low + (from[i] - least) * WIDTH(low, high) / (span > 0 ? span : 1);
}

}  // namespace stretch

TVM_FFI_DLL_EXPORT_TYPED_FUNC(stretch, stretch::Stretch);

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_STRETCH_H_
