// SPDX-License-Identifier: Apache-2.0
// passes
// rack(a, b, c, d, e, f) -> float: the sum of all tensors in six arrays of three each. Wrong calls of it take more guarded memory
// than there is. rack.json says so.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

namespace ffi = tvm::ffi;

using Shelf = ffi::Array<ffi::Tensor>;

#ifndef LAST_IS_CHECKED
#define LAST_IS_CHECKED true
#endif

static void Require(bool condition, const char *words)
{
  if (!condition) TVM_FFI_THROW(ValueError) << words;
}

static double Sum(const ffi::Tensor &tensor, bool checked)
{
  Require(tensor.defined(), "a tensor must be defined");
  const DLDataType type = tensor.dtype();
  Require(type.code == kDLFloat && type.bits == 64 && type.lanes == 1, "a tensor must be of float64");
  Require(tensor.device().device_type == kDLCPU && tensor.IsContiguous(), "a tensor must be compact, on the CPU");
  Require(tensor.ndim() == 1 && (!checked || tensor.size(0) == 2), "a tensor must be a vector of 2");
  const double *element =
      reinterpret_cast<const double *>(static_cast<const char *>(tensor.data_ptr()) + tensor.byte_offset());
  double sum = 0;
  for (int64_t i = 0; i < tensor.size(0); ++i) sum += element[i];
  return sum;
}

static double Rack(Shelf a, Shelf b, Shelf c, Shelf d, Shelf e, Shelf f)
{
  double sum = 0;
  for (const Shelf *shelf : {&a, &b, &c, &d, &e, &f}) {
    Require(shelf->size() == 3, "a shelf must hold three tensors");
    for (const ffi::Tensor &tensor : *shelf) sum += Sum(tensor, shelf != &f || LAST_IS_CHECKED);
  }
  return sum;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(rack, Rack);
