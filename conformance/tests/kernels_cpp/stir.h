// SPDX-License-Identifier: Apache-2.0
// stir(x, y, times, mode): y += times * x, or y -= times * x, elements of one type that are not negative.
// Nobody says how it is called. An including file may check late, compute in another type, or look at less of
// the mode.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_STIR_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_STIR_H_

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/string.h>

#include <string>

#ifndef CHECKS_FIRST
#define CHECKS_FIRST true
#endif
#ifndef CHECKS_ELEMENTS_FIRST
#define CHECKS_ELEMENTS_FIRST true
#endif
// The type in which one of T is computed.
#ifndef COMPUTED_AS
#define COMPUTED_AS(T) T
#endif
#ifndef IS_MODE
#define IS_MODE(mode, name) ((mode) == (name))
#endif
#ifndef DIFFERENCE
#define DIFFERENCE(held, less) ((held) - (less))
#endif

namespace stirring
{

namespace ffi = tvm::ffi;

inline char *DataOf(const ffi::TensorView &tensor)
{
  return static_cast<char *>(tensor.data_ptr()) + tensor.byte_offset();
}

inline void CheckTensor(const ffi::TensorView &tensor, const char *name)
{
  if (tensor.device().device_type != kDLCPU)
    TVM_FFI_THROW(ValueError) << name << " must be on the CPU";
  if (tensor.ndim() != 1) TVM_FFI_THROW(ValueError) << name << " must have 1 dimension";
  if (!tensor.IsContiguous()) TVM_FFI_THROW(ValueError) << name << " must be compact";
  if (!tensor.data_ptr() && tensor.size(0) != 0)
    TVM_FFI_THROW(ValueError) << name << " has no data";
}

inline void CheckTimes(int64_t times)
{
  if (times < 1 || times > 100) TVM_FFI_THROW(ValueError) << "times must be from 1 to 100";
}

template <typename T>
void CheckElement(T element)
{
  if (!(element >= 0)) TVM_FFI_THROW(ValueError) << "an element of x is negative";
}

template <typename T>
void StirAs(const ffi::TensorView &x, const ffi::TensorView &y, int64_t times, bool subtract)
{
  using C = COMPUTED_AS(T);
  const T *from = reinterpret_cast<const T *>(DataOf(x));
  T *to = reinterpret_cast<T *>(DataOf(y));
  const int64_t count = x.size(0);
  for (int64_t i = 0; CHECKS_ELEMENTS_FIRST && i < count; ++i) CheckElement(from[i]);
  for (int64_t i = 0; i < count; ++i) {
    CheckElement(from[i]);
    const C more = static_cast<C>(times) * static_cast<C>(from[i]), held = static_cast<C>(to[i]);
    to[i] = static_cast<T>(subtract ? DIFFERENCE(held, more) : held + more);
  }
}

inline void Stir(ffi::TensorView x, ffi::TensorView y, int64_t times, ffi::String mode)
{
  const std::string name(mode.data(), mode.size());
  const bool add = IS_MODE(name, std::string("add"));
  if (!add && !IS_MODE(name, std::string("subtract")))
    TVM_FFI_THROW(ValueError) << "mode must be add or subtract";
  CheckTensor(x, "x");
  CheckTensor(y, "y");
  if (x.size(0) != y.size(0)) TVM_FFI_THROW(ValueError) << "x and y must be as long";
  const DLDataType type = x.dtype();
  if (type.code != y.dtype().code || type.bits != y.dtype().bits || y.dtype().lanes != 1)
    TVM_FFI_THROW(TypeError) << "argument 0, x, and argument 1, y, must be of one type";
  if (CHECKS_FIRST) CheckTimes(times);
  if (type.lanes != 1) {
    TVM_FFI_THROW(TypeError) << "x must be float32, float64 or int64";
  } else if (type.code == kDLFloat && type.bits == 32) {
    StirAs<float>(x, y, times, !add);
  } else if (type.code == kDLFloat && type.bits == 64) {
    StirAs<double>(x, y, times, !add);
  } else if (type.code == kDLInt && type.bits == 64) {
    StirAs<int64_t>(x, y, times, !add);
  } else {
    TVM_FFI_THROW(TypeError) << "x must be float32, float64 or int64";
  }
  CheckTimes(times);
}

}  // namespace stirring

TVM_FFI_DLL_EXPORT_TYPED_FUNC(stir, stirring::Stir)

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_STIR_H_
