// SPDX-License-Identifier: Apache-2.0
// mask(x, keep, fill): rows of x whose element of keep is 0 are filled, with -inf if fill is None. Nobody describes it. An including file may give the
// bits of another type.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_MASK_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_MASK_H_

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/optional.h>

#include <cmath>
#include <cstring>

#ifndef BITS_OF_BFLOAT
#define BITS_OF_BFLOAT(fill) BfloatOf(fill)
#endif

namespace mask
{

namespace ffi = tvm::ffi;

inline void Require(bool condition, const char *words)
{
  if (!condition) TVM_FFI_THROW(ValueError) << words;
}

inline void Check(ffi::TensorView tensor, int ndim, const char *words)
{
  Require(tensor.ndim() == ndim && tensor.device().device_type == kDLCPU, words);
  Require(tensor.IsContiguous() && (tensor.data_ptr() || tensor.numel() == 0), words);
}

template <typename T>
T *Elements(ffi::TensorView tensor)
{
  return reinterpret_cast<T *>(static_cast<char *>(tensor.data_ptr()) + tensor.byte_offset());
}

inline uint32_t BitsOf(float fill)
{
  uint32_t bits;
  std::memcpy(&bits, &fill, sizeof bits);
  return bits;
}

inline uint16_t BfloatOf(float fill)
{
  return uint16_t(BitsOf(fill) >> 16);
}

// Of numbers from 2 ** -14 to 65504, and infinities.
inline uint16_t HalfOf(float fill)
{
  const uint32_t bits = BitsOf(fill), rest = bits & 0x7fffffff;
  const uint32_t half = std::isinf(fill)    ? 0x7c00
                        : rest < 0x38800000 ? 0
                                            : (rest - 0x38000000) >> 13;
  return uint16_t((bits >> 16 & 0x8000) | half);
}

template <typename T>
void Fill(ffi::TensorView x, const int32_t *keep, T fill)
{
  const int64_t columns = x.size(1);
  for (int64_t i = 0; i < x.numel(); ++i)
    if (keep[i / columns] == 0) Elements<T>(x)[i] = fill;
}

inline void Mask(ffi::TensorView x, ffi::TensorView keep, ffi::Optional<double> given)
{
  Check(x, 2, "x must be a contiguous matrix on the CPU");
  Check(keep, 1, "keep must be a contiguous vector on the CPU");
  Require(keep.dtype() == DLDataType{kDLInt, 32, 1}, "keep must be of int32");
  Require(keep.size(0) == x.size(0), "keep must have an element for each row of x");
  const double fill = given.has_value() ? given.value() : -INFINITY;
  Require(!given.has_value() || std::fabs(fill) <= 60000, "fill must be within 60000");
  const int32_t *kept = Elements<const int32_t>(keep);
  if (x.dtype() == DLDataType{kDLFloat, 32, 1})
    Fill<float>(x, kept, float(fill));
  else if (x.dtype() == DLDataType{kDLFloat, 16, 1})
    Fill<uint16_t>(x, kept, HalfOf(float(fill)));
  else if (x.dtype() == DLDataType{kDLBfloat, 16, 1})
    Fill<uint16_t>(x, kept, BITS_OF_BFLOAT(float(fill)));
  else
    TVM_FFI_THROW(TypeError) << "x must be of float32, float16 or bfloat16";
}

}  // namespace mask

TVM_FFI_DLL_EXPORT_TYPED_FUNC(mask, mask::Mask);

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_MASK_H_
