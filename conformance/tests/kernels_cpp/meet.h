// SPDX-License-Identifier: Apache-2.0
// meet(x, one, other, y): y[i] = x[one[i]] + x[other[i]], the places of 64 bits. Nobody says how it is called. An
// including file may leave a check of a place out, or check it when it was cut.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_MEET_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_MEET_H_

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>

#ifndef PLACE
#define PLACE(number) (number)
#endif
#ifndef CHECKS_ONE
#define CHECKS_ONE true
#endif
#ifndef CHECKS_OTHER
#define CHECKS_OTHER true
#endif

namespace meeting
{

namespace ffi = tvm::ffi;

template <typename T>
T *DataOf(const ffi::TensorView &tensor)
{
  return reinterpret_cast<T *>(static_cast<char *>(tensor.data_ptr()) + tensor.byte_offset());
}

inline void CheckTensor(const ffi::TensorView &tensor, const char *name, DLDataTypeCode code,
                        int bits)
{
  const DLDataType type = tensor.dtype();
  if (tensor.device().device_type != kDLCPU)
    TVM_FFI_THROW(ValueError) << name << " must be on the CPU";
  if (type.code != code || type.bits != bits || type.lanes != 1)
    TVM_FFI_THROW(TypeError) << name << " must be " << (code == kDLInt ? "int64" : "float32");
  if (tensor.ndim() != 1) TVM_FFI_THROW(ValueError) << name << " must have 1 dimension";
  if (!tensor.IsContiguous()) TVM_FFI_THROW(ValueError) << name << " must be compact";
  if (!tensor.data_ptr() && tensor.size(0) != 0)
    TVM_FFI_THROW(ValueError) << name << " has no data";
}

inline void CheckPlaces(const ffi::TensorView &places, const char *name, int64_t extent)
{
  for (int64_t i = 0; i < places.size(0); ++i) {
    const int64_t place = PLACE(DataOf<int64_t>(places)[i]);
    if (place < 0 || place >= extent)
      TVM_FFI_THROW(IndexError) << "an element of " << name << " is out of range";
  }
}

inline void Meet(ffi::TensorView x, ffi::TensorView one, ffi::TensorView other, ffi::TensorView y)
{
  CheckTensor(x, "x", kDLFloat, 32);
  CheckTensor(one, "one", kDLInt, 64);
  CheckTensor(other, "other", kDLInt, 64);
  CheckTensor(y, "y", kDLFloat, 32);
  if (one.size(0) != y.size(0) || other.size(0) != y.size(0))
    TVM_FFI_THROW(ValueError) << "one, other and y must be as long";
  if (CHECKS_ONE) CheckPlaces(one, "one", x.size(0));
  if (CHECKS_OTHER) CheckPlaces(other, "other", x.size(0));
  for (int64_t i = 0; i < y.size(0); ++i)
    DataOf<float>(y)[i] = DataOf<float>(x)[PLACE(DataOf<int64_t>(one)[i])] +
                          DataOf<float>(x)[PLACE(DataOf<int64_t>(other)[i])];
}

}  // namespace meeting

TVM_FFI_DLL_EXPORT_TYPED_FUNC(meet, meeting::Meet)

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_MEET_H_
