// SPDX-License-Identifier: Apache-2.0
// rfft: the discrete Fourier transform of real rows, of any length.
//
//   x        (b, n)   float32 or float64, any strides
//   n_fft             optional length of the transform, 1 to 100000: longer rows are cut off, shorter
//                     ones are followed by zeros. Without it the length is n
//   norm              "backward" (no factor), "forward" (1 / length) or "ortho" (1 / sqrt(length))
//   window   (n)      optional, of the type of x: factors of the samples
//   threads           0 (as many as the machine has) to 64
//
// Returns (b, length / 2 + 1, 2): real and imaginary parts of the frequencies from 0 on. Lengths that
// are a power of two are done by radix 2, others by Bluestein's method, both in double precision.
namespace {
using namespace set;

constexpr int64_t kMaxLength = 100000;
constexpr double kPi = 3.14159265358979323846;

struct Complex {
  double re, im;
};
inline Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
inline Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
inline Complex operator*(Complex a, Complex b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
inline Complex Conj(Complex a) { return {a.re, -a.im}; }
inline Complex Turn(double part) { return {std::cos(2 * kPi * part), std::sin(2 * kPi * part)}; }

// What all transforms of one length have in common; read only once it is made.
class Plan {
 public:
  Plan() = default;
  explicit Plan(int64_t n) : n_(n), size_(1) {
    const bool power = (n & (n - 1)) == 0;
    while (size_ < (power ? n : 2 * n - 1)) size_ *= 2;
    twiddles_.resize(static_cast<size_t>(size_ / 2));
    for (int64_t k = 0; k < size_ / 2; ++k) {
      twiddles_[k] = Turn(-static_cast<double>(k) / static_cast<double>(size_));
    }
    if (power) return;
    chirp_.resize(static_cast<size_t>(n));
    filter_.assign(static_cast<size_t>(size_), Complex{0, 0});
    for (int64_t k = 0; k < n; ++k) {
#if BUG == 3
      const int64_t square = static_cast<int32_t>(k * k) % (2 * n);
#else
      const int64_t square = k * k % (2 * n);
#endif
      chirp_[k] = Turn(-static_cast<double>(square) / static_cast<double>(2 * n));
      filter_[k] = Conj(chirp_[k]);
      if (k > 0) filter_[size_ - k] = filter_[k];
    }
    PowerOfTwo(filter_.data());
  }

  int64_t length() const { return n_; }
  int64_t scratch() const { return size_; }

  // Transforms the first length() of scratch() numbers in place; the others are 0.
  void Transform(Complex* v) const {
    if (chirp_.empty()) return PowerOfTwo(v);
    for (int64_t k = 0; k < n_; ++k) v[k] = v[k] * chirp_[k];
    PowerOfTwo(v);
    // The inverse transform of a product is the conjugate of the transform of its conjugate.
    for (int64_t k = 0; k < size_; ++k) v[k] = Conj(v[k] * filter_[k]);
    PowerOfTwo(v);
    const double scale = 1.0 / static_cast<double>(size_);
    for (int64_t k = 0; k < n_; ++k) {
      Complex c = Conj(v[k]) * chirp_[k];
      v[k] = {c.re * scale, c.im * scale};
    }
  }

 private:
  void PowerOfTwo(Complex* v) const {
    for (int64_t i = 1, j = 0; i < size_; ++i) {
      int64_t bit = size_ / 2;
      for (; j & bit; bit /= 2) j ^= bit;
      j ^= bit;
      if (i < j) std::swap(v[i], v[j]);
    }
    for (int64_t half = 1; half < size_; half *= 2) {
      const int64_t step = size_ / (2 * half);
      for (int64_t at = 0; at < size_; at += 2 * half) {
        for (int64_t k = 0; k < half; ++k) {
          Complex a = v[at + k], b = v[at + k + half] * twiddles_[k * step];
          v[at + k] = a + b;
          v[at + k + half] = a - b;
        }
      }
    }
  }

  int64_t n_ = 0;
  int64_t size_ = 0;
  std::vector<Complex> twiddles_, chirp_, filter_;
};

template <typename T>
void Run(const TensorView& x, const T* window, int64_t length, double factor, T* out,
         int64_t threads) {
  const int64_t rows = x.shape()[0], n = x.shape()[1], terms = length / 2 + 1;
  const std::vector<int64_t> stride = Strides(x);
  const int64_t step = BUG == 4 ? 1 : stride[1];
  const int64_t used = BUG == 1 ? length : std::min(n, length);
  const T* data = Data<T>(x);
#if BUG == 7
  static Plan plan;
  if (plan.length() != length) plan = Plan(length);
#else
  const Plan plan(length);
#endif
#if BUG == 9
  std::vector<Complex> v(static_cast<size_t>(plan.scratch()));
#endif
  ParallelFor(rows, Workers(threads, rows), [&](int64_t begin, int64_t end, int64_t) {
#if BUG != 9
    std::vector<Complex> v(static_cast<size_t>(plan.scratch()));
#endif
    for (int64_t r = begin; r < end; ++r) {
      std::fill(v.begin(), v.end(), Complex{0, 0});
      for (int64_t k = 0; k < used; ++k) {
#if BUG == 6
        float sample = static_cast<float>(data[r * stride[0] + k * step]);
#else
        double sample = data[r * stride[0] + k * step];
#endif
        if (window != nullptr) sample *= window[k];
        v[k].re = sample;
      }
      plan.Transform(v.data());
      for (int64_t k = 0; k < terms; ++k) {
        out[(r * terms + k) * 2] = static_cast<T>(v[k].re * factor);
        out[(r * terms + k) * 2 + 1] = static_cast<T>(v[k].im * factor);
      }
    }
  });
}

Tensor Rfft(TensorView x, Optional<int64_t> n_fft, String norm, Optional<Tensor> window,
            int64_t threads) {
  CheckCpu(x, "x");
  CheckFloat(x, "x");
  CheckRank(x, "x", 2);
  CheckAligned(x, "x");
  const int64_t rows = x.shape()[0], n = x.shape()[1];
  if (n_fft.has_value()) {
    SET_REQUIRE(n_fft.value() >= 1 && n_fft.value() <= kMaxLength, ValueError)
        << "`n_fft` must be between 1 and " << kMaxLength << ", but is " << n_fft.value();
  } else {
    SET_REQUIRE(n >= (BUG == 5 ? 0 : 1) && n <= kMaxLength, ValueError)
        << "without `n_fft` the rows of `x` must have between 1 and " << kMaxLength
        << " elements, but have " << n;
  }
  const int64_t length = n_fft.has_value() ? n_fft.value() : n;
  double factor = 1;
  if (norm == "forward") {
    factor = 1 / static_cast<double>(length);
  } else if (norm == "ortho") {
    factor = 1 / std::sqrt(static_cast<double>(BUG == 2 ? n : length));
  } else {
    SET_REQUIRE(norm == "backward", ValueError)
        << "`norm` must be \"backward\", \"forward\" or \"ortho\", but is \"" << std::string(norm)
        << "\"";
  }
  Tensor kept;
  const void* window_data = nullptr;
  if (window.has_value()) {
    kept = window.value();
    TensorView view(kept);
    CheckCpu(view, "window");
    CheckSameType(view, "window", x, "x");
#if BUG == 8
    CheckRank(view, "window", 1);
#else
    CheckShape(view, "window", {n});
#endif
    CheckContiguous(view, "window");
    window_data = Data<char>(view);
  }
  CheckThreads(threads);
  Tensor out = NewTensor({rows, length / 2 + 1, 2}, x.dtype());
  TensorView view(out);
  if (IsFloat32(x.dtype())) {
    Run<float>(x, static_cast<const float*>(window_data), length, factor, Data<float>(view),
               threads);
  } else {
    Run<double>(x, static_cast<const double*>(window_data), length, factor, Data<double>(view),
                threads);
  }
  return out;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(rfft, Rfft);
