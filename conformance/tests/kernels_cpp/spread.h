// SPDX-License-Identifier: Apache-2.0
// spread(x, factor, shares, y): y = factor * x, rows of floats, in so many shares of rows. Nobody describes it. An
// including file may leave out a rest, or what comes to 0.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_SPREAD_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_SPREAD_H_

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>

#include <algorithm>
#include <cmath>

// The rows of one of so many shares.
#ifndef ROWS_OF_SHARE
#define ROWS_OF_SHARE(rows, shares) (((rows) + (shares)-1) / (shares))
#endif
// Whether the work can be left out.
#ifndef LEAVES_OUT
#define LEAVES_OUT(factor) false
#endif

namespace spread
{

namespace ffi = tvm::ffi;

inline void Require(bool condition, const char *words)
{
  if (!condition) TVM_FFI_THROW(ValueError) << words;
}

inline float *Rows(ffi::TensorView tensor, const char *words)
{
  const DLDataType type = tensor.dtype();
  Require(tensor.ndim() == 2 && tensor.device().device_type == kDLCPU, words);
  Require(type.code == kDLFloat && type.bits == 32 && type.lanes == 1, words);
  Require(tensor.IsContiguous() && (tensor.data_ptr() || tensor.numel() == 0), words);
  return reinterpret_cast<float *>(static_cast<char *>(tensor.data_ptr()) + tensor.byte_offset());
}

inline void Spread(ffi::TensorView x, double factor, int64_t shares, ffi::TensorView y)
{
  const float *from = Rows(x, "x must be compact rows of float32 on the CPU");
  float *to = Rows(y, "y must be compact rows of float32 on the CPU");
  Require(y.size(0) == x.size(0), "y must have as many rows as x");
  Require(y.size(1) == x.size(1), "y must have as many columns as x");
  Require(std::isfinite(factor), "factor must be finite");
  Require(shares >= 1 && shares <= 16, "shares must be 1 to 16");
  if (LEAVES_OUT(factor)) return;
  const int64_t rows = x.size(0), each = ROWS_OF_SHARE(rows, shares), columns = x.size(1);
  for (int64_t share = 0; share < shares; ++share)
    for (int64_t i = share * each; i < std::min((share + 1) * each, rows); ++i)
      for (int64_t k = 0; k < columns; ++k)
        to[i * columns + k] =
            static_cast<float>(factor * static_cast<double>(from[i * columns + k]));
}

}  // namespace spread

TVM_FFI_DLL_EXPORT_TYPED_FUNC(spread, spread::Spread)

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_SPREAD_H_
