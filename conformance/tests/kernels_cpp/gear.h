// SPDX-License-Identifier: Apache-2.0
// gear(x, y, out, mode): out = x + y, or x modulo y for the mode "mod" with vectors of int32 alone, where y must not be
// 0 anywhere. gear.json describes it. An including file may look for that too late, or not at all.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_GEAR_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_GEAR_H_

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/string.h>

#include <cstdint>
#include <string>

#ifndef CHECK_ALL
#define CHECK_ALL(y, count) \
  for (int64_t i = 0; i < (count); ++i) CheckOne((y)[i])
#endif

#ifndef CHECK_HERE
#define CHECK_HERE(y)
#endif

namespace gear
{

namespace ffi = tvm::ffi;

inline void Require(bool condition, const char *words)
{
  if (!condition) TVM_FFI_THROW(ValueError) << words;
}

template <typename T>
inline void CheckOne(T y)
{
  Require(y != 0, "y must not be 0 for mod");
}

inline char *Check(ffi::TensorView tensor, const std::string &name, DLDataType type, int64_t count)
{
  const DLDataType own = tensor.dtype();
  const bool typed = own.code == type.code && own.bits == type.bits && own.lanes == 1;
  Require(typed, (name + " must be of the type of x").c_str());
  Require(tensor.ndim() == 1, (name + " must be a vector").c_str());
  Require(tensor.device().device_type == kDLCPU, (name + " must be on the CPU").c_str());
  Require(tensor.size(0) == count, (name + " must be as long as x").c_str());
  Require(tensor.IsContiguous(), (name + " must be compact").c_str());
  Require(tensor.data_ptr() || count == 0, (name + " must have data").c_str());
  return static_cast<char *>(tensor.data_ptr()) + tensor.byte_offset();
}

template <typename T>
inline void Turn(const char *x, const char *y, char *out, int64_t count, bool mod)
{
  const T *a = reinterpret_cast<const T *>(x), *b = reinterpret_cast<const T *>(y);
  T *to = reinterpret_cast<T *>(out);
  if (mod) CHECK_ALL(b, count);
  for (int64_t i = 0; i < count; ++i) {
    if (mod) {
      CHECK_HERE(b[i]);
    }
    to[i] =
        mod ? static_cast<T>(static_cast<int64_t>(a[i]) % static_cast<int64_t>(b[i])) : a[i] + b[i];
  }
}

inline void Gear(ffi::TensorView x, ffi::TensorView y, ffi::TensorView out, ffi::String mode)
{
  const std::string word(mode.data(), mode.size());
  const DLDataType type = x.dtype();
  const bool whole = type.code == kDLInt && type.bits == 32, mod = word == "mod";
  Require(mod || word == "add", "mode must be add or mod");
  Require(whole || (type.code == kDLFloat && type.bits == 32), "x must be int32 or float32");
  if (mod && !whole) TVM_FFI_THROW(TypeError) << "mod is for int32";
  const int64_t count = x.ndim() == 1 ? x.size(0) : -1;
  const char *from = Check(x, "x", type, count), *by = Check(y, "y", type, count);
  char *to = Check(out, "out", type, count);
  if (whole)
    Turn<int32_t>(from, by, to, count, mod);
  else
    Turn<float>(from, by, to, count, mod);
}

}  // namespace gear

TVM_FFI_DLL_EXPORT_TYPED_FUNC(gear, gear::Gear);

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_GEAR_H_
