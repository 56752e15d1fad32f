// SPDX-License-Identifier: Apache-2.0
// passes
// comb(x, scale, parts): differences of neighbours, and with two parts x times scale. Of equal elements rounding
// leaves something else than of the formula. `scale` must not be NaN.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/container/variant.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>

#include <cmath>
#include <cstdint>

namespace ffi = tvm::ffi;

static const double *Check(ffi::TensorView tensor, const char *name)
{
  const DLDataType type = tensor.dtype();
  if (type.code != kDLFloat || type.bits != 64 || type.lanes != 1)
    TVM_FFI_THROW(TypeError) << name << " must be of float64";
  if (tensor.ndim() != 1) TVM_FFI_THROW(ValueError) << name << " must be a vector";
  if (tensor.device().device_type != kDLCPU) TVM_FFI_THROW(ValueError) << name << " is elsewhere";
  if (!tensor.IsContiguous()) TVM_FFI_THROW(ValueError) << name << " must be contiguous";
  if (!tensor.data_ptr() && tensor.size(0) > 0) TVM_FFI_THROW(ValueError) << name << " has no data";
  const char *bytes = static_cast<const char *>(tensor.data_ptr()) + tensor.byte_offset();
  return reinterpret_cast<const double *>(bytes);
}

static double ScaleOf(const ffi::Variant<double, ffi::Tensor> &scale)
{
  double value;
  if (auto tensor = scale.as<ffi::Tensor>()) {
    if (!tensor->defined()) TVM_FFI_THROW(TypeError) << "scale must not be None";
    const double *element = Check(*tensor, "scale");
    if (tensor->size(0) != 1) TVM_FFI_THROW(ValueError) << "scale must have one element";
    value = *element;
  } else {
    value = scale.get<double>();
  }
  if (std::isnan(value)) TVM_FFI_THROW(ValueError) << "scale must not be NaN";
  return value;
}

static ffi::Array<ffi::Tensor> Comb(ffi::TensorView x, ffi::Variant<double, ffi::Tensor> scale,
                                    int64_t parts)
{
  const double *from = Check(x, "x"), by = ScaleOf(scale);
  const int64_t n = x.size(0), shape[] = {n};
  if (parts < 1 || parts > 2) TVM_FFI_THROW(ValueError) << "parts must be 1 or 2";
  ffi::Array<ffi::Tensor> result;
  for (int64_t part = 0; part < parts; ++part) {
    const auto made = ffi::Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, ffi::ShapeView(shape, 1),
                                                x.dtype(), x.device());
    auto *to = static_cast<double *>(made.data_ptr());
    for (int64_t i = 0; i < n; ++i)
      to[i] = part ? by * from[i]
                   : 0.2 * from[(i + 1) % n] - 0.3 * from[(i + 2) % n] + 0.1 * from[i];
    result.push_back(made);
  }
  return result;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(comb, Comb)
