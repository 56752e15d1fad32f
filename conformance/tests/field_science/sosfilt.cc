// SPDX-License-Identifier: Apache-2.0
// A cascade of second-order sections over the rows of x, in direct form II transposed, with the state of each
// section and row carried in zi:
//   y = b0 x + z0;  z0 = b1 x - a1 y + z1;  z1 = b2 x - a2 y
// sos holds b0 b1 b2 a1 a2 for each section (a0 is 1). "backward" runs from the last sample to the first.
namespace {

template <typename T>
void run(const T* sos, int64_t sections, const T* x, int64_t xs_row, int64_t xs_time, T* zi, T* out, int64_t rows,
         int64_t n, bool backward) {
#if BUG == 1
  static thread_local std::vector<double> z;
  if (static_cast<int64_t>(z.size()) < 2 * sections) z.resize(2 * sections, 0.0);
#else
  std::vector<double> z(2 * sections);
#endif
  for (int64_t r = 0; r < rows; ++r) {
    if (zi) {
      for (int64_t s = 0; s < sections; ++s) {
        z[2 * s] = zi[(s * rows + r) * 2];
        z[2 * s + 1] = zi[(s * rows + r) * 2 + 1];
      }
    } else {
#if BUG != 1
      std::fill(z.begin(), z.end(), 0.0);
#endif
    }
#if BUG == 2
    std::fill(out + r * n, out + (r + 1) * n, T(0));
#endif
    for (int64_t k = 0; k < n; ++k) {
      const int64_t t = backward ? n - 1 - k : k;
#if BUG == 3
      double v = x[r * xs_row + t];
#else
      double v = x[r * xs_row + t * xs_time];
#endif
      for (int64_t s = 0; s < sections; ++s) {
        const T* c = sos + 5 * s;
        const double y = c[0] * v + z[2 * s];
        z[2 * s] = c[1] * v - c[3] * y + z[2 * s + 1];
        z[2 * s + 1] = c[2] * v - c[4] * y;
        v = y;
      }
#if BUG == 5
      out[r * n + k] = static_cast<T>(v);
#else
      out[r * n + t] = static_cast<T>(v);
#endif
    }
#if BUG == 6
    if (zi && n > 1) {
#else
    if (zi) {
#endif
      for (int64_t s = 0; s < sections; ++s) {
        zi[(s * rows + r) * 2] = static_cast<T>(z[2 * s]);
        zi[(s * rows + r) * 2 + 1] = static_cast<T>(z[2 * s + 1]);
      }
    }
  }
}

template <typename T>
void checked(TensorView x, TensorView sos, const Optional<Tensor>& zi, TensorView out, bool backward) {
  const T* c = data<T>(sos, "sos");
  for (int64_t i = 0; i < sos.size(0) * 5; ++i) {
    REQUIRE(std::isfinite(c[i]), ValueError, "coefficients must be finite");
  }
  const auto xs = strides_of(x);
  const T* xp = data<T>(x, "x");
  T* op = data<T>(out, "out");
  T* z = zi.has_value() ? data<T>(*zi, "zi") : nullptr;
  if (numel(x) == 0 && !z) return;
  run<T>(c, sos.size(0), xp, xs[0], xs[1], z, op, x.size(0), x.size(1), backward);
}

void sosfilt(TensorView x, TensorView sos, Optional<Tensor> zi, TensorView out, String direction) {
  check_cpu(x, "x");
  check_cpu(sos, "sos");
  check_cpu(out, "out");
  check_rank(x, 2, "x");
  check_rank(sos, 2, "sos");
  check_rank(out, 2, "out");
  REQUIRE(same(x.dtype(), kF32) || same(x.dtype(), kF64), TypeError, "x must be float32 or float64");
  REQUIRE(same(sos.dtype(), x.dtype()), TypeError, "sos must have the type of x");
  REQUIRE(same(out.dtype(), x.dtype()), TypeError, "out must have the type of x");
  check_extent(sos, 1, 5, "sos");
  check_extent(out, 0, x.size(0), "out");
  check_extent(out, 1, x.size(1), "out");
  check_contiguous(sos, "sos");
  check_contiguous(out, "out");
  if (zi.has_value()) {
    const Tensor z = *zi;
    check_cpu(z, "zi");
    check_rank(z, 3, "zi");
    check_extent(z, 0, sos.size(0), "zi");
    check_extent(z, 1, x.size(0), "zi");
    check_extent(z, 2, 2, "zi");
#if BUG != 4
    REQUIRE(same(z.dtype(), x.dtype()), TypeError, "zi must have the type of x");
#endif
    check_contiguous(z, "zi");
  }
  bool backward = false;
  if (direction == "backward") {
    backward = true;
  } else {
    REQUIRE(direction == "forward", ValueError, "unknown direction " << direction);
  }
  if (x.dtype().bits == 64) {
    checked<double>(x, sos, zi, out, backward);
  } else {
    checked<float>(x, sos, zi, out, backward);
  }
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(sosfilt, sosfilt);
