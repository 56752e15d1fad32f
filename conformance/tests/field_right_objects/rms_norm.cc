// SPDX-License-Identifier: Apache-2.0
// rms_norm(x, weight=None, eps, out=None) -> out, or a new tensor where there is none.
using tvm::ffi::Optional;
using tvm::ffi::Tensor;

namespace {

template <typename T>
void Rows(const DLTensor& x, const DLTensor* weight, double eps, const DLTensor& out) {
  const int64_t d = x.shape[x.ndim - 1];
  const int64_t rows = kit::Count(x) / d;
  const T* from = kit::Cells<T>(x, "x");
  const T* scale = weight != nullptr ? kit::Cells<T>(*weight, "weight") : nullptr;
  T* to = kit::Cells<T>(out, "out");
  for (int64_t r = 0; r < rows; ++r, from += d, to += d) {
    double squares = 0;
    for (int64_t i = 0; i < d; ++i) squares += static_cast<double>(from[i]) * from[i];
    const double factor = 1 / std::sqrt(squares / static_cast<double>(d) + eps);
    for (int64_t i = 0; i < d; ++i) {
      to[i] = static_cast<T>(from[i] * factor * (scale != nullptr ? scale[i] : T(1)));
    }
  }
}

// The data of `a` and `b` has bytes in common, and doesn't begin at the same one.
bool Crosses(const DLTensor& a, const DLTensor& b) {
  const uintptr_t at = reinterpret_cast<uintptr_t>(kit::Bytes(a));
  const uintptr_t bt = reinterpret_cast<uintptr_t>(kit::Bytes(b));
  const uintptr_t an = kit::Count(a) * (a.dtype.bits / 8), bn = kit::Count(b) * (b.dtype.bits / 8);
  return at != bt && at < bt + bn && bt < at + an;
}

Tensor RmsNorm(Tensor input, Optional<Tensor> weight, double eps, Optional<Tensor> result) {
  const DLTensor& x = kit::Given(input, "x");
  if (!kit::Same(x.dtype, kit::TypeOf<float>()) && !kit::Same(x.dtype, kit::TypeOf<double>())) {
    TVM_FFI_THROW(NotImplementedError)
        << "rms_norm of " << tvm::ffi::DLDataTypeToString(x.dtype);
  }
  if (x.device.device_type != kDLCPU) TVM_FFI_THROW(NotImplementedError) << "CPU only";
  if (x.ndim < 1 || x.shape[x.ndim - 1] < 1) TVM_FFI_THROW(ValueError) << "x has no rows";
  kit::Dense(x, "x");
  if (!(eps >= 0)) TVM_FFI_THROW(ValueError) << "eps must be >= 0";
  const DLTensor* w = nullptr;
  if (weight.has_value()) {
    const Tensor given = *weight;
    w = &kit::Given(given, "weight");
    kit::Rank(*w, 1, "weight");
    if (w->shape[0] != x.shape[x.ndim - 1]) {
      TVM_FFI_THROW(ValueError) << "weight must be as long as the rows of x";
    }
    kit::Dense(*w, "weight");
  }
  Tensor out = result.has_value()
                   ? *result
                   : kit::NewTensor(tvm::ffi::ShapeView(x.shape, x.ndim), x.dtype);
  const DLTensor& y = kit::Given(out, "out");
  if (y.ndim != x.ndim || !std::equal(x.shape, x.shape + x.ndim, y.shape)) {
    TVM_FFI_THROW(ValueError) << "out must be of the shape of x";
  }
  kit::Dense(y, "out");
  if (Crosses(x, y)) TVM_FFI_THROW(ValueError) << "out overlaps x, and is not x";
  if (x.dtype.bits == 32) {
    Rows<float>(x, w, eps, y);
  } else {
    Rows<double>(x, w, eps, y);
  }
  return out;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(rms_norm, RmsNorm);
