// SPDX-License-Identifier: Apache-2.0
// Calls a function with a copy of each window of a series, and collects what it gives.
using tvm::ffi::Any;
using tvm::ffi::Function;
using tvm::ffi::Tensor;
using tvm::ffi::TensorView;

static void WindowApply(TensorView x, int64_t window, int64_t step, Function f, TensorView out) {
  TVM_FFI_CHECK(f.defined(), TypeError) << "f must be a function";
  set::host(x, 1, "x");
  TVM_FFI_CHECK(set::same(x.dtype(), set::kF64), TypeError) << "x must be float64";
  set::dense(out, set::kF64, 1, "out");
  const int64_t n = x.size(0);
  TVM_FFI_CHECK(window >= 1 && window <= n, ValueError)
      << "window must be from 1 to " << n << ", not " << window;
  TVM_FFI_CHECK(step >= 1, ValueError) << "step must be 1 or more, not " << step;
  const int64_t count = (n - window) / step + 1;
  TVM_FFI_CHECK(out.size(0) == count, ValueError) << "there are " << count << " windows";

  const bool compact = n == 1 || x.IsContiguous();
  const int64_t stride = compact ? 1 : x.stride(0);
  const double* from = set::begin<const double>(x);
  std::vector<double> results;  // out is written when nothing can fail any more
  results.reserve(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) {
    // A tensor of its own for each call: the function may keep it.
    Tensor w = set::make({window}, set::kF64);
    double* to = set::begin<double>(w);
    for (int64_t j = 0; j < window; ++j) to[j] = from[(i * step + j) * stride];
    Any value = f(w);
    auto number = value.try_cast<double>();
    if (!number.has_value()) {
      TVM_FFI_THROW(TypeError) << "window " << i << " has a " << value.GetTypeKey()
                               << ", and not a number";
    }
    results.push_back(*number);
  }
  std::copy(results.begin(), results.end(), set::begin<double>(out));
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(window_apply, WindowApply);
