// SPDX-License-Identifier: Apache-2.0
// out = alpha * x + y, any rank; float32, float64, int32. x may have any strides.
#include "field.h"

namespace field
{

template <typename T>
int64_t At(TensorView x, int64_t i)
{
  int64_t offset = 0;
  for (int d = x.ndim() - 1; d >= 0; --d) {
    offset += i % x.size(d) * x.stride(d);
    i /= x.size(d);
  }
  return offset;
}

template <typename T>
void Run(double alpha, TensorView x, TensorView y, TensorView out)
{
#if BUG == 2
  const T *from = static_cast<const T *>(x.data_ptr());
#else
  const T *from = Data<T>(x);
#endif
  const bool dense = x.IsContiguous();
  for (int64_t i = 0; i < Count(x); ++i) {
#if BUG == 3
    T value = from[i];
#else
    T value = from[dense ? i : At<T>(x, i)];
#endif
#if BUG == 1
    Data<T>(out)[i] = static_cast<T>(value + alpha * Data<T>(y)[i]);
#else
    Data<T>(out)[i] = static_cast<T>(alpha * value + Data<T>(y)[i]);
#endif
  }
}

void Axpy(double alpha, TensorView x, TensorView y, TensorView out)
{
  RequireCPU(x, "x");
  RequireCPU(y, "y");
  RequireCPU(out, "out");
  RequireDtype(y, x.dtype(), "y");
  RequireDtype(out, x.dtype(), "out");
#if BUG == 4
  REQUIRE(x.ndim() == y.ndim(), ValueError) << "x and y must have the same shape";
#else
  RequireSameShape(x, y, "x and y");
#endif
  RequireSameShape(x, out, "x and out");
  RequireDense(y, "y");
  RequireDense(out, "out");
  REQUIRE(Count(x) == 0 || x.data_ptr() != nullptr, ValueError) << "x has no data";
  REQUIRE(reinterpret_cast<uintptr_t>(Data<char>(x)) % ((x.dtype().bits + 7u) / 8u) == 0,
          ValueError)
      << "x is not aligned to its elements";
  if (Same(x.dtype(), kFloat32)) {
    Run<float>(alpha, x, y, out);
  } else if (Same(x.dtype(), kFloat64)) {
#if BUG == 5
    Run<float>(alpha, x, y, out);
#else
    Run<double>(alpha, x, y, out);
#endif
  } else if (Same(x.dtype(), kInt32)) {
    Run<int32_t>(alpha, x, y, out);
  } else {
    TVM_FFI_THROW(TypeError) << "x has an unsupported dtype";
  }
}

}  // namespace field

TVM_FFI_DLL_EXPORT_TYPED_FUNC(axpy, field::Axpy);
