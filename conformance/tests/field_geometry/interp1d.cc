// SPDX-License-Identifier: Apache-2.0
// interp1d: interpolates tables of values that have one axis in common.
//
//   x      (n)      float32 or float64, finite and strictly increasing, n >= 2
//   y      (n, c)   values; rows may lie anywhere
//   q      (m)      where to interpolate; NaN gives NaN
//   kind            "linear", "nearest" (of two equally near ones the left) or "previous"
//   fill            what comes out beyond the ends of x: "clamp" (the value at the end),
//                   "extrapolate" (the last line goes on; as "clamp" if kind isn't "linear"), or a
//                   number
//   strict          refuse a q that isn't within the ends of x
//   out    (m, c)   the outcome
//   threads         0 (as many as the machine has) to 64
//
// All tensors are of one type; works in double precision. A refused call has written nothing.
namespace {
using namespace set;

enum class Kind { kLinear, kNearest, kPrevious };
enum class Beyond { kClamp, kExtrapolate, kValue };

template <typename T>
void Run(const TensorView& x, const TensorView& y, const TensorView& q, Kind kind, Beyond beyond,
         double value, bool strict, const TensorView& out, int64_t threads) {
  const int64_t n = x.shape()[0], c = y.shape()[1], m = q.shape()[0];
  const T* xs = Data<T>(x);
  const T* ys = Data<T>(y);
  const T* qs = Data<T>(q);
  T* to = Data<T>(out);
#if BUG == 5
  const int64_t row = c;
#else
  const int64_t row = Strides(y)[0];
#endif
  for (int64_t i = 0; i < n; ++i) {
    SET_REQUIRE(std::isfinite(xs[i]), ValueError) << "`x` must be finite, but x[" << i << "] isn't";
#if BUG == 1
    SET_REQUIRE(i == 0 || xs[i - 1] <= xs[i], ValueError)
#else
    SET_REQUIRE(i == 0 || xs[i - 1] < xs[i], ValueError)
#endif
        << "`x` must be strictly increasing, but x[" << i << "] isn't more than the one before";
  }
#if BUG != 6
  for (int64_t j = 0; strict && j < m; ++j) {
    SET_REQUIRE(qs[j] >= xs[0] && qs[j] <= xs[n - 1], ValueError)
        << "`q` must lie within `x`, but q[" << j << "] doesn't";
  }
#endif
  ParallelFor(m, Workers(threads, m), [&](int64_t begin, int64_t end, int64_t) {
    for (int64_t j = begin; j < end; ++j) {
      double at = qs[j];
      T* target = to + j * c;
#if BUG == 6
      SET_REQUIRE(!strict || (at >= xs[0] && at <= xs[n - 1]), ValueError)
          << "`q` must lie within `x`, but q[" << j << "] doesn't";
#endif
#if BUG != 3
      if (std::isnan(at)) {
        std::fill(target, target + c, std::numeric_limits<T>::quiet_NaN());
        continue;
      }
#endif
      if (at < xs[0] || at > xs[n - 1]) {
        if (beyond == Beyond::kValue) {
          std::fill(target, target + c, static_cast<T>(value));
          continue;
        }
#if BUG == 7
        if (at > xs[n - 1] && beyond == Beyond::kClamp) at = xs[n - 1];
#else
        if (beyond == Beyond::kClamp) at = at < xs[0] ? xs[0] : xs[n - 1];
#endif
      }
      // The interval: the last x that isn't more than q, the first one if all are.
      int64_t i = std::upper_bound(xs, xs + n, at, [](double a, T b) { return a < b; }) - xs - 1;
#if BUG == 2
      int64_t left = std::max<int64_t>(i, 0);
#else
      int64_t left = std::min(std::max<int64_t>(i, 0), n - 2);
#endif
      const T* a = ys + left * row;
      const T* b = a + row;
      if (kind == Kind::kLinear) {
        const double weight = (at - xs[left]) / (static_cast<double>(xs[left + 1]) - xs[left]);
        for (int64_t k = 0; k < c; ++k) {
          target[k] = static_cast<T>(a[k] + weight * (static_cast<double>(b[k]) - a[k]));
        }
      } else {
        const bool right = kind == Kind::kNearest
                               ? xs[left + 1] - at < at - xs[left]
                               : i > left;
        std::copy_n(right ? b : a, c, target);
      }
    }
  });
}

void Interp1d(TensorView x, TensorView y, TensorView q, String kind,
              ffi::Variant<String, double> fill, bool strict, TensorView out, int64_t threads) {
  CheckCpu(x, "x");
  CheckCpu(y, "y");
  CheckCpu(q, "q");
  CheckCpu(out, "out");
  CheckFloat(x, "x");
  CheckSameType(y, "y", x, "x");
#if BUG != 9
  CheckSameType(q, "q", x, "x");
#endif
  CheckSameType(out, "out", x, "x");
  CheckRank(x, "x", 1);
  CheckRank(y, "y", 2);
  CheckRank(q, "q", 1);
  const int64_t n = x.shape()[0], c = y.shape()[1], m = q.shape()[0];
  SET_REQUIRE(n >= 2, ValueError) << "`x` must have at least 2 elements, but has " << n;
  CheckShape(y, "y", {n, c});
  CheckShape(out, "out", {m, c});
  CheckContiguous(x, "x");
  CheckRows(y, "y");
  CheckContiguous(q, "q");
  CheckContiguous(out, "out");
  Kind which = Kind::kLinear;
  if (kind == "nearest") {
    which = Kind::kNearest;
  } else if (kind == "previous") {
    which = Kind::kPrevious;
  } else {
    SET_REQUIRE(BUG == 8 || kind == "linear", ValueError)
        << "`kind` must be \"linear\", \"nearest\" or \"previous\", but is \"" << std::string(kind)
        << "\"";
  }
  Beyond beyond = Beyond::kValue;
  double value = 0;
  if (std::optional<String> text = fill.as<String>()) {
    SET_REQUIRE(*text == "clamp" || *text == "extrapolate", ValueError)
        << "`fill` must be a number, \"clamp\" or \"extrapolate\", but is \"" << std::string(*text)
        << "\"";
    const bool line = *text == "extrapolate" && which == Kind::kLinear;
    beyond = line ? Beyond::kExtrapolate : Beyond::kClamp;
  } else {
    value = fill.get<double>();
#if BUG == 4
    if (value == 0) beyond = Beyond::kClamp;
#endif
  }
  CheckThreads(threads);
  if (IsFloat32(x.dtype())) {
    Run<float>(x, y, q, which, beyond, value, strict, out, threads);
  } else {
    Run<double>(x, y, q, which, beyond, value, strict, out, threads);
  }
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(interp1d, Interp1d);
