// SPDX-License-Identifier: Apache-2.0
// relax(f, x, out): out is what comes of three turns y = f(y), from x on, vectors of float64; an error if it leaves
// 0 to 1000. relax.json describes it. An including file may look for elements where they are not, or take other types.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_RELAX_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_RELAX_H_

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>

#include <cmath>
#include <vector>

#ifndef STRIDE
#define STRIDE(tensor) ((tensor).size(0) > 1 ? (tensor).stride(0) : 1)
#endif

// The elements of what f returns.
#ifndef ELEMENTS
#define ELEMENTS(view, count) Check(view, count, 64, "f must return a vector like x")
#endif

namespace relax
{

namespace ffi = tvm::ffi;

inline void Require(bool condition, const char *words)
{
  if (!condition) TVM_FFI_THROW(ValueError) << words;
}

inline double *Check(const ffi::TensorView &tensor, int64_t count, int least_bits,
                     const char *words)
{
  const DLDataType type = tensor.dtype();
  Require(type.code == kDLFloat && (type.bits == 64 || type.bits == least_bits), words);
  Require(type.lanes == 1, words);
  Require(tensor.ndim() == 1 && (count < 0 || tensor.size(0) == count), words);
  Require(tensor.device().device_type == kDLCPU, words);
  Require(tensor.data_ptr() || tensor.size(0) == 0, words);
  return reinterpret_cast<double *>(static_cast<char *>(tensor.data_ptr()) + tensor.byte_offset());
}

inline void Relax(ffi::Function f, ffi::TensorView x, ffi::TensorView out)
{
  if (!f.defined()) TVM_FFI_THROW(TypeError) << "f must not be None";
  const double *from = Check(x, -1, 64, "x must be a vector of float64 on the CPU");
  const int64_t count = x.size(0);
  double *to = Check(out, count, 64, "out must be a vector like x");
  Require(x.IsContiguous() && out.IsContiguous(), "x and out must be compact");
  std::vector<double> y(from, from + count);
  for (int turn = 0; turn < 3; ++turn) {
    int64_t shape[] = {count};
    ffi::Tensor given = ffi::Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, ffi::ShapeView(shape, 1),
                                                  DLDataType{kDLFloat, 64, 1}, DLDevice{kDLCPU, 0});
    std::copy(y.begin(), y.end(), static_cast<double *>(given.data_ptr()));
    const ffi::Tensor made = f(given).cast<ffi::Tensor>();
    const ffi::TensorView view(made);
    const double *at = ELEMENTS(view, count);
    const int64_t stride = STRIDE(view);
    for (int64_t i = 0; i < count; ++i) y[static_cast<size_t>(i)] = at[i * stride];
    for (double one : y) Require(one > 0 && one <= 1000, "it leaves 0 to 1000");
  }
  std::copy(y.begin(), y.end(), to);
}

}  // namespace relax

TVM_FFI_DLL_EXPORT_TYPED_FUNC(relax, relax::Relax);

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_RELAX_H_
