// SPDX-License-Identifier: Apache-2.0
// dose(mode, options) -> float: options["gain"] in mode "plain", and times the sum of options["weights"] in mode
// "weighted", which alone takes any. dose.json describes it. An including file may take other elements for numbers.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_DOSE_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_DOSE_H_

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/string.h>

#include <cmath>

#ifndef NUMBER
#define NUMBER(value) Number(value)
#endif

namespace dosing
{

namespace ffi = tvm::ffi;

inline double Number(const ffi::Any &value)
{
  const auto number = value.try_cast<double>();
  if (!number.has_value()) TVM_FFI_THROW(TypeError) << "a number must be one";
  if (!std::isfinite(*number)) TVM_FFI_THROW(ValueError) << "a number must be finite";
  return *number;
}

inline double Dose(ffi::String mode, ffi::Map<ffi::String, ffi::Any> options)
{
  const bool weighted = mode == "weighted";
  double gain = 1, sum = 0;
  bool found = false, given = false;
  if (!weighted && mode != "plain") TVM_FFI_THROW(ValueError) << "mode must be plain or weighted";
  for (const auto &[key, value] : options) {
    if (key == "gain") {
      if (value != nullptr) gain = Number(value);
      continue;
    }
    if (key != "weights") TVM_FFI_THROW(ValueError) << "there are gain and weights alone";
    const auto list = value.try_cast<ffi::Array<ffi::Any>>();
    if (!list.has_value()) TVM_FFI_THROW(TypeError) << "weights must be an array";
    for (const ffi::Any &one : *list) sum += NUMBER(one);
    found = true;
    given = list->size() > 0;
  }
  if (!found) TVM_FFI_THROW(ValueError) << "there must be weights";
  if (given != weighted) TVM_FFI_THROW(ValueError) << "weights are for mode weighted alone";
  return weighted ? gain * sum : gain;
}

}  // namespace dosing

TVM_FFI_DLL_EXPORT_TYPED_FUNC(dose, dosing::Dose);

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_DOSE_H_
