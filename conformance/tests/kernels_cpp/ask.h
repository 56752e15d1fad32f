// SPDX-License-Identifier: Apache-2.0
// ask(f, x) -> float: the sum of what f gives for the vector x, a vector like it whose numbers are none or of a usual
// size. ask.json describes it. An including file may look at less of what f gives.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_ASK_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_ASK_H_

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

#include <cmath>
#include <cstdint>

#ifndef IS_FLOAT64
#define IS_FLOAT64(type) ((type).code == kDLFloat && (type).bits == 64 && (type).lanes == 1)
#endif
#ifndef IS_LIKE
#define IS_LIKE(given, x) ((given).size(0) == (x).size(0))
#endif

namespace asking
{

namespace ffi = tvm::ffi;

inline void Require(bool condition, const char *words)
{
  if (!condition) TVM_FFI_THROW(ValueError) << words;
}

inline double *Check(const ffi::Tensor &tensor, bool is_of_type, const char *words)
{
  Require(is_of_type && tensor.ndim() == 1 && tensor.device().device_type == kDLCPU, words);
  Require(tensor.IsContiguous() && (tensor.data_ptr() || tensor.size(0) == 0), words);
  char *bytes = static_cast<char *>(tensor.data_ptr()) + tensor.byte_offset();
  return reinterpret_cast<double *>(bytes);
}

inline double Ask(ffi::Function f, ffi::Tensor x)
{
  Require(f.defined(), "f must not be None");
  Require(x.defined(), "x must not be None");
  const DLDataType type = x.dtype();
  const bool is_double = type.code == kDLFloat && type.bits == 64 && type.lanes == 1;
  Check(x, is_double, "x must be a vector of float64");
  const ffi::Tensor given = f(x).cast<ffi::Tensor>();
  Require(given.defined(), "f must not give None");
  const double *numbers =
      Check(given, IS_FLOAT64(given.dtype()), "f must give a vector of float64");
  Require(IS_LIKE(given, x), "f must give a vector like x");
  double sum = 0;
  for (int64_t i = 0; i < x.size(0); ++i) {
    const double size = std::fabs(numbers[i]);
    Require(size == 0 || (size > 1e-6 && size < 1e6), "f gives numbers of no usual size");
    sum += numbers[i];
  }
  return sum;
}

}  // namespace asking

TVM_FFI_DLL_EXPORT_TYPED_FUNC(ask, asking::Ask);

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_ASK_H_
