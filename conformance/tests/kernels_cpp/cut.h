// SPDX-License-Identifier: Apache-2.0
// y[i] is the sum of the i-th part of x, of which lengths has the elements, 100 at most. An including file
// says which lengths are taken.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_CUT_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_CUT_H_

#include <tvm/ffi/container/array.h>

#include "vector.h"

#ifndef IS_LENGTH
#define IS_LENGTH(length) ((length) >= 0 && (length) <= 100)
#endif

namespace kernels
{

inline void Cut(ffi::TensorView x, ffi::Array<int64_t> lengths, ffi::TensorView y)
{
  CheckVector(x, "x", kDLCPU);
  CheckVector(y, "y", kDLCPU);
  int64_t all = 0;
  for (int64_t length : lengths) {
    if (!(IS_LENGTH(length))) TVM_FFI_THROW(ValueError) << "lengths must be from 0 to 100";
    all += length;
  }
  if (all != x.size(0) || static_cast<int64_t>(lengths.size()) != y.size(0))
    TVM_FFI_THROW(ValueError) << "lengths must have a part of x for each element of y";
  int64_t at = 0;
  for (size_t i = 0; i < lengths.size(); ++i) {
    float sum = 0;
    for (int64_t k = 0; k < lengths[i]; ++k) sum += FloatsOf(x)[at++];
    FloatsOf(y)[i] = sum;
  }
}

}  // namespace kernels

TVM_FFI_DLL_EXPORT_TYPED_FUNC(cut, kernels::Cut);

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_CUT_H_
