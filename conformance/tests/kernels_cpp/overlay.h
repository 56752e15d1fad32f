// SPDX-License-Identifier: Apache-2.0
// overlay(x, y, by): x is added to y where `by` is a number, times that; where it is a tensor, one factor for each row.
// Matrices of float32, alike. overlay.json describes it. An including file may leave a check out, or remember factors.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_OVERLAY_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_OVERLAY_H_

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/container/variant.h>
#include <tvm/ffi/function.h>

#include <cstdint>
#include <vector>

#ifndef ARE_ALIKE
#define ARE_ALIKE(x, y) ((x).size(0) == (y).size(0) && (x).size(1) == (y).size(1))
#endif
#ifndef FACTORS
#define FACTORS(data, count) std::vector<float>((data), (data) + (count))
#endif

namespace overlay
{

namespace ffi = tvm::ffi;

inline void Require(bool condition, const char *words)
{
  if (!condition) TVM_FFI_THROW(ValueError) << words;
}

inline float *Check(const ffi::TensorView &tensor, int rank, const char *words)
{
  const DLDataType type = tensor.dtype();
  Require(type.code == kDLFloat && type.bits == 32 && type.lanes == 1, words);
  Require(tensor.ndim() == rank && tensor.device().device_type == kDLCPU, words);
  Require(tensor.IsContiguous() && (tensor.data_ptr() || tensor.numel() == 0), words);
  char *bytes = static_cast<char *>(tensor.data_ptr()) + tensor.byte_offset();
  return reinterpret_cast<float *>(bytes);
}

inline void Overlay(ffi::TensorView x, ffi::TensorView y, ffi::Variant<double, ffi::Tensor> by)
{
  const float *from = Check(x, 2, "x must be a matrix of float32");
  float *to = Check(y, 2, "y must be a matrix of float32");
  Require(ARE_ALIKE(x, y), "x and y must have the same shape");
  std::vector<float> factors;
  if (auto tensor = by.as<ffi::Tensor>()) {
    Require(tensor->defined(), "by must not be None");
    const float *data = Check(*tensor, 1, "by must be a vector of float32");
    Require(tensor->size(0) == x.size(0), "by must have a factor for each row");
    factors = FACTORS(data, tensor->size(0));
  } else {
    factors.assign(static_cast<size_t>(x.size(0)), static_cast<float>(by.get<double>()));
  }
  for (int64_t i = 0; i < x.numel(); ++i)
    to[i] += factors[static_cast<size_t>(i / x.size(1))] * from[i];
}

}  // namespace overlay

TVM_FFI_DLL_EXPORT_TYPED_FUNC(overlay, overlay::Overlay);

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_OVERLAY_H_
