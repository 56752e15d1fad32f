// SPDX-License-Identifier: Apache-2.0
// swell(xs, ys, factor) -> array: ys[i] = xs[i] * factor, of pairs of float32 matrices, those of each pair of one shape
// and all of as many columns; it returns sums of rows, one vector for each pair. swell.json describes it. An including
// file may compare less of the pairs behind the first, or return vectors of another length.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_SWELL_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_SWELL_H_

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>

#include <cstddef>
#include <cstdint>

#ifndef IS_LIKE
#define IS_LIKE(i, x, y) ((x).size(0) == (y).size(0))
#endif

#ifndef SUMS_OF
#define SUMS_OF(i, rows) (rows)
#endif

namespace swell
{

namespace ffi = tvm::ffi;

inline void Require(bool condition, const char *words)
{
  if (!condition) TVM_FFI_THROW(ValueError) << words;
}

inline float *Check(const ffi::Tensor &tensor)
{
  if (!tensor.defined()) TVM_FFI_THROW(TypeError) << "None among the matrices";
  const DLDataType type = tensor.dtype();
  Require(tensor.ndim() == 2 && tensor.device().device_type == kDLCPU, "not a matrix on the CPU");
  Require(type.code == kDLFloat && type.bits == 32 && type.lanes == 1, "not of float32");
  Require(tensor.IsContiguous(), "not compact");
  return reinterpret_cast<float *>(static_cast<char *>(tensor.data_ptr()) + tensor.byte_offset());
}

inline ffi::Array<ffi::Tensor> Swell(ffi::Array<ffi::Tensor> xs, ffi::Array<ffi::Tensor> ys,
                                     double factor)
{
  Require(xs.size() == ys.size(), "as many of xs as of ys");
  for (size_t i = 0; i < xs.size(); ++i) {
    Check(xs[i]);
    Check(ys[i]);
    Require(xs[i].size(1) == xs[0].size(1) && ys[i].size(1) == xs[0].size(1), "other columns");
    Require(IS_LIKE(i, xs[i], ys[i]), "rows of a pair differ");
  }
  ffi::Array<ffi::Tensor> sums;
  for (size_t i = 0; i < xs.size(); ++i) {
    const int64_t rows = xs[i].size(0), columns = xs[i].size(1);
    int64_t shape[] = {SUMS_OF(i, rows)};
    ffi::Tensor sum = ffi::Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, ffi::ShapeView(shape, 1),
                                                DLDataType{kDLFloat, 32, 1}, DLDevice{kDLCPU, 0});
    const float *x = Check(xs[i]);
    float *y = Check(ys[i]), *total = static_cast<float *>(sum.data_ptr());
    for (int64_t row = 0; row < rows; ++row) {
      double all = 0;
      for (int64_t column = 0; column < columns; ++column) {
        y[row * columns + column] = static_cast<float>(x[row * columns + column] * factor);
        all += y[row * columns + column];
      }
      total[row] = static_cast<float>(all);
    }
    sums.push_back(sum);
  }
  return sums;
}

}  // namespace swell

TVM_FFI_DLL_EXPORT_TYPED_FUNC(swell, swell::Swell);

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_SWELL_H_
