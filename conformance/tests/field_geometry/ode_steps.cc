// SPDX-License-Identifier: Apache-2.0
// ode_steps: integrates y' = f(t, y) from t0 to t1 in equal steps of an explicit Runge-Kutta method.
//
//   f                  callback f(t, y) -> dy/dt. y is a new tensor each time, which f may keep; the
//                      result must be a contiguous CPU tensor of the type and shape of y0
//   y0         (n)     float32 or float64, the state at t0
//   t0, t1             finite; t1 may lie before t0
//   steps              1 to 10000
//   method             "euler", "heun" or "rk4"
//   trajectory         optional, (steps + 1, n): the state at t0 and after each step
//
// Returns the state at t1, a new tensor. The state is carried in double precision. If f fails, its
// error is that of the call; a state that is not finite is a RuntimeError. The trajectory of a call
// that fails is as before.
namespace {
using namespace set;

template <typename T>
class Stepper {
 public:
  Stepper(ffi::Function f, DLDataType type, int64_t n) : f_(std::move(f)), type_(type), n_(n) {
#if BUG == 4
    static thread_local std::vector<double> scratch;
    if (scratch.size() < static_cast<size_t>(3 * n)) scratch.resize(static_cast<size_t>(3 * n));
    slope_ = scratch.data();
    stage_ = scratch.data() + n;
    sum_ = scratch.data() + 2 * n;
#else
    work_.resize(static_cast<size_t>(3 * n));
    slope_ = work_.data();
    stage_ = work_.data() + n;
    sum_ = work_.data() + 2 * n;
#endif
  }

  void Euler(double t, double h, std::vector<double>& y) {
    Slope(t, y.data());
    for (int64_t i = 0; i < n_; ++i) y[i] += h * slope_[i];
  }

  void Heun(double t, double h, std::vector<double>& y) {
    Slope(t, y.data());
    for (int64_t i = 0; i < n_; ++i) {
      sum_[i] = slope_[i];
      stage_[i] = y[i] + h * slope_[i];
    }
    Slope(t + h, stage_);
    for (int64_t i = 0; i < n_; ++i) y[i] += h / 2 * (sum_[i] + slope_[i]);
  }

  void Rk4(double t, double h, std::vector<double>& y) {
    static constexpr double kAt[4] = {0, 0.5, 0.5, BUG == 1 ? 0.5 : 1};
    static constexpr double kWeight[4] = {1, 2, 2, 1};
    static constexpr double kNext[3] = {0.5, 0.5, 1};
    for (int s = 0; s < 4; ++s) {
      Slope(t + kAt[s] * h, s == 0 ? y.data() : stage_);
      for (int64_t i = 0; i < n_; ++i) {
        sum_[i] = (s == 0 ? 0.0 : sum_[i]) + kWeight[s] * slope_[i];
        if (s < 3) stage_[i] = y[i] + kNext[s] * h * slope_[i];
      }
    }
    for (int64_t i = 0; i < n_; ++i) y[i] += h / 6 * sum_[i];
  }

 private:
  // slope_ = f(t, y)
  void Slope(double t, const double* y) {
    Tensor state = NewTensor({n_}, type_);
    T* to = Data<T>(TensorView(state));
    for (int64_t i = 0; i < n_; ++i) to[i] = static_cast<T>(y[i]);
#if BUG == 5
    Any returned;
    try {
      returned = f_(t, state);
    } catch (const ffi::Error&) {
      std::fill(slope_, slope_ + n_, 0.0);
      return;
    }
#else
    Any returned = f_(t, state);
#endif
    std::optional<Tensor> slope = returned.try_cast<Tensor>();
    SET_REQUIRE(slope.has_value() && slope->defined(), TypeError) << "`f` must return a tensor";
#if BUG == 8
    auto keep = new Tensor(*slope);
#endif
    TensorView view(*slope);
    CheckCpu(view, "result of f");
#if BUG != 3
    SET_REQUIRE(SameType(view.dtype(), type_), TypeError)
        << "the result of `f` must have the data type of `y0`";
#endif
#if BUG == 2
    CheckRank(view, "result of f", 1);
#else
    CheckShape(view, "result of f", {n_});
#endif
    CheckContiguous(view, "result of f");
    const T* from = Data<T>(view);
    for (int64_t i = 0; i < n_; ++i) slope_[i] = from[i];
#if BUG == 8
    delete keep;
#endif
  }

