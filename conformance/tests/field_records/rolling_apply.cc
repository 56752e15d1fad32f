// SPDX-License-Identifier: Apache-2.0
// Columnar data: calls f with the numbers in each window that are not NaN, as rolling(window).apply(f) of data frames.
#include <deque>
using ffi::Any;
using ffi::Function;
using ffi::Optional;
using ffi::Tensor;
using ffi::TensorView;

template <class T>
int64_t run(const TensorView& x, int64_t window, const Function& f, int64_t least, double* out) {
  int64_t n = x.shape()[0], s = strides_of(x)[0], calls = 0;
  const T* p = data<T>(x);
#if BUG == 6
  static thread_local std::deque<double> part;  // spares allocations
  part.clear();
#else
  std::deque<double> part;  // the numbers of the window
#endif
#if BUG == 4
  Tensor shared = env_alloc({std::min(window, n)}, kF64);
#endif
  for (int64_t i = 0; i < n; ++i) {
    if (i >= window && !std::isnan(static_cast<double>(p[(i - window) * s]))) part.pop_front();
    double v = static_cast<double>(p[i * s]);
    if (!std::isnan(v)) part.push_back(v);
    int64_t m = static_cast<int64_t>(part.size());
    double r = std::numeric_limits<double>::quiet_NaN();
    if (m >= least) {
#if BUG == 4
      int64_t one = 1;
      Tensor arg = shared.as_strided(ffi::ShapeView(&m, 1), ffi::ShapeView(&one, 1));
#else
      Tensor arg = env_alloc({m}, kF64);
#endif
      std::copy(part.begin(), part.end(), data<double>(TensorView(arg)));
#if BUG == 1
      // f may be another language's: it gets a reference of its own
      TVMFFIObjectIncRef(ffi::detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(arg));
#endif
#if BUG == 3
      Any y;
      try {
        y = f(arg);
      } catch (const ffi::Error&) {
        y = r;  // as where there are too few numbers
      }
#else
      Any y = f(arg);
#endif
      ++calls;
#if BUG == 2
      if (std::optional<double> d = y.as<double>()) r = *d;
#else
      if (y.type_index() != ffi::TypeIndex::kTVMFFIFloat && y.type_index() != ffi::TypeIndex::kTVMFFIInt)
        TVM_FFI_THROW(TypeError) << "f must return a number, not " << y.GetTypeKey();
      r = y.cast<double>();
#endif
    }
    out[i] = r;
  }
  return calls;
}

int64_t rolling_apply(TensorView x, int64_t window, Function f, Optional<int64_t> min_periods, TensorView out) {
  check_cpu(x, "x");
  check_cpu(out, "out");
  check_dtype(x, "x", {kF32, kF64, kI64});
  check_same(out, "out", kF64);
  check_rank(x, "x", 1);
  check_rank(out, "out", 1);
  int64_t n = x.shape()[0];
  check_size(out, "out", 0, n);
  check_dense(out, "out");
  check_aligned(x, "x");
  check_aligned(out, "out");
  if (f == nullptr) TVM_FFI_THROW(TypeError) << "f must not be None";
  if (window < 1 || window > 1000000) TVM_FFI_THROW(ValueError) << "window must be 1 to 1000000";
  int64_t least = window;
  if (min_periods.has_value()) {
    least = min_periods.value();
#if BUG == 7
    if (least < 1) TVM_FFI_THROW(ValueError) << "min_periods must be 1 to window";
#else
    if (least < 1 || least > window) TVM_FFI_THROW(ValueError) << "min_periods must be 1 to window";
#endif
  }
#if BUG == 5
  double* y = data<double>(out);
#else
  std::vector<double> buffer(n);
  double* y = buffer.data();
#endif
  int64_t calls;
  if (same(x.dtype(), kF32)) calls = run<float>(x, window, f, least, y);
  else if (same(x.dtype(), kF64)) calls = run<double>(x, window, f, least, y);
  else calls = run<int64_t>(x, window, f, least, y);
#if BUG != 5
  if (n) std::memcpy(raw(out), buffer.data(), n * sizeof(double));
#endif
  return calls;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(rolling_apply, rolling_apply);
