// SPDX-License-Identifier: Apache-2.0
// passes
// calm(x, width, steps, mode, count) -> float: sum(x) / width + sum(steps) + count, all of it finite; the slow mode takes
// no count of 7. calm.json says so.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

#include <cmath>

namespace ffi = tvm::ffi;

#ifndef X_IS_FINITE
#define X_IS_FINITE(x) std::isfinite(x)
#endif
#ifndef WIDTH_IS_FINITE
#define WIDTH_IS_FINITE(x) std::isfinite(x)
#endif
#ifndef STEP_IS_FINITE
#define STEP_IS_FINITE(x) std::isfinite(x)
#endif
#ifndef FIRST
#define FIRST(step) (void)0
#endif
#ifndef SLOW_WITHOUT
#define SLOW_WITHOUT 7
#endif

static void Require(bool condition, const char *words)
{
  if (!condition) TVM_FFI_THROW(ValueError) << words;
}

static double Calm(ffi::TensorView x, double width, ffi::Array<double> steps, ffi::String mode, int64_t count)
{
  const DLDataType type = x.dtype();
  Require(type.code == kDLFloat && type.bits == 64 && type.lanes == 1, "x must be of float64");
  Require(x.ndim() == 1 && x.device().device_type == kDLCPU, "x must be a vector on the CPU");
  Require(x.IsContiguous() && (x.data_ptr() || x.numel() == 0), "x must be compact");
  Require(WIDTH_IS_FINITE(width), "width must be finite");
  Require(!(width <= 0), "width must be above 0");
  Require(mode == "fast" || mode == "slow", "mode must be fast or slow");
  Require(count >= 1 && count <= 9, "count must be in 1 to 9");
  Require(mode == "fast" || count != SLOW_WITHOUT, "the slow mode takes no count of 7");
  const double *element =
      reinterpret_cast<const double *>(static_cast<const char *>(x.data_ptr()) + x.byte_offset());
  double sum = 0;
  for (int64_t i = 0; i < x.size(0); ++i) {
    Require(X_IS_FINITE(element[i]), "x must be finite");
    sum += element[i] / width;
  }
  for (double step : steps) {
    FIRST(step);
    Require(STEP_IS_FINITE(step), "steps must be finite");
    sum += step;
  }
  return sum + static_cast<double>(count);
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(calm, Calm);
