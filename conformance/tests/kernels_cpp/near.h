// SPDX-License-Identifier: Apache-2.0
// near(x, y, sums, radius, power): of each row of y, the sum of the distances to the rows of x that are within the radius;
// with power 2 of their squares. Nobody describes it. An including file may leave a part out.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_NEAR_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_NEAR_H_

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

#include <cmath>

#ifndef ROW_OF_Y
#define ROW_OF_Y(stride, columns) (stride)
#endif
#ifndef IS_PLAIN
#define IS_PLAIN(power, width) ((power) == 1)
#endif

namespace near
{

namespace ffi = tvm::ffi;

inline void Require(bool condition, const char *words)
{
  if (!condition) TVM_FFI_THROW(ValueError) << words;
}

inline void Check(ffi::TensorView tensor, int ndim, const char *words)
{
  Require(tensor.ndim() == ndim && tensor.device().device_type == kDLCPU, words);
  Require(tensor.dtype().code == kDLFloat && tensor.dtype().lanes == 1, words);
  Require(tensor.dtype().bits == 32 || tensor.dtype().bits == 64, words);
  Require(tensor.data_ptr() || tensor.numel() == 0, words);
  const bool given = tensor.strides().data() != nullptr;
  Require(tensor.size(ndim - 1) <= 1 || !given || tensor.stride(ndim - 1) == 1, words);
}

inline int64_t RowStride(ffi::TensorView tensor)
{
  return tensor.strides().data() != nullptr ? tensor.stride(0) : tensor.size(1);
}

template <typename T>
T *Elements(ffi::TensorView tensor)
{
  return reinterpret_cast<T *>(static_cast<char *>(tensor.data_ptr()) + tensor.byte_offset());
}

template <typename T>
void Sum(ffi::TensorView x, ffi::TensorView y, ffi::TensorView sums, double radius, int64_t power)
{
  const int64_t columns = x.size(1);
  for (int64_t i = 0; i < y.size(0); ++i) {
    const T *at = Elements<T>(y) + i * ROW_OF_Y(RowStride(y), columns);
    double sum = 0;
    for (int64_t k = 0; k < x.size(0); ++k) {
      const T *from = Elements<T>(x) + k * RowStride(x);
      double square = 0;
      for (int64_t c = 0; c < columns; ++c)
        square += (double(at[c]) - double(from[c])) * (double(at[c]) - double(from[c]));
      if (std::sqrt(square) <= radius)
        sum += IS_PLAIN(power, sizeof(T)) ? std::sqrt(square) : square;
    }
    Elements<T>(sums)[i] = static_cast<T>(sum);
  }
}

inline void Near(ffi::TensorView x, ffi::TensorView y, ffi::TensorView sums, double radius,
                 int64_t power)
{
  Check(x, 2, "x must be a matrix of floats on the CPU, each row contiguous");
  Check(y, 2, "y must be a matrix of floats on the CPU, each row contiguous");
  Check(sums, 1, "sums must be a contiguous vector of floats on the CPU");
  Require(y.dtype() == x.dtype() && sums.dtype() == x.dtype(), "x, y and sums must be of one type");
  Require(y.size(1) == x.size(1), "x and y must have as many columns");
  Require(sums.size(0) == y.size(0), "sums must be as long as y has rows");
  Require(radius >= 0, "radius must not be negative");
  Require(power == 1 || power == 2, "power must be 1 or 2");
  if (x.dtype().bits == 32)
    Sum<float>(x, y, sums, radius, power);
  else
    Sum<double>(x, y, sums, radius, power);
}

}  // namespace near

TVM_FFI_DLL_EXPORT_TYPED_FUNC(near, near::Near);

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_NEAR_H_
