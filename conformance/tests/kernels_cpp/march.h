// SPDX-License-Identifier: Apache-2.0
// march(f, y0, step, out) -> int: in four steps, size * f(t, y) is added to y0, where t is the sum of the sizes before,
// and y what f gave last, or y0. `step` is the name of a size, or a function that gives it for a time. march.json
// describes it. An including file may do one thing wrong.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_MARCH_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_MARCH_H_

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/container/variant.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/string.h>

#include <cstdint>
#include <utility>
#include <vector>

#ifndef TIME
#define TIME(t) (t)
#endif
#ifndef HOLDS
#define HOLDS(tensor)
#endif
// Of what f returns.
#ifndef LOOK_AT
#define LOOK_AT(slope, count) Check(slope, count, "f must return a vector like y0")
#endif
// What f gives for a vector y, in step i.
#ifndef SLOPE
#define SLOPE(f, t, y, i) f(t, y).cast<ffi::Tensor>()
#endif
// A function for the sizes.
#ifndef AT_FUNCTION
#define AT_FUNCTION(function)
#endif
#ifndef AFTER_STEP
#define AFTER_STEP(sum, out)
#endif

namespace march
{

namespace ffi = tvm::ffi;

inline void Require(bool condition, const char *words)
{
  if (!condition) TVM_FFI_THROW(ValueError) << words;
}

inline double *Check(ffi::TensorView tensor, int64_t count, const char *words)
{
  const DLDataType type = tensor.dtype();
  Require(type.code == kDLFloat && type.bits == 64 && type.lanes == 1, words);
  Require(tensor.ndim() == 1 && (count < 0 || tensor.size(0) == count), words);
  Require(tensor.device().device_type == kDLCPU && tensor.IsContiguous(), words);
  Require(tensor.data_ptr() || tensor.size(0) == 0, words);
  char *bytes = static_cast<char *>(tensor.data_ptr()) + tensor.byte_offset();
  return reinterpret_cast<double *>(bytes);
}

inline double SizeOf(const ffi::Variant<ffi::String, ffi::Function> &step, double t)
{
  if (auto function = step.as<ffi::Function>()) {
    Require(function->defined(), "step must not be None");
    AT_FUNCTION(*function);
    return (*function)(t).cast<double>();
  }
  const ffi::String name = step.get<ffi::String>();
  Require(name == "half" || name == "one", "step must be half, one or a function");
  return name == "half" ? 0.5 : 1;
}

inline int64_t March(ffi::Function f, ffi::Tensor y0, ffi::Variant<ffi::String, ffi::Function> step,
                     ffi::TensorView out)
{
  Require(f.defined(), "f must not be None");
  Require(y0.defined(), "y0 must not be None");
  const double *from = Check(y0, -1, "y0 must be a vector of float64 on the CPU");
  const int64_t count = y0.size(0);
  double *to = Check(out, count, "out must be a vector like y0");
  double t = 0;
  ffi::Tensor y = std::move(y0);
  std::vector<double> sum(from, from + count);
  for (int i = 0; i < 4; ++i) {
    const double size = SizeOf(step, t);
    ffi::Tensor slope = SLOPE(f, TIME(t), y, i);
    HOLDS(slope);
    const double *slopes = LOOK_AT(slope, count);
    for (int64_t k = 0; k < count; ++k) sum[static_cast<size_t>(k)] += size * slopes[k];
    AFTER_STEP(sum, to);
    t += size;
    y = std::move(slope);
  }
  for (int64_t k = 0; k < count; ++k) to[k] = sum[static_cast<size_t>(k)];
  return 4;
}

}  // namespace march

TVM_FFI_DLL_EXPORT_TYPED_FUNC(march, march::March);

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_MARCH_H_
