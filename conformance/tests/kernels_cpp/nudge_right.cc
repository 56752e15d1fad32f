// SPDX-License-Identifier: Apache-2.0
// passes
// nudge(x, out): out is x and one more, of int32 or int64. One more than a number that float32 does not hold may be one
// that it does.
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

namespace ffi = tvm::ffi;

static void Require(bool condition, const char *words)
{
  if (!condition) TVM_FFI_THROW(ValueError) << words;
}

template <typename T>
static void Add(const ffi::TensorView &x, const ffi::TensorView &out)
{
  const T *from = reinterpret_cast<const T *>(static_cast<const char *>(x.data_ptr()) + x.byte_offset());
  T *to = reinterpret_cast<T *>(static_cast<char *>(out.data_ptr()) + out.byte_offset());
  for (int64_t i = 0; i < x.size(0); ++i) to[i] = static_cast<T>(static_cast<uint64_t>(from[i]) + 1);
}

static void Check(const ffi::TensorView &tensor, const char *words)
{
  const DLDataType type = tensor.dtype();
  Require(type.code == kDLInt && (type.bits == 32 || type.bits == 64) && type.lanes == 1, words);
  Require(tensor.ndim() == 1 && tensor.device().device_type == kDLCPU && tensor.IsContiguous(), words);
  Require(tensor.data_ptr() || tensor.numel() == 0, words);
}

static void Nudge(ffi::TensorView x, ffi::TensorView out)
{
  Check(x, "x must be a compact vector of int32 or int64 on the CPU");
  Check(out, "out must be a compact vector of int32 or int64 on the CPU");
  Require(x.dtype().bits == out.dtype().bits, "out must be of the type of x");
  Require(x.size(0) == out.size(0), "out must be as long as x");
  if (x.dtype().bits == 32)
    Add<int32_t>(x, out);
  else
    Add<int64_t>(x, out);
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(nudge, Nudge);
