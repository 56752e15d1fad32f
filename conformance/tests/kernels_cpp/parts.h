// SPDX-License-Identifier: Apache-2.0
// y = scale * (the sum of xs) + bias, where scale and bias (0 if missing) are options. An including file
// says what is not checked.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_PARTS_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_PARTS_H_

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/string.h>

#include "vector.h"

#ifndef CHECKED
#define CHECKED (xs.size())
#endif
#ifndef PART_DEVICE
#define PART_DEVICE(x) kDLCPU
#endif
// Of a key: whether it is none that the function knows.
#ifndef IS_UNKNOWN
#define IS_UNKNOWN(key) ((key) != "scale" && (key) != "bias")
#endif
#ifndef BIAS
#define BIAS(options) Option(options, "bias")
#endif
#ifndef SCALE
#define SCALE(options) Option(options, "scale")
#endif

namespace kernels
{

using Options = ffi::Map<ffi::String, ffi::Any>;

inline double Option(const Options &options, const char *name)
{
  if (options.count(name) == 0) TVM_FFI_THROW(ValueError) << "options must have " << name;
  return options[name].cast<double>();
}

inline void Parts(ffi::Array<ffi::Tensor> xs, Options options, ffi::TensorView y)
{
  double scale = SCALE(options), bias = options.count("bias") ? BIAS(options) : 0;
  for ([[maybe_unused]] const auto &option : options)
    if (IS_UNKNOWN(option.first)) TVM_FFI_THROW(ValueError) << "options has an unknown key";
  CheckVector(y, "y", kDLCPU);
  for (size_t i = 0; i < CHECKED; ++i) {
    // First: compilers differ in the order of arguments.
    DLDeviceType device = PART_DEVICE(xs[i]);
    CheckVector(xs[i], "xs", device);
    CheckSameLength(xs[i], y);
  }
  for (int64_t k = 0; k < y.size(0); ++k) {
    double sum = 0;
    for (const ffi::Tensor &x : xs) sum += FloatsOf(x)[k];
    FloatsOf(y)[k] = static_cast<float>(scale * sum + bias);
  }
}

}  // namespace kernels

TVM_FFI_DLL_EXPORT_TYPED_FUNC(parts, kernels::Parts);

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_PARTS_H_