  ffi::Function f_;
  DLDataType type_;
  int64_t n_;
  std::vector<double> work_;
  double* slope_;
  double* stage_;
  double* sum_;
};

template <typename T>
Tensor Run(const ffi::Function& f, const TensorView& y0, double t0, double t1, int64_t steps,
           const String& method, T* trajectory) {
  const int64_t n = y0.shape()[0];
  const T* from = BUG == 9 ? static_cast<const T*>(y0.data_ptr()) : Data<T>(y0);
  std::vector<double> y(from, from + n);
  // Rows are staged, so that the trajectory is untouched if f fails in a later step.
  std::vector<T> staged;
  T* rows = nullptr;
  if (trajectory != nullptr) {
#if BUG == 6
    rows = trajectory;
#else
    staged.resize(static_cast<size_t>((steps + 1) * n));
    rows = staged.data();
#endif
  }
  auto finite = [&] {
    return std::all_of(y.begin(), y.end(), [](double v) { return std::isfinite(v); });
  };
  SET_REQUIRE(finite(), ValueError) << "`y0` must be finite";
  auto save = [&](int64_t row) {
    if (rows == nullptr) return;
    for (int64_t i = 0; i < n; ++i) rows[row * n + i] = static_cast<T>(y[i]);
  };
  save(0);
  const double h = (t1 - t0) / static_cast<double>(steps);
  Stepper<T> stepper(f, y0.dtype(), n);
  for (int64_t s = 0; s < steps; ++s) {
    const double t = t0 + static_cast<double>(s) * h;
    if (method == "euler") {
      stepper.Euler(t, h, y);
    } else if (method == "heun") {
      stepper.Heun(t, h, y);
    } else {
      stepper.Rk4(t, h, y);
    }
    SET_REQUIRE(finite(), RuntimeError)
        << "the state is not finite after step " << s + 1 << ", at t = " << t + h;
    save(s + 1);
  }
  Tensor result = NewTensor({n}, y0.dtype());
  T* to = Data<T>(TensorView(result));
  for (int64_t i = 0; i < n; ++i) to[i] = static_cast<T>(y[i]);
  if (!staged.empty()) std::copy(staged.begin(), staged.end(), trajectory);
  return result;
}

Tensor OdeSteps(ffi::Function f, TensorView y0, double t0, double t1, int64_t steps, String method,
                Optional<Tensor> trajectory) {
  CheckCpu(y0, "y0");
  CheckFloat(y0, "y0");
  CheckRank(y0, "y0", 1);
  CheckContiguous(y0, "y0");
  SET_REQUIRE(std::isfinite(t0), ValueError) << "`t0` must be finite, but is " << t0;
  SET_REQUIRE(std::isfinite(t1), ValueError) << "`t1` must be finite, but is " << t1;
  SET_REQUIRE(steps >= 1 && steps <= 10000, ValueError)
      << "`steps` must be between 1 and 10000, but is " << steps;
#if BUG != 7
  SET_REQUIRE(method == "euler" || method == "heun" || method == "rk4", ValueError)
      << "`method` must be \"euler\", \"heun\" or \"rk4\", but is \"" << std::string(method)
      << "\"";
#endif
  Tensor kept;
  void* rows = nullptr;
  char nothing = 0;
  if (trajectory.has_value()) {
    kept = trajectory.value();
    TensorView view(kept);
    CheckCpu(view, "trajectory");
    CheckSameType(view, "trajectory", y0, "y0");
    CheckShape(view, "trajectory", {steps + 1, y0.shape()[0]});
    CheckContiguous(view, "trajectory");
    rows = IsEmpty(view) ? &nothing : Data<char>(view);
  }
  if (IsFloat32(y0.dtype())) {
    return Run<float>(f, y0, t0, t1, steps, method, static_cast<float*>(rows));
  }
  return Run<double>(f, y0, t0, t1, steps, method, static_cast<double*>(rows));
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(ode_steps, OdeSteps);
