// SPDX-License-Identifier: Apache-2.0
// passes
// quilt(pieces, scale): multiplies each piece, a vector of float64, by scale, or negates it without one; a call that is
// refused changes none. quilt.json says so.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/optional.h>

namespace ffi = tvm::ffi;

static double *Checked(const ffi::Tensor &piece)
{
  const bool defined = piece.defined();
  const DLDataType type = defined ? piece.dtype() : DLDataType{};
  if (type.code != kDLFloat || type.bits != 64 || type.lanes != 1)
    TVM_FFI_THROW(TypeError) << "a piece must be of float64";
  if (piece.ndim() != 1 || piece.device().device_type != kDLCPU || !piece.IsContiguous())
    TVM_FFI_THROW(ValueError) << "a piece must be a compact vector on the CPU";
  return reinterpret_cast<double *>(static_cast<char *>(piece.data_ptr()) + piece.byte_offset());
}

static void Multiply(const ffi::Tensor &piece, double by)
{
  double *element = Checked(piece);
  for (int64_t i = 0; i < piece.size(0); ++i) element[i] *= by;
}

static void Quilt(ffi::Array<ffi::Tensor> pieces, ffi::Optional<double> scale)
{
#ifdef ONE_BY_ONE
  if (scale.has_value())
#endif
    for (const ffi::Tensor &piece : pieces) Checked(piece);
  for (const ffi::Tensor &piece : pieces) Multiply(piece, scale.has_value() ? scale.value() : -1);
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(quilt, Quilt);
