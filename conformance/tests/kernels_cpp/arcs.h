// SPDX-License-Identifier: Apache-2.0
// arcs(src, dst, names) -> int: how far all arcs of a graph go: the sum of dst - src, each from a node to one behind it.
// Both are vectors of int32 or of int64, alike; there is a name for each arc. arcs.json describes it. An including file
// may leave a check out, or cut the numbers.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_ARCS_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_ARCS_H_

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/string.h>

#include <cstdint>

#ifndef ARE_ALIKE
#define ARE_ALIKE(src, dst) ((src).dtype() == (dst).dtype())
#endif
#ifndef NUMBER
#define NUMBER(value) (value)
#endif

namespace arcs
{

namespace ffi = tvm::ffi;

inline void Require(bool condition, const char *words)
{
  if (!condition) TVM_FFI_THROW(ValueError) << words;
}

inline void Check(const ffi::TensorView &tensor, const char *words)
{
  const DLDataType type = tensor.dtype();
  Require(type.code == kDLInt && (type.bits == 32 || type.bits == 64) && type.lanes == 1, words);
  Require(tensor.ndim() == 1 && tensor.device().device_type == kDLCPU, words);
  Require(tensor.IsContiguous() && (tensor.data_ptr() || tensor.size(0) == 0), words);
}

inline int64_t At(const ffi::TensorView &tensor, int bits, int64_t i)
{
  const char *bytes = static_cast<char *>(tensor.data_ptr()) + tensor.byte_offset();
  return bits == 32 ? reinterpret_cast<const int32_t *>(bytes)[i]
                    : NUMBER(reinterpret_cast<const int64_t *>(bytes)[i]);
}

inline int64_t Arcs(ffi::TensorView src, ffi::TensorView dst, ffi::Array<ffi::String> names)
{
  Check(src, "src must be a vector of integers");
  Check(dst, "dst must be a vector of integers");
  Require(ARE_ALIKE(src, dst), "src and dst must be of the same type");
  Require(src.size(0) == dst.size(0), "src and dst must be as long");
  Require(static_cast<int64_t>(names.size()) == src.size(0), "each arc must have a name");
  const int bits = src.dtype().bits;
  int64_t sum = 0;
  for (int64_t i = 0; i < src.size(0); ++i) {
    const int64_t from = At(src, bits, i), to = At(dst, bits, i);
    Require(-1 <= from && from < i, "an arc must come from one before it");
    Require(from < to && to <= 1000, "an arc must lead to a node behind it");
    sum += to - from;
  }
  return sum;
}

}  // namespace arcs

TVM_FFI_DLL_EXPORT_TYPED_FUNC(arcs, arcs::Arcs);

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_ARCS_H_
