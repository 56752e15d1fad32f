// SPDX-License-Identifier: Apache-2.0
// score(x, weights, label): an array of the sum of x, with weights where there are some, and of `label` behind it. An
// including file may leave out a check, or make the label in another way.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_SCORE_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_SCORE_H_

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/string.h>

#include "vector.h"

#ifndef CHECKS_LENGTH
#define CHECKS_LENGTH(x, weights) CheckSameLength(x, weights)
#endif
#ifndef LABEL_OF
#define LABEL_OF(label) (label)
#endif

namespace kernels
{

// The same text in a string of its own, whose first reference nobody gives back.
inline ffi::String LeakedLabel(const ffi::String &label)
{
  const TVMFFIByteArray text = {label.data(), label.size()};
  TVMFFIAny made;
  TVM_FFI_CHECK_SAFE_CALL(TVMFFIStringFromByteArray(&text, &made));
  return ffi::AnyView::CopyFromTVMFFIAny(made).cast<ffi::String>();
}

inline ffi::Array<ffi::Any> Score(ffi::TensorView x, ffi::Optional<ffi::Tensor> weights,
                                  ffi::String label)
{
  CheckVector(x, "x", kDLCPU);
  if (x.size(0) > 1 << 20) TVM_FFI_THROW(ValueError) << "x is too long";
  double sum = 0;
  if (weights.has_value()) {
    const ffi::Tensor kept = weights.value();
    const ffi::TensorView w(kept);
    CheckVector(w, "weights", kDLCPU);
    CHECKS_LENGTH(x, w);
    for (int64_t i = 0; i < x.size(0); ++i) sum += FloatsOf(x)[i] * FloatsOf(w)[i];
  } else {
    for (int64_t i = 0; i < x.size(0); ++i) sum += FloatsOf(x)[i];
  }
  return {sum, LABEL_OF(label)};
}

}  // namespace kernels

TVM_FFI_DLL_EXPORT_TYPED_FUNC(score, kernels::Score);

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_SCORE_H_
