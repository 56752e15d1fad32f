// SPDX-License-Identifier: Apache-2.0
// lift(x, skip, y): y = x + 1, or nothing where skip is set. An including file may look for the elements of x in another
// place.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_LIFT_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_LIFT_H_

#include "vector.h"

#ifndef FLOATS_OF_X
#define FLOATS_OF_X(x) FloatsOf(x)
#endif
#ifndef CHECKS_X
#define CHECKS_X(x) CheckVector(x, "x", kDLCPU)
#endif

namespace kernels
{

inline void Lift(ffi::TensorView x, ffi::TensorView skip, ffi::TensorView y)
{
  CHECKS_X(x);
  CheckVector(skip, "skip", kDLCPU);
  CheckVector(y, "y", kDLCPU);
  CheckSameLength(x, y);
  if (skip.size(0) != 1) TVM_FFI_THROW(ValueError) << "skip must have one element";
  if (FloatsOf(skip)[0] != 0) return;
  for (int64_t i = 0; i < x.size(0); ++i) FloatsOf(y)[i] = FLOATS_OF_X(x)[i] + 1;
}

}  // namespace kernels

TVM_FFI_DLL_EXPORT_TYPED_FUNC(lift, kernels::Lift);

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_LIFT_H_
